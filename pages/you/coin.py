"""Hits against chance: what a fair coin does, exactly, and in words."""

from dataclasses import dataclass
from math import comb

from scipy.stats import binomtest

LUCK = 0.05  # what a coin does more rarely than this is hardly luck
SURE = 0.95  # of the interval


@dataclass(frozen=True)
class Score:
    """Hits among so many predictions.

    >>> Score(6, 8).words
    '6 of 8: a coin does that in 14% of cases'
    """

    hits: int
    of: int

    @property
    def coin(self) -> float:
        """The probability that a fair coin hits as often or more."""
        return sum(comb(self.of, hits) for hits in range(self.hits, self.of + 1)) / 2**self.of

    @property
    def interval(self) -> tuple[float, float]:
        """The exact (Clopper-Pearson) interval of 95% for the share of hits; everything before the first prediction."""
        if not self.of:
            return 0.0, 1.0
        found = binomtest(self.hits, self.of).proportion_ci(SURE, "exact")
        return float(found.low), float(found.high)

    @property
    def words(self) -> str:
        """The hits and how often a coin has as many or more, where that is worth a number."""
        if 2 * self.hits <= self.of:
            return f"{self.hits} of {self.of}: no better than a coin"
        return f"{self.hits} of {self.of}: a coin does that in {percent(self.coin)} of cases"

    @property
    def verdict(self) -> str:
        """What the hits show, and what they do not."""
        if not self.of:
            return "Nothing was tested, so nothing is proved."
        low, high = self.interval
        shows = "That is hardly luck." if self.coin <= LUCK else "So few answers cannot tell it from luck."
        between = f"Its true share of hits lies between {percent(low)} and {percent(high)}, with 95% confidence."
        return f"{self.words}. {shows} {between}"


def percent(share: float) -> str:
    """A share for a sentence: never 0% or 100% unless it is exactly that.

    >>> [percent(share) for share in (0, 0.0039, 0.144, 0.9961, 1)]
    ['0%', '0.4%', '14%', '99.6%', '100%']
    """
    if share in (0, 1) or 0.01 <= share < 0.995:
        return f"{share:.0%}"
    return f"{share:.1%}" if 0.001 <= share < 0.9995 else "less than 0.1%" if share < 0.5 else "more than 99.9%"


def against(first: str, second: str, only_first: int, only_second: int) -> str:
    """Who of two predicts better, by the answers that just one of them hit: an exact sign test on both sides."""
    differ = only_first + only_second
    if not differ:
        return f"{first} and {second} hit the same answers."
    better, worse = (first, second) if only_first >= only_second else (second, first)
    more, less = max(only_first, only_second), min(only_first, only_second)
    chance = min(1.0, 2 * Score(more, differ).coin)
    said = f"Alone, {better} hit {more} and {worse} {less}: two coins are so far apart in {percent(chance)} of cases."
    if only_first == only_second:
        return f"Alone, {first} and {second} hit {more} each: neither is ahead."
    return f"{said} {better} predicts better." if chance <= LUCK else f"{said} That cannot tell who is better."
