"""What many runs pay, and how their estimates are off: along themselves, and across.

The greedy item is the same for an estimate twice as long: the error along the estimate costs nothing in the round. Only
where the estimate points matters.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np

from roam_core.engine import Round, batch_sizes, play
from roam_core.scenario import Scenario

POINTS = 60  # rounds in which the estimates are looked at, at most


@dataclass(frozen=True)
class Aimed:
    """What came of some runs; arrays are (runs, points) unless said otherwise, as a round starts."""

    scenario: Scenario
    rounds: tuple[int, ...]  # (points,) 1 is the first round
    regret: np.ndarray  # (runs,) at T
    cosine: np.ndarray  # of the angle between estimate and taste; 0 while the estimate is zero
    length: np.ndarray  # of the estimate
    progress: float  # share of the work done, in [0, 1]

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(self.regret)

    @property
    def along(self) -> np.ndarray:
        """The error of the estimate along itself, without its sign: how much too long or too short it is."""
        return np.abs(self.cosine - self.length)

    @property
    def across(self) -> np.ndarray:
        """The error across the estimate, the sine of the angle: what of the taste points elsewhere."""
        return np.sqrt(np.maximum(1 - self.cosine**2, 0))

    @property
    def error(self) -> np.ndarray:
        """|theta - estimate|, of which the two are the legs."""
        return np.hypot(self.along, self.across)


@dataclass(frozen=True)
class Aim:
    """Runs of a scenario of which only the regret at T and the aim of the estimates are kept."""

    scenario: Scenario

    @property
    def rounds(self) -> tuple[int, ...]:
        """Where the estimates are looked at: evenly, from the first round to the last."""
        T = self.scenario.horizon
        return tuple(np.unique(np.linspace(1, T, min(T, POINTS)).round().astype(int)).tolist())

    def play(self, index: int) -> Generator[float, None, Aimed]:
        """Play batch number `index` as `engine.play` does, and look at the estimate now and then."""
        runs, place = batch_sizes(self.scenario)[index], {t - 1: i for i, t in enumerate(self.rounds)}
        cosine, length = np.zeros((2, runs, len(place)))

        def watch(r: Round) -> None:
            if (i := place.get(r.t)) is not None:
                length[:, i] = np.sqrt(np.vecdot(r.estimate, r.estimate))
                along = np.vecdot(r.theta, r.estimate)
                np.divide(along, length[:, i], out=cosine[:, i], where=length[:, i] > 0)

        batch = yield from play(self.scenario, index, watch)
        return Aimed(self.scenario, self.rounds, batch.regret[:, -1], cosine, length, runs / self.scenario.runs)

    def join(self, batches: Sequence[Aimed], progress: float) -> Aimed:
        """The result of some batches, in the order given."""
        nothing = np.empty((0, len(self.rounds)))
        regret = np.concatenate([np.empty(0), *(batch.regret for batch in batches)])
        cosine, length = (
            np.concatenate([nothing, *(getattr(batch, name) for batch in batches)]) for name in ("cosine", "length")
        )
        return Aimed(self.scenario, self.rounds, regret, cosine, length, progress)
