"""One round of one run in the plane, just before its question, with what each question would tell.

Worker processes import this module, so it does without Streamlit.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from roam_core import Scenario
from roam_core.engine import finish, play
from roam_core.formulas import VARIABLES, Formula
from roam_core.links import LINKS
from roam_core.policies import View, question_variables

LATER = 20  # rounds after exploration among which the one on screen is chosen
POOR = 0.25  # of what the best question tells: a question that tells less makes a good example
PAPERS, INFORMATIVE = "most_uncertain", "informative"
FORMULAS = {
    PAPERS: "width",
    INFORMATIVE: "slope * reach**2",
    "previous": "-age",
    "random": "random()",
    "recent": "width * (age <= {window})",
    "formula": "{formula}",
}  # what an ask rule scores


def score_of(scenario: Scenario) -> Formula | None:
    """The formula that the scenario's ask rule comes to; None if the rule is none of those that have one."""
    text = FORMULAS.get(scenario.ask, "").format(window=scenario.window, formula=scenario.formula)
    return Formula(text) if text else None


@dataclass(frozen=True)
class Asking:
    """A round before its question. Arrays have a row for every past item, in the order they were consumed.

    Points are turned so that the estimate points up: what looks better lies higher.
    """

    scenario: Scenario
    t: int  # the paper's round t
    x: np.ndarray  # (2,) the new item
    history: np.ndarray  # (t - 1, 2)
    length: float  # of the estimate
    H: np.ndarray  # (2, 2)
    variables: dict[str, np.ndarray]  # of a formula, (t - 1,) each

    @cached_property
    def gain(self) -> np.ndarray:
        """What the answer about each past item would tell: by how much the logarithm of det H grows."""
        return np.log1p(self.variables["slope"] * self.variables["reach"] ** 2)

    @cached_property
    def share(self) -> np.ndarray:
        """The same as a share of what the best question would tell."""
        best = self.gain.max()
        return self.gain / best if best > 0 else np.ones_like(self.gain)

    @cached_property
    def chance(self) -> np.ndarray:
        """How likely the user is to prefer the new item to each past one, by the estimate."""
        return LINKS[self.scenario.link].F(self.variables["gap"])

    @property
    def informative(self) -> int:
        """The index of the item that the informative rule asks about."""
        return int(self.gain.argmax())

    @property
    def papers(self) -> int:
        """The index of the item that the paper's rule asks about."""
        return int(self.variables["width"].argmax())

    @property
    def papers_share(self) -> float:
        """What the paper's question tells, as a share of what the best one would."""
        return float(self.share[self.papers])

    def scores(self, formula: Formula) -> np.ndarray:
        """(t - 1,) by a formula; what is no finite number becomes the largest or the least one there can be."""
        luck = np.random.default_rng(self.scenario.seed)
        found = formula({**self.variables, "random": lambda: luck.random(len(self.history))})
        least = np.finfo(float).min
        return np.nan_to_num(np.broadcast_to(found, len(self.history)), nan=least, neginf=least)

    def open_within(self, chance: float) -> float:
        """How far below or above the new item another one may lie for its answer to be open.

        Open is an answer that is neither way more likely than `chance`.
        """
        if not self.length:
            return math.inf
        low, high = 0.0, 1e9
        for _ in range(80):  # every link rises: halving finds where it reaches the chance
            middle = (low + high) / 2
            low, high = (low, middle) if LINKS[self.scenario.link].F(np.float64(middle)) > chance else (middle, high)
        return high / self.length


def scene(seed: int, radius: float) -> Scenario:
    """The run that the picture is of: a short one in the plane, asked by the paper's rule."""
    plain = Scenario(d=2, k=200, runs=1, seed=seed, radius=radius).resolved()
    return replace(plain, horizon=plain.tau + LATER)


@lru_cache(maxsize=64)
def one_round(scenario: Scenario) -> Asking:
    """The round after exploration in which the paper's question tells little, of those where another tells more.

    It is the first in which it tells less than `POOR` of what the best one would, or else that in which it tells least.
    """
    found = rounds(scenario)
    poor = [each for each in found if each.papers_share < POOR]
    return poor[0] if poor else min(found, key=lambda each: each.papers_share)


def rounds(scenario: Scenario) -> list[Asking]:
    """The rounds of a run after exploration, each before its question."""
    found: list[Asking] = []

    def scores(view: View, x: np.ndarray) -> np.ndarray:
        found.append(_asking(scenario, view, x))
        return found[-1].variables["width"][None]

    finish(play(scenario, 0, every_item=True, ask=scores))
    return found


def _asking(scenario: Scenario, view: View, x: np.ndarray) -> Asking:
    """What there is to see of the first run in a round."""
    variables = {name: values[0].copy() for name, values in question_variables(view, x, tuple(VARIABLES)).items()}
    history, H = view.uncertainty.history[0].T, np.linalg.inv(view.information.estimator.inverse_hessian()[0])
    length = float(np.linalg.norm(view.estimate[0]))
    up = view.estimate[0] / length if length else np.array([0.0, 1.0])
    turn = np.array([[up[1], -up[0]], up])  # takes the estimate to (0, length)
    return Asking(scenario, len(history) + 1, turn @ x[0], history @ turn.T, length, turn @ H @ turn.T, variables)
