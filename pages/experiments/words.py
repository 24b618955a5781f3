"""What the measurements say, in sentences. Every number is computed from the results."""

from collections.abc import Sequence

import numpy as np

from pages.experiments.figures import after_exploration, total
from pages.words import regret_at_end, spoken, with_band
from roam_core import Result
from roam_core.result import moments

NOTHING_YET = "No run is complete yet."
ONE_ONLY = "With these controls there is nothing to compare: take fewer rounds, runs or features."


def factor(value: float) -> str:
    """How many times, in words."""
    return f"{spoken(value, 2)} times"


def of_items(results: Sequence[Result]) -> str:
    """What more items on offer did to regret."""
    if len(results) < 2:
        return ONE_ONLY
    known = [result for result in results if result.runs]
    if len(known) < 2:
        return NOTHING_YET
    few, many = known[0], known[-1]
    start, end = (result.mean("regret")[-1] for result in (few, many))
    grown = f", {factor(end / start)} as much" if start > 0 else ""
    said = (
        f"With {few.scenario.k:,} items on offer regret at T is {regret_at_end(few)}. With {many.scenario.k:,} it is "
        f"{regret_at_end(many)}{grown}. The offer is {factor(many.scenario.k / few.scenario.k)} as large."
    )
    if few.scenario.resolved().tau:
        explored = [result.mean("regret")[-1] - after_exploration(result).mean() for result in (few, many)]
        said += (
            f" Exploration alone pays {spoken(explored[0])} and {spoken(explored[1])} of that: the more items there "
            "are, the better is the best of them, and the more a random pick loses against it."
        )
    return said


def relative(results: Sequence[Result], curve: str) -> tuple[np.ndarray, np.ndarray]:
    """(results,) the end of a curve as a multiple of that of the first result, and the band of the multiple."""
    mean, band = (np.array([getattr(r, moment)(curve)[-1] for r in results]) for moment in ("mean", "band"))
    if not mean[0] > 0:
        return np.full(len(mean), np.nan), np.full(len(mean), np.nan)
    times = mean / mean[0]
    spread = np.divide(band, mean, out=np.zeros(len(mean)), where=mean > 0)
    about = times * np.hypot(spread, spread[0])
    about[0] = 0.0  # the first one is 1 by definition
    return times, about


def of_flatness(flatness: Sequence[float], times: dict[str, tuple[np.ndarray, np.ndarray]]) -> str:
    """How bound, error and regret grow when the space is squeezed."""
    ends = {name: values[-1] for name, (values, _) in times.items() if np.isfinite(values[-1])}
    if len(flatness) < 2 or not ends:
        return NOTHING_YET
    parts = [f"the {name} is **{factor(value)}**" for name, value in ends.items()]
    return (
        f"At f = {flatness[-1]:g} {', '.join(parts[:-1])}{' and ' if parts[1:] else ''}{parts[-1]} what it is at "
        "f = 1. Items hardly differ along the squeezed axis. So questions tell little about it, and a wrong "
        "estimate there costs little."
    )


def of_fresh(past: Result, fresh: Result) -> str:
    """Which of the two has the lower regret, and how often each ratio is above 1."""
    if min(past.runs, fresh.runs) < 1:
        return NOTHING_YET
    said = f"Regret at T: {regret_at_end(past)} with a past y, {regret_at_end(fresh)} with a fresh y."
    if min(past.runs, fresh.runs) > 1:
        gap = fresh.mean("regret")[-1] - past.mean("regret")[-1]
        band = float(np.hypot(fresh.band("regret")[-1], past.band("regret")[-1]))
        if abs(gap) <= band:
            said += f" The difference is {with_band(gap, band)}: too close to call."
        else:
            said += f" The {'past' if gap > 0 else 'fresh'} y pays {with_band(abs(gap), band)} less."
    shares = [above_one(result) for result in (past, fresh)]
    if None in shares:
        return f"{said} Every round is exploration, so there is no ratio."
    return (
        f"{said} After exploration the critical ratio is above 1 in {shares[0]:.1%} of the rounds with a past y, and "
        f"in {shares[1]:.1%} with a fresh y."
    )


def above_one(result: Result) -> float | None:
    """Share of the rounds with a ratio in which it is above 1, apart from rounding; None if there are none."""
    ratio = result.ratio[~np.isnan(result.ratio)]
    return float(np.mean(ratio > 1 + 1e-5)) if ratio.size else None


def of_questions(results: Sequence[Result], cost: float) -> str:
    """What further questions brought, and how many pay."""
    if len(results) < 2:
        return ONE_ONLY
    known = [result for result in results if result.runs]
    if len(known) < 2 or known[0].scenario.questions != 1:
        return NOTHING_YET
    others = known[1:]
    error, regret = (result_ends(known, curve) for curve in ("error", "regret"))
    parts = [
        f"m = {result.scenario.questions} leaves {e / error[0]:.0%} of the error and {r / regret[0]:.0%} of the regret"
        for result, e, r in zip(others, error[1:], regret[1:], strict=True)
        if error[0] > 0 and regret[0] > 0
    ]
    said = f"Compared with one question, {'; '.join(parts)}." if parts else ""
    if not cost:
        return f"{said} Questions cost nothing now: give them a cost (γ) to see how many pay."
    totals = [moments(total(result, cost)) for result in known]
    best = int(np.argmin([mean for mean, _ in totals]))
    m, asked = known[best].scenario.questions, known[best].questions[:, -1].mean()
    said += (
        f" At {cost:g} a question, regret plus cost is lowest with m = {m}: {with_band(*totals[best])}, for "
        f"{asked:,.0f} questions a run."
    )
    close = [
        str(result.scenario.questions)
        for result, (mean, band) in zip(known, totals, strict=True)
        if result is not known[best] and not mean - totals[best][0] > np.hypot(band, totals[best][1])
    ]
    return said + (f" Too close to call: m = {', '.join(close)}." if close else "")


def result_ends(results: Sequence[Result], curve: str) -> np.ndarray:
    """(results,) mean of a curve in the last round."""
    return np.array([result.mean(curve)[-1] for result in results])
