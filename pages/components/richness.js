// beta(H) for d = 2 as in roam_core/richness.py. It is computed here too, because a dragged item must be followed at
// once; a test compares the two.

const FLAT = 1e-9; // a shadow narrower than this part of r counts as a point

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

function narrowest(points, r) { // sup over v of (r + |m(v)|) / w(v): a corner of a polytope, so an edge of the hull
  const corners = hull(points);
  let worst = null;
  corners.forEach((a, i) => {
    const [x, y] = minus(corners[(i + 1) % corners.length], a), length = Math.hypot(x, y);
    if (!length) return;
    let v = [y / length, -x / length], [low, high] = extent(points, v);
    if (low + high < 0) [v, low, high] = [times(v, -1), -high, -low];
    const beta = high - low <= FLAT * r ? Infinity : (2 * r + low + high) / (high - low);
    if (!worst || beta > worst.beta) worst = { beta, v, low, high };
  });
  if (worst) return { ...worst, corners };
  const v = points.length ? unit(points[0]) : [0, 1], at = points.length ? dot(points[0], v) : 0;
  return { beta: Infinity, v, low: at, high: at, corners };
}
