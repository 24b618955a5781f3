"""Laws of item features: where the items of a context set come from.

To add a law, declare how its items are spread in the unit ball in `ITEM_LAWS`: scenarios, menus, sweeps, command line
and tests find it there. `ItemLaw` gives it a size. Every catalogue (`catalogues.py`) is a law.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from roam_core.catalogues import CATALOGUES, Catalogue

LARGE = 4096  # numbers a run that are drawn as a large set
AT_ONCE = 16_384  # points of large sets that are drawn together: their arrays fit the cache


@dataclass(frozen=True)
class Shape:
    """How items are spread in the unit ball."""

    words: str  # its name on screen
    solid: bool  # whether the items fill the inside of their space, too
    # rng, runs, d, k -> (runs, d, k) independent items of norm at most 1, in a new array
    draw: Callable[[np.random.Generator, int, int, int], np.ndarray]
    # scale (d,) -> (d, d) E[(x - x')(x - x')^T] of two independent items whose coordinates are multiplied by the scale
    sigma: Callable[[np.ndarray], np.ndarray]
    # An item is a uniform point on the sphere in d + hidden_axes dimensions without its last coordinates. That is what
    # makes the shortcut of `extremes.py` possible; None if it is no such point, then all items are drawn.
    hidden_axes: int | None = None
    most_features: int | None = None  # largest d there is; None if there is no limit


def _existing(catalogue: Catalogue) -> Shape:
    """The law of independent draws from a catalogue, standardised and brought to norm at most 1."""

    @cache
    def of_unit_items(d: int) -> np.ndarray:
        return catalogue.embedding(d).sigma

    def sigma(scale: np.ndarray) -> np.ndarray:
        return of_unit_items(len(scale)) * np.outer(scale, scale)

    return Shape(catalogue.words, True, catalogue.draw_items, sigma, most_features=catalogue.most_features)


def _shadow(words: str, solid: bool, hidden_axes: int) -> Shape:
    """The law of a uniform point on the sphere in d + hidden_axes dimensions without its last coordinates."""

    def draw(rng: np.random.Generator, runs: int, d: int, k: int) -> np.ndarray:
        return _on_sphere(rng, (runs, d + hidden_axes, k))[:, :d]

    def sigma(scale: np.ndarray) -> np.ndarray:
        return np.diag(2 * scale**2 / (len(scale) + hidden_axes))

    return Shape(words, solid, draw, sigma, hidden_axes)


def _on_sphere(rng: np.random.Generator, shape: tuple[int, int, int]) -> np.ndarray:
    """(runs, dimension, k) independent uniform points on the unit sphere, in single precision."""
    runs, dimension, k = shape
    if dimension * k < LARGE:
        u = rng.standard_normal(shape, dtype=np.float32)
        u /= np.sqrt(np.einsum("nik,nik->nk", u, u))[:, None, :]
        return u
    u = np.empty(shape, dtype=np.float32)
    together = max(1, AT_ONCE // k)
    for first in range(0, runs, together):
        _fill(u[first : first + together], rng)
    return u


def _fill(u: np.ndarray, rng: np.random.Generator) -> None:
    """Fill u (runs, dimension, k) with uniform points on the unit sphere, two coordinates at a time.

    Without its last two coordinates a point on the sphere in n + 2 dimensions is uniform in the ball in n: it has a
    length r with P(r <= s) = s^n, and a uniform direction, which is a point on the sphere in n. The last two are the
    rest of its length in a uniform direction of their plane. This takes one random number for every coordinate but one,
    and does the same to all points: large sets are there three times as fast as with normal numbers.
    """
    runs, dimension, k = u.shape
    length = np.ones((runs, k), dtype=np.float32)  # of the coordinates that are still to be filled
    for n in range(dimension - 2, -1, -2):
        outer = length
        if n:
            r = 1 - rng.random((runs, k), dtype=np.float32)  # above zero
            r = np.exp(np.log(r) / n) if n > 1 else 2 * r - 1  # a single coordinate has a sign, too
            outer, length = length * np.sqrt(1 - r * r), length * r
        angle = rng.random((runs, k), dtype=np.float32)
        angle *= 2 * np.pi
        np.multiply(outer, np.cos(angle), out=u[:, n])
        np.multiply(outer, np.sin(angle), out=u[:, n + 1])
    if dimension % 2:
        u[:, 0] = length


ITEM_LAWS: dict[str, Shape] = {
    "sphere": _shadow("sphere", solid=False, hidden_axes=0),
    # A ball in d dimensions is the shadow of a sphere in d + 2: draw on the sphere, forget two coordinates.
    "ball": _shadow("ball", solid=True, hidden_axes=2),
    **{name: _existing(catalogue) for name, catalogue in CATALOGUES.items()},
}


@dataclass(frozen=True)
class ItemLaw:
    """Items of a given shape, stretched to the radius and squeezed by `flatness` along the last axis."""

    d: int
    items: str = "sphere"
    radius: float = 1.0
    flatness: float = 1.0

    @property
    def shape(self) -> Shape:
        """How the items are spread before they are stretched."""
        return ITEM_LAWS[self.items]

    @property
    def lifted(self) -> int | None:
        """Dimension of the sphere behind the items; None if there is none."""
        return None if self.shape.hidden_axes is None else self.d + self.shape.hidden_axes

    @cached_property
    def scale(self) -> np.ndarray:
        """(d,) semi-axes of the ellipsoid that the items lie in: what the unit ball is stretched to."""
        scale = np.full(self.d, float(self.radius))
        scale[-1] *= self.flatness
        return scale

    @cached_property
    def stretched(self) -> bool:
        """Whether the items do not lie in the unit ball as they are drawn."""
        return bool((self.scale != 1).any())

    @property
    def sigma(self) -> np.ndarray:
        """(d, d) Sigma = E[(x - x')(x - x')^T] of two independent items."""
        return self.shape.sigma(self.scale)

    @property
    def lambda_min(self) -> float:
        """Smallest eigenvalue of Sigma."""
        return float(np.linalg.eigvalsh(self.sigma)[0])

    def to_items(self, u: np.ndarray) -> np.ndarray:
        """(..., lifted) points of the unit sphere to (..., d) items."""
        return u[..., : self.d] * self.scale if self.stretched else u[..., : self.d]

    def draw(self, rng: np.random.Generator, runs: int, k: int) -> np.ndarray:
        """(runs, d, k) independent items, in single precision: they are what they are after rounding."""
        items = self.shape.draw(rng, runs, self.d, k).astype(np.float32, copy=False)
        if self.stretched:
            items *= self.scale.astype(np.float32)[:, None]
        return items


def uniform_on_sphere(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Independent uniform points on the unit sphere; the last axis of `shape` is the dimension."""
    u = rng.standard_normal(shape)
    u /= np.sqrt(np.vecdot(u, u))[..., None]
    return u
