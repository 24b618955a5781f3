// Two items, and which one is liked better: by a click or tap on it, by the arrow keys, or by 1, 2 and 0.

const TOO_SOON = 200; // milliseconds in which a second press of the same key is no answer to the next question
const LOST = 4000; // milliseconds until an answer that nothing came of can be given again
const HEARD = "heard"; // for a screen reader only

class Card { // an item that can be chosen
  constructor(parent, side, choose) {
    this.node = button(parent, "", () => choose(side), { class: `item ${side}` });
    this.whose = make(this.node, "b");
    this.picture = make(make(this.node, "span", { class: "frame" }), "img", { alt: "", draggable: "false" });
    this.words = make(this.node, "span", { class: "words" });
    this.label = make(this.node, "span", { class: "label" });
  }

  draw({ source = "", whose, words, label }) { // without a picture it is a place for words
    this.node.classList.toggle("nothing", !source);
    this.node.disabled = !label;
    if (!source) this.picture.removeAttribute("src");
    else if (this.picture.getAttribute("src") !== source) this.picture.src = source;
    this.picture.alt = words;
    this.words.setAttribute("aria-hidden", String(Boolean(source))); // the picture's alt says the same
    say(this.whose, whose);
    say(this.words, words);
    say(this.label, label);
  }
}

class Duel {
  constructor(root, colours) {
    this.root = root;
    for (const [name, colour] of Object.entries(colours)) root.style.setProperty(`--${name}`, colour);
    const top = make(root, "div", { class: "top" });
    this.count = make(top, "span");
    this.bar = make(make(top, "span", { class: "bar", "aria-hidden": "true" }), "i");
    this.question = make(root, "p", { class: "question" });
    const pair = make(root, "div", { class: "pair", role: "group", "aria-label": "Your answer" });
    this.cards = ["left", "right"].map((side) => new Card(pair, side, (chosen) => this.answer(chosen)));
    this.neither = button(root, "", () => this.answer("neither"), { class: "neither" });
    this.said = make(root, "p", { class: "said" });
    this.heard = make(root, "p", { class: HEARD, "aria-live": "polite" });
    const keys = { ArrowLeft: "left", 1: "left", ArrowRight: "right", 2: "right", 0: "neither" };
    const acts = Object.entries(keys).map(([key, side]) => [key, () => this.press(side)]);
    listenToKeys(root, Object.fromEntries(acts));
  }

  draw(data) {
    if (this.data?.stamp !== data.stamp) {
      Object.assign(this, { since: performance.now(), sent: 0 });
      this.root.classList.remove("arrived");
      void this.root.offsetWidth; // so that the past item comes in anew
      this.root.classList.add("arrived");
    }
    this.data = data;
    say(this.count, data.count);
    this.bar.style.width = `${100 * data.share}%`;
    say(this.question, data.question);
    this.cards[0].draw(data.left);
    this.cards[1].draw(data.right);
    say(this.neither, data.neither);
    say(this.said, data.said);
    say(this.heard, data.heard);
    this.root.dataset.stamp = data.stamp;
  }

  press(side) { this.answer(this.data.right.label ? side : "left"); } // where one item is to be seen, any key goes on

  answer(side) {
    const now = performance.now();
    if (now - this.since < TOO_SOON || (this.sent && now - this.sent < LOST)) return;
    this.sent = now;
    this.tell("answer", { stamp: this.data.stamp, side, again: Math.round(now) });
  }
}

export default function ({ data, parentElement, setStateValue }) {
  const root = rootOf(parentElement, "roam-duel", (node) => { node.duel = new Duel(node, data.colours); });
  root.duel.tell = setStateValue;
  root.duel.draw(data);
}
