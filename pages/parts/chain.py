"""The proof's chain on one run, and what it shows in words. Worker processes import this module: no Streamlit here."""

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace

import numpy as np

from roam_core import Scenario
from roam_core.engine import Round, play
from roam_core.result import Trajectory
from roam_core.theory import STEPS, TERMS, Chain, Theory, chain

LONGEST = 3000  # rounds that are played at most
LARGEST = 5_000_000  # numbers in the matrices V of all rounds
STEP_NAMES = tuple(f"({number}) {name}" for number, name in zip(("i", "ii", "iii", "iv"), STEPS, strict=True))
NEVER = 300  # a power of ten: no horizon beyond it is looked at
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Proof:
    """The chain along run 1 of a scenario, or along its first rounds."""

    scenario: Scenario  # with the rounds that were played
    chain: Chain
    lambda_min: float  # smallest eigenvalue of V after exploration

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


def prove(scenario: Scenario, delta: float) -> Generator[float, None, Proof]:
    """Play run 1 of a ROAM scenario and follow the proof along it; yields at every round, returns the Proof.

    The context sets, most of a Trajectory, are not needed and not kept, so k may be as large as it likes.
    """
    rounds = min(scenario.horizon, LONGEST, LARGEST // scenario.d**2)
    settled = scenario.resolved()
    played = replace(settled, horizon=rounds, tau=min(settled.tau, rounds))
    names = ("theta", "estimate", "V", "x", "best", "y", "asked", "outcome", "ratio")
    kept: list[list[np.ndarray]] = []

    def watch(r: Round) -> None:
        kept.append([getattr(r, name)[0].copy() for name in names])

    batch = yield from play(played, 0, watch)
    columns = {name: np.array(rows) for name, rows in zip(names, zip(*kept, strict=True), strict=True)}
    columns["theta"] = columns["theta"][0]
    columns["outcome"] = np.where(columns["asked"] < 0, np.nan, columns["outcome"])  # nothing is asked in round 1
    nothing = np.empty((rounds, 0, scenario.d))
    run = Trajectory(played, 0, contexts=nothing, regret=batch.regret[0], error=batch.error[0], **columns)
    return Proof(played, chain(run, delta), float(batch.lambda_min[0]))


def csv(proof: Proof, delta: float) -> Iterator[str]:
    """Lines of a CSV file: the scenario as comments, then the five terms, one row a round that counts."""
    yield from (f"# {name} = {text}" for name, text in proof.scenario.to_strings().items())
    yield f"# delta = {delta}; run 1"
    yield ",".join(["t", *(f'"{term}"' for term in TERMS)])
    for t in np.flatnonzero(proof.chain.counted):
        yield ",".join([str(t + 1), *(f"{value:.10g}" for value in proof.chain.terms[:, t])])


def spoken(value: float, digits: int = 3) -> str:
    """A number for a sentence, never NaN or inf."""
    mantissa, power = _parts(value, digits)
    return f"{mantissa} × {ten(power)}" if power else mantissa


def typeset(value: float) -> str:
    """A number for KaTeX."""
    mantissa, power = _parts(value, 3)
    if not math.isfinite(value):
        return rf"\text{{{mantissa}}}"
    return rf"{mantissa} \times 10^{{{power}}}" if power else mantissa.replace(",", "{,}")


def ten(power: int) -> str:
    """A power of ten as text."""
    return f"10{str(power).translate(RAISED)}"


def _parts(value: float, digits: int) -> tuple[str, int]:
    """The number as text and the power of ten that goes with it, 0 where none is needed."""
    if not math.isfinite(value):
        return ("none" if math.isnan(value) else "infinite"), 0
    rounded = float(f"{value:.{digits}g}")
    if rounded and not 1e-3 <= abs(rounded) < 1e7:
        mantissa, _, power = f"{rounded:.{digits - 1}e}".partition("e")
        return f"{float(mantissa):g}", int(power)
    return f"{rounded:,.0f}" if abs(rounded) >= 1000 else f"{rounded:g}", 0


def findings(proof: Proof) -> list[str]:
    """What the chain shows, a paragraph each."""
    counted, found = int(proof.chain.counted.sum()), proof.chain
    if not counted:
        rounds = proof.scenario.horizon
        return [f"The chain is empty: it begins after exploration, and all {rounds:,} rounds of this run explore."]
    if proof.loosest is None:
        return [f"In all {counted:,} rounds after exploration the best item was recommended: no regret, so no slack."]
    said = [
        f"**Step {STEP_NAMES[proof.loosest]} loses most.** On average its right side is "
        f"{spoken(proof.slack[proof.loosest])} times its left side. "
        f"From regret to the last term the factor is {spoken(proof.together)}."
    ]
    failing = np.flatnonzero(found.holds < 1)
    for step in failing:
        rounds = round((1 - found.holds[step]) * counted)
        said.append(
            f"**Step {STEP_NAMES[step]} fails** in {rounds:,} of {counted:,} rounds ({rounds / counted:.1%}). "
            + _reason(int(step), proof)
        )
    if not failing.size:
        said.append(f"All four inequalities hold in each of the {counted:,} rounds.")
    if idle := counted - len(proof.lossy):
        said.append(
            f"In {idle:,} rounds ({idle / counted:.1%}) the best item was recommended. They have no regret, so they "
            "have no place on a log axis and no slack."
        )
    return said


def _reason(step: int, proof: Proof) -> str:
    """Why an inequality of the proof can fail on this run."""
    s = proof.scenario
    if step == 2 and proof.lambda_min < 1:
        return (
            f"Its lemma needs the smallest eigenvalue of V to be at least 1 after exploration. "
            f"Here it is {spoken(proof.lambda_min)}."
        )
    if step == 2:
        return f"Its lemma may fail with probability δ, and it knows nothing of the ridge, λ = {s.ridge:g}, in our V."
    if step == 3 and s.ask != "most_uncertain":
        return "Its lemma is about the most uncertain past item. Another one is asked about here."
    if step == 3:
        return f"Its lemma needs a history that spreads in all directions, and {s.tau} rounds of exploration gave less."
    return "That is rounding: the two sides are nearly equal."


def verdict(theory: Theory) -> str:
    """Whether the bound says more than that no round can cost more than 2 r."""
    s = theory.scenario
    bound, trivial = float(theory.bound(s.horizon)), 2 * s.radius * s.horizon
    obvious = f"No round can cost more than 2r, so regret is at most 2rT = {spoken(trivial)} without any proof. "
    if theory.delta >= 1 / 3:
        return (
            f"**Here the theorem says nothing.** With δ = {theory.delta:g} it holds with a probability of at least "
            f"1 − 3δ = {1 - 3 * theory.delta:.2g}, which is no promise.".replace("-", "−")
        )
    if bound <= trivial:
        return f"**Here the theorem says something.** {obvious}The bound is {spoken(bound / trivial)} of that."
    first = informative_from(theory)
    when = f"from about {spoken(first, 1)} rounds on" if first else f"only beyond {ten(NEVER)} rounds"
    return (
        f"**Here the theorem says nothing.** {obvious}"
        f"The bound is {spoken(bound / trivial)} times as large. It would say something {when}."
    )


def informative_from(theory: Theory) -> float | None:
    """About how many rounds it takes until the bound is below 2 r T for good; None if more than can be looked at."""
    T = np.geomspace(1, 10.0**NEVER, 10 * NEVER + 1)
    above = np.flatnonzero(theory.bound(T) > 2 * theory.scenario.radius * T)
    last = above[-1] if above.size else -1
    return float(T[last + 1]) if last + 1 < len(T) else None
