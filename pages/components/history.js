// The items of a history that can be changed, one of which may be marked.

const MOST = 100; // items

class History {
  load({ own, points, radius, outline }) { // outline: the semi-axes of the space that items come from
    Object.assign(this, { own, r: radius, outline, points: points.map((p) => [...p]), selected: null });
  }

  get isOwn() { return JSON.stringify(this.points) === JSON.stringify(this.own); } // as the run made it

  get asSent() { // to the page: null if it is the run's own
    return this.isOwn ? null : this.points.map((point) => point.map((n) => Number(n.toPrecision(4))));
  }

  restore() { Object.assign(this, { points: this.own.map((p) => [...p]), selected: null }); }

  add(point) { // marks it and returns its index; null if there are too many
    if (this.points.length >= MOST) return null;
    this.selected = this.points.push(point) - 1;
    return this.selected;
  }

  remove(i) {
    this.points.splice(i, 1);
    this.selected = null;
  }

  moveMarked(by) { // no item leaves the ball
    const moved = plus(this.points[this.selected], by);
    if (size(moved) <= this.r * (1 + 1e-9)) this.points[this.selected] = moved;
  }

  markNext(by) {
    const { length } = this.points;
    if (length) this.selected = ((this.selected ?? -1) + by + 2 * length) % length;
  }
}
