"""rho(H): how rich a history is.

Definition 1 of the paper calls H beta-rich if |x - x'|_A <= beta max_y |x - y|_A for all x, x' of norm at most r and
all positive definite A. The paper bounds such a beta; the smallest one, rho(H), is computed here (`Richness.beta`). The
worst A has rank one, A = v v^T (as in Elfving's theorem on c-optimal designs): only the history's shadow on a line
along v counts, and

    rho(H) = sup over unit v of (r + |m(v)|) / w(v),  m and w the middle and half-width of {<y, v>: y in H}.

So the worst shadow is narrow or off-centre; the narrowest one need not be it. Why this is so:

1. Fix x and x'. Let g be the least number with x - x' in g K, where K is the convex hull of all +-(x - y), y in H. In
   any norm |.|_A a point of g K is no longer than g max_y |x - y|_A. So the ratio is at most g, whatever A.
2. By duality g = sup_v |<x - x', v>| / max_y |<x - y, v>|. That is the ratio for A = v v^T, the limit of v v^T + e I.
3. So rho(H) is the largest |<x - x', v>| / max_y |<x - y, v>| over v, x and x'. With a = <x, v> the numerator is at
   most r + |a|, for x' at -r sign(a) v, and the denominator is w + |a - m|.
4. With s = |a - m|: (r + |a|) / (w + s) <= (r + |m| + s) / (w + s) <= (r + |m|) / w, because w <= r.
5. The item x = m v, which has norm |m| <= r, attains this.

With v scaled such that w(v) = 1 this is the maximum of r |v| + |m| over all (v, m) with |<y, v> - m| <= 1 for every y
in H: a convex function on a polytope, so a corner attains it. If d = 2 a corner is an edge of the convex hull, and all
of them are tried. If d > 2 there are too many (the problem is NP-hard: it contains the width of a polytope), so the
search climbs from many directions, and what it finds is a lower bound. The polytope is bounded unless H lies in a flat.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial import ConvexHull

from roam_core.items import uniform_on_sphere

FLAT = 1e-9  # a shadow narrower than this part of r counts as a point
ROUNDING = 1e-6  # items may be longer than r by this part: they are drawn in single precision
LOOKS, STARTS = 1024, 32  # if d > 2: directions that are looked at, and the worst of them, which a search climbs from
KEPT = 8  # directions that the next search along a trajectory looks at too
TOGETHER = 8  # runs searched at a time: their arrays fit the cache
PIVOTS = 4  # times d: steps of a climber at most; most arrive before
TIE = 1e-12  # what is rounding: in a cosine, in a relative change


@dataclass(frozen=True)
class Richness:
    """The richness of a history, with the direction and the pair of items that show it.

    The pair is a witness anyone can check: |<x - other, v>| is beta times the largest |<x - y, v>| over the history.
    """

    beta: float  # rho(H), the smallest beta for which the history is beta-rich
    v: np.ndarray  # (d,) unit vector, turned so that the middle of the shadow is not negative
    low: float  # the shadow of the history: the interval that <y, v> fills
    high: float
    x: np.ndarray  # (d,) the worst x, at the middle of the shadow
    other: np.ndarray  # (d,) the worst x', at -r v
    exact: bool  # otherwise beta is the best value found, a lower bound


def richness(history: np.ndarray, radius: float) -> Richness:
    """The smallest beta for which a history (n, d) is beta-rich: exact if d = 2, otherwise a lower bound.

    A history that lies in a flat (a line in the plane, a plane in space) has no shadow along its normal: beta is
    infinite. So it is for d items or fewer, and for a flat thinner than 1e-9 r. No item at all counts as one at zero.

    >>> square = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
    >>> round(richness(square, 1.0).beta, 6)
    1.414214
    >>> richness(square[:2], 1.0).beta
    inf
    """
    items = _in_units_of(radius, history)
    n, d = items.shape
    if n == 0:
        items = np.zeros((1, d))
    _, narrow, axes = np.linalg.svd(items - items.mean(0), full_matrices=n < d)
    flat = n <= d or narrow[-1] <= FLAT
    v = axes[-1] if flat else _worst(items[None], np.empty((1, 0, d)))[0, 0]
    return _witness(items, v, radius, flat, exact=flat or d == 2)


def richness_along(items: np.ndarray, radius: float, rounds: Sequence[int]) -> np.ndarray:
    """(..., rounds) rho(H_t) for rounds t of trajectories (..., T, d), where H_t = {x_1, ..., x_(t-1)}.

    More history is never less rich: a new item that widens a shadow by 2 s moves its middle by s at most, and
    (r + |m| + s) / (w + s) is at most (r + |m|) / w because w <= r. So beta changes only if the worst shadow does, and
    if d > 2, where the values are lower bounds, a later one is a lower bound for every earlier round too.

    >>> items = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
    >>> richness_along(items, 1.0, [1, 3, 4, 5]).round(3)
    array([  inf,   inf, 3.   , 1.414])
    """
    items = _in_units_of(radius, items)
    ordered, place = np.unique(np.asarray(rounds, dtype=int), return_inverse=True)
    if ordered.size and not 1 <= ordered[0] <= ordered[-1] <= items.shape[-2] + 1:
        raise ValueError(f"rounds must be from 1 to {items.shape[-2] + 1}, not {ordered[0]} to {ordered[-1]}")
    betas = _along(items.reshape(-1, *items.shape[-2:]), ordered)
    return betas[:, place].reshape(*items.shape[:-2], len(place))


@dataclass(frozen=True)
class Pairs:
    """The items of a history two by two, as the proof of Lemma 3 takes them: z_i = x_(2i - 1) - x_(2i).

    For every x and A, one item of a pair is at least half of |z_i|_A away from x. The longest z_i along a direction is
    at least as long as their root mean square, so max_y |x - y|_A >= 1/2 sqrt(least lambda_1(A)), and because
    |x - x'|_A <= 2 r sqrt(lambda_1(A)) the history has rho(H) <= 4 r / sqrt(least). Lemma 3 says that with high
    probability least >= lambda_min(Sigma) / 4, which makes this at most 8 r / sqrt(lambda_min(Sigma)).
    """

    z: np.ndarray  # (pairs, d); an item without a partner is left out

    @classmethod
    def of(cls, history: np.ndarray) -> "Pairs":
        """The pairs of a history (n, d)."""
        history = np.asarray(history, dtype=float)
        whole = len(history) // 2 * 2
        return cls(history[0:whole:2] - history[1:whole:2])

    def along(self, v: np.ndarray) -> np.ndarray:
        """(pairs, ...) lengths |<z, v>| along directions v (..., d)."""
        return np.abs(np.tensordot(self.z, v, (-1, -1)))

    @property
    def least(self) -> float:
        """The mean of <z, v>^2 over the pairs in the direction v where it is smallest; 0 without a pair."""
        smallest, *_, largest = np.linalg.eigvalsh(self.z.T @ self.z / max(len(self.z), 1))
        return float(smallest) if smallest > TIE * largest else 0.0

    def bound(self, radius: float) -> float:
        """4 r / sqrt(least): no history with these pairs has a larger rho(H)."""
        return float(4 * radius / np.sqrt(self.least)) if self.least else float("inf")


def _along(runs: np.ndarray, rounds: np.ndarray) -> np.ndarray:
    """(runs, rounds) rho(H_t) of trajectories (runs, T, d) for ascending rounds, where r = 1."""
    n, _, d = runs.shape
    worst = np.tile(np.eye(d)[0], (n, KEPT, 1))
    beta = np.full(n, np.inf)
    betas = np.full((n, len(rounds)), np.inf)
    for i, t in enumerate(rounds):
        if t <= d + 1:
            continue
        history = runs[:, : t - 1]
        first, grown = np.isinf(beta), np.isfinite(beta)
        first[first] = ~_is_flat(history[first])
        grown[grown] = _ratio(history[grown], worst[grown, :1])[:, 0] < beta[grown] * (1 - TIE)
        search = np.flatnonzero(first | grown)  # where the worst shadow has not grown, beta is what it was
        for begin in range(0, len(search), TOGETHER):
            few = search[begin : begin + TOGETHER]
            worst[few] = _worst(history[few], worst[few])[:, :KEPT]
            beta[few] = _ratio(history[few], worst[few, :1])[:, 0]
        betas[:, i] = beta
    return np.maximum.accumulate(betas[:, ::-1], axis=1)[:, ::-1]


def _in_units_of(radius: float, items: np.ndarray) -> np.ndarray:
    """Items divided by r; ValueError if one is longer than r."""
    items = np.asarray(items, dtype=float) / radius
    longest = np.sqrt(np.vecdot(items, items).max(initial=0))
    if not longest <= 1 + ROUNDING:
        raise ValueError(f"an item has norm {longest * radius:.6g}, allowed is at most the radius, {radius}")
    return items


def _witness(items: np.ndarray, v: np.ndarray, radius: float, flat: bool, exact: bool) -> Richness:
    low, high = (items @ v).min(), (items @ v).max()
    if low + high < 0:
        v, low, high = -v, -high, -low
    beta = np.inf if flat else (2 + low + high) / (high - low)
    x, other = radius * (low + high) / 2 * v, -radius * v
    return Richness(float(beta), v, float(radius * low), float(radius * high), x, other, exact)


def _shadow(items: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(..., s) lowest and highest projection of items (..., n, d) on each of the directions v (..., s, d)."""
    along = v @ items.swapaxes(-1, -2)
    return along.min(-1), along.max(-1)


