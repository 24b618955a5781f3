"""How often the ellipsoids around the estimate hold the taste, along many runs.

V_t adds up the probes. H_t weighs each of them by the slope of the link: with the logistic link it is the information
in the answers, and |theta - estimate|^2 in H_t has about the chi-square law with d degrees of freedom, if there are
many answers and little ridge.
"""

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtri

from roam_core.ellipses import curvature
from roam_core.engine import Round, batch_sizes, play
from roam_core.links import LINKS
from roam_core.result import moments
from roam_core.scenario import Scenario

NOMINAL = 0.95  # what the ellipsoid of H is meant to hold


def nominal_size(d: int) -> float:
    """The c with which {|theta - estimate| in H <= c} has the nominal coverage: c^2 is the quantile of chi-square.

    >>> round(nominal_size(2) ** 2, 2)
    5.99
    """
    return math.sqrt(chdtri(d, 1 - NOMINAL))


@dataclass(frozen=True)
class Covered:
    """How far the taste was from the estimate; arrays are (runs, horizon), in the state that round t starts from."""

    scenario: Scenario
    V: np.ndarray  # |theta - estimate| in V_t
    H: np.ndarray  # |theta - estimate| in H_t
    progress: float  # share of the work done, in [0, 1]

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(self.V)

    def inside(self, matrix: str, size: float) -> np.ndarray:
        """(runs,) share of the rounds after exploration in which |theta - estimate| in V or H is at most a size.

        ValueError if there is no such round.
        """
        later = getattr(self, matrix)[:, self.scenario.resolved().tau :]
        if not later.shape[1]:
            raise ValueError("every round is exploration")
        return np.mean(later <= size, axis=1)

    def coverage(self, matrix: str, size: float) -> tuple[float, float]:
        """The mean of `inside` over the runs, and half the width of its 95% band."""
        return moments(self.inside(matrix, size))


@dataclass(frozen=True)
class Coverage:
    """Runs of a scenario in which the distance of the taste from the estimate is measured in V_t and in H_t."""

    scenario: Scenario

    def play(self, index: int) -> Generator[float, None, Covered]:
        """Play batch number `index` as `engine.play` does, and measure in every round."""
        s, runs = self.scenario.resolved(), batch_sizes(self.scenario)[index]
        z = np.zeros((runs, s.horizon, s.d))
        in_V, in_H = np.empty((2, runs, s.horizon))

        def watch(r: Round) -> None:
            off = r.theta - r.estimate
            H = curvature(LINKS[s.link], s.ridge, z[:, : r.t], r.estimate)
            in_V[:, r.t], in_H[:, r.t] = (np.sqrt(np.vecdot(off, np.matvec(M, off))) for M in (r.V, H))
            z[:, r.t] = r.x - r.y

        yield from play(self.scenario, index, watch)
        return Covered(self.scenario, in_V, in_H, runs / s.runs)

    def join(self, batches: Sequence[Covered], progress: float) -> Covered:
        """The result of some batches, in the order given."""
        nothing = np.empty((0, self.scenario.horizon))
        in_V, in_H = (np.concatenate([nothing, *(getattr(batch, name) for batch in batches)]) for name in ("V", "H"))
        return Covered(self.scenario, in_V, in_H, progress)
