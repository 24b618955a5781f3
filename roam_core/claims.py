"""What Section 4 of the paper claims, judged by the data."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.polynomial import polynomial
from scipy.special import stdtr

from roam_core.paper import LATE, START, Record, moments
from roam_core.theory import Theory

HOLDS, TOO_CLOSE, FAILS = "holds", "too close to call", "does not hold"
RULE = (
    "Every number has a 95% band, plus and minus two standard errors over the runs; differences are taken run by run. "
    "A part of a claim holds if the whole band lies within the limits that the claim sets, it does not hold if the "
    "whole band lies outside, and otherwise it is too close to call. Where a part speaks of several curves, the one "
    "for which that is least clear, counted in bands, decides, and the weakest part decides for the claim. "
    f"Early and late are the first {LATE} rounds after exploration and the last {LATE} of all."
)
TITLES = {
    "regret": "regret at T",
    "error": "late error",
    "ratio": "late critical ratio",
    "error_after": f"mean error of the rounds after {START}",
    "ratio_after": f"mean critical ratio of the rounds after {START}",
}

Curves = Mapping[str, Record]  # by label
Experiments = Mapping[str, Curves]


class Number(NamedTuple):
    """A measured number, half the width of its band, and a sentence with a place {} for them."""

    value: float
    band: float
    sentence: str


@dataclass(frozen=True)
class Part:
    """A statement about some curves: a number is above `low` and below `high`.

    `value`, `band` and `sentence` are about the curve that fits the statement least.
    """

    statement: str
    value: float
    band: float  # half the width of the 95% band
    low: float
    high: float
    sentence: str
    experiment: str
    labels: tuple[str, ...]  # of the curves that it speaks of
    curve: str  # "regret", "error" or "ratio"
    numbers: tuple[Number, ...] = ()  # all that must be within the limits

    @property
    def verdict(self) -> str:
        """Whether it holds, by the `RULE`."""
        return _verdict(self.value, self.band, self.low, self.high)


@dataclass(frozen=True)
class Claim:
    """One of the paper's claims."""

    number: int
    short: str  # in five words or so, for a button: all of its parts, so that no verdict on it is untrue
    statement: str
    parts: tuple[Part, ...]
    notes: tuple[str, ...]  # what the data say besides, which is not judged
    runs: int  # that the verdict rests on

    @property
    def verdict(self) -> str:
        """That of its weakest part."""
        found = {part.verdict for part in self.parts}
        return next(verdict for verdict in (FAILS, TOO_CLOSE, HOLDS) if verdict in found)


def claims(experiments: Experiments) -> list[Claim]:
    """The paper's seven claims, judged by the records of `paper.load()`."""
    return [_judged(experiments, number, *claim) for number, claim in enumerate(CLAIMS, start=1)]


def _judged(
    experiments: Experiments, number: int, short: str, statement: str, judge: "Judge", note: "NoteTaker | None"
) -> Claim:
    parts = tuple(judge(experiments))
    runs = min(record.runs for part in parts for record in experiments[part.experiment].values())
    return Claim(number, short, statement, parts, tuple(note(experiments)) if note else (), runs)


def error_rate(runs: int) -> float:
    """How often the band of a number that is exactly at a limit lies wholly on one given side of it, by chance.

    The band is 2 sigma / sqrt(n) with the deviation of n runs, so that is Student's law with n - 1 degrees of freedom.

    >>> round(error_rate(100), 4), round(error_rate(1000), 4)
    (0.0247, 0.0229)
    """
    return float(stdtr(runs - 1, -2 * math.sqrt((runs - 1) / runs)))


def why_different(few: Claim, many: Claim) -> str:
    """One sentence on why more runs change the verdict on a part of a claim; empty if they change none."""
    changed = [(a, b) for a, b in zip(few.parts, many.parts, strict=True) if a.verdict != b.verdict]
    if not changed:
        return ""
    pairs = [(a.band, b.band) for few, many in changed for a, b in zip(few.numbers, many.numbers, strict=True)]
    narrower = [math.log(wide / narrow) for wide, narrow in pairs if wide > 0 and narrow > 0]
    times = math.exp(sum(narrower) / len(narrower)) if narrower else 1.0
    bands = f"With {many.runs:,} runs the bands are narrower than with {few.runs:,}, by a factor of {times:.2g}"
    if all(a.verdict == TOO_CLOSE for a, _ in changed):
        return f"{bands}: that decides what was too close to call."
    if all(b.verdict == TOO_CLOSE for _, b in changed):
        return f"{bands}, but a number has moved so near to its limit that it is too close to call."
    return f"{bands}, and a number has moved to the other side of its limit."


