// Text in a drawing has the same size on screen whatever the size of the drawing: styles divide by --scale.

const TEXT = 16; // pixels

function keepTextSize(svg, changed = () => {}) { // `changed` is told how many pixels a unit has, and the drawing's box
  const { width, height } = svg.viewBox.baseVal;
  new ResizeObserver(() => {
    const box = svg.getBoundingClientRect(), scale = Math.min(box.width / width, box.height / height);
    if (!scale) return; // it is not shown
    svg.style.setProperty("--scale", scale.toFixed(4));
    changed(scale, box);
  }).observe(svg);
}
