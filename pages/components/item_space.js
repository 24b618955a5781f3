// The left panel: the items on offer, the history, the recommendation and the question.

const ITEM_RANGE = 1.2; // in radii
const PACKED = 32767; // the items on offer come as whole 32767ths of the radius
const FINGER = 0.08; // of the panel's range: as near as a finger can point
const DIAMOND = "M0-7L7 0L0 7L-7 0Z";
const DISC = "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z";
const NAMED = 26; // past items that have their letter beside them, at most
const MARGIN = 0.14; // of the radius: as far beyond the items the ellipse is drawn

const grown = (questions) => 1 + 0.28 * Math.sqrt(questions); // how much larger an item is drawn

class ItemSpace {
  constructor(parent, colours, changed) {
    this.colours = colours;
    this.figure = make(parent, "figure", { class: "items" });
    make(this.figure, "figcaption").innerHTML = "Item space <small>what is recommended and asked</small>";
    this.panel = new Panel(this.figure, ITEM_RANGE, { class: "stage-svg", role: "img" });
    this.labels = new Labels(this.panel, changed);
    this.drawMarks();
  }

  drawMarks() { // in the order in which they cover each other
    const { colours, panel: { svg } } = this;
    const mark = (layer, tag, attributes, text) => make(svg, tag, { ...attributes, "data-layer": layer }, text);
    this.outline = make(svg, "ellipse", hollow("currentColor", 1.5, { "stroke-opacity": 0.35 }));
    this.contexts = mark("contexts", "path", {
      stroke: "currentColor", "stroke-opacity": 0.28, "stroke-width": 6, "stroke-linecap": "round",
    });
    this.clip = make(make(svg, "clipPath", { id: "roam-near-items" }), "ellipse");
    const near = make(svg, "g", { "clip-path": "url(#roam-near-items)" });
    this.reach = make(near, "ellipse", {
      ...hollow(colours.doubt, 3), fill: colours.doubt, "fill-opacity": 0.1, "stroke-dasharray": "9 5",
      "data-layer": "reach",
    });
    this.direction = mark("direction", "path", {
      ...hollow(colours.new, 2), "stroke-opacity": 0.8, "stroke-dasharray": "3 6",
    });
    this.history = make(svg, "g");
    this.ring = make(near, "ellipse", { "data-layer": "ratio", ...hollow(colours.truth, 2) });
    this.mistake = mark("ratio", "line", { stroke: colours.truth, "stroke-width": 5 });
    this.best = mark("best", "rect", { x: -10, y: -10, width: 20, height: 20, ...hollow(colours.truth, 3.5) });
    this.probe = mark("probe", "path", hollow(colours.asked, 4));
    this.y = mark("probe", "circle", { r: 13, ...hollow(colours.asked, 4) });
    this.yourProbe = make(svg, "path", hollow(colours.yours, 4, { "stroke-dasharray": "4 6" }));
    this.yours = make(svg, "circle", { r: 17, ...hollow(colours.yours, 4), "stroke-dasharray": "4 4" });
    this.x = make(svg, "circle", { r: 10, fill: colours.new, stroke: "var(--st-background-color)", "stroke-width": 2 });
    this.letters = Array.from({ length: NAMED }, () => mark("names", "text", { class: "letter" }));
    this.bestLabel = mark("best", "text", {}, "x*ₜ");
    this.xLabel = make(svg, "text", {}, "xₜ");
    this.yLabel = mark("probe", "text");
    this.winner = make(svg, "text", { "font-weight": 700 }, "preferred");
  }

  load(scene) {
    this.scene = scene;
    const bytes = Uint8Array.from(atob(scene.contexts.data), (character) => character.charCodeAt(0));
    this.fresh = new Int16Array(bytes.buffer); // x and y of item after item, round after round
    this.panel.range = ITEM_RANGE * scene.radius;
    this.panel.ellipse(this.outline, [0, 0], [...scene.outline, 0]);
    this.panel.ellipse(this.clip, [0, 0], [...scene.outline.map((half) => half + MARGIN * scene.radius), 0]);
    set(this.outline, { fill: scene.solid ? "currentColor" : "none", "fill-opacity": 0.04 });
    this.history.replaceChildren();
    this.named = null;
    this.dots = scene.x.map((point, i) => this.past(point, i));
  }

  past(point, i) { // an item of the history, not shown yet
    const explored = i < this.scene.tau;
    const dot = make(this.history, "path", {
      d: explored ? DIAMOND : DISC, class: "past", "data-round": i + 1,
      fill: explored ? this.colours.explored : "currentColor", "fill-opacity": explored ? 0.95 : 0.55,
      stroke: "var(--st-secondary-background-color)", "stroke-width": 1,
    });
    const title = make(dot, "title");
    return { dot, title, at: written(this.panel.at(point)), layer: explored ? "explored" : "later", shown: null };
  }

