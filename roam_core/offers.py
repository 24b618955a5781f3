"""The offer of a round, the context set X_t: k fresh items a run, and what a rule may do with them."""

from typing import Protocol

import numpy as np

from roam_core.items import ItemLaw
from roam_core.uncertainty import Uncertainty


class Offer(Protocol):
    """A context set for each run, renewed every round."""

    def renew(self) -> None:
        """Begin a round with fresh items."""

    def uniform(self) -> np.ndarray:
        """(runs, d) an item picked uniformly at random."""

    def best_along(self, direction: np.ndarray) -> np.ndarray:
        """(runs, d) the item with the largest inner product with direction (runs, d)."""

    def best(self) -> np.ndarray:
        """(runs, d) the item that is best for the user; asked for after the item was picked."""

    def contexts(self, run: int) -> np.ndarray:
        """(k, d) the whole context set of one run."""


class AllItems:
    """Offers in which every item is drawn."""

    def __init__(self, law: ItemLaw, k: int, theta: np.ndarray, rng: np.random.Generator):
        self.law, self.k, self.theta, self.rng = law, k, theta, rng
        self._runs = np.arange(len(theta))

    def renew(self) -> None:
        self.put(self.law.draw(self.rng, len(self.theta), self.k))

    def put(self, items: np.ndarray) -> None:
        """Begin a round with these items (runs, d, k)."""
        self.items, self.k = items, items.shape[2]
        self.chosen = None  # (runs,) index of the item picked last
        self._whitened = None

    def at(self, index: np.ndarray) -> np.ndarray:
        """(runs, d) the items at index (runs,)."""
        return self.items[self._runs, :, index].astype(float)

    def pick(self, index: np.ndarray) -> np.ndarray:
        """(runs, d) the items at index (runs,), which are recommended."""
        self.chosen = index
        return self.at(index)

    def values(self, direction: np.ndarray) -> np.ndarray:
        """(runs, k) inner product of every item with direction (runs, d)."""
        return np.vecmat(direction.astype(self.items.dtype), self.items)

    def norms(self, uncertainty: Uncertainty) -> np.ndarray:
        """(runs, k) norm of every item in V^-1."""
        return _lengths(self._whiten(uncertainty))

    def distances(self, uncertainty: Uncertainty, index: np.ndarray) -> np.ndarray:
        """(runs, k) distance in V^-1 of every item to the one at index (runs,); exactly zero to itself."""
        whitened = self._whiten(uncertainty)
        return _lengths(whitened - whitened[self._runs, :, index][:, :, None])

    def uniform(self) -> np.ndarray:
        return self.pick(self.rng.integers(self.k, size=len(self._runs)))

    def best_along(self, direction: np.ndarray) -> np.ndarray:
        return self.pick(self.values(direction).argmax(1))

    def best(self) -> np.ndarray:
        return self.at(self.values(self.theta).argmax(1))

    def contexts(self, run: int) -> np.ndarray:
        return self.items[run].T.astype(float)

    def _whiten(self, uncertainty: Uncertainty) -> np.ndarray:
        """(runs, d, k) L^T x for every item, with V^-1 = L L^T: its length is the norm of x in V^-1."""
        if self._whitened is None:
            L = np.linalg.cholesky(uncertainty.inverse).astype(np.float32)
            self._whitened = np.matmul(L.transpose(0, 2, 1), self.items)
        return self._whitened


class GivenItems(AllItems):
    """Offers to one user that are put in from outside, one after the other: no law, and no known taste."""

    def __init__(self, rng: np.random.Generator):
        self.rng, self._runs = rng, np.arange(1)


def _lengths(v: np.ndarray) -> np.ndarray:
    """(runs, k) lengths of v (runs, d, k)."""
    return np.sqrt(np.einsum("nik,nik->nk", v, v))
