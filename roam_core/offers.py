"""The offer of a round, the context set X_t: k fresh items a run, and what a rule may do with them."""

from typing import Protocol

import numpy as np

from roam_core.items import ItemLaw


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
    """Offers in which every item is drawn. Single precision: the items are what they are after rounding."""

    def __init__(self, law: ItemLaw, k: int, theta: np.ndarray, rng: np.random.Generator):
        self.law, self.k, self.theta, self.rng = law, k, theta, rng
        self._runs = np.arange(len(theta))

    def renew(self) -> None:
        self.items = self.law.draw(self.rng, (len(self.theta), self.k), np.float32)
        self.chosen = None  # (runs,) index of the item picked last

    def pick(self, index: np.ndarray) -> np.ndarray:
        """(runs, d) the items at index (runs,)."""
        self.chosen = index
        return self.items[self._runs, index].astype(float)

    def values(self, direction: np.ndarray) -> np.ndarray:
        """(runs, k) inner product of every item with direction (runs, d)."""
        return np.matmul(self.items, direction[:, :, None].astype(np.float32))[:, :, 0]

    def uniform(self) -> np.ndarray:
        return self.pick(self.rng.integers(self.k, size=len(self.theta)))

    def best_along(self, direction: np.ndarray) -> np.ndarray:
        return self.pick(self.values(direction).argmax(1))

    def best(self) -> np.ndarray:
        return self.items[self._runs, self.values(self.theta).argmax(1)].astype(float)

    def contexts(self, run: int) -> np.ndarray:
        return self.items[run].astype(float)
