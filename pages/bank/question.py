"""What a question is: its words, what one commits to, the runs that decide it, and how they do. No Streamlit here."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from pages.bank.commitments import Answer, Commitment
from roam_core import Scenario
from roam_core.slack import Slack

Runs = Scenario | Slack  # what the board is asked for
Results = Sequence[Any]  # a Result or Slacks for each, in that order
ENOUGH = 2  # runs of each before anything can be said: fewer have no band


@dataclass(frozen=True)
class Truth:
    """What came out: `value` is of the same kind as an answer, `band` half the width of its 95% band.

    A choice or a picture has also what was measured of each option, in their order (`values`, `bands`), and a choice
    the options that are right: the runs cannot tell them from the first.
    """

    value: Answer
    band: float = math.nan
    values: tuple[float, ...] = ()
    bands: tuple[float, ...] = ()
    right: tuple[str, ...] = ()
    facts: dict[str, str] = field(default_factory=dict)  # numbers for `Question.said` and `Question.why`


@dataclass(frozen=True)
class Race:
    """A plot of curves over the rounds, one a result. `path` gives where a prediction lies in it: rounds and values."""

    labels: tuple[str, ...]
    path: Callable[[Results, Answer], tuple[list[float], list[float]]]
    before: int = 0  # how many of the results are shown before one has committed


@dataclass(frozen=True)
class Bars:
    """A plot of bars with bands, those of the truth's `values`.

    `height` gives the bar and the height of a prediction; without it the options of a choice are the bars. With `users`
    each is drawn too: then the bars are their regrets at T.
    """

    labels: tuple[str, ...]
    axis: str
    height: Callable[[Truth, Answer], tuple[int, float]] | None = None
    log: bool = False
    users: bool = False


@dataclass(frozen=True)
class Scene:
    """The picture of a round in the plane, in which an item is chosen."""

    scenario: Scenario


@dataclass(frozen=True)
class Try:
    """One thing to try, on the page that shows it with its controls set."""

    text: str
    path: str  # of the page
    query: dict[str, str] = field(default_factory=dict)

    @property
    def link(self) -> str:
        """The page's address, relative to that of another page."""
        return f"{self.path}?{urlencode(self.query)}" if self.query else self.path


@dataclass(frozen=True)
class Question:
    """A question of the bank. `said` and `why` may name the truth's facts in braces."""

    key: str  # in links and databases: small letters only
    title: str
    text: str  # two sentences
    commitment: Commitment
    runs: tuple[Runs, ...]
    decide: Callable[[Results], Truth]
    plot: Race | Bars | Scene
    said: str  # what came out, in a sentence
    why: str  # two or three sentences
    trial: Try
    minutes: int = 0  # of the lecture on paper (plans.py); none if it is left for home
    ask: str = ""  # what a lecturer may ask the class after the reveal

    def ready(self, results: Results) -> bool:
        """Whether there are enough runs of each to say anything."""
        least = ENOUGH if all(_scenario(runs).runs > 1 for runs in self.runs) else 1
        return all(result.runs >= least for result in results)

    def complete(self, results: Results) -> bool:
        """Whether all runs are there: before that nothing is explained."""
        return all(result.runs == _scenario(runs).runs for result, runs in zip(results, self.runs, strict=True))

    def truth(self, results: Results) -> Truth:
        """What came out, so far: `ready` tells whether that can be said."""
        return self.decide(results)

    def truth_so_far(self, results: Results) -> Truth | None:
        """What came out, as far as the runs tell it."""
        return self.truth(results) if self.ready(results) else None

    @property
    def before(self) -> Sequence[Runs]:
        """What is shown before one commits."""
        return self.runs[: getattr(self.plot, "before", 0)]

    def outcome(self, truth: Truth) -> str:
        """What came out, in a sentence, and what so few runs cannot tell."""
        said = self.said.format(**truth.facts)
        if len(truth.right) < 2:
            return said
        return f"{said} These runs cannot tell apart: {', '.join(map(self.words, truth.right))}."

    def explanation(self, truth: Truth) -> str:
        """Why, in two or three sentences: for results that are complete."""
        return self.why.format(**truth.facts)

    def parse(self, text: str) -> Answer:
        """The answer that a text from anywhere stands for, or a ValueError."""
        return self.commitment.parse(text)

    def format(self, answer: Answer) -> str:
        """The text that `parse` takes back to the answer: letters, digits, dots."""
        return self.commitment.format(answer)

    def words(self, answer: Answer) -> str:
        """How an answer is said."""
        return self.commitment.words(answer)

    def truth_words(self, truth: Truth) -> str:
        """How the truth is said, where an answer is said beside it."""
        if len(truth.right) > 1:  # the runs cannot tell them apart
            return " or ".join(map(self.words, truth.right))
        return truth.facts.get("short") or self.words(truth.value)

    def near(self, answer: Answer, truth: Truth) -> bool:
        """Whether an answer came near."""
        return self.commitment.near(answer, truth)

    def nearness(self, truth: Truth) -> str:
        """What near means here, in words."""
        return self.commitment.nearness(truth)


def _scenario(runs: Runs) -> Scenario:
    return runs if isinstance(runs, Scenario) else runs.scenario
