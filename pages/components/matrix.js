// Mathematics of symmetric 2 x 2 matrices: [a, b, c] stands for [[a, b], [b, c]].

function probed(V, z) { // V + z z^T
  return [V[0] + z[0] * z[0], V[1] + z[0] * z[1], V[2] + z[1] * z[1]];
}

function norm(V, z) { // sqrt(z^T V^-1 z)
  const determinant = V[0] * V[2] - V[1] * V[1];
  return Math.sqrt((V[2] * z[0] * z[0] - 2 * V[1] * z[0] * z[1] + V[0] * z[1] * z[1]) / determinant);
}

function ellipsoid(V) { // [semi-axes, angle] of {v : v^T V v = 1}, the longer axis first
  const middle = (V[0] + V[2]) / 2, spread = Math.hypot((V[0] - V[2]) / 2, V[1]);
  const angle = Math.atan2(2 * V[1], V[0] - V[2]) / 2 + Math.PI / 2; // the direction of the smaller eigenvalue
  return [1 / Math.sqrt(Math.max(middle - spread, 1e-12)), 1 / Math.sqrt(middle + spread), angle];
}
