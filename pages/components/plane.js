// Draws a scene (see plane.py) round by round: puts the parts together. Every part can draw a state; some load a scene.

const MEASURED = "Measured in V⁻¹ (V adds up the questions so far): a direction hardly asked about counts as long.";

class Plane {
  constructor(root, { colours, layers, stages, levels, ellipsoids, nominal }) {
    Object.assign(this, { root, colours, state: new State(Object.keys(stages)) });
    this.player = new Player(this);
    this.report = new Report(root, () => this.state.playing || this.send(this.state.view));
    const { player } = this, panels = make(root, "div", { class: "panels" });
    const redraw = () => this.scene && this.draw();
    this.items = new ItemSpace(panels, colours, redraw);
    this.taste = new ParameterSpace(panels, colours, nominal, redraw);
    this.ratio = new CriticalRatio(this.items.figure, colours);
    const which = new Which(this.taste.aside, ellipsoids, this), level = new Level(which.row, levels, nominal, this);
    const choice = new PanelSwitch(panels, { "Item space": this.items.figure, "Parameter space": this.taste.figure });
    const rows = [new Transport(root, player), new Stages(root, Object.values(stages), player)];
    this.words = make(root, "p", { class: "words", "aria-live": "polite" });
    this.ratioWords = make(root, "p", { class: "ratio-words", "data-layer": "ratio" });
    const legend = make(root, "div", { class: "legend" });
    const keys = Object.values(layers).map((named) => new Key(legend, named, this));
    this.yourTurn = new YourTurn(root, this);
    this.curves = new Curves(root, colours, (t) => player.go(t));
    this.parts = [
      this.items, this.taste, this.ratio, ...keys, which, level, choice, ...rows, this.yourTurn, this.curves,
    ];
    listenToKeys(root, {
      ArrowRight: () => player.step(1), ArrowLeft: () => player.step(-1), " ": () => player.toggle(),
      Home: () => player.toStart(), End: () => player.toEnd(), e: () => player.toEndOfExploration(),
      Escape: () => this.yourTurn.choose(null), Enter: () => this.yourTurn.ask(),
    });
  }

  load(scene) {
    this.scene = scene;
    for (const part of [this.player, ...this.parts]) part.load?.(scene);
  }

  restore(view) {
    this.player.pause();
    this.state.restore(view, this.player.rounds);
  }

  draw() {
    for (const part of this.parts) part.draw(this.state);
    const { t, stage, stages, playing } = this.state, i = t - 1;
    const words = this.yourTurn.verdict || (stage === null ? this.scene.words[i]
      : `Round ${t}, ${stages[stage]}. ${this.scene.stages[i][stage]}`);
    say(this.words, words);
    const ratio = this.state.shows("ask") && this.scene.ratios[i]; // none in a round whose question is open
    say(this.ratioWords, ratio ? `${ratio} ${MEASURED}` : "");
    this.words.setAttribute("aria-live", playing ? "off" : "polite");
    this.items.panel.svg.setAttribute("aria-label", `Item space. ${words}`);
  }

  changed() { // by the visitor
    this.draw();
    this.report.soon();
  }
}

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const { plane } = rootOf(parentElement, "roam-plane", (root) => { root.plane = new Plane(root, data); });
  plane.send = (view) => setStateValue("view", view);
  plane.sendYours = (questions) => setTriggerValue("yours", questions);
  const newScene = plane.stamp !== data.stamp, newView = plane.token !== data.token;
  if (newScene) plane.load(data.scene);
  if (newView) plane.restore(data.view);
  plane.stamp = data.stamp;
  plane.token = data.token;
  if (newScene || newView) plane.draw();
}
