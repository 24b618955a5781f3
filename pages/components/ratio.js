// The critical ratio of the round: its two lengths as bars, and a small map on which the whole ellipse fits.

class CriticalRatio {
  constructor(figure, colours) {
    this.aside = make(figure, "aside", { class: "ratio", "data-layer": "ratio" });
    this.title = make(this.aside, "b");
    this.mistake = new Bar(this.aside, "mistake", colours.truth);
    this.question = new Bar(this.aside, "question", colours.asked);
    make(this.aside, "p", {}, "Small: the question reaches farther than the mistake.");
    this.map = new WholeEllipse(this.aside, colours);
  }

  load(scene) {
    this.scene = scene;
    this.map.load(scene);
  }

  draw(state) {
    const { scene } = this, i = state.t - 1, asked = scene.asked[i] >= 0 && state.shows("ask");
    const mistake = scene.mistake[i], question = asked ? scene.norm[i] : null;
    const longest = Math.max(mistake, question ?? 0), counted = asked && i >= scene.tau;
    say(this.title, `Critical ratio ${counted ? short(mistake ? mistake / question : 0, 2) : "–"}`);
    this.mistake.draw(mistake, longest);
    this.question.draw(question, longest);
    this.map.draw(i, asked);
  }
}

class Bar {
  constructor(parent, words, colour) {
    this.words = words;
    const row = make(parent, "div", { class: "length" });
    this.text = make(row, "span");
    this.bar = make(make(row, "div", { class: "bar" }), "div", { style: `background: ${colour}` });
  }

  draw(length, longest) { // null: there is none
    say(this.text, `${this.words} ${length === null ? "–" : short(length, 2)}`);
    this.bar.style.width = `${longest ? (100 * (length ?? 0)) / longest : 0}%`;
  }
}

class WholeEllipse { // in the large picture it may reach beyond the frame
  constructor(parent, colours) {
    this.panel = new Panel(parent, 1, { class: "map", role: "img", "aria-label": "The whole ellipse" });
    const { svg } = this.panel;
    this.outline = make(svg, "ellipse", hollow("currentColor", 6, { "stroke-opacity": 0.4 }));
    this.reach = make(svg, "ellipse", hollow(colours.doubt, 10, {
      "stroke-dasharray": "28 16", "fill-opacity": 0.1, fill: colours.doubt, "data-layer": "reach",
    }));
    this.ring = make(svg, "ellipse", hollow(colours.truth, 8));
    this.y = make(svg, "circle", { r: 20, fill: colours.asked });
    this.x = make(svg, "circle", { r: 20, fill: colours.new });
  }

  load(scene) { this.scene = scene; }

  draw(i, asked) {
    const { scene, panel } = this, shape = scene.reach[i], [a, b, angle] = shape, x = scene.x[i];
    const across = Math.hypot(a * Math.cos(angle), b * Math.sin(angle));
    const up = Math.hypot(a * Math.sin(angle), b * Math.cos(angle));
    panel.range = 1.06 * Math.max(scene.radius, ...(asked ? [Math.abs(x[0]) + across, Math.abs(x[1]) + up] : []));
    panel.ellipse(this.outline, [0, 0], [...scene.outline, 0]);
    panel.ellipse(this.ring, x, asFarAs(scene, i, scene.mistake[i]));
    panel.move(this.x, x);
    for (const node of [this.reach, this.y]) show(node, asked);
    if (!asked) return;
    panel.ellipse(this.reach, x, shape);
    panel.move(this.y, scene.x[scene.asked[i]]);
  }
}

function asFarAs(scene, i, length) { // the ellipse {v : |v| in V^-1 = length} of round i
  const [a, b, angle] = scene.ellipsoids.V.axes[i];
  return [length / a, length / b, angle];
}