def _ratio(items: np.ndarray, v: np.ndarray) -> np.ndarray:
    """(..., s) value (r + |m(v)|) / w(v) of each direction v (..., s, d), where r = 1."""
    low, high = _shadow(items, v)
    return (2 + np.abs(low + high)) / (high - low)


def _is_flat(items: np.ndarray) -> np.ndarray:
    """(...,) whether items (..., n, d), n > d, lie in a flat."""
    centred = items - items.mean(-2, keepdims=True)
    return np.linalg.svd(centred, compute_uv=False)[..., -1] <= FLAT


def _worst(items: np.ndarray, hints: np.ndarray) -> np.ndarray:
    """(runs, s, d) directions for items (runs, n, d), the worst first; one if d = 2. Hints (runs, h, d) may help."""
    if items.shape[-1] == 2:
        return np.array([_by_ratio(plane, _edge_normals(plane))[:1] for plane in items])
    anywhere = uniform_on_sphere(np.random.default_rng(0), (LOOKS, items.shape[-1]))
    looks = np.concatenate([hints, np.tile(anywhere, (len(items), 1, 1))], axis=1)
    return _by_ratio(items, _climb(items, _by_ratio(items, looks)[:, :STARTS]))


def _by_ratio(items: np.ndarray, v: np.ndarray) -> np.ndarray:
    """(..., s, d) the directions v in order, those with the largest ratio first."""
    return np.take_along_axis(v, _ratio(items, v).argsort(-1)[..., ::-1, None], -2)


