"""What the page "Rich history" says: the three steps, and what the plots show."""

import math

import numpy as np

from pages.history.figures import quantiles
from roam_core.enrichment import Explored, RichResult

# Histories in units of the radius.
NARROW = [[-0.92, -0.05], [-0.5, 0.06], [-0.12, -0.05], [0.3, 0.05], [0.62, -0.06], [0.94, 0.04]]
DIVERSE = [*NARROW, [0.1, 0.95]]
RICH = [*DIVERSE, *([math.cos(a), math.sin(a)] for a in np.linspace(0.35, 6.0, 11))]
STEPS = (
    (
        "1. A narrow history",
        "These items differ from left to right only. A question compares two of them, so it hardly tells anything "
        "about taste from bottom to top.",
        NARROW,
    ),
    (
        "2. One more diverse item",
        "One item lies apart. Every comparison with it probes the direction that was missing. It will be asked about "
        "again and again.",
        DIVERSE,
    ),
    (
        "3. A rich history",
        "Items lie all around. Whatever direction is unsure, some past item differs from the new one in it.",
        RICH,
    ),
)


def over_time(result: RichResult) -> str:
    """What richness does along the runs, in words."""
    if not result.runs:
        return "No run is complete yet."
    s = result.scenario
    median = quantiles(result.beta)[1]
    at_tau, at_end = median[result.rounds.index(min(s.tau, s.horizon) + 1)], median[-1]
    if math.isinf(at_tau):
        start = f"When exploration ends, most histories are still flat: β(H) is infinite with τ = {s.tau}. "
        return start + f"At the end the median is {_number(at_end)}."
    gain = 1 - at_end / at_tau
    late = (
        f"The greedy rounds after that lower it by {gain:.0%}" if gain > 0.005 else "The greedy rounds do not lower it"
    )
    return f"When exploration ends the median β(H) is {at_tau:.3g}. {late}: at the end it is {_number(at_end)}."


def _number(beta: float) -> str:
    return "infinite" if math.isinf(beta) else f"{beta:.3g}"


def trade_off(phase: Explored, results: list, bound: float) -> str:
    """How long to explore, in words."""
    if not phase.runs:
        return "No run is complete yet."
    enough = [n for n, share in zip(phase.lengths, (phase.beta <= bound).mean(0), strict=True) if share >= 0.95]
    probed = [n for n, share in zip(phase.lengths, (phase.lambda_min >= 1).mean(0), strict=True) if share >= 0.95]
    say = [
        f"β(H) is below the bound in 95% of runs from τ = {enough[0]} on." if enough
        else "β(H) is below the bound in fewer than 95% of runs, however long they explore here.",
        f"λmin(V) ≥ 1 takes τ = {probed[0]}." if probed else "λmin(V) ≥ 1 is not reached in 95% of runs here.",
    ]  # fmt: skip
    if all(result.runs > 1 for result in results):
        best = min(results, key=lambda result: result.mean("regret")[-1])
        low, band = best.mean("regret")[-1], best.band("regret")[-1]
        say.append(f"Of the lengths tried, regret at T is lowest with τ = {best.scenario.tau}: {low:.3g} ± {band:.2g}.")
    return " ".join(say)
