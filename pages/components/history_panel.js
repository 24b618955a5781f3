// The drawing of a history, layer by layer: its items; the worst shadow; a fresh item x in its middle and what a
// question reaches; another item x′ and the mistake; the shadow's middle and the narrowest shadow, if that is another.

const HISTORY_RANGE = 1.16; // in radii
const INSIDE = "var(--st-background-color)";
const BESIDE = 24; // of the drawing: how far from the axis a length is marked
const SHORTEST = 30; // of the drawing: a length below this is not marked
const ABOVE = 15; // of the drawing: from a line to the middle of the text above it
const TICK = 6; // of the drawing: half of the mark at an end of a length
const LENGTHS = { // along the direction v: the layer each belongs to, its name, ends, and place beside the axis
  w: { layer: "fresh", name: "question", role: "doubt", span: ({ m, high }) => [m, high], beside: BESIDE },
  mistake: { layer: "other", name: "mistake", role: "asked", span: ({ m }, r) => [-r, m], beside: -BESIDE },
  m: { layer: "middle", name: "off-centre", role: "truth", span: ({ m }) => [0, m], beside: -2.2 * BESIDE },
};

class HistoryPanel {
  constructor(parent, colours) {
    this.colours = colours;
    this.panel = new Panel(parent, HISTORY_RANGE, { class: "space", role: "application", tabindex: 0 });
    const { svg } = this.panel, faint = hollow("currentColor", 1.5, { "stroke-opacity": 0.35 });
    this.ball = make(svg, "ellipse", faint);
    this.outline = make(svg, "ellipse", { ...faint, "stroke-opacity": 0.7, "stroke-dasharray": "2 5" });
    this.addShadows(svg, colours);
    this.items = make(svg, "g");
    this.farthest = make(svg, "circle", { r: 14, ...hollow(colours.doubt, 3) });
    this.x = make(svg, "circle", { r: 9, ...hollow(colours.asked, 4), fill: INSIDE });
    this.other = make(svg, "rect", { x: -8, y: -8, width: 16, height: 16, ...hollow(colours.asked, 4), fill: INSIDE });
    this.lengths = Object.fromEntries(Object.entries(LENGTHS).map(([key, { name, role }]) => (
      [key, { line: make(svg, "path", hollow(colours[role], 3)), label: this.text(svg, name) }]
    )));
    this.xLabel = this.text(svg, "x");
    this.otherLabel = this.text(svg, "x′");
    this.vLabel = this.text(svg, "v");
    this.worstLabel = this.text(svg, "shadow");
    this.narrowestLabel = this.text(svg, "narrowest shadow");
    this.layers = {
      shadow: [this.worst, this.axis, this.bar, this.vLabel, this.worstLabel],
      fresh: [this.x, this.xLabel, this.farthest],
      other: [this.other, this.otherLabel],
      middle: [this.centre],
    };
  }

  addShadows(svg, colours) {
    const area = (colour, opacity) => ({ ...hollow(colour, 2.5), fill: colour, "fill-opacity": opacity });
    this.narrowest = make(svg, "polygon", {
      ...area("currentColor", 0.05), "stroke-opacity": 0.5, "stroke-width": 2, "stroke-dasharray": "3 5",
    });
    this.worst = make(svg, "polygon", { ...area(colours.doubt, 0.16), "stroke-dasharray": "9 5" });
    this.axis = make(svg, "path", hollow("currentColor", 1.5, { "stroke-opacity": 0.6 }));
    this.bar = make(svg, "line", hollow(colours.doubt, 9, { "stroke-opacity": 0.75 }));
    this.centre = make(svg, "path", { ...hollow("currentColor", 2.5), d: "M-7 0H7M0 -7V7" });
  }

  text(svg, words) {
    return make(svg, "text", { "text-anchor": "middle", "dominant-baseline": "central" }, words);
  }

  load({ radius, outline }) {
    this.r = radius;
    this.panel.range = HISTORY_RANGE * radius;
    this.panel.ellipse(this.ball, [0, 0], [radius, radius, 0]);
    this.panel.ellipse(this.outline, [0, 0], [...outline, 0]);
    show(this.outline, outline.some((axis) => axis !== radius)); // else it is the ball's
  }

  draw({ points, selected }, { worst, narrowest, differ }, shows) {
    const { panel, r } = this, { v, low, high, m } = worst;
    for (const [layer, nodes] of Object.entries(this.layers)) nodes.forEach((node) => show(node, shows.has(layer)));
    this.drawStrip(this.worst, worst);
    panel.arrow(this.axis, times(v, -r), times(v, 1.1 * r));
    panel.line(this.bar, times(v, low), times(v, high));
    panel.move(this.centre, [0, 0]);
    panel.move(this.x, times(v, m));
    panel.move(this.other, times(v, -r));
    this.ringFarthest(points, v, shows);
    const marks = points.map((point) => panel.at(point));
    marks.push(...this.drawLengths(worst, marks, shows));
    const [x, y] = this.placeLabel(this.worstLabel, worst, marks);
    marks.push([x - 50, y], [x, y], [x + 50, y]);
    const another = differ && shows.has("middle");
    for (const node of [this.narrowest, this.narrowestLabel]) show(node, another);
    if (another) {
      this.drawStrip(this.narrowest, narrowest);
      this.placeLabel(this.narrowestLabel, narrowest, marks);
    }
    this.drawItems(points, selected);
  }

