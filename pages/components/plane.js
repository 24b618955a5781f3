// Draws a scene (see plane.py) round by round. No number of the run is computed here; only "Your turn" is: what another
// question would have done to V, because a click must be answered at once.

const SIZE = 500; // of a panel's coordinates
const RECENT = 8; // probes drawn in parameter space
const TASTE_RANGE = 2.4; // parameter space shows [-2.4, 2.4] in both directions, whatever the run does
const SPEEDS = [1, 2, 5, 10, 20, 40];
const STAGES = ["Recommend", "Ask", "Answer", "Learn"];
const REPORT_AFTER = 350; // milliseconds of rest after which the page is told what is shown

function make(parent, tag, attributes = {}, text = "") {
  const svg = ["svg", "g", "path", "circle", "ellipse", "line", "rect", "text", "polygon", "polyline"].includes(tag);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  set(node, attributes);
  if (text) node.textContent = text;
  parent.append(node);
  return node;
}

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

function show(node, visible) {
  node.style.display = visible ? "" : "none";
}

// Mathematics of symmetric 2 x 2 matrices [a, b, c] for [[a, b], [b, c]].

function probed(V, z) {
  return [V[0] + z[0] * z[0], V[1] + z[0] * z[1], V[2] + z[1] * z[1]];
}

function norm(V, z) { // of z in V^-1
  const determinant = V[0] * V[2] - V[1] * V[1];
  return Math.sqrt((V[2] * z[0] * z[0] - 2 * V[1] * z[0] * z[1] + V[0] * z[1] * z[1]) / determinant);
}

function ellipsoid(V) { // [semi-axes, angle] of {v : v^T V v = 1}, the longer axis first
  const middle = (V[0] + V[2]) / 2, spread = Math.hypot((V[0] - V[2]) / 2, V[1]);
  const angle = Math.atan2(2 * V[1], V[0] - V[2]) / 2 + Math.PI / 2; // the direction of the smaller eigenvalue
  return [1 / Math.sqrt(Math.max(middle - spread, 1e-12)), 1 / Math.sqrt(middle + spread), angle];
}

const between = (a, b, share) => a.map((value, i) => value + share * (b[i] - value));
const minus = (a, b) => [a[0] - b[0], a[1] - b[1]];
const short = (value) => Number(value.toPrecision(2)).toString();

