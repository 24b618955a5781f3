// One lane: a column an evening with the films that were new, how often each was asked about, and what was paid.

const COUNTERS = ["fresh films used", "questions asked", "regret paid"];

class Lane {
  constructor(root, { title, evenings }, films, dearest) { // dearest: the most that any evening costs in any lane
    Object.assign(this, { evenings, films });
    const past = evenings.some(({ back }) => back !== null); // it asks about it
    const lane = make(root, "section", { class: past ? "lane past" : "lane", "aria-label": title });
    const account = make(lane, "div", { class: "account" });
    make(account, "h3", {}, title);
    const counters = make(account, "div", { class: "counters" });
    this.counters = COUNTERS.map((words) => {
      const counter = make(counters, "div"), value = make(counter, "b");
      make(counter, "span", {}, words);
      return value;
    });
    const timeline = make(lane, "div", { class: "timeline" });
    this.arcs = this.makeArcs(timeline);
    this.columns = this.makeColumns(timeline, dearest);
    this.words = make(lane, "p", { class: "words", "aria-live": "polite" });
  }

  makeArcs(timeline) { // one from each evening to the one that its question goes back to
    const size = { viewBox: `0 0 ${this.evenings.length} 1`, preserveAspectRatio: "none", "aria-hidden": "true" };
    const svg = make(timeline, "svg", { class: "arcs", ...size });
    return this.evenings.map(({ back }, t) => {
      if (back === null) return null;
      const [from, to] = [t + 0.5, back + 0.5], height = 0.65 - 0.22 * Math.min(t - back, 7);
      return make(svg, "path", { d: `M${from} 1Q${(from + to) / 2} ${height} ${to} 1`, fill: "none" });
    });
  }

  makeColumns(timeline, dearest) {
    const list = make(timeline, "ol", { class: "columns" });
    return this.evenings.map((evening, t) => {
      const node = make(list, "li"), posters = make(node, "div", { class: "posters" });
      for (const index of evening.new) posterOf(posters, this.films[index]);
      const asked = make(node, "span", { class: "asked" });
      const height = `height: ${(100 * evening.paid) / dearest}%`, title = `regret: ${evening.paid.toFixed(2)}`;
      make(make(node, "span", { class: "paid", title }), "i", { style: height });
      make(node, "span", { class: "number", "aria-hidden": "true" }, String(t + 1));
      return { node, asked };
    });
  }

  draw(evening) { // how many evenings are over
    const over = this.evenings.slice(0, evening), tonight = over.at(-1);
    const totals = [over.flatMap((one) => one.new).length, over.filter((one) => one.asks).length];
    const regret = over.reduce((sum, one) => sum + one.paid, 0);
    [...totals, regret.toFixed(2)].forEach((value, i) => say(this.counters[i], String(value)));
    this.columns.forEach(({ node, asked }, t) => {
      const times = over.filter((one) => one.back === t).length;
      const kind = { over: t < evening, tonight: t === evening - 1, compared: tonight?.back === t };
      node.className = Object.keys(kind).filter((name) => kind[name]).join(" ");
      say(asked, times ? `asked ${times}×` : "");
      asked.dataset.times = times ? `${times}×` : ""; // where there is little room
    });
    this.arcs.forEach((arc, t) => {
      if (arc) set(arc, { class: t === evening - 1 ? "tonight" : t < evening ? "over" : "later" });
    });
    say(this.words, tonight?.words ?? "");
  }
}

function posterOf(parent, { title, poster }) {
  const node = make(parent, "span", { class: "film", title });
  node.innerHTML = poster; // made by pages/films.py
  return node;
}
