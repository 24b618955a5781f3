// The right panel: the taste, the estimate of it, and the ellipsoid of what is left to know.

const TASTE_RANGE = 2.4; // whatever the run does
const EDGE = 0.97 * TASTE_RANGE; // an estimate farther out is drawn here
const RECENT = 8; // probes
const TRAIL = 60; // rounds
const STAR = "M0-13L3.8-4.4L13-4L5.8 1.8L8.2 11L0 5.8L-8.2 11L-5.8 1.8L-13-4L-3.8-4.4Z";

class ParameterSpace {
  constructor(parent, colours, nominal, changed) {
    Object.assign(this, { colours, nominal });
    this.figure = make(parent, "figure", { class: "taste" });
    make(this.figure, "figcaption").innerHTML = "Parameter space <small>what is known of the taste</small>";
    this.panel = new Panel(this.figure, TASTE_RANGE, { class: "stage-svg", role: "img" });
    this.labels = new Labels(this.panel, changed);
    this.aside = make(this.figure, "aside");
    make(this.aside, "b", {}, "Ellipsoid: what is left to know");
    this.note = make(this.aside, "p", { class: "note" });
    this.drawGround();
    this.drawMarks();
  }

  drawGround() {
    const { panel } = this, axis = { stroke: "currentColor", "stroke-opacity": 0.12 };
    const circle = make(panel.svg, "ellipse", hollow("currentColor", 1.5, { "stroke-opacity": 0.3 }));
    panel.ellipse(circle, [0, 0], [1, 1, 0]);
    panel.line(make(panel.svg, "line", axis), [-TASTE_RANGE, 0], [TASTE_RANGE, 0]);
    panel.line(make(panel.svg, "line", axis), [0, -TASTE_RANGE], [0, TASTE_RANGE]);
    for (const value of [-2, -1, 1, 2]) {
      const [x, y] = panel.at([value, 0]);
      make(panel.svg, "text", { x, y: y + 18, opacity: 0.6 }, String(value));
    }
  }

  drawMarks() { // in the order in which they cover each other
    const { colours, panel: { svg } } = this;
    const mark = (layer, tag, attributes, text) => make(svg, tag, { ...attributes, "data-layer": layer }, text);
    this.before = mark("belief", "ellipse", {
      ...hollow(colours.doubt, 2), "stroke-opacity": 0.6, "stroke-dasharray": "5 5",
    });
    this.belief = mark("belief", "ellipse", {
      ...hollow(colours.doubt, 3.5), fill: colours.doubt, "fill-opacity": 0.14,
    });
    this.axes = [0, 1].map(() => mark("axes", "line", {
      stroke: colours.doubt, "stroke-width": 2, "stroke-opacity": 0.8,
    }));
    this.afterRule = make(svg, "ellipse", hollow(colours.asked, 3));
    this.afterYours = make(svg, "ellipse", hollow(colours.yours, 3, { "stroke-dasharray": "6 5" }));
    this.trail = mark("trail", "polyline", { ...hollow(colours.new, 2), "stroke-opacity": 0.55 });
    this.probes = Array.from({ length: RECENT }, () => mark("probes", "path", hollow(colours.asked, 3)));
    this.truth = mark("truth", "path", { d: STAR, fill: colours.truth });
    this.truthLabel = mark("truth", "text", {}, "θ*");
    this.estimate = make(svg, "circle", {
      r: 9, fill: colours.new, stroke: "var(--st-background-color)", "stroke-width": 2,
    });
    this.estimateLabel = make(svg, "text", {}, "θ̂ₜ");
  }

  load(scene) {
    this.scene = scene;
    this.panel.move(this.truth, scene.theta);
  }

  draw(state) {
    const { scene } = this, { share, ellipsoid: matrix } = state, i = state.t - 1;
    const { matrices, axes, size: nominal } = scene.ellipsoids[matrix], c = nominal ?? state.c;
    const estimate = between(scene.estimate[i], scene.estimate[i + 1], share);
    const shape = share === 0 ? axes[i] : share === 1 ? axes[i + 1]
      : ellipsoid(between(matrices[i], matrices[i + 1], share));
    this.drawBelief(estimate, shape, c);
    show(this.before, state.isAt("learn"));
    if (state.isAt("learn")) this.panel.ellipse(this.before, scene.estimate[i], axes[i], c);
    this.panel.outline(this.trail, [...scene.estimate.slice(Math.max(0, i - TRAIL), i + 1), estimate]);
    this.drawEstimate(estimate, nominal
      ? `It reaches ${c.toFixed(2)} from the estimate, measured in H: nominally it holds the taste in ${this.nominal}.`
      : `It reaches ${c} from the estimate, measured in V.`);
    this.drawProbes(estimate, state.shows("ask") ? i : i - 1);
    const [far, long, wide] = [size(minus(estimate, scene.theta)), shape[0] * c, shape[1] * c].map((v) => short(v, 2));
    this.panel.svg.setAttribute("aria-label", `Parameter space. The estimate is ${far} from the taste. The ellipsoid `
      + `of ${matrix} around it reaches ${long} along its long axis and ${wide} along its short one.`);
  }

  drawBelief(estimate, shape, c) {
    const [a, b, angle] = shape;
    this.panel.ellipse(this.belief, estimate, shape, c);
    [[a, angle], [b, angle + Math.PI / 2]].forEach(([length, turn], n) => {
      const arm = polar(Math.min(length * c, 20), turn);
      this.panel.line(this.axes[n], minus(estimate, arm), plus(estimate, arm));
    });
  }

  drawProbes(estimate, last) { // half as long as in item space, where the radius is 1 here; older ones are fainter
    const { scene, labels } = this, away = minus(this.place, scene.theta);
    labels.start([[scene.theta, 13], [this.place, 10]]);
    this.probes.forEach((node, n) => {
      const x = scene.x[last - n], y = scene.x[scene.asked[last - n]]; // no y: nothing was asked
      show(node, y);
      if (!y) return;
      const tip = plus(estimate, times(minus(x, y), 0.5 / scene.radius));
      this.panel.arrow(node, estimate, tip);
      if (n < 3) labels.avoidLine(estimate, tip); // older ones are faint
      node.setAttribute("stroke-opacity", (0.9 * (1 - n / RECENT)).toFixed(2));
    });
    labels.place(this.truthLabel, scene.theta, 13, times(away, -1), { needed: true });
    labels.place(this.estimateLabel, this.place, 10, away, { needed: true });
  }

  drawEstimate(estimate, words) {
    const farthest = Math.max(...estimate.map(Math.abs)), outside = farthest > EDGE;
    this.place = outside ? times(estimate, EDGE / farthest) : estimate;
    this.panel.move(this.estimate, this.place);
    const far = `The estimate is outside the picture: its length is ${size(estimate).toFixed(1)}.`;
    say(this.note, outside ? far : words);
  }

  drawAfter(i, yours, rule, c) { // what the visitor's own question and the rule's leave of the ellipsoid
    for (const [node, shape] of [[this.afterYours, yours], [this.afterRule, rule]]) {
      show(node, shape);
      if (shape) this.panel.ellipse(node, this.scene.estimate[i], shape, c);
    }
  }
}
