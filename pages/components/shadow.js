// A history in the plane that can be changed by hand, and its narrowest shadow. beta(H) is computed here as in
// roam_core/richness.py for d = 2, because a dragged item must be followed at once; a test compares the two.

const SIZE = 500, RANGE = 1.16; // the panel shows [-1.16 r, 1.16 r]
const FLAT = 1e-9; // a shadow narrower than this part of r counts as a point
const NEAR = 0.06; // of r: a finger's width
const MOST = 100; // items
const TWICE = 450; // milliseconds within which two presses are a double-click
const REPORT_AFTER = 400; // milliseconds of rest after which the page is told about the history
const TRACK = { left: 34, right: 466, y: 92 };

function make(parent, tag, attributes = {}, text = "") {
  const svg = ["svg", "g", "path", "circle", "ellipse", "line", "rect", "text", "polygon"].includes(tag);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  set(node, attributes);
  if (text) node.textContent = text;
  parent?.append(node);
  return node;
}

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

const show = (node, visible) => { node.style.display = visible ? "" : "none"; };
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
const cross = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);

function hull(points) { // corners of the convex hull, counter-clockwise
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1 && cross(chain.at(-2), chain.at(-1), p) <= 0) chain.pop();
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function shadow(points, v) {
  const along = points.map((p) => dot(p, v));
  return [Math.min(...along), Math.max(...along)];
}

function narrowest(points, r) { // sup over v of (r + |m(v)|) / w(v): a corner of a polytope, so an edge of the hull
  const corners = hull(points);
  let worst = null;
  corners.forEach((a, i) => {
    const b = corners[(i + 1) % corners.length], length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (!length) return;
    let v = [(b[1] - a[1]) / length, (a[0] - b[0]) / length];
    let [low, high] = shadow(points, v);
    if (low + high < 0) { v = [-v[0], -v[1]]; [low, high] = [-high, -low]; }
    const beta = high - low <= FLAT * r ? Infinity : (2 * r + low + high) / (high - low);
    if (!worst || beta > worst.beta) worst = { beta, v, low, high };
  });
  if (worst) return { ...worst, corners };
  const v = points.length ? unit(points[0]) : [0, 1], at = points.length ? dot(points[0], v) : 0;
  return { beta: Infinity, v, low: at, high: at, corners };
}

function unit(p) {
  const length = Math.hypot(...p);
  return length ? [p[0] / length, p[1] / length] : [0, 1];
}

const short = (value) => (Number.isFinite(value) ? Number(value.toPrecision(3)).toString() : "∞");

class Shadow {
  constructor(root, colours) {
    Object.assign(this, { root, colours, points: [], selected: null });
    const left = make(root, "div"), right = make(root, "div");
    this.svg = make(left, "svg", { class: "space", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "application", tabindex: 0 });
    const faint = { fill: "none", stroke: "currentColor", "stroke-opacity": 0.35, "stroke-width": 1.5 };
    this.ball = make(this.svg, "circle", { ...faint, cx: SIZE / 2, cy: SIZE / 2 });
    this.outline = make(this.svg, "ellipse", { ...faint, cx: SIZE / 2, cy: SIZE / 2, "stroke-dasharray": "2 5" });
    this.slab = make(this.svg, "polygon", { fill: colours.doubt, "fill-opacity": 0.16, stroke: colours.doubt, "stroke-width": 2.5, "stroke-dasharray": "9 5" });
    this.hull = make(this.svg, "polygon", { fill: colours.new, "fill-opacity": 0.14, stroke: colours.new, "stroke-width": 2.5 });
    this.direction = make(this.svg, "path", { fill: "none", stroke: colours.doubt, "stroke-width": 3 });
    this.pair = make(this.svg, "line", { stroke: colours.asked, "stroke-width": 3, "stroke-dasharray": "3 6" });
    this.items = make(this.svg, "g");
    this.x = make(this.svg, "circle", { r: 9, fill: "var(--st-background-color)", stroke: colours.asked, "stroke-width": 4 });
    this.other = make(this.svg, "rect", { x: -8, y: -8, width: 16, height: 16, fill: "var(--st-background-color)", stroke: colours.asked, "stroke-width": 4 });
    const text = { "font-size": 19 };
    this.xLabel = make(this.svg, "text", text, "x");
    this.otherLabel = make(this.svg, "text", text, "x′");
    this.vLabel = make(this.svg, "text", { ...text, "text-anchor": "middle" }, "narrowest shadow");
    const tools = make(null, "div", { class: "tools" });
    make(tools, "span", {}, "Click to add an item, drag to move it, double-click to remove it.");
    this.remove = this.button(tools, "Remove the marked item", () => this.drop(this.selected));
    this.undo = this.button(tools, "Back to the run's history", () => { this.points = this.own.map((p) => [...p]); this.selected = null; this.draw(); this.report(); });
    this.numbers = make(right, "div", { class: "figures" });
    this.figures = ["β(H), low is rich", "Paper's bound on β", "Largest ratio met"].map((name) => {
      const cell = make(this.numbers, "div");
      make(cell, "span", {}, name);
      return make(cell, "b");
    });
    this.words = make(right, "p", { class: "words", "aria-live": "polite" });
    this.scale = make(right, "svg", { viewBox: "0 0 500 150", role: "img" });
    right.append(tools);
    this.listen();
  }

