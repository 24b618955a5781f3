"""Ask rules side by side over a row of worlds: what each pays compared with the paper's rule, and what that proves.

It computes and finds words; no Streamlit here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from roam_core.questions import relative
from roam_core.result import moments

ERROR = 0.05  # the chance that anything at all is said wrongly of a rule, about
ENOUGH = 20  # runs: with fewer a cell stays empty
BETTER, WORSE, SAME, CLOSE = "better", "worse", "same", "too close to call"


@dataclass(frozen=True)
class Cell:
    """Regret at T of a rule in a world, beside the paper's rule with the same users; both (runs,)."""

    world: str  # in words
    regret: np.ndarray
    papers: np.ndarray
    complete: bool

    @property
    def runs(self) -> int:
        """Users of whom both regrets are known."""
        return min(len(self.regret), len(self.papers))

    @property
    def filled(self) -> bool:
        """Whether there is enough to say a number."""
        return self.runs >= ENOUGH or (self.complete and self.runs > 1)

    @property
    def paid(self) -> tuple[float, float]:
        """Mean regret of the rule, and half the width of its 95% band."""
        return moments(self.regret)

    @property
    def change(self) -> float:
        """How much more the rule pays than the paper's, as a share of what that pays; negative if it pays less."""
        return self._relative[0] - 1

    @property
    def band(self) -> float:
        """Half the width of its 95% band, two standard errors. The users are the same, and compared one by one."""
        return self._relative[1]

    def verdict(self, among: int) -> str:
        """Whether the rule is better or worse than the paper's here, where so many worlds are judged at once."""
        own, papers = self._pairs
        if np.array_equal(own, papers):
            return SAME
        limit = float(stdtrit(self.runs - 1, 1 - ERROR / (2 * among))) * self.band / 2
        return BETTER if self.change < -limit else WORSE if self.change > limit else CLOSE

    @property
    def _pairs(self) -> tuple[np.ndarray, np.ndarray]:
        return self.regret[: self.runs], self.papers[: self.runs]

    @property
    def _relative(self) -> tuple[float, float]:
        own, papers = self._pairs
        return relative(own, papers) if papers.any() else (1.0, 0.0)


def percent(cell: Cell) -> str:
    """The change with its band, as in −24 ± 3%."""
    return f"{signed(cell.change)} ± {plain(100 * cell.band)}%"


def plain(band: float) -> str:
    """Half the width of a band in two digits, without powers of ten.

    >>> plain(118.0), plain(0.123)
    ('120', '0.12')
    """
    return f"{float(f'{band:.2g}'):.12g}"


def signed(share: float) -> str:
    """A share in per cent with its sign, without the unit.

    >>> signed(-0.237), signed(0.0)
    ('−24', '0')
    """
    rounded = f"{100 * share:+.0f}" if abs(share) >= 0.095 else f"{100 * share:+.1f}"
    return "0" if not float(rounded) else rounded.replace("-", "−")


def verdict(name: str, cells: Sequence[Cell]) -> str:
    """Whether a rule beats the paper's in every world, or where it loses, in words."""
    if not all(cell.complete and cell.runs > 1 for cell in cells):
        done = sum(cell.complete for cell in cells)
        return f"The verdict on {name} comes when its column is complete: {done} of {len(cells)} worlds are."
    n, name = len(cells), name[0].upper() + name[1:]
    found = {kind: [cell for cell in cells if cell.verdict(n) == kind] for kind in (BETTER, WORSE, SAME, CLOSE)}
    if len(found[SAME]) == n:
        return f"**{name} pays exactly what the paper's rule pays**, in all {n} worlds: it asks the same questions."
    if len(found[BETTER]) == n:
        least = max(found[BETTER], key=lambda cell: cell.change)
        most = min(found[BETTER], key=lambda cell: cell.change)
        return (
            f"**{name} beats the paper's rule in every one of the {n} worlds**, least in {_with_number(least)}, "
            f"most in {_with_number(most)}."
        )
    parts = []
    if found[WORSE]:
        parts.append(f"**{name} loses against the paper's rule in {_worlds(found[WORSE])}.**")
        parts.append(f"It wins in {_worlds(found[BETTER])}." if found[BETTER] else "It wins nowhere for sure.")
    elif found[BETTER]:
        parts.append(f"**{name} beats the paper's rule in {_worlds(found[BETTER])}**, and loses nowhere for sure.")
    else:
        parts.append(f"**{name} or the paper's rule: no world tells.**")
    if found[CLOSE]:
        parts.append(f"Too close to call: {_worlds(found[CLOSE], numbers=False)}.")
    if found[SAME]:
        parts.append(f"The same to the last digit: {_worlds(found[SAME], numbers=False)}.")
    return " ".join(parts)


def _worlds(cells: Sequence[Cell], numbers: bool = True) -> str:
    """Some worlds in a row, with what the rule pays more or less there."""
    said = [_with_number(cell) if numbers else cell.world for cell in cells]
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"


def _with_number(cell: Cell) -> str:
    """A world with what the rule pays more or less there, in its brackets if it has some."""
    return f"{cell.world[:-1]}; {percent(cell)})" if cell.world.endswith(")") else f"{cell.world} ({percent(cell)})"
