// The rows of buttons that move through the run, and what they show of where it is.

const SPEEDS = [1, 2, 5, 10, 20, 40]; // rounds a second

class Transport {
  constructor(root, player) {
    const row = make(root, "div", { class: "transport" });
    const add = (name, text, title, action) => button(row, text, action, { title, "aria-label": title, class: name });
    this.play = add("play", "Play", "Play or pause (space)", () => player.toggle());
    add("back", "◀", "One step back (left arrow)", () => player.step(-1));
    add("forward", "▶", "One step forward (right arrow)", () => player.step(1));
    add("to-tau", "To τ", "Jump to the end of exploration (e)", () => player.toEndOfExploration());
    this.scrub = make(row, "input", { type: "range", min: 1, step: 1, "aria-label": "Round" });
    this.scrub.oninput = () => player.go(Number(this.scrub.value));
    this.now = make(row, "span", { class: "now" });
    this.addSpeeds(row, player.state);
  }

  addSpeeds(row, state) {
    const speed = make(make(row, "label", {}, "speed"), "select", { "aria-label": "Rounds a second" });
    for (const value of SPEEDS) make(speed, "option", { value }, `${value}/s`);
    speed.value = String(state.speed);
    speed.onchange = () => { state.speed = Number(speed.value); };
  }

  load(scene) { this.scrub.max = this.rounds = scene.T; }

  draw({ playing, t }) {
    say(this.play, playing ? "Pause" : "Play");
    this.scrub.value = t;
    this.now.textContent = `Round ${t} of ${this.rounds}`;
  }
}

class Stages { // the whole round, or one part of it after the other
  constructor(root, titles, player) {
    const row = make(root, "div", { class: "stages", role: "group", "aria-label": "What part of the round to show" });
    const add = (text, stage) => ({ stage, node: button(row, text, () => player.go(player.state.t, stage)) });
    this.buttons = [add("Whole round", null), ...titles.map((title, stage) => add(`${stage + 1}. ${title}`, stage))];
  }

  draw(state) {
    for (const { node, stage } of this.buttons) {
      if (stage === state.stage) node.setAttribute("aria-current", "step");
      else node.removeAttribute("aria-current");
    }
  }
}
