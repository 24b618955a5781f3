// rho(H) for d = 2 as in roam_core/richness.py. It is computed here too, because a dragged item must be followed at
// once; a test compares the two.

const FLAT = 1e-9; // a shadow narrower than this part of r counts as a point
const TIE = 1e-9; // shadows whose widths differ by less than this part are equally wide

const cross = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);

function hull(points) { // corners of the convex hull, counter-clockwise
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1 && cross(chain.at(-2), chain.at(-1), p) <= 0) chain.pop();
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function extent(points, v) { // of the shadow in direction v: its two ends
  const along = points.map((p) => dot(p, v));
  return [Math.min(...along), Math.max(...along)];
}

function shadowAlong(points, r, v) { // its middle m >= 0, half-width w, and how poor it is: (r + m) / w
  let [low, high] = extent(points, v);
  if (low + high < 0) [v, low, high] = [times(v, -1), -high, -low];
  const m = (low + high) / 2, w = (high - low) / 2;
  return { v, low, high, m, w, ratio: 2 * w <= FLAT * r ? Infinity : (r + m) / w };
}

function shadowsOf(points, r) { // the worst one, whose ratio is rho(H), and the narrowest one
  const corners = hull(points), across = [];
  corners.forEach((a, i) => { // both are among the normals of the hull's edges
    const [x, y] = minus(corners[(i + 1) % corners.length], a), length = Math.hypot(x, y);
    if (length) across.push(shadowAlong(points, r, [y / length, -x / length]));
  });
  if (!across.length) across.push(shadowAlong(points.length ? points : [[0, 0]], r, unit(points[0] ?? [0, 0])));
  const worst = across.reduce((a, b) => (b.ratio > a.ratio ? b : a));
  const narrowest = across.reduce((a, b) => (b.w < a.w ? b : a));
  return { worst, narrowest, differ: narrowest.w < worst.w * (1 - TIE) };
}
