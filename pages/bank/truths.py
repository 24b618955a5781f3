"""How runs decide a question: from Results to the truth with its band. No Streamlit here."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from pages.ask_better.asking import one_round
from pages.bank.question import Results, Truth
from roam_core import Result, Scenario
from roam_core.questions import relative
from roam_core.result import moments
from roam_core.theory import STEPS, Theory

LATE = 100  # rounds at the end whose cost is looked at


def share_of(above: np.ndarray, below: np.ndarray) -> tuple[float, float]:
    """Mean of values (runs,) as a share of the mean of others, with its band; runs that both have count."""
    n = min(len(above), len(below))
    return relative(above[:n], below[:n])


def ends(result: Result) -> np.ndarray:
    """(runs,) regret at T."""
    return result.regret[:, -1]


def number(value: float, digits: int = 3) -> str:
    """A number for a sentence, without powers of ten."""
    return f"{float(f'{value:.{digits}g}'):,.12g}" if math.isfinite(value) else "unknown"


def say(value: float, band: float, unit: str = "{}") -> str:
    """A number with its band; digits beyond the first one of the band are luck."""
    if not band > 0:
        return unit.format(number(value))
    places = max(0, -math.floor(math.log10(band)))
    return unit.format(f"{value:,.{places}f} ± {band:,.{places}f}")


def cost_of_a_round(results: Results) -> Truth:
    """What a random round costs, from runs that only explore."""
    (explored,) = results
    value, band = moments(ends(explored) / explored.scenario.horizon)
    return Truth(value, band, facts={"short": say(value, band)})


def cost_at_the_end(results: Results) -> Truth:
    """What one of the last rounds costs, in per cent of a random one."""
    (learned,) = results
    tau = learned.scenario.resolved().tau
    random = learned.regret[:, tau - 1] / tau
    late = (ends(learned) - learned.regret[:, -LATE - 1]) / LATE
    share, band = share_of(late, random)
    (first, about_first), (last, about_last) = moments(random), moments(late)
    facts = {"short": say(100 * share, 100 * band, "{}%"), "random": number(first, 2), "late": number(last, 2)}
    return Truth(100 * share, 100 * band, (first, last), (about_first, about_last), facts=facts)


def times(results: Results) -> Truth:
    """Regret of the second scenario as a multiple of the first one's."""
    value, band = share_of(ends(results[1]), ends(results[0]))
    return Truth(value, band, facts={"short": say(value, band, "{} times"), **_regrets(results)})


def percent_more(results: Results) -> Truth:
    """By how many per cent the second scenario's regret is above the first one's."""
    share, band = share_of(ends(results[1]), ends(results[0]))
    more = 100 * (share - 1)
    asked = number(float(results[1].questions[:, -1].mean()))
    facts = {"short": say(more, 100 * band, "{}%"), "asked": asked, **_regrets(results)}
    return Truth(more, 100 * band, facts=facts)


def percent_less(results: Results) -> Truth:
    """By how many per cent the second scenario's regret is below the first one's."""
    more = percent_more(results)
    facts = {**more.facts, "short": say(-more.value, more.band, "{}%")}
    return Truth(-more.value, more.band, facts=facts)


def _regrets(results: Results) -> dict[str, str]:
    return {f"regret{place}": number(float(ends(result).mean())) for place, result in enumerate(results, start=1)}


def curve_at(rounds: Sequence[int]) -> Callable[[Results], Truth]:
    """The mean regret in some rounds; its band is that in the last of them."""

    def decide(results: Results) -> Truth:
        (result,) = results
        mean, band = result.mean("regret"), result.band("regret")
        values = tuple(round(float(mean[t - 1])) if t else 0 for t in rounds)
        tau = result.scenario.resolved().tau
        explored = float(mean[tau - 1] / mean[-1])
        short = f"{values[len(values) // 2]} in round {rounds[len(values) // 2]}, {values[-1]} in round {rounds[-1]}"
        facts = {"short": short, "explored": f"{explored:.0%}", "end": say(float(mean[-1]), float(band[-1]))}
        return Truth(values, float(band[-1]), facts=facts)

    return decide


def extreme(names: Sequence[str], *, largest: bool = False) -> Callable[[Results], Truth]:
    """Which scenario has the least regret at T, or the largest. Right are those that the runs cannot tell from it."""

    def decide(results: Results) -> Truth:
        regrets = [ends(result) for result in results]
        measured = [moments(regret) for regret in regrets]
        means = [mean for mean, _ in measured]
        chosen = int(np.argmax(means) if largest else np.argmin(means))
        right = tuple(
            name
            for place, name in enumerate(names)
            if place == chosen or not _apart(regrets[place], regrets[chosen])
        )  # fmt: skip
        return _options(names, chosen, measured, right)

    return decide