def regret_bends(experiments: Experiments) -> Iterator[Part]:
    """Claim 1."""
    about = About("dimension", experiments["dimension"], "regret")
    exploring, after = [], []
    for label, record in about.curves.items():
        tau, run = record.scenario.tau, record.per_run
        explored, straight = tau // 2 * run["regret_explored"], tau * run["regret_half_explored"]
        what = f"With {label}, exploration brings {{}} times what a straight line through its first half would."
        exploring.append(_quotient(explored, straight, what))
        rest, half = (run[name] - run["regret_explored"] for name in ("regret", "regret_half_way"))
        what = f"With {label}, the rounds after exploration bring {{}} times the regret of their first half."
        after.append(_quotient(rest, half, what))
    yield about.part("linear during exploration, up to a tenth", exploring, 0.9, 1.1)
    yield about.part("sublinear after it: twice the rounds, less than twice the regret", after, high=2)


def regret_is_linear_in_d(experiments: Experiments) -> Iterator[Part]:
    """Claim 2."""
    about = About("dimension", experiments["dimension"], "regret")
    yield about.grows()
    d = [record.scenario.d for record in about.curves.values()]
    regret = np.array([record.per_run["regret"] for record in about.curves.values()])  # (curves, runs)
    # A line for every run: their mean is the line of the means.
    off = regret - polynomial.polyval(d, polynomial.polyfit(d, regret, 1)).T
    rise = regret[-1].mean() - regret[0].mean()
    numbers = [
        _mean(100 * its / rise, f"With {label}, the mean is {{}}% of the whole rise off the best straight line.")
        for label, its in zip(about.curves, off, strict=True)
    ]
    yield about.part("roughly linear in d: off a straight line by less than a tenth of the rise", numbers, -10, 10)


def error_falls(experiments: Experiments) -> Iterator[Part]:
    """Claim 3."""
    about = About("dimension", experiments["dimension"], "error")
    fall = [
        _quotient(
            r.per_run["error"], r.per_run["error_first"], f"With {label}, the late error is {{}} times the first."
        )
        for label, r in about.curves.items()
    ]
    yield about.part("falls with t, counted from the end of exploration", fall, high=1)
    yield about.grows()


def ratio_is_small(experiments: Experiments) -> Iterator[Part]:
    """Claim 4."""
    about = About("dimension", experiments["dimension"], "ratio")
    share = []
    for label, record in about.curves.items():
        run, beta = record.per_run, Theory(record.scenario).beta
        what = f"With {label}, the mean ratio is {{}}% of β = {beta:.3g}."
        share.append(_mean(100 * run["ratio_all"] / beta, what))
    yield about.part("far below β: less than a tenth of it", share, high=10)
    yield about.grows()
    yield about.part("falls with t", [fall.left for fall in ratio_falls(experiments)], high=1)


class Fall(NamedTuple):
    """The critical ratio of one curve: early, late, what is left of it and what is gone."""

    label: str
    early: Number
    late: Number
    left: Number  # late / early
    gone: Number  # early - late


def ratio_falls(experiments: Experiments) -> list[Fall]:
    """How far the critical ratio falls, for every dimension."""
    return [
        Fall(
            label,
            _mean(run["ratio_early"], f"With {label}, the early ratio is {{}}."),
            _mean(run["ratio"], f"With {label}, the late ratio is {{}}."),
            _quotient(run["ratio"], run["ratio_early"], f"With {label}, the late ratio is {{}} times the early one."),
            _mean(run["ratio_early"] - run["ratio"], f"With {label}, the late ratio is {{}} below the early one."),
        )
        for label, run in ((label, record.per_run) for label, record in experiments["dimension"].items())
    ]