  draw(state) {
    const i = state.t - 1;
    this.drawContexts(i);
    this.drawRecommendation(i);
    this.drawQuestion(state, i);
    this.drawHistory(state, i);
    this.drawNames(state, i);
  }

  drawContexts(i) {
    const numbers = 2 * this.scene.contexts.shown, scale = this.panel.length(this.scene.radius) / PACKED;
    let path = "";
    for (let n = i * numbers; n < (i + 1) * numbers; n += 2) {
      path += `M${written([SIZE / 2 + this.fresh[n] * scale, SIZE / 2 - this.fresh[n + 1] * scale])}h0`;
    }
    this.contexts.setAttribute("d", path);
  }

  drawRecommendation(i) {
    const { scene, panel } = this, estimate = scene.estimate[i], x = scene.x[i];
    show(this.direction, size(estimate) > 0);
    if (size(estimate)) panel.arrow(this.direction, [0, 0], times(unit(estimate), scene.radius * 1.1));
    panel.move(this.x, x);
    panel.move(this.best, scene.best[i]);
    panel.line(this.mistake, x, scene.best[i]);
    panel.ellipse(this.ring, x, asFarAs(scene, i, scene.mistake[i]));
  }

  drawQuestion(state, i) {
    const { scene, panel } = this, x = scene.x[i], y = scene.x[scene.asked[i]]; // no y: nothing was asked
    for (const node of [this.probe, this.y, this.reach]) show(node, y && state.shows("ask"));
    if (!y) return;
    panel.arrow(this.probe, y, x);
    panel.move(this.y, y);
    panel.ellipse(this.reach, x, scene.reach[i]);
  }

  drawHistory(state, i) { // an item grows with the number of questions about it
    const last = state.shows("ask") ? i : i - 1, { names, T } = this.scene, counts = new Array(T).fill(0);
    for (let n = 0; n <= last; n++) if (this.scene.asked[n] >= 0) counts[this.scene.asked[n]]++;
    this.dots.forEach((past, n) => {
      const visible = n < i && !state.hidden.has(past.layer), now = visible ? counts[n] : -1;
      if (past.shown === now) return;
      past.shown = now;
      show(past.dot, visible);
      const scale = grown(counts[n]).toFixed(2);
      if (visible) set(past.dot, { transform: `translate(${past.at}) scale(${scale})`, "data-count": counts[n] });
      past.title.textContent = `Item ${names[n]} of round ${n + 1}, questions about it: ${counts[n]}`;
    });
    this.counts = counts;
  }

  drawNames(state, i) { // of this round's items first, then of past ones, those asked about most often first
    const now = [i, state.stage, [...state.hidden], this.labels.size].join(" "); // the same for many frames
    if (this.named === now) return;
    this.named = now;
    const { scene, labels } = this, { names } = scene, x = scene.x[i], best = scene.best[i];
    const asked = state.shows("ask") && scene.asked[i] >= 0 ? scene.asked[i] : null, y = scene.x[asked];
    const past = this.dots.map((_, n) => n).filter((n) => this.dots[n].shown >= 0);
    const radius = (n) => 7 * grown(this.counts[n]);
    labels.start([[x, 12], [best, 13], ...(y ? [[y, 15]] : []), ...past.map((n) => [scene.x[n], radius(n)])]);
    if (y) labels.avoidLine(x, y);
    const beside = (node, point, radius, options) => {
      labels.place(node, point, radius, this.outwards(point), options);
    };
    for (const node of [this.yLabel, this.winner, this.bestLabel, ...this.letters]) show(node, false);
    beside(this.xLabel, x, 12, { needed: true });
    if (y) {
      say(this.yLabel, `${names[asked]} = yₜ`);
      beside(this.yLabel, y, Math.max(15, radius(asked)), { needed: true });
    }
    if (y && state.stage !== null && state.shows("answer")) beside(this.winner, scene.outcome[i] ? x : y, 30);
    if (scene.mistake[i]) beside(this.bestLabel, best, 13);
    past.sort((n, m) => this.counts[m] - this.counts[n] || n - m).filter((n) => n !== asked).slice(0, NAMED)
      .forEach((n, place) => {
        say(this.letters[place], names[n]);
        beside(this.letters[place], scene.x[n], radius(n), { turns: [0, 0.5, -0.5] });
      });
  }

  outwards([x, y]) { // straight away from the outline of the item space
    const [wide, tall] = this.scene.outline;
    return [x / wide ** 2, y / tall ** 2];
  }

  drawYours(x, y) { // the visitor's own question, if there is one
    for (const node of [this.yours, this.yourProbe]) show(node, y);
    if (!y) return;
    this.panel.move(this.yours, y);
    this.panel.arrow(this.yourProbe, y, x);
  }

  itemUnder(event, before) { // the index of the item under the pointer, of those before a round
    return nearest(this.scene.x.slice(0, before), this.panel.under(event), this.panel.range * FINGER);
  }
}
