// A square drawing of the plane around 0: from points to places in the drawing, and back.

const SIZE = 500; // of the drawing's coordinates, whatever its size on screen
const FAR = 20 * SIZE; // far outside: nothing need be larger
const HEAD = 16; // length of an arrow's head
const WING = 0.45; // its angle on either side

const written = ([x, y], digits = 1) => `${x.toFixed(digits)} ${y.toFixed(digits)}`;

class Panel {
  constructor(parent, range, attributes) { // it shows [-range, range] in both directions
    this.svg = make(parent, "svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, ...attributes });
    this.range = range;
  }

  length(value) { return (value / this.range) * (SIZE / 2); }

  at([x, y]) { return [SIZE / 2 + this.length(x), SIZE / 2 - this.length(y)]; }

  under({ clientX, clientY }) { // the point of the plane under the pointer
    const box = this.svg.getBoundingClientRect(), scale = (2 * this.range) / Math.min(box.width, box.height);
    return [(clientX - box.left - box.width / 2) * scale, -(clientY - box.top - box.height / 2) * scale];
  }

  move(node, point) { node.setAttribute("transform", `translate(${written(this.at(point))})`); }

  ellipse(node, centre, [a, b, angle], level = 1) {
    const radius = (value) => Math.min(this.length(value * level), FAR).toFixed(2);
    const turn = ((-angle * 180) / Math.PI).toFixed(3);
    set(node, { rx: radius(a), ry: radius(b), transform: `translate(${written(this.at(centre), 2)}) rotate(${turn})` });
  }

  line(node, from, to) {
    const [[x1, y1], [x2, y2]] = [from, to].map((point) => this.at(point).map((value) => value.toFixed(1)));
    set(node, { x1, y1, x2, y2 });
  }

  outline(node, points) {
    node.setAttribute("points", points.map((point) => written(this.at(point))).join(" "));
  }

  arrow(node, from, to) { // a path with a head at `to`
    const tail = this.at(from), tip = this.at(to), shaft = minus(tip, tail);
    const angle = Math.atan2(shaft[1], shaft[0]), head = Math.min(HEAD, size(shaft));
    const [left, right] = [WING, -WING].map((turn) => written(minus(tip, polar(head, angle + turn))));
    node.setAttribute("d", `M${written(tail)}L${written(tip)}M${left}L${written(tip)}L${right}`);
  }

  label(node, point, dx = 12, dy = -12) { // text beside a point, kept inside the panel
    const [x, y] = plus(this.at(point), [dx, dy]);
    set(node, { x: limit(x, 8, SIZE - 60).toFixed(1), y: limit(y, 22, SIZE - 8).toFixed(1) });
  }
}
