"""What the page "Theory, measured" says: about the proof along a run, the bound, and the slopes."""

import math

import numpy as np

from pages.theory.fits import Fit
from pages.theory.proof import STEP_NAMES, Proof
from pages.words import spoken, ten
from roam_core import Result
from roam_core.scenario import KNOBS
from roam_core.theory import Theory

NEVER = 300  # a power of ten: no horizon beyond it is looked at


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
    if step == 3 and s.ask != KNOBS["ask"].default:
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


def slack_words(proof: Proof) -> str:
    """The bars for those who cannot see them."""
    if proof.loosest is None:
        return "No step has a slack."
    steps = zip(STEP_NAMES, proof.slack, strict=True)
    return "Mean factor that each step gives away: " + ", ".join(f"{name} {spoken(f)}" for name, f in steps) + "."


def learning(since: Fit) -> str:
    """What a slope says about learning; the slope is that of the regret after exploration."""
    if math.isnan(since.slope):
        return "There are too few rounds with regret after exploration to fit a slope."
    if math.isnan(since.error):
        return "With so few runs there is no telling how sure that is."
    if since.slope + since.error < 1:
        return "Regret's slope is clearly below 1, that of a straight line: the algorithm gets better as it goes."
    return "Regret's slope is not clearly below 1, that of a straight line: these rounds show no learning."


def measured(result: Result, theory: Theory) -> str:
    """How far the measured regret is below the bound."""
    if not result.runs:
        return "No run is complete yet."
    mean, band = result.mean("regret")[-1], result.band("regret")[-1]
    about = "" if np.isnan(band) else f" ± {spoken(band, 2)}"
    factor = float(theory.bound(theory.scenario.horizon)) / mean if mean > 0 else math.inf
    said = f"Regret at T is {spoken(mean)}{about}, the mean of {result.runs} runs; "
    said += f"the bound is {spoken(factor)} times as large. " if np.isfinite(factor) else "the bound is infinite. "
    steady = np.mean(result.lambda_min >= 1)
    return (
        said + f"After exploration V has all eigenvalues at least 1, as the proof needs, in {steady:.0%} of the runs."
    )
