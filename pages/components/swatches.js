// How each layer looks in the key of its panel. Which layers there are, and their words, is declared in plane.py.

const SWATCHES = {
  contexts: (svg) => {
    for (const cx of [4, 11, 18]) make(svg, "circle", { cx, cy: 9, r: 2.5, fill: "currentColor", opacity: 0.4 });
  },
  explored: (svg, colours) => make(svg, "path", { d: "M11 2L18 9L11 16L4 9Z", fill: colours.explored }),
  later: (svg) => make(svg, "circle", { cx: 11, cy: 9, r: 5, fill: "currentColor", opacity: 0.6 }),
  best: (svg, colours) => make(svg, "rect", { x: 4, y: 2, width: 14, height: 14, ...hollow(colours.truth, 3) }),
  probe: (svg, colours) => stroke(svg, "M1 9H19M13 3L20 9L13 15", colours.asked, 3),
  ratio: (svg, colours) => stroke(svg, "M3 9H19", colours.truth, 4),
  names: (svg) => make(svg, "text", { x: 11, y: 10 }, "A"),
  reach: (svg, colours) => ring(svg, colours.doubt, { "stroke-dasharray": "5 3" }),
  direction: (svg, colours) => stroke(svg, "M1 9H19M14 4L20 9L14 14", colours.new, 2, { "stroke-dasharray": "3 3" }),
  truth: (svg, colours) => {
    make(svg, "path", { d: "M11 1L13.5 7H20L15 11L17 17L11 13L5 17L7 11L2 7H8.5Z", fill: colours.truth });
  },
  trail: (svg, colours) => stroke(svg, "M1 14L8 6L14 10L21 3", colours.new, 2),
  belief: (svg, colours) => ring(svg, colours.doubt, { fill: colours.doubt, "fill-opacity": 0.2 }),
  axes: (svg, colours) => stroke(svg, "M1 13L21 5M8 3L14 15", colours.doubt, 2),
  probes: (svg, colours) => stroke(svg, "M4 15L18 3M11 3V15", colours.asked, 3, { "stroke-opacity": 0.6 }),
};

function stroke(svg, path, colour, width, others = {}) {
  make(svg, "path", { d: path, ...hollow(colour, width, others) });
}

function ring(svg, colour, others) {
  make(svg, "ellipse", { cx: 11, cy: 9, rx: 10, ry: 7, ...hollow(colour, 2.5, others) });
}
