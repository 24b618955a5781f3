"""Laws of item features: where the items of a context set come from.

To add a law, declare how its items are spread in the unit ball in `ITEM_LAWS`: scenarios, menus, sweeps, command line
and tests find it there. `ItemLaw` gives it a size.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np


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


def _shadow(words: str, solid: bool, hidden_axes: int) -> Shape:
    """The law of a uniform point on the sphere in d + hidden_axes dimensions without its last coordinates."""

    def draw(rng: np.random.Generator, runs: int, d: int, k: int) -> np.ndarray:
        u = rng.standard_normal((runs, d + hidden_axes, k), dtype=np.float32)
        u /= np.sqrt(np.einsum("nik,nik->nk", u, u))[:, None, :]
        return u[:, :d]

    def sigma(scale: np.ndarray) -> np.ndarray:
        return np.diag(2 * scale**2 / (len(scale) + hidden_axes))

    return Shape(words, solid, draw, sigma, hidden_axes)


ITEM_LAWS: dict[str, Shape] = {
    "sphere": _shadow("sphere", solid=False, hidden_axes=0),
    # A ball in d dimensions is the shadow of a sphere in d + 2: draw on the sphere, forget two coordinates.
    "ball": _shadow("ball", solid=True, hidden_axes=2),
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
        return u[..., : self.d] * self.scale

    def draw(self, rng: np.random.Generator, runs: int, k: int) -> np.ndarray:
        """(runs, d, k) independent items, in single precision: they are what they are after rounding."""
        items = self.shape.draw(rng, runs, self.d, k).astype(np.float32, copy=False)
        if (self.scale != 1).any():
            items *= self.scale.astype(np.float32)[:, None]
        return items


def uniform_on_sphere(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Independent uniform points on the unit sphere; the last axis of `shape` is the dimension."""
    u = rng.standard_normal(shape)
    u /= np.sqrt(np.vecdot(u, u))[..., None]
    return u