  button(parent, text, action) {
    const node = make(parent, "button", { type: "button" }, text);
    node.onclick = action;
    return node;
  }

  at([x, y]) { const k = SIZE / 2 / (RANGE * this.r); return [SIZE / 2 + x * k, SIZE / 2 - y * k]; }

  back(event) { // the point of the item space under the pointer, pulled into the ball of radius r
    const box = this.svg.getBoundingClientRect(), side = Math.min(box.width, box.height);
    const k = (2 * RANGE * this.r) / side;
    const p = [(event.clientX - box.left - box.width / 2) * k, -(event.clientY - box.top - box.height / 2) * k];
    const length = Math.hypot(...p);
    return length > this.r ? [(p[0] / length) * this.r, (p[1] / length) * this.r] : p;
  }

  nearest(p) {
    let found = null, distance = NEAR * this.r;
    this.points.forEach((q, i) => {
      const away = Math.hypot(p[0] - q[0], p[1] - q[1]);
      if (away <= distance) [found, distance] = [i, away];
    });
    return found;
  }

  listen() {
    const { svg } = this;
    let dragged = null, pressed = { item: null, when: 0 };
    svg.addEventListener("pointerdown", (event) => {
      const p = this.back(event), i = this.nearest(p);
      const twice = i !== null && i === pressed.item && event.timeStamp - pressed.when < TWICE;
      pressed = { item: i, when: event.timeStamp };
      if (twice) return this.drop(i);
      if (i !== null) dragged = this.selected = i;
      else if (this.points.length < MOST) { this.points.push(p); dragged = this.selected = this.points.length - 1; }
      svg.setPointerCapture(event.pointerId);
      this.draw();
    });
    svg.addEventListener("pointermove", (event) => {
      if (dragged === null || !event.buttons) return;
      this.points[dragged] = this.back(event);
      this.draw();
    });
    svg.addEventListener("pointerup", () => { dragged = null; this.report(); });
    svg.addEventListener("keydown", (event) => this.pressed(event));
  }

  pressed(event) { // the keyboard's way: n adds an item, page keys choose one, arrows move it, delete removes it
    const { points } = this, step = 0.04 * this.r;
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[event.key];
    if (by && this.selected !== null) {
      const p = points[this.selected], q = [p[0] + by[0], p[1] + by[1]];
      if (Math.hypot(...q) <= this.r * (1 + 1e-9)) points[this.selected] = q;
    } else if (event.key === "n" && points.length < MOST) this.selected = points.push([0, 0]) - 1;
    else if ((event.key === "PageDown" || event.key === "PageUp") && points.length) {
      const n = points.length, now = this.selected ?? -1;
      this.selected = (now + (event.key === "PageDown" ? 1 : n - 1) + n) % n;
    } else if (event.key === "Delete" || event.key === "Backspace") return this.drop(this.selected), event.preventDefault();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.draw();
    this.report();
  }

  drop(i) {
    if (i === null || i === undefined) return;
    this.points.splice(i, 1);
    this.selected = null;
    this.draw();
    this.report();
  }