def _edge_normals(items: np.ndarray) -> np.ndarray:
    """(h, 2) unit normals of the edges of the convex hull of items (n, 2)."""
    # Made round by a linear map, which changes no corner, a thin hull is as good as any other.
    made_round, _, _ = np.linalg.svd(items - items.mean(0), full_matrices=False)
    corners = items[ConvexHull(made_round).vertices]
    return _unit((np.roll(corners, -1, axis=0) - corners)[:, ::-1] * [1, -1])


def _climb(items: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """(runs, s, d) directions of corners uphill from directions (runs, s, d), for items (runs, n, d) and r = 1.

    Maximises |v| + |m| subject to |<y, v> - m| <= 1 as the simplex method would: `point` is (v, m), and each of d + 1
    constraints has an edge, along which it is left and the others stay as they are. A step follows the steepest edge
    until an item y stops it, whose constraint replaces the one left. A convex function that begins to rise along an
    edge rises to its end. At first the constraints are none at all, and an edge can be followed either way.
    """
    runs, s, d = starts.shape
    low, high = _shadow(items, starts)
    point = np.concatenate([starts, (low + high)[..., None] / 2], -1) * (2 / (high - low))[..., None]
    lifted = np.concatenate([items, np.full((*items.shape[:2], 1), -1.0)], -1)  # <(y, -1), (v, m)> = <y, v> - m
    across = np.ascontiguousarray(lifted.swapaxes(1, 2))

    def along(direction):
        return (direction.reshape(runs, s, d + 1) @ across).reshape(runs * s, -1)

    # From here on the first axis counts all climbers.
    climber, run = np.arange(runs * s), np.repeat(np.arange(runs), s)
    point = point.reshape(-1, d + 1)
    level = along(point)  # in [-1, 1]
    edges = np.tile(np.eye(d + 1), (runs * s, 1, 1))
    loose = np.ones((runs * s, d + 1), dtype=bool)  # constraints that are none
    for _ in range(PIVOTS * d):
        gradient = np.sign(point)
        gradient[:, :d] = _unit(point[:, :d])
        slope, length = np.matvec(edges, gradient), np.sqrt(np.vecdot(edges, edges))
        gain = np.where(loose, np.abs(slope), -slope) / length
        left = gain.argmax(1)
        moving = gain[climber, left] > TIE
        if not moving.any():
            break
        edge = edges[climber, left]
        step = edge * np.copysign(1 / length[climber, left], slope[climber, left])[:, None]

        rate = along(step)
        speed = np.abs(rate)
        room = (speed - rate * level) / np.maximum(rate * rate, TIE**2)  # (1 - level) / rate, or (1 + level) / -rate
        np.copyto(room, np.inf, where=speed < TIE)
        stop = room.argmin(1)
        reach = (moving * np.maximum(room[climber, stop], 0))[:, None]
        point += reach * step
        level += reach * rate

        entering = lifted[run, stop] * np.sign(rate[climber, stop])[:, None]
        # The edges are the columns of the inverse of the constraints' matrix, of which one row is replaced.
        product = np.matvec(edges, entering)
        pivot = product[climber, left]
        share = product / pivot[:, None]
        share[climber, left] = 1 - 1 / pivot
        edges -= (moving[:, None] * share)[:, :, None] * edge[:, None, :]
        loose[climber, left] &= ~moving
    return _unit(point[:, :d]).reshape(starts.shape)


def _unit(v: np.ndarray) -> np.ndarray:
    return v / np.sqrt(np.vecdot(v, v))[..., None]
