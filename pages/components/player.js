// Moves through the run: plays, steps and jumps. Whoever moves on takes back the question of their own.

const LONGEST_FRAME = 250; // milliseconds: after a longer break the picture goes on where it was

class Player {
  constructor(plane) {
    Object.assign(this, { plane, state: plane.state, frames: [] }); // frames: when each was drawn, since Play
  }

  load(scene) {
    this.rounds = scene.ends ?? scene.T; // a visitor's turn ends where they have come to
    this.tau = scene.tau;
    this.state.position = Math.min(this.state.position, this.rounds);
    this.state.pick = null;
  }

  go(t, stage = this.state.stage === null ? null : 0) {
    this.pause();
    Object.assign(this.state, { position: limit(Math.round(t), 1, this.rounds), stage, pick: null });
    this.plane.changed();
  }

  toStart() { this.go(1); }

  toEnd() { this.go(this.rounds); }

  toEndOfExploration() { this.go(this.tau + 1); }

  step(by) { // a round, or a stage where stages are shown
    const { t, stage, stages } = this.state;
    if (stage === null) return this.go(t + by);
    if (stages[stage + by]) return this.go(t, stage + by);
    if (t + by >= 1 && t + by <= this.rounds) this.go(t + by, by > 0 ? 0 : stages.length - 1);
  }

  toggle() {
    if (!this.state.playing) return this.play();
    this.pause();
    this.plane.changed();
  }

  pause() {
    this.state.playing = false;
    this.state.position = this.state.t;
  }

  play() {
    const { plane, state } = this;
    if (state.t >= this.rounds) state.position = 1;
    Object.assign(state, { stage: null, playing: true, pick: null });
    this.frames = [];
    let last = performance.now();
    const frame = (now) => {
      if (!state.playing || !plane.root.isConnected) return;
      state.position += (state.speed * limit(now - last, 0, LONGEST_FRAME)) / 1000;
      last = now;
      this.frames.push(now);
      if (state.position >= this.rounds) {
        state.position = this.rounds;
        this.pause();
        return plane.changed();
      }
      plane.draw();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }
}
