"""What to recommend and what to ask: small interchangeable rules.

An algorithm is two pairs of rules, one for the exploration phase and one for the rounds after it. A recommend rule
picks x_t from the offer (the context set X_t). An ask rule picks y_t, from the history (ROAM) or from the offer
(CoLSTIM). A rule that scores the past items can also be written as a formula (`formulas.py`), or as a function that is
handed to `simulate`.

To add an ask rule or an algorithm, write it here and declare it in `ASK_RULES` or `ALGORITHMS`: scenarios, menus,
sweeps, command line and tests find it there.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from roam_core.formulas import VARIABLES, Formula
from roam_core.information import Information
from roam_core.links import Link
from roam_core.offers import Offer
from roam_core.uncertainty import Uncertainty

if TYPE_CHECKING:
    from roam_core.scenario import Scenario


@dataclass
class View:
    """What a policy may look at in one round, for all runs at once. Theta is not in it."""

    scenario: "Scenario"
    link: Link
    offer: Offer  # X_t
    uncertainty: Uncertainty  # V_t and the history H_t
    estimate: np.ndarray  # (runs, d)
    rng: np.random.Generator
    information: Information  # H_t
    asked: np.ndarray  # (runs, questions) indices of the past items that were asked about so far; -1 for none
    already: np.ndarray = None  # (runs, j) those of this round
    scores: "Scores | None" = None  # what takes the place of the scenario's ask rule

    def __post_init__(self):
        if self.already is None:
            self.already = np.empty((len(self.estimate), 0), dtype=int)


# A rule of one's own: view, x (runs, d) -> a score for every past item (runs, t); the largest one is asked about
Scores = Callable[[View, np.ndarray], np.ndarray]


# Recommend rules: view -> x (runs, d)


def uniform(view: View) -> np.ndarray:
    """Any item of the offer."""
    return view.offer.uniform()


def greedy(view: View) -> np.ndarray:
    """The item with the largest estimated utility; any item while the estimate is zero, before the first answer."""
    return view.offer.best_along(view.estimate) if np.count_nonzero(view.estimate) else view.offer.uniform()


def perturbed(view: View) -> np.ndarray:
    """CoLSTIM's first item: argmax <x, estimate> + e_x |x| in V^-1, with e_x the link's noise clipped to [-c2, c2]."""
    values = view.offer.values(view.estimate)
    noise = np.clip(view.link.noise(view.rng, values.shape), -view.scenario.c2, view.scenario.c2)
    return view.offer.pick((values + noise * view.offer.norms(view.uncertainty)).argmax(1))


# Ask rules that look at the history: view, x (runs, d) -> index of y in it (runs,)
# Where a round has several questions, each is about another item. An item that was asked about already stands for "no
# further question", so a rule that does not look at `already` asks once.


def most_uncertain(view: View, x: np.ndarray) -> np.ndarray:
    """The paper's rule: the past item with the largest |x - y| in V^-1."""
    return _not_yet_asked(view, view.uncertainty.ranked_to_history(x)).argmax(1)


def informative(view: View, x: np.ndarray) -> np.ndarray:
    """The past item y whose question makes the determinant of H grow most: the largest F' |x - y|^2 in H^-1."""
    return _not_yet_asked(view, view.information.gains(x)).argmax(1)


def previous(view: View, x: np.ndarray) -> np.ndarray:
    """The item consumed just before."""
    return np.full(len(x), view.uncertainty.consumed - 1 - view.already.shape[1])


def random(view: View, x: np.ndarray) -> np.ndarray:
    """Any past item."""
    index = view.rng.integers(view.uncertainty.consumed - view.already.shape[1], size=len(x))
    for taken in np.sort(view.already, axis=1).T:
        index += index >= taken
    return index


def recent(view: View, x: np.ndarray) -> np.ndarray:
    """The most uncertain of the last `window` items."""
    first = max(0, view.uncertainty.consumed - view.scenario.window)
    return first + _not_yet_asked(view, view.uncertainty.ranked_to_history(x))[:, first:].argmax(1)


def by_formula(view: View, x: np.ndarray) -> np.ndarray:
    """The past item with the largest score by the scenario's formula, the earliest of those with the same.

    A score of NaN counts as minus infinity: the least there is.
    """
    formula = Formula(view.scenario.formula)
    return _largest(view, formula(question_variables(view, x, formula.names)))


