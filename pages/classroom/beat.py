"""Beat ROAM: the same user and the same luck for everybody, who choose the questions of fifteen rounds. No Streamlit.

Worker processes import this module. What a player chose is kept as text: 3.1.5 are the items of rounds 3, 1 and 5,
asked about in the first three rounds after exploration.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from roam_core import Scenario, trajectory
from roam_core.ellipses import curvature, ellipse
from roam_core.links import LINKS

FIRST, ROUNDS = 5, 15  # of exploration, and of the game
# Utilities are large (r = 3): there it matters whether an answer is open, and one can ask better than ROAM.
GAME = Scenario(d=2, tau=FIRST, k=20, horizon=FIRST + ROUNDS + 1, runs=1, radius=3.0, ridge=0.3)
RULES = {"most_uncertain": "ROAM", "informative": "the informative rule", "random": "random questions"}
ANSWERS = 100  # of the same user, for where luck ends


class End(NamedTuple):
    """How a game ended: what its questions told in bits, the error of the estimate, the regret of its fifteen rounds.

    What the questions told is log2 of how many times smaller the area is in which the taste may lie (that of the
    ellipse of H at the taste). All three hang on the answers, and so on luck: what is offered follows the estimate.
    """

    told: float
    error: float
    regret: float

    def told_more(self, other: "End") -> bool:
        """Whether the questions told more than others, by as much as is shown of that."""
        return round(self.told, 2) > round(other.told, 2)


@dataclass(frozen=True)
class Turn:
    """Where a player is: all that a phone and the projector show."""

    asked: tuple[int, ...]  # so far, by the rounds of the items
    past: tuple[tuple[float, float], ...]  # items of rounds 1, 2, ...
    new: tuple[float, float] | None  # the item to compare; None at the end
    estimate: tuple[float, float]
    H: tuple[float, float, float]  # the Hessian of the estimating equation: 11, 12, 22
    H_at_taste: tuple[float, float, float]  # the same if the taste were known: its area is what was told
    preferred: bool | None  # whether the last answer was for the new item
    end: End | None

    @property
    def round(self) -> int:
        """The round of the game, from 1."""
        return len(self.asked) + 1


def parse(text: str) -> tuple[int, ...]:
    """What a player chose; ValueError if that cannot be."""
    if not re.fullmatch(r"([1-9][0-9]?([.][1-9][0-9]?)*)?", text, re.ASCII):
        raise ValueError("it is not a list of items")
    asked = tuple(int(part) for part in text.split(".")) if text else ()
    if len(asked) > ROUNDS or any(item > FIRST + place for place, item in enumerate(asked)):
        raise ValueError("it asks about an item that is not there yet")
    return asked


def format(asked: tuple[int, ...]) -> str:
    """The text that `parse` takes back."""
    return ".".join(map(str, asked))


@lru_cache(maxsize=4096)  # of a few numbers each: the projector shows everybody every two seconds
def turn(seed: int, asked: tuple[int, ...]) -> Turn:
    """Where a player is who asked about these items."""
    by_hand = {FIRST + place: item for place, item in enumerate(asked, start=1)}
    run = trajectory(replace(GAME, seed=seed), every_item=True, by_hand=by_hand)
    t = FIRST + len(asked)  # of the round to come, from 0
    over = len(asked) == ROUNDS
    pairs = tuple((float(x), float(y)) for x, y in run.x[: t + 1])
    H, H_at_taste = (known(run.z[1:t], theta)[[0, 0, 1], [0, 1, 1]] for theta in (run.estimate[t], run.theta))
    return Turn(
        asked,
        pairs[:t],
        None if over else pairs[t],
        (float(run.estimate[t][0]), float(run.estimate[t][1])),
        tuple(H.tolist()),
        tuple(H_at_taste.tolist()),
        bool(run.outcome[t - 1]) if asked else None,
        _end(run) if over else None,
    )


@lru_cache(maxsize=256)
def rule_asks(seed: int) -> tuple[int, ...]:
    """What ROAM asks about in this game, by the rounds of the items."""
    run = trajectory(replace(GAME, seed=seed), every_item=True)
    return tuple(int(index) + 1 for index in run.asked[FIRST : FIRST + ROUNDS])


def truth(seed: int) -> tuple[float, float]:
    """The taste of the game's user."""
    x, y = trajectory(replace(GAME, seed=seed, horizon=FIRST + 1), every_item=True).theta
    return float(x), float(y)


class Luck(NamedTuple):
    """What the rules come to with the class's luck, and ROAM with the other answers that the user may give."""

    rules: dict[str, End]
    others: list[End]

    @property
    def spread(self) -> tuple[End, End]:
        """What 5% and what 95% of ROAM's ends stay below, each measure by itself."""
        return tuple(End(*np.quantile(np.array(self.others), share, axis=0).tolist()) for share in (0.05, 0.95))


def luck(seed: int) -> Luck:
    """How the rules end, and where ROAM ends with a hundred other answers of the same user."""
    game = replace(GAME, seed=seed)
    rules = {rule: _end(trajectory(replace(game, ask=rule), every_item=True)) for rule in RULES}
    others = [_end(trajectory(game, every_item=True, luck=number)) for number in range(1, ANSWERS + 1)]
    return Luck(rules, others)


def known(z: np.ndarray, theta: np.ndarray) -> np.ndarray:
    """(2, 2) what the answers to the questions z (t, 2) tell about a taste."""
    return curvature(LINKS[GAME.link], GAME.ridge, z, theta)


def _end(run) -> End:
    before, after = (np.linalg.det(known(run.z[1:t], run.theta)) for t in (FIRST, FIRST + ROUNDS))
    paid = run.regret[FIRST + ROUNDS - 1] - run.regret[FIRST - 1]
    return End(float(np.log2(after / before) / 2), float(run.error[FIRST + ROUNDS]), float(paid))


def outline(turn: Turn, points: int = 36, size: float = 1.0, at_taste: bool = False) -> np.ndarray:
    """(points + 1, 2) the ellipse {v : (v - estimate)^T H (v - estimate) = size^2}, with H at the estimate or taste."""
    a, b, c = turn.H_at_taste if at_taste else turn.H
    (wide, narrow), angle = ellipse(np.array([[a, b], [b, c]]))
    around = np.linspace(0, 2 * np.pi, points + 1)
    along, across = size * wide * np.cos(around), size * narrow * np.sin(around)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.column_stack([along * cos - across * sin, along * sin + across * cos]) + np.array(turn.estimate)
