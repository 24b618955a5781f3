"""Features with a range: those of items that are made up as they are needed."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Range:
    """A feature that is uniform between two numbers; `whole` if it is a whole number."""

    name: str
    ends: tuple[str, str]  # what the least and the most of it is called
    low: float = 0.0
    high: float = 1.0
    whole: bool = False

    @property
    def middle(self) -> float:
        """The mean, which is an allowed value too."""
        return (self.low + self.high) / 2

    @property
    def deviation(self) -> float:
        """Standard deviation: (high - low) / sqrt(12), or sqrt((m^2 - 1) / 12) for m whole numbers."""
        width = self.high - self.low
        return float(np.sqrt((((width + 1) ** 2 - 1) if self.whole else width**2) / 12))

    @property
    def extreme(self) -> float:
        """The largest standardised value."""
        return (self.high - self.middle) / self.deviation

    def draw(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """(n,) values."""
        if self.whole:
            return rng.integers(int(self.low), int(self.high) + 1, n).astype(float)
        return rng.uniform(self.low, self.high, n)

    def standardised(self, u: np.ndarray) -> np.ndarray:
        """Standardised values from numbers u that are uniform in [0, 1), in the precision of u."""
        if self.whole:
            m = int(self.high - self.low) + 1
            u = np.floor(u * m) / (m - 1)  # evenly in [0, 1]
        return (2 * u - 1) * u.dtype.type(self.extreme)
