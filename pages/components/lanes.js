// Two lanes, the same evenings: what is on offer, what each lane makes of it, and a guess beforehand.

const AN_EVENING = 1800; // milliseconds while it plays

class Lanes {
  constructor(root, story, colours) {
    Object.assign(this, { root, story, evening: 0, guess: null, playing: null });
    for (const [name, colour] of Object.entries(colours)) root.style.setProperty(`--${name}`, colour);
    this.makeTransport(make(root, "div", { class: "transport" }));
    const above = make(root, "div", { class: "above" });
    this.makeGuess((this.guessing = make(above, "div", { class: "guess", role: "group", "aria-label": "Your guess" })));
    this.offer = make(above, "div", { class: "offer" });
    const dearest = Math.max(...story.lanes.flatMap((lane) => lane.evenings.map((evening) => evening.paid)));
    this.lanes = story.lanes.map((lane) => new Lane(root, lane, story.films, dearest));
    this.verdict = make(root, "p", { class: "verdict", "aria-live": "polite" });
    listenToKeys(root, { ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1) });
  }

  get last() { return this.story.evenings.length; }

  makeTransport(row) {
    this.play = button(row, "Play", () => this.toggle(), { class: "play" });
    const add = (text, title, by) => button(row, text, () => this.step(by), { title, "aria-label": title });
    this.back = add("◀", "One evening back (left arrow)", -1);
    this.forward = add("▶", "Next evening (right arrow)", 1);
    this.now = make(row, "span", { class: "now" });
    make(row, "span", { class: "key new" }, "new tonight");
    make(row, "span", { class: "key asked" }, "asked about");
    make(row, "span", { class: "key regret" }, "regret");
  }

  makeGuess(box) {
    make(box, "p", {}, "Guess first: which lane will have paid less regret after ten evenings?");
    this.guesses = this.story.lanes.map(({ title }, lane) => button(box, title.split(":")[0], () => {
      this.guess = lane;
      this.draw();
    }));
  }

  step(by) {
    this.pause();
    this.go(this.evening + by);
  }

  go(evening) {
    this.evening = Math.min(Math.max(evening, 0), this.last);
    this.draw();
  }

  toggle() {
    if (this.playing) return this.step(0);
    this.go(this.evening === this.last ? 1 : this.evening + 1);
    this.playing = setInterval(() => {
      if (!this.root.isConnected || this.evening === this.last) return this.pause();
      this.go(this.evening + 1);
    }, AN_EVENING);
    this.draw();
  }

  pause() {
    clearInterval(this.playing);
    this.playing = null;
  }

  draw() {
    const { evening, last } = this;
    if (evening === last) this.pause();
    say(this.play, this.playing ? "Pause" : evening === last ? "Again" : "Play");
    this.back.disabled = evening === 0;
    this.forward.disabled = evening === last;
    say(this.now, evening ? `Evening ${evening} of ${last}` : `${last} evenings`);
    show(this.guessing, evening === 0);
    this.guesses.forEach((node, lane) => node.setAttribute("aria-pressed", String(lane === this.guess)));
    this.drawOffer();
    for (const lane of this.lanes) lane.draw(evening);
    say(this.verdict, evening === last ? this.outcome() : "");
  }

  drawOffer() {
    const { films, evenings } = this.story, tonight = evenings[this.evening - 1];
    show(this.offer, Boolean(tonight));
    this.offer.replaceChildren();
    if (!tonight) return;
    make(this.offer, "b", {}, "On offer:");
    for (const index of tonight.offer) {
      const best = index === tonight.best, node = make(this.offer, "div", { class: best ? "best" : "" });
      posterOf(node, films[index]);
      make(make(node, "span", {}, films[index].title), "em", {}, best ? "best for you" : "");
    }
  }

  outcome() {
    const { guess, story: { less, verdict } } = this;
    if (!verdict) return ""; // kept back
    return (guess === null ? "" : guess === less ? "You guessed right. " : "It is the other lane. ") + verdict;
  }
}

export default function ({ data, parentElement }) {
  const root = rootOf(parentElement, "roam-lanes", (node) => {
    node.lanes = new Lanes(node, data.story, data.colours);
  });
  root.lanes.story = data.story;
  root.lanes.draw();
}
