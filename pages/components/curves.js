// Small plots of the whole run with a cursor at the round on screen. Pointing at a round goes there.

const PLOT = { width: 230, height: 132, left: 50, right: 8, top: 10, bottom: 26 }; // the sides are margins

const roundedUp = (value) => { // to two digits
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / unit - 1e-9) * unit;
};

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
    Object.assign(this, { curve, first, last, rounds: scene.T });
    this.colours = curve.log ? [colours.doubt, colours.explored]
      : (curve.colours ?? ["new"]).map((role) => colours[role]);
    this.wide = PLOT.width - PLOT.left - PLOT.right;
    this.tall = PLOT.height - PLOT.top - PLOT.bottom;
    const known = curve.lines.flat().filter((value) => value !== null);
    this.peak = Math.max(...known);
    const room = this.peak > roundedUp(curve.top) ? 1.3 : 1; // to say how high it goes
    this.low = curve.log ? Math.floor(Math.log10(Math.min(...known))) : 0;
    this.high = curve.log ? Math.ceil(Math.log10(curve.top)) : roundedUp(room * curve.top);
    const figure = make(parent, "figure"), viewBox = `0 0 ${PLOT.width} ${PLOT.height}`;
    this.title = make(figure, "figcaption");
    this.svg = make(figure, "svg", { viewBox, role: "img", "aria-label": curve.title });
    keepTextSize(this.svg);
    this.drawAxes(scene.tau);
    curve.lines.forEach((line, n) => this.drawLine(line, n));
    const { top } = PLOT;
    this.cursor = make(this.svg, "line", { y1: top, y2: top + this.tall, stroke: "currentColor", "stroke-width": 1.5 });
    this.dots = curve.lines.map((_, n) => make(this.svg, "circle", { r: 5, fill: this.colours[n] }));
    this.listen(go);
  }

  x(t) {
    const { first, last } = this;
    return PLOT.left + ((limit(t, first, last) - first) / Math.max(last - first, 1)) * this.wide;
  }

  y(value) {
    const share = ((this.curve.log ? Math.log10(value) : value) - this.low) / (this.high - this.low || 1);
    return PLOT.top + this.tall - limit(share, 0, 1) * this.tall;
  }

  drawAxes(tau) {
    const { svg, curve, low, high } = this, { left, top } = PLOT, label = { opacity: 0.75 };
    const explored = { x: left, y: top, width: this.x(tau) - left, height: this.tall }; // x stays within the window
    if (tau) make(svg, "rect", { ...explored, fill: "currentColor", "fill-opacity": 0.1 });
    const axes = `M${left} ${top}V${top + this.tall}H${left + this.wide}`;
    make(svg, "path", { d: axes, stroke: "currentColor", "stroke-opacity": 0.4, fill: "none" });
    for (const value of curve.log ? [10 ** low, 10 ** high] : [0, high]) {
      make(svg, "text", { ...label, x: left - 5, y: this.y(value) + 5, "text-anchor": "end" }, short(value, 2));
    }
    if (!curve.log && this.peak > high) { // a few high values would squeeze all the rest
      const corner = { ...label, x: left + this.wide, y: top + 10, "text-anchor": "end" };
      make(svg, "text", corner, `peak ${short(this.peak, 2)} ↑`);
    }
    const below = { ...label, y: PLOT.height - 6 };
    make(svg, "text", { ...below, x: left }, String(this.first));
    const end = `${this.last === this.rounds ? "T" : "t"} = ${this.last}`;
    make(svg, "text", { ...below, x: left + this.wide, "text-anchor": "end" }, end);
  }

  drawn(value) { return value !== null && value !== undefined && (this.curve.log || value <= this.high); }

  drawLine(line, n) { // a gap where there is no value, or one above the axis
    const point = (value, i) => {
      const pen = this.drawn(line[i - 1]) ? "L" : "M";
      return this.drawn(value) ? pen + written([this.x(i + 1), this.y(value)]) : "";
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
      show(node, this.drawn(values[n]));
      if (this.drawn(values[n])) set(node, { cx: this.x(t).toFixed(1), cy: this.y(values[n]).toFixed(1) });
    });
    const { names, title } = this.curve, named = (text, n) => (names ? `${names[n]} ${text}` : text);
    const texts = values.map((value) => (value === null ? "–" : short(value, 3))).map(named);
    say(this.title, `${title}  ${texts.join(", ")}`);
  }
}
