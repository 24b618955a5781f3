// A history in the plane that can be changed by hand, its narrowest shadow, and what that says in numbers and words.

const FIGURES = ["β(H), low is rich", "Paper's bound on β", "Largest ratio met"];

function describe(items, r, bound, { beta, low, high }) {
  if (items < 3) {
    return `Only ${items} item${items === 1 ? "" : "s"}: seen from the side they cast no shadow at all, so β is `
      + "infinite. At least three are needed.";
  }
  if (!Number.isFinite(beta)) {
    return "All items lie on a line. Across it they cast no shadow, so questions can say nothing about that direction, "
      + "and β is infinite.";
  }
  const [width, far, reach] = [high - low, (high - low) / 2, r + (low + high) / 2].map((value) => value.toPrecision(2));
  const verdict = beta <= bound ? "This history is as rich as the paper needs."
    : "This is above the paper's bound: the history is too narrow.";
  return `The narrowest shadow is ${width} wide. From its middle, the worst x, no past item is farther than ${far} `
    + `along v. But x′ is ${reach} away. That is ${short(beta, 3)} times as far: β(H) = ${short(beta, 3)}. ${verdict}`;
}

class Shadow {
  constructor(root, colours) {
    this.history = new History();
    this.report = new Report(root, () => this.send(this.history.points));
    const left = make(root, "div"), right = make(root, "div");
    this.drawing = new HistoryPanel(left, colours);
    const row = make(right, "div", { class: "figures" });
    this.figures = FIGURES.map((name) => {
      const cell = make(row, "div");
      make(cell, "span", {}, name);
      return make(cell, "b");
    });
    this.words = make(right, "p", { class: "words", "aria-live": "polite" });
    this.scale = new RichnessScale(right, colours);
    this.addTools(right);
    editWithPointer(this.drawing.panel, this.history, this);
    editWithKeys(this.drawing.panel, this.history, this);
  }

  addTools(parent) {
    const row = make(parent, "div", { class: "tools" });
    const tool = (text, act) => button(row, text, () => { act(); this.changed(); });
    make(row, "span", {}, "Click to add an item, drag to move it, double-click to remove it.");
    this.remove = tool("Remove the marked item", () => this.history.remove(this.history.selected));
    this.restore = tool("Back to the run's history", () => this.history.restore());
  }

  load(data) {
    this.bound = data.bound;
    this.largest = data.ratios.length ? short(Math.max(...data.ratios), 3) : "none";
    for (const part of [this.history, this.drawing, this.scale]) part.load(data);
  }

  draw() {
    const { history, bound } = this, { points, r } = history, found = narrowest(points, r);
    this.beta = found.beta;
    this.drawing.draw(history, found);
    this.scale.draw(found.beta);
    this.remove.disabled = history.selected === null;
    this.restore.disabled = history.isOwn;
    [short(found.beta, 3), short(bound, 3), this.largest].forEach((text, i) => say(this.figures[i], text));
    const words = describe(points.length, r, bound, found);
    say(this.words, words);
    this.drawing.panel.svg.setAttribute("aria-label", `A history of ${points.length} items. ${words} With the `
      + "keyboard: n adds an item, page up and page down choose one, arrow keys move it, delete removes it.");
  }

  changed() { // by the visitor
    this.draw();
    this.report.soon();
  }
}

export default function ({ data, parentElement, setStateValue }) {
  const { shadow } = rootOf(parentElement, "roam-shadow", (root) => { root.shadow = new Shadow(root, data.colours); });
  shadow.send = (points) => setStateValue("points", points.map((p) => p.map((n) => Number(n.toPrecision(4)))));
  if (shadow.stamp === data.stamp) return;
  shadow.stamp = data.stamp;
  shadow.load(data);
  shadow.draw();
}