def by_ask_rule(view: View, x: np.ndarray) -> np.ndarray:
    """What the scenario's ask rule says, or the scores that take its place."""
    if view.scores is None:
        return ASK_RULES[view.scenario.ask].choose(view, x)
    return _largest(view, _checked(view.scores(view, x), (len(x), view.uncertainty.consumed)))


def question_variables(view: View, x: np.ndarray, names: Iterable[str] = tuple(VARIABLES)) -> dict[str, np.ndarray]:
    """(runs, t) each, for x (runs, d) and every past item y: those of the variables of a formula that are named.

    Under the name "random" it is a function that draws such an array.
    """
    names, shape = set(names), (len(x), view.uncertainty.consumed)
    found = {"t": shape[1] + 1.0, "d": float(view.scenario.d), "r": view.scenario.radius}
    if "width" in names:
        found["width"] = np.sqrt(np.maximum(view.uncertainty.squared_to_history(x), 0))
    if "reach" in names:
        gap, squared = view.information.gaps_and_reaches(x)
        found["gap"], found["reach"] = gap.astype(float), np.sqrt(squared, dtype=float)
    elif names & {"gap", "slope"}:
        found["gap"] = view.information.gaps(x).astype(float)
    if "slope" in names:
        found["slope"] = view.link.slope(found["gap"])
    if "distance" in names:
        found["distance"] = view.information.distances(x)
    if "age" in names:
        found["age"] = np.arange(shape[1], 0.0, -1.0)
    if "asked" in names:
        found["asked"] = _times_asked(view)
    arrays = {name: np.broadcast_to(found[name], shape) for name in names - {"random"}}
    return arrays | ({"random": lambda: view.rng.random(shape)} if "random" in names else {})


def _times_asked(view: View) -> np.ndarray:
    """(runs, t) how often every past item has been asked about."""
    t, runs = view.uncertainty.consumed, len(view.asked)
    so_far = view.asked[:, : (t + 1) * view.scenario.most_questions] + 1  # 0 for no question
    counts = np.bincount((so_far + np.arange(runs)[:, None] * (t + 1)).ravel(), minlength=runs * (t + 1))
    return counts.reshape(runs, t + 1)[:, 1:].astype(float)


def _not_yet_asked(view: View, scores: np.ndarray) -> np.ndarray:
    """The scores (runs, t) of the past items, changed to below all others where this round has asked about one."""
    if view.already.size:
        np.put_along_axis(scores, view.already, -np.inf, axis=1)
    return scores


def _largest(view: View, scores: np.ndarray | float) -> np.ndarray:
    """(runs,) index of the largest of any scores (runs, t), the first of several; NaN counts as minus infinity."""
    least = np.finfo(float).min
    scores = np.broadcast_to(scores, (len(view.estimate), view.uncertainty.consumed))
    return _not_yet_asked(view, np.nan_to_num(scores, nan=least, posinf=np.inf, neginf=least)).argmax(1)


