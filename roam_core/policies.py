"""What to recommend and what to ask: small interchangeable rules.

An algorithm is two pairs of rules, one for the exploration phase and one for the rounds after it. A recommend rule
picks x_t from the offer (the context set X_t). An ask rule picks y_t, from the history (ROAM) or from the offer
(CoLSTIM).

To add an ask rule or an algorithm, write it here and declare it in `ASK_RULES` or `ALGORITHMS`: scenarios, menus,
sweeps, command line and tests find it there.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

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
    already: np.ndarray = None  # (runs, j) indices of the past items that this round has asked about so far

    def __post_init__(self):
        if self.already is None:
            self.already = np.empty((len(self.estimate), 0), dtype=int)


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
    return _not_yet_asked(view, x).argmax(1)


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
    return first + _not_yet_asked(view, x)[:, first:].argmax(1)


def _not_yet_asked(view: View, x: np.ndarray) -> np.ndarray:
    """(runs, t) |x - y|^2 in V^-1 to every past item y; below all others where this round has asked about it."""
    squared = view.uncertainty.squared_to_history(x)
    if view.already.size:
        np.put_along_axis(squared, view.already, -np.inf, axis=1)
    return squared


def by_ask_rule(view: View, x: np.ndarray) -> np.ndarray:
    """What the scenario's ask rule says."""
    return ASK_RULES[view.scenario.ask].choose(view, x)


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
}

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
