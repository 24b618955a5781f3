// The drawing of a history: its items, their hull, the narrowest shadow, and the worst pair x, x'.

const HISTORY_RANGE = 1.16; // in radii
const INSIDE = "var(--st-background-color)";

class HistoryPanel {
  constructor(parent, colours) {
    this.colours = colours;
    this.panel = new Panel(parent, HISTORY_RANGE, { class: "space", role: "application", tabindex: 0 });
    const { svg } = this.panel, faint = hollow("currentColor", 1.5, { "stroke-opacity": 0.35 });
    this.ball = make(svg, "ellipse", faint);
    this.outline = make(svg, "ellipse", { ...faint, "stroke-dasharray": "2 5" });
    const area = (colour, opacity) => ({ ...hollow(colour, 2.5), fill: colour, "fill-opacity": opacity });
    this.slab = make(svg, "polygon", { ...area(colours.doubt, 0.16), "stroke-dasharray": "9 5" });
    this.hull = make(svg, "polygon", area(colours.new, 0.14));
    this.direction = make(svg, "line", hollow(colours.doubt, 3));
    this.pair = make(svg, "line", hollow(colours.asked, 3, { "stroke-dasharray": "3 6" }));
    this.items = make(svg, "g");
    this.x = make(svg, "circle", { r: 9, ...hollow(colours.asked, 4), fill: INSIDE });
    this.other = make(svg, "rect", { x: -8, y: -8, width: 16, height: 16, ...hollow(colours.asked, 4), fill: INSIDE });
    this.xLabel = make(svg, "text", { "font-size": 19 }, "x");
    this.otherLabel = make(svg, "text", { "font-size": 19 }, "x′");
    this.shadowLabel = make(svg, "text", { "font-size": 19, "text-anchor": "middle" }, "narrowest shadow");
  }

  load({ radius, outline }) {
    this.r = radius;
    this.panel.range = HISTORY_RANGE * radius;
    this.panel.ellipse(this.ball, [0, 0], [radius, radius, 0]);
    this.panel.ellipse(this.outline, [0, 0], [...outline, 0]);
  }

  draw({ points, selected }, found) {
    const { panel, r } = this, { v, low, high, corners } = found;
    const from = (along, across) => plus(times(v, along), times([-v[1], v[0]], across)); // in directions of the shadow
    panel.outline(this.slab, [from(low, -3 * r), from(low, 3 * r), from(high, 3 * r), from(high, -3 * r)]);
    panel.outline(this.hull, corners);
    panel.line(this.direction, times(v, low), times(v, high));
    const x = times(v, (low + high) / 2), other = times(v, -r);
    this.drawPair(x, other);
    const places = [high, low].flatMap((along) => [0.75, -0.75, 0.4, -0.4].map((part) => from(along, part * r)));
    this.placeLabel(places, [...points, x, other]);
    this.drawItems(points, selected);
  }

  drawPair(x, other) {
    const { panel } = this;
    panel.move(this.x, x);
    panel.move(this.other, other);
    panel.line(this.pair, x, other);
    for (const [node, point, least] of [[this.xLabel, x, 10], [this.otherLabel, other, 20]]) {
      const [across, down] = panel.at(point);
      set(node, { x: limit(across + 14, least, SIZE - least), y: limit(down - 12, 20, SIZE - 20) });
    }
  }

  placeLabel(points, marked) { // on an edge of the shadow; it stays in its place until a mark comes too near
    const marks = marked.map((point) => this.panel.at(point));
    const places = points.map((point) => {
      const [x, y] = this.panel.at(point);
      return [limit(x, 90, SIZE - 90), limit(y, 24, SIZE - 24)];
    });
    // Half of the label is 88 wide and 19 high: from 1 on a mark is outside.
    const room = ([x, y]) => Math.min(
      9, ...marks.map((mark) => Math.max(Math.abs(mark[0] - x) / 88, Math.abs(mark[1] - y + 6) / 19)),
    );
    if (this.place === undefined || room(places[this.place]) < 1) {
      const rooms = places.map(room);
      this.place = rooms.indexOf(Math.max(...rooms));
    }
    const [x, y] = places[this.place];
    set(this.shadowLabel, { x: x.toFixed(1), y: y.toFixed(1) });
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
