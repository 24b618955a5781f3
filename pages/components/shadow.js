// A history in the plane that can be changed by hand: the picture, one number and one sentence, all of what is on
// screen. How much of the picture is shown depends on the step.

const GUESS = "What do you expect? The button beside the title shows it.";

class Shadow {
  constructor(root, colours) {
    this.history = new History();
    this.report = new Report(root, () => this.tell());
    const left = make(root, "div"), right = make(root, "div");
    this.drawing = new HistoryPanel(left, colours);
    make(left, "small", {}, "Click to add, drag to move, double-click to remove.");
    this.name = make(right, "div");
    this.number = make(right, "b");
    this.of = make(right, "span");
    this.bar = make(right, "div", { class: "bar" });
    this.fill = make(this.bar, "i", { style: `background: ${colours.doubt}` });
    this.needed = make(this.bar, "u", { style: `border-color: ${colours.truth}` });
    this.words = make(right, "p", { class: "words", "aria-live": "polite" });
    this.paper = make(right, "p", { class: "paper" });
    this.said = make(right, "p", { class: "said" });
    this.symbols = make(right, "details");
    make(this.symbols, "summary", {}, "In the paper's symbols");
    this.inSymbols = make(this.symbols, "p");
    this.addTools(right);
    editWithPointer(this.drawing.panel, this.history, this);
    editWithKeys(this.drawing.panel, this.history, this);
  }

  addTools(parent) {
    const row = make(parent, "div", { class: "tools" });
    const tool = (act) => button(row, "", () => { act(); this.changed(); });
    this.remove = tool(() => this.history.remove(this.history.selected));
    this.restore = tool(() => this.history.restore());
    say(this.remove, "Remove the marked item");
  }

  load(data) {
    this.step = data.step;
    this.shows = new Set(data.shows);
    Object.assign(this, { bound: data.bound, least: data.least });
    for (const part of [this.history, this.drawing]) part.load(data);
    this.known = JSON.stringify(this.history.asSent);
  }

  about({ said, paper, hidden, back }) { // what the page says about the history that it gave
    this.hidden = hidden;
    if (this.history.isOwn) say(this.said, hidden ? "" : said);
    say(this.paper, paper);
    say(this.restore, back);
  }

  draw() {
    const { history, shows } = this, { points, r, isOwn } = history, found = shadowsOf(points, r);
    this.found = found;
    this.drawing.draw(history, found, shows);
    this.remove.disabled = history.selected === null;
    this.restore.disabled = isOwn;
    this.drawMeasure(measure(this.step, history, found, shows));
    this.drawBar(share(found.worst, r));
    say(this.inSymbols, inSymbols(history, found, this.bound, this.least));
    this.said.style.visibility = isOwn ? "" : "hidden"; // it is about that history only; its place stays
    for (const node of [this.paper, this.needed]) show(node, shows.has("paper") && !this.hidden);
    show(this.symbols, shows.has("other") && !this.hidden);
    this.drawing.panel.svg.setAttribute("aria-label", `A history of ${points.length} items. ${this.words.textContent} `
      + "With the keyboard: n adds an item, page up and page down choose one, arrow keys move it, delete removes it.");
  }

  drawMeasure({ name, value, of, intro, words }) {
    say(this.name, name);
    say(this.number, this.hidden ? "?" : value);
    say(this.of, of);
    say(this.words, `${intro} ${this.hidden ? GUESS : words}`.trim());
  }

  drawBar(reached) {
    show(this.bar, this.shows.has("other"));
    this.fill.style.width = `${this.hidden ? 0 : 100 * reached}%`;
    this.needed.style.left = `${100 / this.bound}%`;
  }

  tell() { // what is on screen, if it is something else than the page knows
    const now = this.history.asSent;
    if (JSON.stringify(now) === this.known) return;
    this.known = JSON.stringify(now);
    this.send(now);
  }

  changed() { // by the visitor
    this.draw();
    this.report.soon();
  }
}

export default function ({ data, parentElement, setStateValue }) {
  const { shadow } = rootOf(parentElement, "roam-shadow", (root) => { root.shadow = new Shadow(root, data.colours); });
  shadow.send = (points) => setStateValue("points", points);
  if (shadow.stamp !== data.stamp) shadow.load(data);
  shadow.stamp = data.stamp;
  shadow.about(data);
  shadow.draw();
}
