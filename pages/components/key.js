// The key below a panel: a button for each of its layers, which shows or hides it. Layers are marked with data-layer.

class Key {
  constructor(parent, layers, plane) { // layers: name -> words
    this.root = plane.root;
    this.row = make(parent, "div", { class: "key", role: "group", "aria-label": "Layers" });
    this.buttons = Object.entries(layers).map(([name, words]) => this.layer(name, words, plane));
  }

  layer(name, words, plane) {
    const { hidden } = plane.state;
    const node = make(this.row, "button", { type: "button", "data-toggle": name, title: "Show or hide" });
    SWATCHES[name](make(node, "svg", { viewBox: "0 0 22 18", "aria-hidden": "true" }), plane.colours);
    make(node, "span", {}, words);
    node.onclick = () => {
      if (!hidden.delete(name)) hidden.add(name);
      plane.changed();
    };
    return node;
  }

  draw({ hidden }) {
    const now = [...hidden].join();
    if (this.drawn === now) return;
    this.drawn = now;
    for (const node of this.buttons) node.setAttribute("aria-pressed", String(!hidden.has(node.dataset.toggle)));
    for (const node of this.root.querySelectorAll("[data-layer]")) {
      node.style.visibility = hidden.has(node.dataset.layer) ? "hidden" : "";
    }
  }
}

class Which { // the matrix that the ellipsoid belongs to
  constructor(parent, ellipsoids, plane) { // ellipsoids: matrix -> [words, what it is]
    this.row = make(parent, "div", { class: "which", role: "group", "aria-label": "Ellipsoid" });
    this.buttons = Object.entries(ellipsoids).map(([matrix, [words, title]]) => ({
      matrix,
      node: button(this.row, words, () => {
        plane.state.ellipsoid = matrix;
        plane.changed();
      }, { title }),
    }));
  }

  draw({ ellipsoid }) {
    for (const { matrix, node } of this.buttons) node.setAttribute("aria-pressed", String(matrix === ellipsoid));
  }
}

class Level { // the size of the ellipsoid: c for V, a nominal level for H
  constructor(row, [low, high], nominal, plane) {
    this.label = make(row, "label", {}, "size c");
    this.input = make(this.label, "input", {
      type: "range", min: low, max: high, step: 0.5, "aria-label": "Size c of the ellipsoid", style: "width: 80px",
    });
    this.input.oninput = () => {
      plane.state.c = Number(this.input.value);
      plane.changed();
    };
    this.nominal = make(row, "span", {}, `nominal ${nominal}`);
  }

  draw({ c, ellipsoid }) {
    show(this.label, ellipsoid === "V");
    show(this.nominal, ellipsoid !== "V");
    this.input.value = c;
  }
}