class Panel {
  constructor(figure, range) {
    this.svg = make(figure, "svg", { class: "stage-svg", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img" });
    this.range = range;
  }
  length(value) { return (value / this.range) * (SIZE / 2); }
  at([x, y]) { return [SIZE / 2 + this.length(x), SIZE / 2 - this.length(y)]; }
  back(clientX, clientY) {
    const box = this.svg.getBoundingClientRect();
    const scale = SIZE / Math.min(box.width, box.height);
    const x = (clientX - box.left - box.width / 2) * scale, y = (clientY - box.top - box.height / 2) * scale;
    return [(x / (SIZE / 2)) * this.range, (-y / (SIZE / 2)) * this.range];
  }
  move(node, point) {
    const [x, y] = this.at(point);
    node.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  }
  ellipse(node, centre, [a, b, angle], level = 1) {
    const [x, y] = this.at(centre);
    const most = 20 * SIZE; // far outside the panel: no need for more
    set(node, {
      rx: Math.min(this.length(a * level), most).toFixed(2), ry: Math.min(this.length(b * level), most).toFixed(2),
      transform: `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(${((-angle * 180) / Math.PI).toFixed(3)})`,
    });
  }
  line(node, from, to) {
    const [x1, y1] = this.at(from), [x2, y2] = this.at(to);
    set(node, { x1: x1.toFixed(1), y1: y1.toFixed(1), x2: x2.toFixed(1), y2: y2.toFixed(1) });
  }
  arrow(node, from, to) { // a path with a head at `to`
    const [x1, y1] = this.at(from), [x2, y2] = this.at(to);
    const angle = Math.atan2(y2 - y1, x2 - x1), head = Math.min(16, Math.hypot(x2 - x1, y2 - y1));
    const wing = (turn) => `${(x2 - head * Math.cos(angle + turn)).toFixed(1)} ${(y2 - head * Math.sin(angle + turn)).toFixed(1)}`;
    node.setAttribute("d", `M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}M${wing(0.45)}L${x2.toFixed(1)} ${y2.toFixed(1)}L${wing(-0.45)}`);
  }
  label(node, point, dx = 12, dy = -12) { // text beside a point, kept inside the panel
    let [x, y] = this.at(point);
    x = Math.min(Math.max(x + dx, 8), SIZE - 60);
    y = Math.min(Math.max(y + dy, 22), SIZE - 8);
    set(node, { x: x.toFixed(1), y: y.toFixed(1) });
  }
}

class Plane {
  constructor(root, colours, layers, levels) {
    Object.assign(this, { root, colours, layers });
    this.state = { position: 1, stage: null, playing: false, speed: 5, pick: null, c: 4, hidden: new Set() };
    const panels = make(root, "div", { class: "panels" });
    this.itemFigure = make(panels, "figure", { class: "items" });
    make(this.itemFigure, "figcaption").innerHTML = "Item space <small>what is recommended and asked</small>";
    this.tasteFigure = make(panels, "figure", { class: "taste" });
    make(this.tasteFigure, "figcaption").innerHTML = "Parameter space <small>what is known of the taste</small>";
    this.items = new Panel(this.itemFigure, 1.2);
    this.taste = new Panel(this.tasteFigure, TASTE_RANGE);
    this.drawItems();
    this.drawTaste();
    this.key(this.itemFigure, ["contexts", "explored", "later", "best", "probe", "reach", "direction"]);
    this.key(this.tasteFigure, ["truth", "trail", "belief", "axes", "probes"]);
    this.level(levels);
    this.transport();
    this.stageRow();
    this.words = make(root, "p", { class: "words", "aria-live": "polite" });
    this.yourTurn();
    this.curveRow = make(root, "div", { class: "curves" });
    this.items.svg.addEventListener("click", (event) => this.clicked(event));
    const keys = (event) => (root.isConnected ? this.pressed(event) : document.removeEventListener("keydown", keys));
    document.addEventListener("keydown", keys);
  }

  get t() { return Math.floor(this.state.position + 1e-9); }

  drawItems() {
    const { svg } = this.items, { colours } = this;
    this.outline = make(svg, "ellipse", { fill: "none", stroke: "currentColor", "stroke-opacity": 0.35, "stroke-width": 1.5 });
    this.contexts = make(svg, "path", { stroke: "currentColor", "stroke-opacity": 0.28, "stroke-width": 6, "stroke-linecap": "round", "data-layer": "contexts" });
    this.reach = make(svg, "ellipse", { fill: colours.doubt, "fill-opacity": 0.1, stroke: colours.doubt, "stroke-width": 3, "stroke-dasharray": "9 5", "data-layer": "reach" });
    this.belief2 = make(svg, "path", { fill: "none", stroke: colours.new, "stroke-opacity": 0.8, "stroke-width": 2, "stroke-dasharray": "3 6", "data-layer": "direction" });
    this.history = make(svg, "g");
    this.best = make(svg, "rect", { x: -10, y: -10, width: 20, height: 20, fill: "none", stroke: colours.truth, "stroke-width": 3.5, "data-layer": "best" });
    this.probe = make(svg, "path", { fill: "none", stroke: colours.asked, "stroke-width": 4, "data-layer": "probe" });
    this.y = make(svg, "circle", { r: 13, fill: "none", stroke: colours.asked, "stroke-width": 4, "data-layer": "probe" });
    this.yourProbe = make(svg, "path", { fill: "none", stroke: colours.yours, "stroke-width": 4, "stroke-dasharray": "4 6" });
    this.your = make(svg, "circle", { r: 17, fill: "none", stroke: colours.yours, "stroke-width": 4, "stroke-dasharray": "4 4" });
    this.x = make(svg, "circle", { r: 10, fill: colours.new, stroke: "var(--st-background-color)", "stroke-width": 2 });
    this.winner = make(svg, "text", { "font-size": 20, "font-weight": 700, "text-anchor": "middle" }, "preferred");
    this.xLabel = make(svg, "text", { "font-size": 20 }, "xₜ");
    this.yLabel = make(svg, "text", { "font-size": 20, "data-layer": "probe" }, "yₜ");
  }

  drawTaste() {
    const { svg } = this.taste, { colours } = this;
    const unit = make(svg, "ellipse", { fill: "none", stroke: "currentColor", "stroke-opacity": 0.3, "stroke-width": 1.5 });
    this.taste.ellipse(unit, [0, 0], [1, 1, 0]);
    const axis = { stroke: "currentColor", "stroke-opacity": 0.12 };
    this.taste.line(make(svg, "line", axis), [-TASTE_RANGE, 0], [TASTE_RANGE, 0]);
    this.taste.line(make(svg, "line", axis), [0, -TASTE_RANGE], [0, TASTE_RANGE]);
    for (const value of [-2, -1, 1, 2]) {
      const [x, y] = this.taste.at([value, 0]);
      make(svg, "text", { x, y: y + 18, "font-size": 17, "text-anchor": "middle", opacity: 0.6 }, String(value));
    }
    this.before = make(svg, "ellipse", { fill: "none", stroke: colours.doubt, "stroke-opacity": 0.6, "stroke-width": 2, "stroke-dasharray": "5 5", "data-layer": "belief" });
    this.belief = make(svg, "ellipse", { fill: colours.doubt, "fill-opacity": 0.14, stroke: colours.doubt, "stroke-width": 3.5, "data-layer": "belief" });
    this.axes = [0, 1].map(() => make(svg, "line", { stroke: colours.doubt, "stroke-width": 2, "stroke-opacity": 0.8, "data-layer": "axes" }));
    this.afterRoam = make(svg, "ellipse", { fill: "none", stroke: colours.asked, "stroke-width": 3 });
    this.afterYours = make(svg, "ellipse", { fill: "none", stroke: colours.yours, "stroke-width": 3, "stroke-dasharray": "6 5" });
    this.trail = make(svg, "polyline", { fill: "none", stroke: colours.new, "stroke-width": 2, "stroke-opacity": 0.55, "data-layer": "trail" });
    this.probes = Array.from({ length: RECENT }, () => make(svg, "path", { fill: "none", stroke: colours.asked, "stroke-width": 3, "data-layer": "probes" }));
    this.truth = make(svg, "path", { d: "M0-13L3.8-4.4L13-4L5.8 1.8L8.2 11L0 5.8L-8.2 11L-5.8 1.8L-13-4L-3.8-4.4Z", fill: colours.truth, "data-layer": "truth" });
    this.truthLabel = make(svg, "text", { "font-size": 20, "data-layer": "truth" }, "θ*");
    this.estimate = make(svg, "circle", { r: 9, fill: colours.new, stroke: "var(--st-background-color)", "stroke-width": 2 });
    this.estimateLabel = make(svg, "text", { "font-size": 20 }, "θ̂ₜ");
    this.note = make(svg, "text", { x: 12, y: SIZE - 14, "font-size": 17 });
  }

  key(figure, names) {
    const row = make(figure, "div", { class: "key", role: "group", "aria-label": "Layers" });
    for (const name of names) {
      const button = make(row, "button", { type: "button", "aria-pressed": "true", "data-toggle": name, title: "Show or hide" });
      this.swatch(make(button, "svg", { viewBox: "0 0 22 18", "aria-hidden": "true" }), name);
      make(button, "span", {}, this.layers[name]);
      button.onclick = () => {
        const { hidden } = this.state;
        hidden.has(name) ? hidden.delete(name) : hidden.add(name);
        this.draw();
        this.report();
      };
    }
  }

  swatch(svg, name) {
    const { colours } = this, middle = { cx: 11, cy: 9 };
    const line = (attributes) => make(svg, "path", { d: "M1 9H21", fill: "none", "stroke-width": 3, ...attributes });
    const ring = (attributes) => make(svg, "ellipse", { ...middle, rx: 10, ry: 7, fill: "none", "stroke-width": 2.5, ...attributes });
    ({
      contexts: () => [4, 11, 18].forEach((cx) => make(svg, "circle", { cx, cy: 9, r: 2.5, fill: "currentColor", opacity: 0.4 })),
      explored: () => make(svg, "path", { d: "M11 2L18 9L11 16L4 9Z", fill: colours.explored }),
      later: () => make(svg, "circle", { ...middle, r: 5, fill: "currentColor", opacity: 0.6 }),
      best: () => make(svg, "rect", { x: 4, y: 2, width: 14, height: 14, fill: "none", stroke: colours.truth, "stroke-width": 3 }),
      probe: () => line({ d: "M1 9H19M13 3L20 9L13 15", stroke: colours.asked }),
      reach: () => ring({ stroke: colours.doubt, "stroke-dasharray": "5 3" }),
      direction: () => line({ d: "M1 9H19M14 4L20 9L14 14", stroke: colours.new, "stroke-width": 2, "stroke-dasharray": "3 3" }),
      truth: () => make(svg, "path", { d: "M11 1L13.5 7H20L15 11L17 17L11 13L5 17L7 11L2 7H8.5Z", fill: colours.truth }),
      trail: () => line({ d: "M1 14L8 6L14 10L21 3", stroke: colours.new, "stroke-width": 2 }),
      belief: () => ring({ stroke: colours.doubt, fill: colours.doubt, "fill-opacity": 0.2 }),
      axes: () => line({ d: "M1 13L21 5M8 3L14 15", stroke: colours.doubt, "stroke-width": 2 }),
      probes: () => line({ d: "M4 15L18 3M11 3V15", stroke: colours.asked, "stroke-opacity": 0.6 }),
    })[name]();
  }

  level([low, high]) {
    const label = make(this.tasteFigure.querySelector(".key"), "label", {}, "size c");
    this.cInput = make(label, "input", { type: "range", min: low, max: high, step: 0.5, "aria-label": "Size c of the ellipsoid", style: "width: 80px" });
    this.cInput.oninput = () => { this.state.c = Number(this.cInput.value); this.draw(); this.report(); };
  }

  transport() {
    const row = make(this.root, "div", { class: "transport" });
    const button = (text, title, action, name) => {
      const node = make(row, "button", { type: "button", title, "aria-label": title, class: name }, text);
      node.onclick = action;
      return node;
    };
    this.playButton = button("Play", "Play or pause (space)", () => this.toggle(), "play");
    button("◀", "One step back (left arrow)", () => this.step(-1), "back");
    button("▶", "One step forward (right arrow)", () => this.step(1), "forward");
    button("To τ", "Jump to the end of exploration (e)", () => this.go(this.scene.tau + 1), "to-tau");
    this.scrub = make(row, "input", { type: "range", min: 1, step: 1, "aria-label": "Round" });
    this.scrub.oninput = () => this.go(Number(this.scrub.value));
    this.now = make(row, "span", { class: "now" });
    const speed = make(make(row, "label", {}, "speed"), "select", { "aria-label": "Rounds a second" });
    for (const value of SPEEDS) make(speed, "option", { value }, `${value}/s`);
    speed.value = String(this.state.speed);
    speed.onchange = () => { this.state.speed = Number(speed.value); };
  }

  stageRow() {
    const row = make(this.root, "div", { class: "stages", role: "group", "aria-label": "What part of the round to show" });
    this.stageButtons = ["Whole round", ...STAGES.map((name, n) => `${n + 1}. ${name}`)].map((text, n) => {
      const button = make(row, "button", { type: "button" }, text);
      button.onclick = () => this.go(this.t, n ? n - 1 : null);
      return button;
    });
  }

  yourTurn() {
    const box = make(this.root, "div", { class: "yours" });
    make(box, "p").innerHTML = "<b>Your turn:</b> click any past item to ask about that one instead.";
    const label = make(box, "label", {}, "Ask about the item of round");
    this.pickInput = make(label, "input", { type: "number", min: 1, style: "width: 4.5rem" });
    this.pickInput.onchange = () => this.choose(this.pickInput.value === "" ? null : Number(this.pickInput.value) - 1);
    this.drop = make(box, "button", { type: "button" }, "Back to the rule's choice");
    this.drop.onclick = () => this.choose(null);
  }

  load(scene) {
    this.scene = scene;
    const raw = atob(scene.contexts.data), bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
    this.fresh = new Int16Array(bytes.buffer);
    this.items.range = 1.2 * scene.radius;
    this.items.ellipse(this.outline, [0, 0], [...scene.outline, 0]);
    set(this.outline, { fill: scene.solid ? "currentColor" : "none", "fill-opacity": 0.04 });
    this.history.replaceChildren();
    this.dots = scene.x.map((point, i) => {
      const explored = i < scene.tau;
      const dot = make(this.history, "path", {
        d: explored ? "M0-7L7 0L0 7L-7 0Z" : "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z", class: "past", "data-round": i + 1,
        fill: explored ? this.colours.explored : "currentColor", "fill-opacity": explored ? 0.95 : 0.55,
        stroke: "var(--st-secondary-background-color)", "stroke-width": 1,
      });
      return { dot, at: this.items.at(point).map((v) => v.toFixed(1)), explored, shown: null };
    });
    this.scrub.max = scene.T;
    this.taste.move(this.truth, scene.theta);
    this.taste.label(this.truthLabel, scene.theta, 14, 6);
    this.drawCurves();
    this.state.position = Math.min(this.state.position, scene.T);
    this.state.pick = null;
  }

  drawCurves() {
    const { scene, curveRow, colours } = this, width = 230, height = 150;
    const box = { left: 44, right: 8, top: 30, bottom: 24 };
    curveRow.replaceChildren();
    this.plots = scene.curves.map((curve) => {
      const svg = make(curveRow, "svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": curve.title });
      const X = (t) => box.left + ((t - 1) / Math.max(scene.T - 1, 1)) * (width - box.left - box.right);
      const low = curve.log ? Math.log10(Math.min(...curve.lines.flat().filter((v) => v > 0))) : 0;
      const high = curve.log ? Math.log10(curve.top) : curve.top * 1.08;
      const Y = (value) => {
        const share = ((curve.log ? Math.log10(value) : value) - low) / (high - low || 1);
        return height - box.bottom - Math.min(Math.max(share, 0), 1.06) * (height - box.top - box.bottom);
      };
      if (scene.tau) make(svg, "rect", { x: X(1), y: box.top, width: X(Math.min(scene.tau, scene.T)) - X(1), height: height - box.top - box.bottom, fill: "currentColor", "fill-opacity": 0.1 });
      make(svg, "path", { d: `M${box.left} ${box.top}V${height - box.bottom}H${width - box.right}`, stroke: "currentColor", "stroke-opacity": 0.4, fill: "none" });
      const ends = curve.log ? [10 ** low, 10 ** high] : [0, curve.top];
      for (const value of ends) make(svg, "text", { x: box.left - 5, y: Y(value) + 5, "font-size": 15, "text-anchor": "end", opacity: 0.75 }, short(value));
      make(svg, "text", { x: X(1), y: height - 6, "font-size": 15, opacity: 0.75 }, "1");
      make(svg, "text", { x: width - box.right, y: height - 6, "font-size": 15, "text-anchor": "end", opacity: 0.75 }, `t = ${scene.T}`);
      const paint = curve.log ? [colours.doubt, colours.explored] : [colours.new];
      curve.lines.forEach((line, n) => {
        let path = "", pen = "M";
        line.forEach((value, i) => {
          if (value === null) { pen = "M"; return; }
          path += `${pen}${X(i + 1).toFixed(1)} ${Y(value).toFixed(1)}`;
          pen = "L";
        });
        make(svg, "path", { d: path, fill: "none", stroke: paint[n], "stroke-width": 2.5, "stroke-dasharray": n ? "6 4" : "none" });
      });
      const cursor = make(svg, "line", { y1: box.top, y2: height - box.bottom, stroke: "currentColor", "stroke-width": 1.5 });
      const dots = curve.lines.map((_, n) => make(svg, "circle", { r: 5, fill: paint[n] }));
      const title = make(svg, "text", { x: 2, y: 18, "font-size": 16, "font-weight": 600 });
      const seek = (event) => {
        const area = svg.getBoundingClientRect();
        const x = ((event.clientX - area.left) / area.width) * width;
        this.go(1 + Math.round(((x - box.left) / (width - box.left - box.right)) * (scene.T - 1)));
      };
      svg.onpointerdown = (event) => { svg.setPointerCapture(event.pointerId); seek(event); };
      svg.onpointermove = (event) => { if (event.buttons) seek(event); };
      return { curve, X, Y, cursor, dots, title };
    });
  }

  // What the visitor does

  go(t, stage = this.state.stage === null ? null : 0) {
    this.pause();
    this.state.position = Math.min(Math.max(Math.round(t), 1), this.scene.T);
    this.state.stage = stage;
    this.state.pick = null;
    this.draw();
    this.report();
  }

  step(by) {
    const { stage } = this.state;
    if (stage === null) return this.go(this.t + by);
    const next = stage + by;
    if (next >= 0 && next < STAGES.length) return this.go(this.t, next);
    const t = this.t + by;
    if (t >= 1 && t <= this.scene.T) this.go(t, by > 0 ? 0 : STAGES.length - 1);
  }

  toggle() { this.state.playing ? (this.pause(), this.draw(), this.report()) : this.play(); }

  pause() {
    this.state.playing = false;
    this.state.position = this.t;
    this.playButton.textContent = "Play";
  }

  play() {
    const { state } = this;
    if (this.t >= this.scene.T) state.position = 1;
    state.stage = null;
    state.playing = true;
    state.pick = null;
    this.playButton.textContent = "Pause";
    let last = performance.now();
    this.frames = [];
    const frame = (now) => {
      if (!state.playing || !this.root.isConnected) return;
      state.position += (state.speed * Math.min(Math.max(now - last, 0), 250)) / 1000;
      last = now;
      this.frames.push(now);
      if (state.position >= this.scene.T) { state.position = this.scene.T; this.pause(); this.report(); }
      this.draw();
      if (state.playing) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  pressed(event) {
    // Other controls keep their own keys; our buttons keep only those that press them.
    const control = event.target.closest?.("input, textarea, select, button, [role=slider], [role=combobox], [contenteditable]");
    const ours = control?.tagName === "BUTTON" && this.root.contains(control) && event.key !== " ";
    if (event.ctrlKey || event.metaKey || event.altKey || (control && !ours)) return;
    const action = {
      ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), " ": () => this.toggle(), Home: () => this.go(1),
      End: () => this.go(this.scene.T), e: () => this.go(this.scene.tau + 1), Escape: () => this.choose(null),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  clicked(event) {
    if (this.state.playing) { this.pause(); this.draw(); }
    const point = this.items.back(event.clientX, event.clientY);
    let nearest = null, distance = this.items.range * 0.08; // a finger's width
    for (let i = 0; i < this.t - 1; i++) {
      const away = Math.hypot(...minus(this.scene.x[i], point));
      if (away < distance) [nearest, distance] = [i, away];
    }
    this.choose(nearest);
  }

  choose(index) {
    const valid = Number.isInteger(index) && index >= 0 && index < this.t - 1;
    this.state.pick = valid ? index : null;
    this.draw();
  }

  report() { // tell the page what is shown, once the visitor rests
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { state } = this;
      if (state.playing || !this.root.isConnected) return;
      this.send({ round: this.t, stage: state.stage === null ? -1 : state.stage, c: state.c, hidden: [...state.hidden] });
    }, REPORT_AFTER);
  }

  // What is drawn

  draw() {
    const { scene, state } = this, t = this.t, i = t - 1, { stage } = state;
    const has = (n) => stage === null || stage >= n; // whether stage n of the round is on screen
    const asked = scene.asked[i] >= 0, y = asked ? scene.x[scene.asked[i]] : null;
    this.drawRound(i, has, asked, y);
    this.drawHistory(i);
    this.drawBelief(i, stage === 3 ? 1 : state.position - t, stage);
    const verdict = this.drawYours(i, y);
    for (const node of this.root.querySelectorAll("[data-layer]")) node.style.visibility = state.hidden.has(node.dataset.layer) ? "hidden" : "";
    for (const node of this.root.querySelectorAll("[data-toggle]")) node.setAttribute("aria-pressed", String(!state.hidden.has(node.dataset.toggle)));
    for (const plot of this.plots) this.moveCursor(plot, i);
    this.stageButtons.forEach((button, n) => ((stage === null ? 0 : stage + 1) === n ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current")));
    const words = verdict ? verdict : stage === null ? scene.words[i] : `Round ${t}, ${STAGES[stage].toLowerCase()}. ${scene.stages[i][stage]}`;
    if (this.words.textContent !== words) this.words.textContent = words;
    this.words.setAttribute("aria-live", state.playing ? "off" : "polite");
    this.items.svg.setAttribute("aria-label", `Item space. ${words}`);
    this.scrub.value = t;
    this.now.textContent = `Round ${t} of ${scene.T}`;
    this.cInput.value = state.c;
  }

  drawRound(i, has, asked, y) {
    const { scene, items } = this, x = scene.x[i];
    const shown = scene.contexts.shown, scale = SIZE / 2 / 1.2 / 32767;
    let dots = "";
    for (let n = i * shown * 2; n < (i + 1) * shown * 2; n += 2) {
      dots += `M${(SIZE / 2 + this.fresh[n] * scale).toFixed(1)} ${(SIZE / 2 - this.fresh[n + 1] * scale).toFixed(1)}h0`;
    }
    this.contexts.setAttribute("d", dots);
    const estimate = scene.estimate[i], length = Math.hypot(...estimate);
    show(this.belief2, length > 0);
    if (length) items.arrow(this.belief2, [0, 0], estimate.map((v) => (v / length) * scene.radius * 1.1));
    items.move(this.x, x);
    items.label(this.xLabel, x);
    items.move(this.best, scene.best[i]);
    const question = asked && has(1);
    [this.probe, this.y, this.yLabel, this.reach].forEach((node) => show(node, question));
    if (question) {
      items.arrow(this.probe, y, x);
      items.move(this.y, y);
      items.label(this.yLabel, y, 14, 24);
      items.ellipse(this.reach, x, scene.reach[i]);
    }
    show(this.winner, asked && (this.state.stage === 2 || this.state.stage === 3));
    if (asked) {
      const [a, b] = items.at(scene.outcome[i] ? x : y);
      set(this.winner, { x: Math.min(Math.max(a, 50), SIZE - 50), y: Math.min(Math.max(b - 26, 20), SIZE - 30) });
    }
  }

  drawHistory(i) {
    const { scene } = this, counts = new Array(scene.T).fill(0);
    for (let n = 0; n <= i; n++) if (scene.asked[n] >= 0 && (n < i || this.state.stage === null || this.state.stage > 0)) counts[scene.asked[n]]++;
    const { hidden } = this.state;
    this.dots.forEach((past, n) => {
      const visible = n < i && !hidden.has(past.explored ? "explored" : "later");
      const now = visible ? counts[n] : -1;
      if (past.shown === now) return;
      past.shown = now;
      show(past.dot, visible);
      if (visible) set(past.dot, { transform: `translate(${past.at}) scale(${(1 + 0.28 * Math.sqrt(counts[n])).toFixed(2)})`, "data-count": counts[n] });
    });
  }

  drawBelief(i, share, stage) {
    const { scene, taste, state } = this;
    const estimate = between(scene.estimate[i], scene.estimate[i + 1], share);
    const shape = share === 0 ? scene.belief[i] : share === 1 ? scene.belief[i + 1] : ellipsoid(between(scene.V[i], scene.V[i + 1], share));
    taste.ellipse(this.belief, estimate, shape, state.c);
    show(this.before, stage === 3);
    if (stage === 3) taste.ellipse(this.before, scene.estimate[i], scene.belief[i], state.c);
    const [a, b, angle] = shape;
    [[a, angle], [b, angle + Math.PI / 2]].forEach(([length, turn], n) => {
      const reach = Math.min(length * state.c, 20), arm = [Math.cos(turn) * reach, Math.sin(turn) * reach];
      taste.line(this.axes[n], minus(estimate, arm), [estimate[0] + arm[0], estimate[1] + arm[1]]);
    });
    const from = Math.max(0, i - 60);
    const points = scene.estimate.slice(from, i + 1).concat([estimate]).map((p) => taste.at(p).map((v) => v.toFixed(1)).join());
    this.trail.setAttribute("points", points.join(" "));
    const last = stage === null || stage >= 1 ? i : i - 1;
    this.probes.forEach((node, n) => {
      const round = last - n, index = round >= 0 ? scene.asked[round] : -1;
      show(node, index >= 0);
      if (index < 0) return;
      const z = minus(scene.x[round], scene.x[index]).map((v) => (v / scene.radius) * 0.5);
      taste.arrow(node, estimate, [estimate[0] + z[0], estimate[1] + z[1]]);
      node.setAttribute("stroke-opacity", (0.9 * (1 - n / RECENT)).toFixed(2));
    });
    const outside = Math.max(...estimate.map(Math.abs)) > TASTE_RANGE * 0.97;
    const edge = outside ? estimate.map((v) => (v / Math.max(...estimate.map(Math.abs))) * TASTE_RANGE * 0.97) : estimate;
    taste.move(this.estimate, edge);
    const crowded = Math.hypot(...minus(edge, scene.theta)) < 0.35; // keep the two names apart
    taste.label(this.estimateLabel, edge, crowded ? -36 : 12, 24);
    this.note.textContent = outside ? `The estimate is outside: length ${Math.hypot(...estimate).toFixed(1)}` : `c = ${state.c}: ‖θ − θ̂‖ in V ≤ ${state.c}`;
    const [far, long, wide] = [Math.hypot(...minus(estimate, scene.theta)), a * state.c, b * state.c].map(short);
    taste.svg.setAttribute("aria-label", `Parameter space. The estimate is ${far} from the taste. The ellipsoid around it reaches ${long} along its long axis and ${wide} along its short one.`);
  }

  drawYours(i, y) { // returns what to say about the visitor's own question, if there is one
    const { scene, state, taste, items } = this, { pick } = state;
    const chosen = pick !== null && pick < i;
    [this.your, this.yourProbe, this.afterYours].forEach((node) => show(node, chosen));
    show(this.afterRoam, chosen);
    show(this.drop, chosen);
    this.pickInput.max = Math.max(i, 1);
    this.pickInput.disabled = i < 1;
    if (!chosen) {
      if (document.activeElement !== this.pickInput) this.pickInput.value = "";
      return "";
    }
    this.pickInput.value = pick + 1;
    const x = scene.x[i], V = scene.V[i], yours = minus(x, scene.x[pick]), rule = minus(x, y);
    items.move(this.your, scene.x[pick]);
    items.arrow(this.yourProbe, scene.x[pick], x);
    const after = [yours, rule].map((z) => ellipsoid(probed(V, z)));
    taste.ellipse(this.afterYours, scene.estimate[i], after[0], state.c);
    taste.ellipse(this.afterRoam, scene.estimate[i], after[1], state.c);
    const [mine, its] = [norm(V, yours), norm(V, rule)], area = ([a, b]) => a * b;
    const shrink = ([a, b]) => `${((1 - (a * b) / area(scene.belief[i])) * 100).toFixed(1)}%`;
    const compare = pick === scene.asked[i] ? "That is the item the rule chose."
      : `Your probe has length ${short(mine)} in V⁻¹, the rule's ${short(its)}. Your question shrinks the ellipsoid's area by ${shrink(after[0])} (dashed), the rule's by ${shrink(after[1])}.`;
    return `You ask about the item of round ${pick + 1}. ${compare}`;
  }

  moveCursor({ curve, X, Y, cursor, dots, title }, i) {
    const x = X(this.state.position).toFixed(1);
    set(cursor, { x1: x, x2: x });
    const values = curve.lines.map((line) => line[i]);
    dots.forEach((dot, n) => {
      show(dot, values[n] !== null);
      if (values[n] !== null) set(dot, { cx: X(i + 1).toFixed(1), cy: Y(values[n]).toFixed(1) });
    });
    const text = `${curve.title}  ${values.map((v) => (v === null ? "–" : Number(v.toPrecision(3)))).join(", ")}`;
    if (title.textContent !== text) title.textContent = text;
  }

  restore(view) {
    this.pause();
    this.state.hidden = new Set(view.hidden);
    this.state.c = view.c;
    this.state.stage = view.stage < 0 ? null : view.stage;
    this.state.position = Math.min(view.round, this.scene.T);
    this.state.pick = null;
  }
}

export default function ({ data, parentElement, setStateValue }) {
  let root = parentElement.querySelector(".roam-plane");
  if (!root) {
    root = document.createElement("div");
    root.className = "roam-plane";
    parentElement.append(root);
    root.plane = new Plane(root, data.colours, data.layers, data.levels);
  }
  const { plane } = root;
  plane.send = (view) => setStateValue("view", view);
  const newScene = plane.stamp !== data.stamp, newView = plane.token !== data.token;
  if (newScene) plane.load(data.scene);
  if (newView) plane.restore(data.view);
  plane.stamp = data.stamp;
  plane.token = data.token;
  if (newScene || newView) plane.draw();
}