def how_slightly(experiments: Experiments) -> Iterator[str]:
    """What stands behind the "slightly" of claim 4: a word that no number decides."""
    falls = ratio_falls(experiments)
    steep, shallow = (pick(falls, key=lambda fall: fall.left.value) for pick in (min, max))
    small, large = (pick(falls, key=lambda fall: fall.gone.value) for pick in (min, max))
    yield (
        f"In proportion, the least is left with {steep.label}: {_percent(steep.left)} of the early ratio; "
        f"the most with {shallow.label}: {_percent(shallow.left)}."
    )
    yield (
        f"In absolute terms, early minus late is smallest with {small.label}: {_with_band(small.gone)}; "
        f"it is largest with {large.label}: {_with_band(large.gone)}."
    )
    if steep.label == small.label and small.gone.value > 0:
        yield f"So with {small.label} the ratio falls most in proportion and least in absolute terms."


def exploration_costs(experiments: Experiments) -> Iterator[Part]:
    """Claim 5."""
    curves = {label: record for label, record in experiments["exploration"].items() if record.scenario.tau}
    yield About("exploration", curves, "regret").grows()
    (shortest, base), *longer = curves.items()
    for curve in ("error", "ratio"):
        what = f"the {TITLES[curve]} is {{}} times that with {shortest}."
        change = [_quotient(r.per_run[curve], base.per_run[curve], f"With {label}, {what}") for label, r in longer]
        statement = f"the {TITLES[curve]} is hardly affected: by less than a fifth"
        yield About("exploration", curves, curve).part(statement, change, 0.8, 1.2)


def none_is_worse_than_a_little(experiments: Experiments) -> Iterator[Part]:
    """Claim 6.

    The paper says "significantly larger" of error and ratio: the band of the quotient of their means lies above 1.
    """
    (without, none), (with_little, little), *_ = experiments["exploration"].items()
    curves = {without: none, with_little: little}
    what = f"With {without}, the {TITLES['regret']} is {{}} above that with {with_little}."
    more = _mean(none.per_run["regret"] - little.per_run["regret"], what)
    yield About("exploration", curves, "regret").part(f"the {TITLES['regret']} is larger", [more], low=0)
    for curve in ("error", "ratio"):
        # Results that were made before these measures have only the late ones.
        measure = f"{curve}_after" if all(f"{curve}_after" in r.per_run for r in curves.values()) else curve
        what = f"With {without}, the {TITLES[measure]} is {{}} times that with {with_little}."
        times = _quotient(none.per_run[measure], little.per_run[measure], what)
        statement = f"the {TITLES[measure]} is significantly larger"
        yield About("exploration", curves, curve).part(statement, [times], low=1)


def none_against_more(experiments: Experiments) -> Iterator[str]:
    """How the regret without exploration compares with every other: claim 6 speaks of a little exploration only."""
    (without, none), *others = experiments["exploration"].items()
    found: dict[str, list[str]] = {HOLDS: [], FAILS: [], TOO_CLOSE: []}
    for label, record in others:
        value, band = moments(record.per_run["regret"] - none.per_run["regret"])
        verdict = _verdict(value, band, 0, math.inf)
        found[verdict].append(label if verdict == TOO_CLOSE else f"{label} by {abs(value):.3g} ± {band:.2g}")
    words = {HOLDS: "beats", FAILS: "loses to", TOO_CLOSE: "is too close to call against"}
    said = [f"{words[verdict]} {_listed(labels)}" for verdict, labels in found.items() if labels]
    yield f"In {TITLES['regret']}, {without} " + "; it ".join(said) + "."


def roam_beats_colstim(experiments: Experiments) -> Iterator[Part]:
    """Claim 7.

    "Pays for it in regret" is the paper's "leads to a large regret, despite converging quickly": more than ROAM's.
    """
    (name, roam), *rest = experiments["rival"].items()
    rivals = dict(rest)
    c1 = [record.scenario.c1 for record in rivals.values()]
    timid, bold = ({label: r for label, r in rivals.items() if r.scenario.c1 == end} for end in (min(c1), max(c1)))

    def above_roam(statement: str, some: Curves, curve: str) -> Part:
        what = f"the {TITLES[curve]} is {{}} above ROAM's."
        numbers = [_mean(r.per_run[curve] - roam.per_run[curve], f"{label}: {what}") for label, r in some.items()]
        return About("rival", {name: roam, **some}, curve).part(statement, numbers, low=0)

    yield above_roam("ROAM's regret is below CoLSTIM's", rivals, "regret")
    yield above_roam(f"c1 = {min(c1):g} learns slowly: its error is above ROAM's", timid, "error")
    faster = [
        _mean(slow.per_run["error"] - quick.per_run["error"], f"{label}: the late error is {{}} below that of {other}.")
        for (other, slow), (label, quick) in zip(timid.items(), bold.items(), strict=True)
    ]
    yield About("rival", timid | bold, "error").part(f"c1 = {max(c1):g} learns faster", faster, low=0)
    yield above_roam("and pays for it: its regret is above ROAM's", bold, "regret")


