"""What each step of the proof gives away, over many users; `theory.chain` follows one run in full."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np

from roam_core.engine import Round, batch_sizes, play
from roam_core.scenario import Scenario
from roam_core.theory import DELTA, ROUNDING, STEPS, Theory


@dataclass(frozen=True)
class Slacks:
    """What came of some runs."""

    scenario: Scenario
    slack: np.ndarray  # (runs, 4) logarithm, base 10, of the mean factor of each step; NaN where it has none
    regret: np.ndarray  # (runs,) at T
    progress: float  # share of the work done, in [0, 1]

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(self.slack)


@dataclass(frozen=True)
class Slack:
    """Runs of a ROAM scenario of which only the regret at T and the proof's slack are kept."""

    scenario: Scenario
    delta: float = DELTA

    def play(self, index: int) -> Generator[float, None, Slacks]:
        """Play batch number `index` as `engine.play` does, and add up what the steps give away."""
        runs = batch_sizes(self.scenario)[index]
        total, count = np.zeros((runs, len(STEPS))), np.zeros((runs, len(STEPS)), dtype=int)
        theory, tau = Theory(self.scenario, self.delta), self.scenario.resolved().tau
        rounding = ROUNDING * self.scenario.radius

        def watch(r: Round) -> None:
            if r.t < tau:
                return
            terms = _terms(r, float(theory.alpha(np.array(r.t + 1))), theory.beta)
            known = (terms[:, :-1] > rounding) & (terms[:, 1:] > 0) & (r.asked >= 0)[:, None]
            factors = np.divide(terms[:, 1:], terms[:, :-1], out=np.ones_like(total), where=known)
            np.add(total, np.log10(factors), out=total)
            np.add(count, known, out=count)

        batch = yield from play(self.scenario, index, watch)
        mean = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
        return Slacks(self.scenario, mean, batch.regret[:, -1], runs / self.scenario.runs)

    def join(self, batches: Sequence[Slacks], progress: float) -> Slacks:
        """The result of some batches, in the order given."""
        slack = np.concatenate([np.empty((0, len(STEPS))), *(batch.slack for batch in batches)])
        regret = np.concatenate([np.empty(0), *(batch.regret for batch in batches)])
        return Slacks(self.scenario, slack, regret, progress)


def _terms(r: Round, alpha: float, beta: float) -> np.ndarray:
    """(runs, 5) the terms of the chain (`theory.TERMS`) in a round."""
    gap, off, z = r.best - r.x, r.theta - r.estimate, r.x - r.y
    in_V = np.sqrt(np.vecdot(off, np.matvec(r.V, off)))
    gap_norm, z_norm = (np.sqrt(np.vecdot(v, np.linalg.solve(r.V, v[..., None])[..., 0])) for v in (gap, z))
    terms = [np.vecdot(gap, r.theta), np.vecdot(gap, off), in_V * gap_norm, alpha * gap_norm, alpha * beta * z_norm]
    return np.stack(terms, axis=1)
