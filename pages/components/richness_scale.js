// One scale, in powers of ten, for rho(H) of a history, the paper's bound on it, and the critical ratios its run met.

const TRACK = { left: 34, right: 466, y: 92 };
const GREY = { stroke: "currentColor", "stroke-opacity": 0.5, "stroke-width": 2 };

class RichnessScale {
  constructor(parent, colours) {
    this.colours = colours;
    this.svg = make(parent, "svg", { viewBox: "0 0 500 150", role: "img" });
  }

  load({ bound, ratios }) {
    Object.assign(this, { bound, ratios, low: -2, high: Math.max(2, Math.ceil(Math.log10(bound * 1.3))) });
  }

  x(value) { // infinity is right of the end
    if (!Number.isFinite(value)) return TRACK.right + 14;
    const share = (limit(Math.log10(value), this.low, this.high) - this.low) / (this.high - this.low);
    return TRACK.left + share * (TRACK.right - TRACK.left);
  }

  draw(rho, isOwn) { // the ratios belong to the run's own history
    const { svg, colours, bound } = this, ratios = isOwn ? this.ratios : [];
    svg.replaceChildren();
    this.drawTrack();
    this.drawRatios(ratios);
    this.mark(bound, 46, hollow(colours.truth, 4, { "stroke-dasharray": "6 4" }));
    this.mark(rho, 22, hollow(colours.doubt, 4));
    this.name(bound, 46, `paper's bound β ${short(bound, 3)}`); // after the lines: a name's outline keeps them off
    this.name(rho, 22, `ρ(H) ${short(rho, 3)}`);
    const largest = short(Math.max(...ratios), 3);
    const met = ratios.length ? `, and ${ratios.length} critical ratios of the run, the largest ${largest}` : "";
    svg.setAttribute("aria-label", `On one scale: rho of the history ${short(rho, 3)}, the paper's bound beta `
      + `${short(bound, 3)}${met}.`);
  }

  drawTrack() {
    const { left, right, y } = TRACK;
    make(this.svg, "line", { x1: left, x2: right, y1: y, y2: y, ...GREY });
    for (let power = this.low; power <= this.high; power++) {
      const x = this.x(10 ** power);
      make(this.svg, "line", { x1: x, x2: x, y1: y, y2: y + 7, ...GREY });
      const label = { x, y: y + 28, "font-size": 18, "text-anchor": "middle", opacity: 0.8 };
      make(this.svg, "text", label, String(10 ** power));
    }
  }

  drawRatios(ratios) { // at different heights, so that near ones can be told apart
    const { svg, colours } = this, words = "● critical ratios of the run";
    ratios.forEach((value, i) => {
      const cx = this.x(value).toFixed(1), cy = TRACK.y - 8 - ((i * 7) % 23);
      if (value > 0) make(svg, "circle", { cx, cy, r: 4, fill: colours.new, "fill-opacity": 0.5 });
    });
    if (ratios.length) make(svg, "text", { x: TRACK.left - 22, y: 143, "font-size": 18, fill: "currentColor" }, words);
  }

  mark(value, y, line) {
    const x = this.x(value);
    make(this.svg, "line", { x1: x, x2: x, y1: y + 6, y2: TRACK.y + 4, ...line });
  }

  name(value, y, text) {
    const x = this.x(value), middle = { x, "text-anchor": "middle" };
    const place = x > 330 ? { x: Math.min(x + 24, 496), "text-anchor": "end" } : middle;
    make(this.svg, "text", { ...place, y, "font-size": 18, "font-weight": 600 }, text);
  }
}