def _checked(scores: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """The scores that a function gave, or a ValueError that says what is wrong with them."""
    scores = np.asarray(scores)
    if scores.dtype.kind not in "biuf":
        raise ValueError(f"ask gave values of type {scores.dtype}, and scores must be numbers")
    if scores.shape != shape:
        raise ValueError(
            f"ask gave scores of shape {scores.shape}, and one for each run and past item is wanted: {shape} in round "
            f"{shape[1] + 1}"
        )
    if np.isnan(scores).any():
        run, item = np.argwhere(np.isnan(scores))[0]
        raise ValueError(f"ask gave a score that is not a number in round {shape[1] + 1}: run {run}, past item {item}")
    return scores.astype(float)


# Ask rules that look at the offer: view, x (runs, d) -> index of y in it (runs,)


def any_other(view: View, x: np.ndarray) -> np.ndarray:
    """Any item of the offer but x."""
    k = view.scenario.k
    return (view.offer.chosen + 1 + view.rng.integers(k - 1, size=len(x))) % k


def optimistic(view: View, x: np.ndarray) -> np.ndarray:
    """CoLSTIM's second item: argmax <y, estimate> + c1 |y - x| in V^-1. It may be x itself: then nothing is learnt."""
    spread = view.offer.distances(view.uncertainty, view.offer.chosen)
    return (view.offer.values(view.estimate) + view.scenario.c1 * spread).argmax(1)


def farthest(view: View, x: np.ndarray) -> np.ndarray:
    """The item of the offer with the largest |x - y| in V^-1. The best item is one of them: the ratio is at most 1."""
    return view.offer.distances(view.uncertainty, view.offer.chosen).argmax(1)


@dataclass(frozen=True)
class AskRule:
    """A way to choose the past item that a question is about."""

    choose: Callable[[View, np.ndarray], np.ndarray]  # of the view, it may look at anything but the offer
    words: str  # its name on screen; {window} stands for the scenario's window, and so for every field
    uses: tuple[str, ...] = ()  # fields of a scenario that matter to some ask rules only
    sentence: str = "The rule asks about {item}."  # what it did in a round; {past} is how many past items there are


@dataclass(frozen=True)
class Algorithm:
    """Rules for the two phases, each a pair (recommend, ask), and what the engine must know of them."""

    words: str  # its name on screen
    explore: tuple[Callable, Callable]
    act: tuple[Callable, Callable]
    asks_the_past: bool  # y comes from the history, so nothing is asked in round 1; otherwise from the offer
    pays_for_both: bool  # regret is the mean over x and y; otherwise that of x alone
    two_items_matter: bool  # of the offer only the item best along the estimate, and any at all, are ever looked at
    uses: tuple[str, ...] = ()  # fields of a scenario that matter to some algorithms only; those of ask rules follow

    def __post_init__(self):
        if not self.asks_the_past and (self.two_items_matter or {"ask", "skip_below", "questions"} & set(self.uses)):
            raise ValueError(
                f"{self.words}: an algorithm that takes y from the offer must look at all of it, and can have neither "
                "an ask rule nor a question threshold nor several questions per item"
            )
        if self.pays_for_both and "questions" in self.uses:
            raise ValueError(f"{self.words}: an algorithm that pays for y as well must ask one question per item")


ASK_RULES: dict[str, AskRule] = {
    "most_uncertain": AskRule(
        most_uncertain,
        "the most uncertain",
        sentence="Of {past} past items the question is about the most uncertain one, {item}.",
    ),
    "previous": AskRule(previous, "the previous item", sentence="The question is about the item just before, {item}."),
    "random": AskRule(random, "any past item", sentence="The question is about a past item drawn at random, {item}."),
    "recent": AskRule(
        recent,
        "most uncertain of last {window}",
        uses=("window",),
        sentence="Of the last {window} past items the question is about the most uncertain one, {item}.",
    ),
    "informative": AskRule(
        informative,
        "the most informative",
        sentence="Of {past} past items the question is about the one whose answer should tell most, {item}.",
    ),
    "formula": AskRule(
        by_formula,
        "the largest {formula}",
        uses=("formula",),
        sentence="Of {past} past items the question is about the one with the largest score, {item}.",
    ),
}


def compared_rules(scenario: "Scenario") -> list[str]:
    """The ask rules that differ from each other here: a formula is one of them as soon as it is not the paper's rule.

    So a comparison of all rules has a formula in it once there is one.
    """
    return [rule for rule in ASK_RULES if rule != "formula" or scenario.formula != "width"]


ALGORITHMS: dict[str, Algorithm] = {
    "roam": Algorithm(
        "ROAM",
        explore=(uniform, previous),
        act=(greedy, by_ask_rule),
        asks_the_past=True,
        pays_for_both=False,
        two_items_matter=True,
        uses=("ask", "skip_below", "questions"),
    ),
    "colstim": Algorithm(
        "CoLSTIM",
        explore=(uniform, any_other),
        act=(perturbed, optimistic),
        asks_the_past=False,
        pays_for_both=True,
        two_items_matter=False,
        uses=("c1", "c2"),
    ),
}

# The paper's remark: beta = 1 would do if y came from X_t. What its proof bounds then is still the regret of x alone.
FRESH = Algorithm(
    "ROAM with a fresh y",
    explore=(uniform, any_other),
    act=(greedy, farthest),
    asks_the_past=False,
    pays_for_both=False,
    two_items_matter=False,
)
# Algorithms that no menu, sweep or link offers: the page that explains one names it, and so may a script.
VARIANTS: dict[str, Algorithm] = {
    "roam_offer": FRESH,
    # The same choices, charged as the concurrent model charges them: the mean over the two items on show.
    "roam_offer_paid": replace(FRESH, words="ROAM with a fresh y, paid for", pays_for_both=True),
}
