// "Your turn": what another question would have done to V. It is computed here: a click must be answered at once.

function outcome(scene, i, asked) { // of asking in round i about the item of round `asked`
  const { matrices, axes } = scene.ellipsoids.V, V = matrices[i];
  const z = minus(scene.x[i], scene.x[asked]), shape = ellipsoid(probed(V, z)), [a, b] = shape, [c, d] = axes[i];
  return { shape, length: short(norm(V, z), 2), shrinks: `${((1 - (a * b) / (c * d)) * 100).toFixed(1)}%` };
}

class YourTurn {
  constructor(root, plane) {
    this.plane = plane;
    const box = make(root, "div", { class: "yours" });
    make(box, "p").innerHTML = "<b>Your turn:</b> click any past item to ask about that one instead.";
    const label = make(box, "label", {}, "Ask about the item of round");
    this.input = make(label, "input", { type: "number", min: 1, style: "width: 4.5rem" });
    this.input.onchange = () => this.choose(this.input.value === "" ? null : Number(this.input.value) - 1);
    this.drop = button(box, "Back to the rule's choice", () => this.choose(null));
    plane.items.panel.svg.addEventListener("click", (event) => this.clicked(event));
  }

  load(scene) { this.scene = scene; }

  clicked(event) {
    const { items, player, state } = this.plane;
    player.pause();
    this.choose(items.itemUnder(event, state.t - 1));
  }

  choose(index) {
    const { state } = this.plane;
    state.pick = Number.isInteger(index) && index >= 0 && index < state.t - 1 ? index : null;
    this.plane.draw();
  }

  draw({ t, pick, c, ellipsoid: matrix }) {
    const { items, taste } = this.plane, { scene } = this, i = t - 1, chosen = pick !== null && pick < i;
    const [yours, rule] = chosen ? [pick, scene.asked[i]].map((asked) => outcome(scene, i, asked)) : [];
    items.drawYours(scene.x[i], chosen ? scene.x[pick] : null);
    if (matrix === "V") taste.drawAfter(i, yours?.shape, rule?.shape, c);
    else taste.drawAfter(i);
    show(this.drop, chosen);
    set(this.input, { max: Math.max(i, 1) });
    this.input.disabled = i < 1;
    if (chosen) this.input.value = pick + 1;
    else if (document.activeElement !== this.input) this.input.value = "";
    this.verdict = chosen ? this.words(pick, yours, rule, matrix) : "";
  }

  words(pick, yours, rule, matrix) {
    const { scene, plane: { state } } = this, drawn = matrix === "V";
    const compare = pick === scene.asked[state.t - 1] ? "That is the item the rule chose."
      : `Your probe has length ${yours.length} in V⁻¹, the rule's ${rule.length}. Your question shrinks the area of `
      + `V's ellipsoid by ${yours.shrinks}${drawn ? " (dashed)" : ""}, the rule's by ${rule.shrinks}.`
      + `${drawn ? "" : " Switch to V to see both."}`;
    return `You ask about the item of round ${pick + 1}. ${compare}`;
  }
}