  ringFarthest(points, v, shows) { // the past item that the best question is about
    show(this.farthest, points.length > 0 && shows.has("fresh"));
    if (points.length) this.panel.move(this.farthest, points.reduce((a, b) => (dot(b, v) > dot(a, v) ? b : a)));
  }

  drawStrip(node, shadow) { // everything that casts this shadow
    const { low, high } = shadow, far = 3 * this.r;
    this.panel.outline(node, [[low, -far], [low, far], [high, far], [high, -far]].map((at) => inShadow(shadow, ...at)));
  }

  drawLengths(worst, items, shows) { // beside the axis, on one side or the other; returns places that are taken
    const { panel, r } = this, { v, m } = worst, along = [v[0], -v[1]]; // in the drawing y points down
    const up = along[0] < 0 || (along[0] === 0 && along[1] < 0) ? [-along[1], along[0]] : [along[1], -along[0]];
    const beside = (value, across, on = 0) => (
      plus(panel.at(times(v, value)), plus(times(up, across), times(along, on)))
    );
    const taken = [beside(m, 0), beside(-r, 0)];
    for (const [key, { line, label }] of Object.entries(this.lengths)) {
      const { layer, span, beside: across } = LENGTHS[key], [from, to] = span(worst, r);
      const visible = shows.has(layer) && panel.length(to - from) >= SHORTEST;
      for (const node of [line, label]) show(node, visible);
      if (!visible) continue;
      const [a, b] = [beside(from, across), beside(to, across)], tick = times(up, TICK);
      const ends = [a, b].map((end) => [minus(end, tick), plus(end, tick)]);
      line.setAttribute("d", [[a, b], ...ends].map(([p, q]) => `M${written(p)}L${written(q)}`).join(""));
      const clear = Math.abs(up[0]) * (label.getComputedTextLength() / 2 + TICK) + Math.abs(up[1]) * ABOVE;
      taken.push(this.put(label, beside((from + to) / 2, across + Math.sign(across) * clear)));
    }
    const around = (value) => [[1, -1], [1, 1], [-1, -1], [-1, 1]].map(([across, on]) => (
      beside(value, 0.8 * BESIDE * across, 0.7 * BESIDE * on)
    ));
    for (const [label, value] of [[this.xLabel, m], [this.otherLabel, -r], [this.vLabel, 1.05 * r]]) {
      taken.push(this.put(label, freest(around(value), [...items, ...taken])));
    }
    return taken;
  }

  put(label, [x, y]) { // as near to that place as the drawing's edge allows; returns where
    const half = label.getComputedTextLength() / 2 + 4;
    const place = [limit(x, half, SIZE - half), limit(y, 16, SIZE - 16)];
    set(label, { x: place[0].toFixed(1), y: place[1].toFixed(1) });
    return place;
  }

  placeLabel(label, shadow, marks) { // at an edge of a shadow; it stays in its place until a mark comes too near
    const half = label.getComputedTextLength() / 2 + 8, { low, high } = shadow, beyond = 0.13 * this.r;
    const places = [high, low, high + beyond, low - beyond].flatMap((along) => [0.75, -0.75, 0.4, -0.4].map((part) => {
      const [x, y] = this.panel.at(inShadow(shadow, along, part * this.r));
      return [limit(x, half, SIZE - half), limit(y, 16, SIZE - 16)];
    }));
    // From 1 on a mark is outside.
    const room = ([x, y]) => Math.min(
      9, ...marks.map((mark) => Math.max(Math.abs(mark[0] - x) / (half + 8), Math.abs(mark[1] - y) / 22)),
    );
    if (label.place === undefined || room(places[label.place]) < 1) {
      const rooms = places.map(room);
      label.place = rooms.indexOf(Math.max(...rooms));
    }
    return this.put(label, places[label.place]);
  }

  drawItems(points, selected) {
    this.items.replaceChildren();
    points.forEach((point, i) => {
      const [cx, cy] = this.panel.at(point).map((value) => value.toFixed(1));
      make(this.items, "circle", {
        class: "past", cx, cy, r: i === selected ? 11 : 7.5, fill: this.colours.explored,
        stroke: "var(--st-secondary-background-color)", "stroke-width": 1.5,
      });
    });
  }
}

function freest(places, marks) { // the first of those places that is far enough from all marks, or the farthest
  const room = (place) => Math.min(22, ...marks.map((mark) => size(minus(mark, place))));
  return places.reduce((a, b) => (room(b) > room(a) ? b : a));
}

function inShadow({ v }, along, across) { // a point by its place along and across the direction of a shadow
  return plus(times(v, along), times([-v[1], v[0]], across));
}
