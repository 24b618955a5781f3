"""The proof's chain on one run. Worker processes import this module: no Streamlit here."""

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace

import numpy as np

from roam_core import Scenario
from roam_core.engine import Round, play
from roam_core.result import Trajectory
from roam_core.richness import richness_along
from roam_core.theory import STEPS, TERMS, Chain, Theory, chain, exploration_needed

MOST_ROUNDS = 3000  # that are played
MOST_NUMBERS = 5_000_000  # numbers in the matrices V of all rounds
MOST_MEASURED = 40  # rounds in which the richness of the history is measured, at most
SEARCHED = 5_000_000  # times d x d x items: what these measurements may cost
STEP_NAMES = tuple(f"({number}) {name}" for number, name in zip(("i", "ii", "iii", "iv"), STEPS, strict=True))


@dataclass(frozen=True)
class Proof:
    """The chain along run 1 of a scenario, or along its first rounds."""

    scenario: Scenario  # with the rounds that were played
    chain: Chain
    lambda_min: float  # smallest eigenvalue of V after exploration
    needed: tuple[int | None, ...] = (None, None)  # exploration for lambda_min(V) of 1, and of `Theory.enough`
    measured: tuple[int, ...] = ()  # rounds t in which rho(H_t) was measured
    richness: np.ndarray | None = None  # (rounds,) rho(H_t), if that stands in step (iv) instead of beta

    @property
    def own(self) -> bool:
        """Whether step (iv) has the history's own value."""
        return self.richness is not None

    @property
    def lossy(self) -> np.ndarray:
        """(rounds,) indices of the rounds that count and have a regret: those with a place on a log axis."""
        return np.flatnonzero(self.chain.counted & (self.chain.terms[0] > self.chain.rounding))

    @property
    def slack(self) -> np.ndarray:
        """(4,) mean factor that each step gives away; NaN if it has none. From infinite to infinite there is none."""
        return self.chain.mean_slack

    @property
    def loosest(self) -> int | None:
        """The step that loses most; None if no step has a slack."""
        return None if np.isnan(self.slack).all() else int(np.nanargmax(self.slack))

    @property
    def together(self) -> float:
        """Geometric mean, over the rounds with a regret, of the factor from the first term to the last."""
        first, last = self.chain.terms[[0, -1]][:, self.lossy]
        both = last > 0
        with np.errstate(over="ignore"):
            return float(np.exp(np.mean(np.log(last[both]) - np.log(first[both])))) if both.any() else math.nan


def prove(scenario: Scenario, delta: float, own: bool = False) -> Generator[float, None, Proof]:
    """Play run 1 of a ROAM scenario and follow the proof along it; yields at every round, returns the Proof.

    With `own` the history's own value rho(H_t) stands in step (iv), not the paper's beta. The context sets, most of a
    Trajectory, are not needed and not kept, so k may be as large as it likes.
    """
    rounds = min(scenario.horizon, MOST_ROUNDS, MOST_NUMBERS // scenario.d**2)
    settled = scenario.resolved()
    played = replace(settled, horizon=rounds, tau=min(settled.tau, rounds))
    names = ("theta", "estimate", "V", "x", "best", "y", "asked", "outcome", "ratio", "by_rule")
    kept: list[list[np.ndarray]] = []

    def watch(r: Round) -> None:
        kept.append([getattr(r, name)[0].copy() for name in names])

    batch = yield from play(played, 0, watch)
    columns = {name: np.array(rows) for name, rows in zip(names, zip(*kept, strict=True), strict=True)}
    columns["theta"] = columns["theta"][0]
    columns["outcome"] = np.where(columns["asked"] < 0, np.nan, columns["outcome"])  # nothing is asked in round 1
    nothing = np.empty((rounds, 0, scenario.d))
    run = Trajectory(played, 0, contexts=nothing, regret=batch.regret[0], error=batch.error[0], **columns)
    needed = yield from exploration_needed(scenario, (1.0, Theory(scenario).enough))
    measured, richness = own_richness(run.x, played) if own else ((), None)
    return Proof(played, chain(run, delta, richness), float(batch.lambda_min[0]), needed, measured, richness)


def own_richness(x: np.ndarray, scenario: Scenario) -> tuple[tuple[int, ...], np.ndarray]:
    """Rounds in which rho(H_t) is measured, and its value (T,) in every round of a run with items x (T, d).

    Between two of these rounds the earlier value stands: a longer history is never poorer. A history of d items or
    fewer is flat.
    """
    T, d = x.shape
    first = max(scenario.tau + 1, d + 2)
    if first > T:
        return (), np.full(T, np.inf)
    most = min(MOST_MEASURED, max(1, SEARCHED // (d * d * T)))
    measured = np.unique(np.geomspace(first, T, most).round().astype(int))  # a single one is the first
    values = np.concatenate([[np.inf], richness_along(x, scenario.radius, measured)])
    return tuple(measured.tolist()), values[np.searchsorted(measured, np.arange(1, T + 1), side="right")]


def csv(proof: Proof, delta: float) -> Iterator[str]:
    """Lines of a CSV file: the scenario as comments, then the five terms, one row a round that counts."""
    yield from (f"# {name} = {text}" for name, text in proof.scenario.to_strings().items())
    yield f"# delta = {delta}; run 1"
    own = proof.own
    names = [term.replace("beta", "rho(H_t)") for term in TERMS] if own else TERMS
    yield ",".join(["t", *(f'"{name}"' for name in names), *(['"rho(H_t)"'] if own else [])])
    for t in np.flatnonzero(proof.chain.counted):
        row = [*proof.chain.terms[:, t], *([proof.richness[t]] if own else [])]
        yield ",".join([str(t + 1), *(f"{value:.10g}" for value in row)])
