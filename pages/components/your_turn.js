// "Your turn": ask your own questions, round after round, beside ROAM on the same luck. What a question would do to V
// is computed here, since a click must be answered at once; what came of it the server plays.

function outcome(scene, i, asked) { // of asking in round i about the item of round `asked`
  const { matrices, axes } = scene.ellipsoids.V, V = matrices[i];
  const z = minus(scene.x[i], scene.x[asked]), shape = ellipsoid(probed(V, z)), [a, b] = shape, [c, d] = axes[i];
  return { shape, length: short(norm(V, z), 2), shrinks: `${((1 - (a * b) / (c * d)) * 100).toFixed(1)}%` };
}

const PATIENCE = 3000; // milliseconds in which the server's answer is waited for before another question is taken

class YourTurn {
  constructor(root, plane) {
    Object.assign(this, { plane, askedIn: null, sent: -PATIENCE }); // askedIn: the round whose answer is on its way
    this.confirm = button(plane.items.figure, "Ask this", () => this.ask(), { class: "ask-this" });
    plane.items.panel.svg.after(this.confirm);
    const box = make(root, "div", { class: "yours" });
    this.invitation = make(box, "p");
    this.label = make(box, "label", {}, "Ask about the item of round");
    this.input = make(this.label, "input", { type: "number", min: 1, style: "width: 4.5rem" });
    this.input.onchange = () => this.choose(this.typed);
    this.input.onkeydown = ({ key }) => { // the first Enter shows what the question would do, the second asks it
      if (key === "Enter" && this.typed !== null && this.typed === plane.state.pick) this.ask();
    };
    this.addActions(make(box, "div", { class: "actions" }));
    this.beside = make(box, "p", { class: "beside", "aria-live": "polite" });
    this.ghost = new Ghost(plane.taste, plane.colours);
    plane.items.panel.svg.addEventListener("click", (event) => this.clicked(event));
  }

  addActions(row) {
    const { player, state } = this.plane, add = (text, action) => button(row, text, action);
    this.start = add("", () => this.send([[Math.max(state.t, 2) - 1, 0]]));
    this.drop = add("Back to the rule's choice", () => this.choose(null));
    this.goOn = add("", () => player.go(this.turn.open, null));
    this.rule = add("Let the rule ask", () => this.ask(-1));
    this.rest = add("Let the rule ask the rest", () => this.send([...this.turn.choices, [this.scene.T, 0]]));
    this.back = add("Take back", () => this.takeBack());
    this.end = add("End my turn", () => this.send([]));
  }

  get turn() { return this.scene.turn; } // none: the run on screen is ROAM's

  get typed() { return this.input.value === "" ? null : Number(this.input.value) - 1; }

  isOpen(t) { return this.turn ? this.turn.open === t : t > 1; } // whether a question can be chosen in this round

  load(scene) {
    const { askedIn, plane: { state } } = this, known = Boolean(this.scene);
    Object.assign(this, { scene, askedIn: null, sent: -PATIENCE });
    if (!scene.turn || !known) return;
    Object.assign(state, { position: scene.ends, stage: null });
    if (askedIn === scene.ends - 1) showAnswer(this.plane, askedIn);
  }

  clicked(event) {
    const { items, player, state } = this.plane;
    player.pause();
    if (this.turn?.open) Object.assign(state, { position: this.turn.open, stage: null });
    this.choose(items.itemUnder(event, state.t - 1));
  }

  choose(index) {
    const { state } = this.plane, { t } = state;
    state.pick = this.isOpen(t) && Number.isInteger(index) && index >= 0 && index < t - 1 ? index : null;
    this.plane.draw();
  }

  ask(index = this.plane.state.pick) { // -1: the rule asks
    const { t } = this.plane.state;
    if (index === null || !this.isOpen(t)) return;
    this.askedIn = t;
    this.send([...(this.turn?.choices ?? []), [t, index + 1]]);
  }

  takeBack() {
    const { choices } = this.turn;
    this.send(choices.length > 1 ? choices.slice(0, -1) : [[choices[0][0] - 1, 0]]);
  }

  send(choices) { // written as in the link
    if (performance.now() - this.sent < PATIENCE) return;
    this.sent = performance.now();
    this.plane.sendYours(choices.map((pair) => pair.join(".")).join("_"));
  }

  draw(state) {
    const { t, pick } = state, { scene } = this, i = t - 1, chosen = pick !== null && pick < i;
    const yours = chosen ? outcome(scene, i, pick) : null;
    const rule = chosen && !this.turn ? outcome(scene, i, scene.asked[i]) : null; // in your turn it is not told yet
    this.drawPreview(state, yours, rule);
    this.drawActions(t, chosen);
    set(this.input, { max: Math.max(i, 1) });
    this.input.disabled = i < 1;
    if (chosen) this.input.value = pick + 1;
    else if (document.activeElement !== this.input) this.input.value = "";
    this.ghost.draw(state, scene);
    show(this.beside, this.turn);
    say(this.beside, this.turn?.beside[i] ?? "");
    this.verdict = chosen ? this.words(pick, yours, rule, state.ellipsoid) : "";
  }

  drawPreview({ t, pick, c, ellipsoid: matrix }, yours, rule) {
    const { items, taste } = this.plane, { x } = this.scene;
    items.drawYours(x[t - 1], yours ? x[pick] : null);
    if (matrix === "V") taste.drawAfter(t - 1, yours?.shape, rule?.shape, c);
    else taste.drawAfter(t - 1);
  }

  drawActions(t, chosen) {
    const { turn, scene: { T } } = this, open = this.isOpen(t), { choices = [[0, 0]] } = turn ?? {};
    this.invitation.innerHTML = this.invite(t);
    say(this.start, `Start my turn in round ${Math.max(t, 2)}`);
    say(this.goOn, `Go on in round ${turn?.open}`);
    show(this.confirm, chosen);
    show(this.label, open || !turn);
    show(this.start, !turn && T > 1);
    show(this.drop, !turn && chosen);
    show(this.goOn, turn?.open && !open);
    for (const node of [this.rule, this.rest]) show(node, turn && open);
    show(this.back, turn && (choices.length > 1 || choices[0][1]));
    show(this.end, turn);
  }

  invite(t) {
    if (!this.turn) return "<b>Your turn:</b> click any past item to ask about that one instead.";
    if (!this.turn.open) return "<b>Your turn is over:</b> every round has its question.";
    return this.isOpen(t) ? "<b>Your turn.</b> Click a past item, or type its round; then press “Ask this”."
      : `<b>Your turn</b> is in round ${this.turn.open}.`;
  }

  words(pick, yours, rule, matrix) {
    const drawn = matrix === "V", first = `You ask about item ${this.scene.names[pick]} of round ${pick + 1}.`;
    if (!rule) {
      return `${first} Its probe has length ${yours.length} in V⁻¹ and shrinks the area of V's ellipsoid by `
        + `${yours.shrinks}${drawn ? " (dashed)" : ""}.`;
    }
    if (pick === this.scene.asked[this.plane.state.t - 1]) return `${first} That is the item the rule chose.`;
    return `${first} Your probe has length ${yours.length} in V⁻¹, the rule's ${rule.length}. Your question shrinks `
      + `the area of V's ellipsoid by ${yours.shrinks}${drawn ? " (dashed)" : ""}, the rule's by ${rule.shrinks}.`
      + `${drawn ? "" : " Switch to V to see both."}`;
  }
}