def _apart(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether the mean of the differences is clear of zero, by its 95% band."""
    n = min(len(one), len(other))
    mean, band = moments(one[:n] - other[:n])
    return abs(mean) > band


def _options(names: Sequence[str], chosen: int, measured: Sequence[tuple[float, float]], right: tuple) -> Truth:
    means, bands = (tuple(float(value) for value in column) for column in zip(*measured, strict=True))
    facts = {name: say(mean, band) for name, mean, band in zip(names, means, bands, strict=True)}
    return Truth(names[chosen], bands[chosen], means, bands, right, facts=facts)


def saved_most(names: Sequence[str]) -> Callable[[Results], Truth]:
    """In which world the second of two rules saves most regret: results are pairs, a world each. In per cent."""

    def decide(results: Results) -> Truth:
        shares = [share_of(ends(own), ends(papers)) for papers, own in zip(results[::2], results[1::2], strict=True)]
        changes = [(100 * (share - 1), 100 * band) for share, band in shares]
        chosen = min(range(len(changes)), key=lambda place: changes[place][0])
        best, about = changes[chosen]
        right = tuple(
            name
            for name, (mean, band) in zip(names, changes, strict=True)
            if name == names[chosen] or mean - best <= math.hypot(about, band)
        )
        truth = _options(names, chosen, changes, right)
        said = {name: _signed(*change) for name, change in zip(names, changes, strict=True)}
        return replace(truth, facts=said)

    return decide


def _signed(value: float, band: float) -> str:
    return say(abs(value), band, f"{'−' if value < 0 else '+'}{{}}%")


def questions_about_the_first(results: Results) -> Truth:
    """How many per cent of the questions after exploration are about items from it."""
    (result,) = results
    tau = result.scenario.resolved().tau
    shares = 100 * np.mean(result.asked[:, tau:] < tau, axis=1)
    value, band = moments(shares)
    items = 100 * tau / result.scenario.horizon
    return Truth(value, band, (items, value), (0.0, band), facts={"short": say(value, band, "{}%")})


def told_by_each(scenario: Scenario) -> Callable[[Results], Truth]:
    """What the answer about each past item would tell, as a share of the best one, in one round in the plane."""

    def decide(results: Results) -> Truth:
        now = one_round(scenario)
        shares = tuple(float(share) for share in now.share)
        facts = {
            "short": f"the item of round {now.informative + 1}",
            "best": str(now.informative + 1),
            "papers": str(now.papers + 1),
            "share": f"{now.papers_share:.0%}",
        }
        return Truth(now.informative + 1, values=shares, facts=facts)

    return decide


def above_the_truth(factors: dict[str, float]) -> Callable[[Results], Truth]:
    """How many times the measured regret the theorem's bound is: the nearest of some factors, by their logarithms."""

    def decide(results: Results) -> Truth:
        (result,) = results
        bound = float(Theory(result.scenario).bound(result.scenario.horizon))
        mean, band = moments(ends(result))
        times = bound / mean
        nearest = min(factors, key=lambda name: abs(math.log(factors[name] / times)))
        facts = {"regret": number(mean), "bound": number(bound), "times": number(times, 2)}
        return Truth(nearest, times * band / mean, (mean, bound), (band, 0.0), (nearest,), facts=facts)

    return decide


def loosest_step(results: Results) -> Truth:
    """Which step of the proof gives away most: the mean factor of each, over users."""
    (slacks,) = results
    known = slacks.slack[~np.isnan(slacks.slack).any(1)]
    names = step_names()
    logs = [moments(column) for column in known.T]
    chosen = max(range(len(logs)), key=lambda place: logs[place][0])
    right = tuple(
        name
        for place, name in enumerate(names)
        if place == chosen or not _apart(known[:, place], known[:, chosen])
    )  # fmt: skip
    factors = [(10**mean, 10**mean * (10**band - 1)) for mean, band in logs]
    truth = _options(names, chosen, factors, right)
    facts = {name: number(mean, 2) for name, mean in zip(names, truth.values, strict=True)}
    return replace(truth, facts=facts)


def step_names() -> tuple[str, ...]:
    """The steps of the proof as a link has them."""
    return tuple(step.split()[0].split("-")[0].lower() for step in STEPS)
