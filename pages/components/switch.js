// On a phone there is room for one panel: buttons choose it. The question is among the items, learning in the taste.

class PanelSwitch {
  constructor(panels, figures) { // figures: words -> figure
    this.row = make(panels, "div", { class: "switch", role: "group", "aria-label": "Which picture to show" });
    this.choices = Object.entries(figures).map(([words, figure]) => ({
      figure, node: button(this.row, words, () => this.choose(figure)),
    }));
    this.choose(this.choices[0].figure);
  }

  choose(chosen) {
    for (const { figure, node } of this.choices) {
      figure.classList.toggle("chosen", figure === chosen);
      node.setAttribute("aria-pressed", String(figure === chosen));
    }
  }

  draw(state) { // follows a new stage
    if (this.stage === state.stage) return;
    this.stage = state.stage;
    this.choose(this.choices[state.isAt("learn") ? 1 : 0].figure);
  }
}
