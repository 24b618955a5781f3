// Small plots of the whole run with a cursor at the round on screen. Pointing at a round goes there.

const PLOT = { width: 230, height: 150, left: 44, right: 8, top: 30, bottom: 24 }; // the sides are margins

class Curves {
  constructor(root, colours, go) {
    Object.assign(this, { row: make(root, "div", { class: "curves" }), colours, go });
  }

  load(scene) {
    this.row.replaceChildren();
    this.plots = scene.curves.map((curve) => new Curve(this.row, curve, scene, this.colours, this.go));
  }

  draw(state) { for (const plot of this.plots) plot.draw(state); }
}

class Curve {
  constructor(parent, curve, scene, colours, go) {
    const [first, last] = curve.window ?? [1, scene.T];
    Object.assign(this, { curve, first, last });
    this.colours = curve.log ? [colours.doubt, colours.explored]
      : (curve.colours ?? ["new"]).map((role) => colours[role]);
    this.wide = PLOT.width - PLOT.left - PLOT.right;
    this.tall = PLOT.height - PLOT.top - PLOT.bottom;
    this.low = curve.log ? Math.log10(Math.min(...curve.lines.flat().filter((value) => value > 0))) : 0;
    this.high = curve.log ? Math.log10(curve.top) : curve.top * 1.08;
    const viewBox = `0 0 ${PLOT.width} ${PLOT.height}`;
    this.svg = make(parent, "svg", { viewBox, role: "img", "aria-label": curve.title });
    this.drawAxes(scene.tau);
    curve.lines.forEach((line, n) => this.drawLine(line, n));
    const { top } = PLOT;
    this.cursor = make(this.svg, "line", { y1: top, y2: top + this.tall, stroke: "currentColor", "stroke-width": 1.5 });
    this.dots = curve.lines.map((_, n) => make(this.svg, "circle", { r: 5, fill: this.colours[n] }));
    this.title = make(this.svg, "text", { x: 2, y: 18, "font-size": 16, "font-weight": 600 });
    this.listen(go);
  }

  x(t) {
    const { first, last } = this;
    return PLOT.left + ((limit(t, first, last) - first) / Math.max(last - first, 1)) * this.wide;
  }

  y(value) {
    const share = ((this.curve.log ? Math.log10(value) : value) - this.low) / (this.high - this.low || 1);
    return PLOT.top + this.tall - limit(share, 0, 1.06) * this.tall;
  }

  drawAxes(tau) {
    const { svg, curve, low, high } = this, { left, top } = PLOT, label = { "font-size": 15, opacity: 0.75 };
    const explored = { x: left, y: top, width: this.x(tau) - left, height: this.tall };
    if (tau) make(svg, "rect", { ...explored, fill: "currentColor", "fill-opacity": 0.1 });
    const axes = `M${left} ${top}V${top + this.tall}H${left + this.wide}`;
    make(svg, "path", { d: axes, stroke: "currentColor", "stroke-opacity": 0.4, fill: "none" });
    for (const value of curve.log ? [10 ** low, 10 ** high] : [0, curve.top]) {
      make(svg, "text", { ...label, x: left - 5, y: this.y(value) + 5, "text-anchor": "end" }, short(value, 2));
    }
    const below = { ...label, y: PLOT.height - 6 };
    make(svg, "text", { ...below, x: left }, String(this.first));
    make(svg, "text", { ...below, x: left + this.wide, "text-anchor": "end" }, `t = ${this.last}`);
  }

  drawLine(line, n) { // null is a gap
    const point = (value, i) => {
      const pen = i === 0 || line[i - 1] === null ? "M" : "L";
      return value === null ? "" : pen + written([this.x(i + 1), this.y(value)]);
    };
    const dashes = { "stroke-dasharray": n ? "6 4" : "none" };
    make(this.svg, "path", { d: line.map(point).join(""), ...hollow(this.colours[n], 2.5, dashes) });
  }

  listen(go) {
    const { svg } = this;
    const seek = (event) => {
      const box = svg.getBoundingClientRect(), x = ((event.clientX - box.left) / box.width) * PLOT.width;
      go(this.first + Math.round(((x - PLOT.left) / this.wide) * (this.last - this.first)));
    };
    svg.onpointerdown = (event) => { svg.setPointerCapture(event.pointerId); seek(event); };
    svg.onpointermove = (event) => { if (event.buttons) seek(event); };
  }

  draw({ position, t }) {
    const x = this.x(position).toFixed(1), values = this.curve.lines.map((line) => line[t - 1]);
    set(this.cursor, { x1: x, x2: x });
    this.dots.forEach((node, n) => {
      show(node, values[n] !== null);
      if (values[n] !== null) set(node, { cx: this.x(t).toFixed(1), cy: this.y(values[n]).toFixed(1) });
    });
    const { names, title } = this.curve, named = (text, n) => (names ? `${names[n]} ${text}` : text);
    const texts = values.map((value) => (value === null ? "–" : short(value, 3))).map(named);
    say(this.title, `${title}  ${texts.join(", ")}`);
  }
}