Judge = Callable[[Experiments], Iterator[Part]]
NoteTaker = Callable[[Experiments], Iterator[str]]
CLAIMS: tuple[tuple[str, str, Judge, NoteTaker | None], ...] = (
    (
        "Regret bends after exploration",
        "Regret grows linearly during exploration, sublinearly (more slowly than t) after it.",
        regret_bends,
        None,
    ),
    ("Regret grows linearly with d", "Regret at T grows roughly linearly with d.", regret_is_linear_in_d, None),
    ("Error falls, grows with d", "The estimation error falls with t and grows with d.", error_falls, None),
    (
        "Ratio small, falls, grows with d",
        "The critical ratio is far below its bound β, grows with d, and falls slightly with t.",
        ratio_is_small,
        how_slightly,
    ),
    (
        "Exploring longer only costs regret",
        "More exploration, more regret; error and critical ratio are hardly affected.",
        exploration_costs,
        None,
    ),
    (
        "A little exploration beats none",
        "No exploration: larger regret than with a little, and significantly larger error and critical ratio.",
        none_is_worse_than_a_little,
        none_against_more,
    ),
    (
        "ROAM beats CoLSTIM, slow or costly",
        "ROAM's regret is below CoLSTIM's; with c1 = 1 that one learns slowly, with c1 = 10 faster, at a price.",
        roam_beats_colstim,
        None,
    ),
)


@dataclass(frozen=True)
class About:
    """What a part speaks of: the curves of one kind in an experiment."""

    experiment: str
    curves: Curves
    curve: str

    def part(self, statement: str, numbers: Iterable[Number], low: float = -math.inf, high: float = math.inf) -> Part:
        """The statement that every number is within the limits, judged by the one for which that is least clear."""
        numbers = tuple(numbers)
        decides = min(numbers, key=lambda number: _margin(number.value, number.band, low, high))
        value, band, sentence = decides.value, decides.band, decides.sentence.format(_with_band(decides))
        labels = tuple(self.curves)
        return Part(statement, value, band, low, high, sentence, self.experiment, labels, self.curve, numbers)

    def grows(self) -> Part:
        """The statement that it grows from each curve to the next."""
        title, name = TITLES[self.curve], self.curve
        steps = [
            _mean(
                larger.per_run[name] - smaller.per_run[name],
                f"With {second}, the {title} is {{}} above that with {first}.",
            )
            for (first, smaller), (second, larger) in pairwise(self.curves.items())
        ]
        first, *_, last = self.curves
        return self.part(f"the {title} grows from {first} to {last}", steps, low=0)


def _verdict(value: float, band: float, low: float, high: float) -> str:
    margin = _margin(value, band, low, high)
    return HOLDS if margin > 1 else FAILS if margin < -1 else TOO_CLOSE


def _margin(value: float, band: float, low: float, high: float) -> float:
    """How far within the limits the number is, in half-widths of its band; negative outside, 0 if unknown."""
    distance = min(value - low, high - value)
    if math.isnan(distance) or math.isnan(band):
        return 0.0
    return distance / band if band else math.copysign(math.inf, distance)


def _mean(values: np.ndarray, sentence: str) -> Number:
    return Number(*moments(values), sentence)


def _quotient(above: np.ndarray, below: np.ndarray, sentence: str) -> Number:
    """The quotient q of the means of two measures (runs,) of the same runs.

    To first order its error is that of the mean of (above - q below) / mean(below).
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        q = float(above.mean() / below.mean())
        return Number(q, moments((above - q * below) / below.mean())[1], sentence)


def _with_band(number: Number) -> str:
    return f"{number.value:.3g} ± {number.band:.2g}"


def _percent(number: Number) -> str:
    return f"{100 * number.value:.3g}% ± {100 * number.band:.2g}%"


def _listed(words: list[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
