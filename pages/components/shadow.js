// A history in the plane that can be changed by hand, its worst shadow, and what that says in numbers and words.

const FIGURES = ["ρ(H), low is rich", "Paper's bound β", "Run's largest ratio"];

const MEANING = "Look along a direction v: the past items span an interval there, the history's shadow, with middle m "
  + "and half-width w. x is a fresh item, x′ another one that may be better. A question compares x with a past item.";

function describe(items, r, bound, { worst, narrowest, differ }) {
  if (items < 3) {
    return `Only ${items} item${items === 1 ? "" : "s"}: seen from the side they cast no shadow at all, so ρ(H) is `
      + "infinite. At least three are needed.";
  }
  const { m, w, ratio } = worst;
  if (!Number.isFinite(ratio)) {
    return "All items lie on a line. Across it, along v, they cast no shadow. A fresh item x on that line differs from "
      + "none of them along v, so ρ(H) is infinite.";
  }
  const number = (value) => short(Math.abs(value) < 1e-6 * r ? 0 : value, 3); // what is only rounding is zero
  const [middle, half, reach, rho, least] = [m, w, r + m, ratio, bound].map(number);
  const other = differ ? `It is not the narrowest shadow: that one has w = ${number(narrowest.w)}, but it lies nearer `
    + `the centre (m = ${number(narrowest.m)}), so its ratio is only ${number(narrowest.ratio)}. ` : "";
  const verdict = ratio <= bound ? `ρ(H) is not above β = ${least}: this history is β-rich.`
    : `ρ(H) is above β = ${least}: this history is not β-rich.`;
  return `Along v the worst shadow is w = ${half} to either side of its middle, which is m = ${middle} off the centre. `
    + `A fresh item x in the middle is at most ${half} from every past item. Another item x′ can be r + m = ${reach} `
    + `away, ${rho} times as far: ρ(H) = ${rho}. ${other}${verdict}`;
}

class Shadow {
  constructor(root, colours) {
    this.history = new History();
    this.report = new Report(root, () => this.tell());
    const left = make(root, "div"), right = make(root, "div");
    this.drawing = new HistoryPanel(left, colours);
    const row = make(right, "div", { class: "figures" });
    this.cells = FIGURES.map((name) => {
      const cell = make(row, "div");
      make(cell, "span", {}, name);
      return cell;
    });
    this.figures = this.cells.map((cell) => make(cell, "b"));
    make(right, "p", { class: "meaning" }, MEANING);
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
    this.known = JSON.stringify(this.history.asSent);
  }

  draw() {
    const { history, bound } = this, { points, r, isOwn } = history, found = shadowsOf(points, r);
    this.found = found;
    this.drawing.draw(history, found);
    this.scale.draw(found.worst.ratio, isOwn);
    this.remove.disabled = history.selected === null;
    this.restore.disabled = isOwn;
    [short(found.worst.ratio, 3), short(bound, 3), this.largest].forEach((text, i) => say(this.figures[i], text));
    show(this.cells[2], isOwn); // that ratio belongs to the run's own history
    const words = describe(points.length, r, bound, found);
    say(this.words, words);
    this.drawing.panel.svg.setAttribute("aria-label", `A history of ${points.length} items. ${words} With the `
      + "keyboard: n adds an item, page up and page down choose one, arrow keys move it, delete removes it.");
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
  if (shadow.stamp === data.stamp) return;
  shadow.stamp = data.stamp;
  shadow.load(data);
  shadow.draw();
}
