// What follows a question of the visitor's own: the user's answer, then the picture moves on to the next round; and
// where ROAM's estimate is meanwhile.

const ANSWER_STAYS = 1200; // milliseconds
const MOVING_ON = 700; // milliseconds

function showAnswer(plane, t) { // of round t; whoever moves through the run meanwhile ends it
  const { state, root } = plane;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const answer = state.stages.indexOf("answer");
  Object.assign(state, { position: t, stage: answer });
  let began = null;
  const frame = (now) => {
    if (!root.isConnected || state.playing || state.position !== t || state.stage !== answer) return;
    began ??= now;
    if (now - began < ANSWER_STAYS) return requestAnimationFrame(frame);
    state.stage = null;
    moveOn(plane, t);
  };
  requestAnimationFrame(frame);
}

function moveOn(plane, t) { // from round t to the next
  const { state, root } = plane;
  let began = null, last = t;
  const frame = (now) => {
    if (!root.isConnected || state.playing || state.position !== last || state.stage !== null) return;
    began ??= now;
    state.position = last = t + Math.min((now - began) / MOVING_ON, 1);
    plane.draw();
    if (last < t + 1) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

class Ghost { // ROAM's estimate in the same round, once it differs from the visitor's
  constructor(taste, colours) {
    const { svg } = taste.panel;
    this.panel = taste.panel;
    this.dot = make(svg, "circle", { r: 9, ...hollow(colours.new, 3, { "stroke-dasharray": "5 3" }), class: "ghost" });
    this.label = make(svg, "text", { "font-size": 20, class: "ghost" }, "ROAM");
  }

  draw({ t, share }, { turn, estimate }) {
    const i = t - 1, [own, at] = [estimate, turn?.roam ?? estimate].map((all) => between(all[i], all[i + 1], share));
    const apart = minus(at, own), seen = size(apart) > 1e-6;
    for (const node of [this.dot, this.label]) show(node, seen);
    if (!seen) return;
    const edge = 0.97 * this.panel.range, farthest = Math.max(...at.map(Math.abs));
    const place = farthest > edge ? times(at, edge / farthest) : at, [x, y] = this.panel.at(place);
    const left = apart[0] < 0 || x > SIZE - 80; // the name stands on the side away from the visitor's estimate
    this.panel.move(this.dot, place);
    set(this.label, { x: x + (left ? -14 : 14), y: y + 6, "text-anchor": left ? "end" : "start" });
  }
}
