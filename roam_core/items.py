"""Laws of item features: where the items of a context set come from."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

# A ball in d dimensions is the shadow of a sphere in d + 2: draw on the sphere, forget two coordinates.
HIDDEN_AXES = {"sphere": 0, "ball": 2}


@dataclass(frozen=True)
class ItemLaw:
    """Items uniform on a sphere or in a ball, squeezed by `flatness` along the last axis.

    Every item is a linear image of a uniform point u on the unit sphere in `lifted` dimensions:
    x = scale * u[:d]. That is what makes the shortcut of `extremes.py` possible.
    """

    d: int
    items: str = "sphere"
    radius: float = 1.0
    flatness: float = 1.0

    @property
    def lifted(self) -> int:
        """Dimension of the sphere behind the items."""
        return self.d + HIDDEN_AXES[self.items]

    @cached_property
    def scale(self) -> np.ndarray:
        """(d,) factor that takes a coordinate of u to a coordinate of the item."""
        scale = np.full(self.d, float(self.radius))
        scale[-1] *= self.flatness
        return scale

    @property
    def sigma(self) -> np.ndarray:
        """(d, d) Sigma = E[(x - x')(x - x')^T] of two independent items."""
        return np.diag(2 * self.scale**2 / self.lifted)

    @property
    def lambda_min(self) -> float:
        """Smallest eigenvalue of Sigma."""
        return float(2 * self.scale.min() ** 2 / self.lifted)

    def to_items(self, u: np.ndarray) -> np.ndarray:
        """(..., lifted) points of the unit sphere to (..., d) items."""
        return u[..., : self.d] * self.scale

    def draw(self, rng: np.random.Generator, runs: int, k: int) -> np.ndarray:
        """(runs, d, k) independent items, in single precision: they are what they are after rounding."""
        u = rng.standard_normal((runs, self.lifted, k), dtype=np.float32)
        u /= np.sqrt(np.einsum("nik,nik->nk", u, u))[:, None, :]
        items = u[:, : self.d]
        if (self.scale != 1).any():
            items *= self.scale.astype(np.float32)[:, None]
        return items


def uniform_on_sphere(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Independent uniform points on the unit sphere; the last axis of `shape` is the dimension."""
    u = rng.standard_normal(shape)
    u /= np.sqrt(np.vecdot(u, u))[..., None]
    return u
