// What of the run is on screen.

class State {
  constructor(stages) {
    this.stages = stages; // names of the parts of a round
    this.position = 1; // the round; while it plays, with the share of the way to the next one
    this.stage = null; // the last part of the round that is shown; null: the whole round
    this.playing = false;
    this.speed = 5; // rounds a second
    this.pick = null; // the item the visitor asks about instead: its index
    this.ellipsoid = "V"; // the matrix that the ellipsoid belongs to
    this.c = 1; // size of the ellipsoid of V
    this.hidden = new Set(); // names of layers
  }

  get t() { return Math.floor(this.position + 1e-9); }

  get share() { return this.isAt("learn") ? 1 : this.position - this.t; } // how much of round t is learned

  isAt(name) { return this.stage !== null && this.stages[this.stage] === name; }

  shows(name) { return this.stage === null || this.stage >= this.stages.indexOf(name); }

  // As the page knows it
  get view() {
    const { t: round, ellipsoid, c } = this;
    return { round, stage: this.stage ?? -1, ellipsoid, c, hidden: [...this.hidden] };
  }

  restore({ round, stage, ellipsoid, c, hidden }, rounds) {
    this.position = Math.min(round, rounds);
    this.stage = stage < 0 ? null : stage;
    Object.assign(this, { ellipsoid, c });
    this.hidden.clear();
    for (const name of hidden) this.hidden.add(name);
    this.pick = null;
  }
}
