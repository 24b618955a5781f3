"""The two items of an offer that matter to ROAM, drawn without drawing the other k - 2."""

from typing import NamedTuple

import numpy as np
from scipy.special import betaincinv

from roam_core.items import ItemLaw, uniform_on_sphere

EXPECTED = 8  # points that a cap holds on average
BLOCK = 32  # rounds whose random numbers are drawn together
TINY = 1e-9  # the sine of an angle that counts as none
NOWHERE = -2.0  # a height below that of any point


class Draws(NamedTuple):
    """What one round needs of chance: the points of cap a in the first slots, those of cap b in the others.

    A point is known by its height along the cap's axis, its side along one axis across it, and the length of the rest.
    The height is NOWHERE in a slot without a point.
    """

    count: np.ndarray  # (runs,) points of cap a
    top: np.ndarray  # (runs,) slot of the highest of them
    in_a: np.ndarray  # (runs, m) whether a slot holds a point of cap a
    points: np.ndarray  # (3, runs, m) height, side and rest
    normal: np.ndarray  # (2, runs, lifted)


class ExtremeItems:
    """Offers of which only the best item along the estimate and the best item along theta are drawn, exactly in law.

    An item is a stretched shadow of a uniform point u on a unit sphere, so these two are the points that reach furthest
    in two directions, a and b. Look only at the polar caps {<u, a> > c} and {<u, b> > c}, where c makes each of the k
    points fall into a given cap with probability p = 8 / k.
      1. The number of points in cap a is Binomial(k, p). Draw it, and that many uniform points of the cap.
      2. Each of the others lies outside cap a, and in cap b with probability |cap b without cap a| / (1 - p). So draw
         Binomial(k - number, p / (1 - p)) uniform points of cap b and throw away those in cap a: the same law.
      3. Now every point of both caps is there. The furthest along a is in cap a, the furthest along b in cap b.
      4. If a cap turns out empty (e^-8 of the time), draw all points not seen yet, outside the caps known to be empty.
    Two coordinates decide which point wins, along the cap's axis and towards the other axis; the remaining ones are
    drawn for the two winners alone. Steps 1 and 2 do not depend on a and b: they are done for many rounds at once.
    """

    def __init__(self, law: ItemLaw, k: int, theta: np.ndarray, rng: np.random.Generator):
        self.law, self.k, self.rng = law, k, rng
        self._painter = rng.spawn(1)[0]  # for `contexts` only, so that looking changes nothing
        self._runs = np.arange(len(theta))
        self._b = self._axis(theta)
        self._p = EXPECTED / k
        self._edge = cap_edge(law.lifted, self._p)
        self._block = iter(())

    @staticmethod
    def worthwhile(law: ItemLaw, k: int) -> bool:
        """Whether there is a sphere behind the items, and two of its caps are cheaper than all k items."""
        return law.lifted is not None and k >= 5 * EXPECTED

    def renew(self) -> None:
        self._a = self._u = self._items = None

    def best(self) -> np.ndarray:
        return self._items[1]

    def uniform(self) -> np.ndarray:
        """x is any point; the best is x or the highest of the k - 1 others in cap b."""
        b = self._b
        u = uniform_on_sphere(self.rng, b.shape)
        count = self.rng.binomial(self.k - 1, self._p, len(b))
        heights = np.full((len(b), max(1, count.max())), NOWHERE)
        heights[np.arange(heights.shape[1]) < count[:, None]] = self._draw_cap(count)[0]
        height = heights.max(1)
        across = _across(self.rng.standard_normal(b.shape), b)
        best = height[:, None] * b + np.sqrt(np.maximum(1 - height**2, 0))[:, None] * across
        own = np.vecdot(u, b)
        best[own > height] = u[own > height]
        for run in np.flatnonzero((count == 0) & (own <= self._edge)):
            others = np.vstack([u[run], self._outside(self.k - 1, [b[run]])])
            best[run] = _furthest(others, b[run])
        return self._keep(np.array([u, best]))

    def best_along(self, direction: np.ndarray) -> np.ndarray:
        a, b = self._axis(direction), self._b
        draws = self._next()
        height, side, _ = draws.points
        # b = cos a + sin e, where e is across a
        cos = np.vecdot(a, b)
        e = b - cos[:, None] * a
        sin = np.sqrt(np.vecdot(e, e))
        if np.count_nonzero(none := sin < TINY):
            e[none] = _across(self.rng.standard_normal(e.shape), a)[none]
            e[~none] /= sin[~none, None]
        else:
            e /= sin[:, None]

        # The furthest along b: a point of cap a, or one of cap b that is not in cap a.
        other = cos[:, None] * height  # coordinate along the other cap's axis
        other += sin[:, None] * side
        reach = np.where(draws.in_a, other, np.where(other <= self._edge, height, NOWHERE))
        winner = reach.argmax(1)
        slots = np.array([draws.top, winner]) + self._runs * height.shape[1]  # of x and of the best
        along_a, along_e, rest = draws.points.reshape(3, -1).take(slots, axis=1)  # (2, runs) each
        # A winner from cap b has its height along b and its side along sin a - cos e.
        from_b = winner >= draws.count
        along_e[1] = np.where(from_b, sin * along_a[1] - cos * along_e[1], along_e[1])
        along_a[1] = np.where(from_b, other.take(slots[1]), along_a[1])
        u = along_a[:, :, None] * a
        u += along_e[:, :, None] * e
        if a.shape[1] > 2:
            u += rest[:, :, None] * _across(draws.normal, a, e)
        x, best = u
        np.copyto(best, x, where=(winner == draws.top)[:, None])

        unseen = (reach.take(slots[1]) <= self._edge) | (draws.count == 0)
        if np.count_nonzero(unseen):
            for run in unseen.nonzero()[0]:
                self._look_at_all(run, a[run], draws.count[run], x, best)
        self._a = a
        return self._keep(u)

    def _keep(self, u: np.ndarray) -> np.ndarray:
        """Keep the points u (2, runs, lifted) of x and of the best item; x (runs, d)."""
        self._u, self._items = u, self.law.to_items(u)
        return self._items[0]

    def contexts(self, run: int) -> np.ndarray:
        """x, the best item and as many others as are missing, none of them better than either, in random order."""
        (u, best), b = self._u[:, run], self._b[run]
        seen = np.unique(np.vstack([u, best]), axis=0)
        limits = [(b, best @ b)] + ([] if self._a is None else [(self._a[run], u @ self._a[run])])
        others = _below(self._painter, self.k - len(seen), limits)
        return self.law.to_items(self._painter.permutation(np.vstack([seen, others])))

    def _axis(self, direction: np.ndarray) -> np.ndarray:
        """(runs, lifted) unit vector on which <u, .> ranks points as <x, direction> ranks their items."""
        axis = direction * self.law.scale if self.law.stretched else direction
        axis = axis / np.sqrt(np.vecdot(axis, axis))[:, None]
        hidden = self.law.lifted - self.law.d
        return np.pad(axis, ((0, 0), (0, hidden))) if hidden else axis

    def _next(self) -> Draws:
        """The draws of one round."""
        draws = next(self._block, None)
        if draws is None:
            count = self.rng.binomial(self.k, self._p, (BLOCK, len(self._b)))
            from_a = self._draw_cap(count)
            count_b = self.rng.binomial(self.k - count, self._p / (1 - self._p))
            from_b = self._draw_cap(count_b)
            normal = self.rng.standard_normal((BLOCK, 2, *self._b.shape))
            first_b = max(1, count.max())
            slot = np.arange(first_b + max(1, count_b.max()))
            in_a = slot < count[..., None]
            in_b = (slot >= first_b) & (slot < first_b + count_b[..., None])
            points = np.zeros((BLOCK, 3, len(self._b), len(slot)))
            points[:, 0] = NOWHERE
            for inside, values in ((in_a, from_a), (in_b, from_b)):
                place = np.flatnonzero(inside)
                place += 2 * in_a[0].size * (place // in_a[0].size)  # in an array of three coordinates a round
                for of_coordinate in values:
                    points.reshape(-1)[place] = of_coordinate
                    place += in_a[0].size
            top = points[:, 0, :, :first_b].argmax(-1)
            self._block = map(Draws, count, top, in_a, points, normal)
            draws = next(self._block)
        return draws

    def _draw_cap(self, count: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Height, side and rest of as many uniform points of a cap as the counts (...) add up to."""
        total = int(count.sum())
        height = cap_heights(self.rng, total, self.law.lifted, self._edge)
        # Across the axis a point lies anywhere on a sphere of radius sqrt(1 - height^2), of one dimension less.
        normal = self.rng.standard_normal(total)
        others = self.rng.chisquare(self.law.lifted - 2, total) if self.law.lifted > 2 else np.zeros(total)
        scale = np.sqrt((1 - height**2) / (normal**2 + others))
        return height, scale * normal, scale * np.sqrt(others)

    def _look_at_all(self, run: int, a: np.ndarray, seen: int, x: np.ndarray, best: np.ndarray) -> None:
        """Step 4 for one run: `seen` points of cap a are known; x[run] and best[run] are right among those."""
        b = self._b[run]
        if seen:
            best[run] = _furthest(np.vstack([best[run], self._outside(self.k - seen, [a, b])]), b)
        else:
            points = self._outside(self.k, [a])
            x[run], best[run] = _furthest(points, a), _furthest(points, b)

    def _outside(self, count: int, axes: list[np.ndarray]) -> np.ndarray:
        """(count, lifted) uniform points outside the caps around the axes."""
        return _below(self.rng, count, [(axis, self._edge) for axis in axes])


def _below(rng: np.random.Generator, count: int, limits: list[tuple[np.ndarray, float]]) -> np.ndarray:
    """(count, dimension) uniform points u of the sphere with <u, axis> <= limit for every (axis, limit)."""
    dimension = len(limits[0][0])
    points = uniform_on_sphere(rng, (count, dimension))
    while (out := np.any([points @ axis > limit for axis, limit in limits], axis=0)).any():
        points[out] = uniform_on_sphere(rng, (int(out.sum()), dimension))
    return points


def cap_edge(dimension: int, p: float) -> float:
    """The c for which a uniform point of the unit sphere has <u, axis> > c with probability p."""
    half = (dimension - 1) / 2  # (1 + <u, axis>) / 2 is Beta(half, half)
    return float(1 - 2 * betaincinv(half, half, p))


def cap_heights(rng: np.random.Generator, count: int, dimension: int, edge: float) -> np.ndarray:
    """(count,) heights <u, axis> of uniform points of the cap above `edge` > 0.

    The density of a height h is proportional to (1 - h^2)^m, m = (dimension - 3) / 2. Its logarithm is concave for
    m >= 0, so the exponential that touches it at the edge lies above it: draw from that one, cut off at 1, and accept
    with the quotient (about four times in five). In two dimensions the angle to the axis is uniform.
    """
    if dimension == 2:
        return np.cos(np.arccos(edge) * rng.random(count))
    m = (dimension - 3) / 2
    rate = 2 * m * edge / (1 - edge**2)
    height = np.empty(count)
    missing = np.arange(count)
    while missing.size:
        rise = rng.random(missing.size)
        if m == 0:
            rise *= 1 - edge
        else:
            rise *= np.expm1(-rate * (1 - edge))
            np.log1p(rise, out=rise)
            rise /= -rate
        h = edge + rise
        log_quotient = m * np.log((1 - h * h) / (1 - edge**2)) + rate * rise
        height[missing] = h
        missing = missing[-rng.standard_exponential(missing.size) > log_quotient]
    return height


def _furthest(points: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """The point (dimension,) of points (m, dimension) with the largest inner product with the axis."""
    return points[(points @ axis).argmax()]


def _across(v: np.ndarray, *axes: np.ndarray) -> np.ndarray:
    """The unit vector along the part of v that is orthogonal to the (orthonormal) axes."""
    for axis in axes:
        v = v - np.vecdot(v, axis)[..., None] * axis
    return v / np.sqrt(np.vecdot(v, v))[..., None]
