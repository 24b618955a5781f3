"""How rich histories become: rho(H_t) along many runs, and what exploration alone achieves."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np

from roam_core.engine import Batch, Round, batch_sizes, play
from roam_core.result import Result
from roam_core.richness import richness_along
from roam_core.scenario import Scenario


@dataclass(frozen=True)
class RichBatch(Batch):
    """A batch of runs with the richness of their histories."""

    beta: np.ndarray  # (runs, rounds) rho(H_t) in the rounds asked for; infinite where a history is flat


@dataclass(frozen=True)
class RichResult(Result, RichBatch):
    """The complete runs so far, with the richness of their histories."""

    rounds: tuple[int, ...]


@dataclass(frozen=True)
class Enrichment:
    """Runs of a scenario in which rho(H_t) is measured in some rounds t, from 1 to the horizon + 1."""

    scenario: Scenario
    rounds: tuple[int, ...]

    def play(self, index: int) -> Generator[float, None, RichBatch]:
        """Play batch number `index` as `engine.play` does, then measure its histories."""
        items: list[np.ndarray] = []

        def watch(r: Round) -> None:
            items.append(r.x.copy())

        batch = yield from play(self.scenario, index, watch)
        beta = richness_along(np.stack(items, axis=1), self.scenario.radius, self.rounds)
        return RichBatch(**vars(batch), beta=beta)

    def join(self, batches: Sequence[RichBatch], progress: float) -> RichResult:
        """The result of some batches, in the order given."""
        plain = Result.join(self.scenario, batches, progress)
        beta = np.concatenate([np.empty((0, len(self.rounds))), *(batch.beta for batch in batches)])
        return RichResult(**vars(plain), beta=beta, rounds=self.rounds)


@dataclass(frozen=True)
class Explored:
    """What exploration phases of some lengths achieve; arrays are (runs, lengths)."""

    scenario: Scenario
    lengths: tuple[int, ...]
    lambda_min: np.ndarray  # smallest eigenvalue of V_(tau + 1)
    beta: np.ndarray  # rho(H_(tau + 1)); infinite where the history is flat
    progress: float  # share of the work done, in [0, 1]

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(self.beta)


@dataclass(frozen=True)
class Exploration:
    """Exploration phases without what follows: random items, each compared with the one before.

    The first tau rounds of a long phase are a phase of length tau, so one draw serves all lengths. They are other draws
    than those of `simulate`, from the same law. V starts from the ridge of the scenario.
    """

    scenario: Scenario
    lengths: tuple[int, ...]

    def play(self, index: int) -> Generator[float, None, Explored]:
        """Explore with the runs of batch number `index`; the generator returns what these achieve."""
        s, runs = self.scenario.resolved(), batch_sizes(self.scenario)[index]
        rng = np.random.default_rng(np.random.SeedSequence(s.seed, spawn_key=(index,)))
        items = s.law.draw(rng, runs, max(*self.lengths, 1)).astype(float).swapaxes(1, 2)  # (runs, longest, d)
        z = np.diff(items, axis=1, prepend=items[:, :1])  # round 1 asks nothing: z = 0
        V = np.cumsum(z[..., :, None] * z[..., None, :], axis=1) + s.ridge * np.eye(s.d)
        yield 0.1
        # V_(tau + 1) stands at index tau - 1; without exploration it is the ridge alone, as after round 1.
        lambda_min = np.linalg.eigvalsh(V[:, [max(n - 1, 0) for n in self.lengths]])[..., 0]
        beta = richness_along(items, s.radius, [n + 1 for n in self.lengths])
        return Explored(self.scenario, self.lengths, lambda_min, beta, runs / s.runs)

    def join(self, batches: Sequence[Explored], progress: float) -> Explored:
        """The result of some batches, in the order given."""
        nothing = np.empty((0, len(self.lengths)))
        lambda_min = np.concatenate([nothing, *(batch.lambda_min for batch in batches)])
        beta = np.concatenate([nothing, *(batch.beta for batch in batches)])
        return Explored(self.scenario, self.lengths, lambda_min, beta, progress)