  load(data) {
    this.r = data.radius;
    this.own = data.own;
    this.points = data.points.map((p) => [...p]);
    this.ratios = data.ratios;
    this.bound = data.bound;
    this.selected = null;
    const k = SIZE / 2 / RANGE;
    set(this.ball, { r: k });
    set(this.outline, { rx: (k * data.outline[0]) / this.r, ry: (k * data.outline[1]) / this.r });
  }

  report() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.root.isConnected && this.send(this.points), REPORT_AFTER);
  }

  draw() {
    const { points, r, colours } = this;
    const found = narrowest(points, r), { beta, v, low, high } = found;
    this.beta = beta;
    const far = 3 * r, w = [-v[1], v[0]];
    const corner = (h, s) => this.at([v[0] * h + w[0] * s, v[1] * h + w[1] * s]).map((n) => n.toFixed(1)).join();
    this.slab.setAttribute("points", [corner(low, -far), corner(low, far), corner(high, far), corner(high, -far)].join(" "));
    this.hull.setAttribute("points", found.corners.map((p) => this.at(p).map((n) => n.toFixed(1)).join()).join(" "));
    const middle = (low + high) / 2, x = [v[0] * middle, v[1] * middle], other = [-v[0] * r, -v[1] * r];
    const [a, b] = [this.at([v[0] * low, v[1] * low]), this.at([v[0] * high, v[1] * high])];
    this.direction.setAttribute("d", `M${a}L${b}`);
    const place = (node, p) => node.setAttribute("transform", `translate(${this.at(p)})`);
    place(this.x, x);
    place(this.other, other);
    const [p, q] = [this.at(x), this.at(other)];
    set(this.pair, { x1: p[0], y1: p[1], x2: q[0], y2: q[1] });
    const inside = (n, least) => Math.min(Math.max(n, least), SIZE - least);
    set(this.xLabel, { x: inside(p[0] + 14, 10), y: inside(p[1] - 12, 20) });
    set(this.otherLabel, { x: inside(q[0] + 14, 20), y: inside(q[1] - 12, 20) });
    this.placeLabel([high, low].flatMap((h) => [0.75, -0.75, 0.4, -0.4].map((s) => {
      const [u1, u2] = this.at([v[0] * h + w[0] * s * r, v[1] * h + w[1] * s * r]);
      return [inside(u1, 90), inside(u2, 24)];
    })), [...points, x, other].map((point) => this.at(point)));
    this.items.replaceChildren();
    points.forEach((point, i) => {
      const [cx, cy] = this.at(point);
      make(this.items, "circle", { class: "past", cx: cx.toFixed(1), cy: cy.toFixed(1), r: i === this.selected ? 11 : 7.5, fill: colours.explored, stroke: "var(--st-secondary-background-color)", "stroke-width": 1.5 });
    });
    this.remove.disabled = this.selected === null;
    this.undo.disabled = JSON.stringify(points) === JSON.stringify(this.own);
    this.say(found);
    this.drawScale();
  }

  placeLabel(places, marks) { // on an edge of the shadow; it stays in its place until a mark comes too near
    const room = ([x, y]) => Math.min(9, ...marks.map((mark) => Math.max(Math.abs(mark[0] - x) / 88, Math.abs(mark[1] - y + 6) / 19)));
    if (this.labelPlace === undefined || room(places[this.labelPlace]) < 1) {
      const rooms = places.map(room);
      this.labelPlace = rooms.indexOf(Math.max(...rooms));
    }
    const [x, y] = places[this.labelPlace];
    set(this.vLabel, { x: x.toFixed(1), y: y.toFixed(1) });
  }

  say({ beta, low, high }) {
    const { points, r, bound, ratios } = this, largest = ratios.length ? Math.max(...ratios) : null;
    const texts = [short(beta), short(bound), largest === null ? "none" : short(largest)];
    this.figures.forEach((node, i) => { if (node.textContent !== texts[i]) node.textContent = texts[i]; });
    const width = (high - low).toPrecision(2);
    let words;
    if (points.length < 3) words = `Only ${points.length} item${points.length === 1 ? "" : "s"}: seen from the side they cast no shadow at all, so β is infinite. At least three are needed.`;
    else if (!Number.isFinite(beta)) words = "All items lie on a line. Across it they cast no shadow, so questions can say nothing about that direction, and β is infinite.";
    else {
      const far = ((high - low) / 2).toPrecision(2), reach = (r + (low + high) / 2).toPrecision(2);
      words = `The narrowest shadow is ${width} wide. From its middle, the worst x, no past item is farther than ${far} along v. But x′ is ${reach} away. That is ${short(beta)} times as far: β(H) = ${short(beta)}. `;
      words += beta <= bound ? "This history is as rich as the paper needs." : "This is above the paper's bound: the history is too narrow.";
    }
    if (this.words.textContent !== words) this.words.textContent = words;
    this.svg.setAttribute("aria-label", `A history of ${points.length} items. ${words} With the keyboard: n adds an item, page up and page down choose one, arrow keys move it, delete removes it.`);
  }

  drawScale() {
    const { scale, colours, beta, bound, ratios } = this;
    const low = -2, high = Math.max(2, Math.ceil(Math.log10(bound * 1.3)));
    const X = (value) => TRACK.left + ((Math.min(Math.max(Math.log10(value), low), high) - low) / (high - low)) * (TRACK.right - TRACK.left);
    scale.replaceChildren();
    make(scale, "line", { x1: TRACK.left, x2: TRACK.right, y1: TRACK.y, y2: TRACK.y, stroke: "currentColor", "stroke-opacity": 0.5, "stroke-width": 2 });
    for (let power = low; power <= high; power++) {
      const x = X(10 ** power);
      make(scale, "line", { x1: x, x2: x, y1: TRACK.y, y2: TRACK.y + 7, stroke: "currentColor", "stroke-opacity": 0.5, "stroke-width": 2 });
      make(scale, "text", { x, y: TRACK.y + 28, "font-size": 18, "text-anchor": "middle", opacity: 0.8 }, String(10 ** power));
    }
    ratios.forEach((value, i) => value > 0 && make(scale, "circle", { cx: X(value).toFixed(1), cy: TRACK.y - 8 - ((i * 7) % 23), r: 4, fill: colours.new, "fill-opacity": 0.5 }));
    const place = (value) => (Number.isFinite(value) ? X(value) : TRACK.right + 14);
    const mark = (value, colour, y, dash = "none") => {
      const x = place(value);
      make(scale, "line", { x1: x, x2: x, y1: y + 6, y2: TRACK.y + 4, stroke: colour, "stroke-width": 4, "stroke-dasharray": dash });
    };
    const name = (value, name, y) => { // after the lines: its outline keeps them off
      const x = place(value), anchor = x > 330 ? "end" : "middle";
      make(scale, "text", { x: anchor === "end" ? Math.min(x + 24, 496) : x, y, "font-size": 18, "text-anchor": anchor, "font-weight": 600 }, name);
    };
    mark(bound, colours.truth, 46, "6 4");
    mark(beta, colours.doubt, 22);
    name(bound, `paper's bound ${short(bound)}`, 46);
    name(beta, `β(H) ${short(beta)}`, 22);
    if (ratios.length) make(scale, "text", { x: TRACK.left - 22, y: 143, "font-size": 18, fill: "currentColor" }, "● critical ratios this run met, round by round");
    scale.setAttribute("aria-label", `On one scale: beta of the history ${short(beta)}, the paper's bound ${short(bound)}, and ${ratios.length} critical ratios, the largest ${ratios.length ? short(Math.max(...ratios)) : "none"}.`);
  }
}

export default function ({ data, parentElement, setStateValue }) {
  let root = parentElement.querySelector(".roam-shadow");
  if (!root) {
    root = document.createElement("div");
    root.className = "roam-shadow";
    parentElement.append(root);
    root.shadow = new Shadow(root, data.colours);
  }
  const { shadow: view } = root;
  view.send = (points) => setStateValue("points", points.map((p) => p.map((n) => Number(n.toPrecision(4)))));
  if (view.stamp === data.stamp) return;
  view.stamp = data.stamp;
  view.load(data);
  view.draw();
}
