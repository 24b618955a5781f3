// Mathematics of points in the plane.

const plus = (a, b) => [a[0] + b[0], a[1] + b[1]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1]];
const times = (a, factor) => [a[0] * factor, a[1] * factor];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
const size = (a) => Math.hypot(a[0], a[1]);
const polar = (length, angle) => [length * Math.cos(angle), length * Math.sin(angle)];
const limit = (value, least, most) => Math.min(Math.max(value, least), most);
const between = (a, b, share) => a.map((value, i) => value + share * (b[i] - value));

function unit(a) { // up, if a has no direction
  const length = size(a);
  return length ? times(a, 1 / length) : [0, 1];
}

function nearest(points, point, within) { // the index of the nearest of them; null if none is so near
  let found = null, distance = within;
  points.forEach((other, i) => {
    const away = size(minus(other, point));
    if (away <= distance) [found, distance] = [i, away];
  });
  return found;
}
