// A curve drawn by hand: a value at each of some rounds, by mouse, by touch and by keyboard.

const ROOM = { left: 58, right: 22, top: 34, bottom: 46 }; // px around the axes
const NUDGE = { ArrowUp: 0.01, ArrowDown: -0.01, PageUp: 0.1, PageDown: -0.1 }; // of the top, by keyboard
const WAY = { ArrowRight: 1, ArrowLeft: -1 };
const HELP = "Draw with the mouse or a finger, and parts of it again if you like. With the keyboard: left and right "
  + "choose a round, up and down move its value, page up and page down move it further.";

class Hand {
  constructor(root, { colour }) {
    this.colour = colour;
    this.place = 0;
    this.report = new Report(root, () => this.send([...this.values]));
    this.svg = make(root, "svg", { role: "application", tabindex: "0" });
    this.axes = make(this.svg, "g");
    this.line = make(this.svg, "polyline", hollow(colour, 4, { "stroke-linejoin": "round" }));
    this.dots = make(this.svg, "g");
    this.words = make(root, "p", { role: "status" });
    new ResizeObserver(() => this.draw()).observe(this.svg);
    this.svg.addEventListener("pointerdown", (event) => this.press(event));
    this.svg.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) this.svg.addEventListener(end, () => this.lift());
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("blur", () => this.values && !this.last && this.send([...this.values]));
  }

  load({ rounds, top, values, label }) {
    const place = values ? rounds.length - 1 : 0; // where one would go on
    Object.assign(this, { rounds, top, values, label, place, last: null, far: rounds.length });
    say(this.words, values ? this.said() : HELP);
  }

  get box() {
    const { width, height } = this.svg.getBoundingClientRect();
    return { width: width - ROOM.left - ROOM.right, height: height - ROOM.top - ROOM.bottom };
  }

  at(place, value) { // where a value lies in the drawing
    const { width, height } = this.box;
    const x = ROOM.left + (width * this.rounds[place]) / this.rounds.at(-1);
    return [x, ROOM.top + height * (1 - value / this.top)];
  }

  under({ clientX, clientY }) { // the place, not only a whole one, and the value under the pointer
    const corner = this.svg.getBoundingClientRect(), { width, height } = this.box;
    const inside = (share) => Math.min(1, Math.max(0, share));
    const across = inside((clientX - corner.left - ROOM.left) / width);
    const up = inside(1 - (clientY - corner.top - ROOM.top) / height);
    return [across * (this.rounds.length - 1), Math.round(up * this.top)];
  }

  begin() { // regret begins at nothing
    if (this.values === null) Object.assign(this, { values: this.rounds.map(() => 0), far: 0 });
  }

  press(event) {
    event.preventDefault();
    this.svg.focus({ preventScroll: true });
    this.svg.setPointerCapture(event.pointerId);
    this.fresh = this.values === null;
    this.begin();
    this.far = this.rounds.length;
    this.last = this.under(event);
    this.put(Math.round(this.last[0]), this.last[1]);
    this.draw();
  }

  move(event) {
    if (!this.last) return;
    const [from, low] = this.last, [to, high] = this.under(event);
    const ends = [from, to].sort((one, other) => one - other);
    for (let place = Math.ceil(ends[0]); place <= ends[1]; place++) {
      this.put(place, from === to ? high : Math.round(low + ((high - low) * (place - from)) / (to - from)));
    }
    this.last = [to, high];
    this.draw();
  }

  put(place, value) { // of a curve just begun the rest stays as high as the pointer is
    this.values[place] = value;
    this.place = place;
    if (this.fresh) this.values.fill(value, place + 1);
  }

  lift() {
    if (!this.last) return;
    const [across, value] = this.last, nearest = Math.round(across);
    if (nearest !== this.place) this.put(nearest, value); // the stroke ended just before it
    this.last = null;
    this.draw();
    say(this.words, this.said());
    this.send([...this.values]);
  }

  key(event) {
    const way = WAY[event.key], by = NUDGE[event.key];
    if ((way === undefined && by === undefined) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.begin();
    const { place, values, top } = this;
    if (way) this.place = Math.min(this.rounds.length - 1, Math.max(0, place + way));
    else {
      values[place] = Math.min(top, Math.max(0, Math.round(values[place] + by * top)));
      if (place >= this.far) values.fill(values[this.far = place], place); // nothing was said of the rest yet
    }
    say(this.words, this.said());
    this.draw();
    this.report.soon();
  }

  said() { return `Round ${this.rounds[this.place]}: ${this.values[this.place]}.`; }

  draw() {
    if (!this.rounds || !this.svg.getClientRects().length) return;
    this.drawAxes();
    const points = (this.values ?? []).map((value, place) => this.at(place, value));
    this.line.setAttribute("points", points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "));
    this.dots.replaceChildren();
    points.forEach(([cx, cy], place) => {
      const marked = place === this.place;
      make(this.dots, "circle", { cx, cy, r: marked ? 9 : 6, fill: this.colour, class: marked ? "marked" : "" });
    });
    const now = this.values ? this.rounds.map((t, place) => `round ${t}: ${this.values[place]}`).join(", ") : "empty";
    this.svg.setAttribute("aria-label", `${this.label}: ${now}. ${HELP}`);
  }

  drawAxes() {
    const { rounds, top } = this, { width, height } = this.box;
    const right = ROOM.left + width, bottom = ROOM.top + height, every = width < 500 ? 5 : 2;
    this.axes.replaceChildren();
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const y = bottom - share * height;
      make(this.axes, "line", { class: "tick", x1: ROOM.left, x2: right, y1: y, y2: y });
      make(this.axes, "text", { x: ROOM.left - 8, y: y + 5, "text-anchor": "end" }, String(share * top));
    }
    rounds.forEach((round, place) => {
      const [x] = this.at(place, 0);
      make(this.axes, "line", { class: "tick", x1: x, x2: x, y1: ROOM.top, y2: bottom });
      if (place % every === 0) make(this.axes, "text", { x, y: bottom + 20, "text-anchor": "middle" }, String(round));
    });
    make(this.axes, "text", { x: 8, y: 20 }, this.label);
    make(this.axes, "text", { x: right, y: bottom + 40, "text-anchor": "end" }, "round t");
  }
}

export default function ({ data, parentElement, setStateValue }) {
  const root = rootOf(parentElement, "roam-hand", (made) => { made.hand = new Hand(made, data); });
  root.hand.send = (values) => setStateValue("values", values);
  if (root.hand.stamp !== data.stamp) root.hand.load(data);
  root.hand.stamp = data.stamp;
  root.hand.draw();
}
