// Names beside marks, placed so that they cover neither a mark nor each other. Lengths are those of the drawing.

const GAP = 4; // between a mark and its name
const TURNS = [0, 0.7, -0.7, 1.4, -1.4, 2.2, -2.2, Math.PI]; // away from the best direction, tried one by one

class Labels {
  constructor(panel, changed) {
    Object.assign(this, { panel, size: TEXT, aside: 0, taken: [] });
    keepTextSize(panel.svg, (scale, box) => {
      this.size = TEXT / scale;
      this.aside = Math.max(0, (box.width / scale - SIZE) / 2); // the drawing may be wider than its square
      changed();
    });
  }

  start(marks) { // [point, radius] of what no name may cover
    this.taken = [];
    for (const [point, radius] of marks) this.avoid(point, 0.8 * radius); // a disc that is a little smaller
  }

  avoid(point, radius) { this.taken.push({ middle: this.panel.at(point), half: [radius, radius] }); }

  avoidLine(from, to) {
    for (let n = 1; n < 10; n++) this.avoid(between(from, to, n / 10), 2);
  }

  // Puts the text beside a point where there is room, best `towards` a direction. If there is none, hides it, or, if it
  // is needed, shows it all the same.
  place(node, point, radius, towards, { turns = TURNS, needed = false } = {}) {
    const boxes = turns.map((turn) => this.beside(node, point, radius, Math.atan2(-towards[1], towards[0]) + turn));
    const free = boxes.find((box) => this.holds(box) && !this.taken.some((other) => overlap(box, other)));
    const box = free ?? (needed ? this.pulledIn(boxes[0]) : null);
    show(node, box);
    if (!box) return;
    this.taken.push(box);
    set(node, { x: box.middle[0].toFixed(1), y: box.middle[1].toFixed(1) });
  }

  beside(node, point, radius, angle) { // the box of a text that is centred on its place
    const letters = node.textContent.replace(/\p{M}/gu, "").length; // a hat above a letter takes no room
    const half = [0.3 * this.size * letters, 0.5 * this.size], way = polar(1, angle);
    const push = way.map((w, n) => w * (radius + GAP) + limit(1.5 * w, -1, 1) * half[n]);
    return { half, middle: plus(this.panel.at(point), push) };
  }

  holds({ middle: [x, y], half: [wide, tall] }) {
    return x - wide >= -this.aside && x + wide <= SIZE + this.aside && y - tall >= 0 && y + tall <= SIZE;
  }

  pulledIn({ middle: [x, y], half }) {
    const [wide, tall] = half, { aside } = this;
    return { half, middle: [limit(x, wide - aside, SIZE + aside - wide), limit(y, tall, SIZE - tall)] };
  }
}

function overlap(one, other) {
  return [0, 1].every((n) => Math.abs(one.middle[n] - other.middle[n]) < one.half[n] + other.half[n]);
}
