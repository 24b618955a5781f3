"""What to recommend and what to ask: small interchangeable rules.

A policy is two pairs of rules, one for the exploration phase and one for the rounds after it. A recommend rule picks
x_t from the offer (the context set X_t). An ask rule picks y_t, from the history (ROAM) or from the offer (CoLSTIM).

To add an ask rule, write it here and name it in `ASK_RULES`: scenario, command line and tests find it there.
"""

from collections.abc import Callable
from dataclasses import dataclass
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


# Recommend rules: view -> x (runs, d)


def uniform(view: View) -> np.ndarray:
    """Any item of the offer."""
    return view.offer.uniform()


def greedy(view: View) -> np.ndarray:
    """The item with the largest estimated utility; any item while the estimate is zero, before the first answer."""
    return view.offer.best_along(view.estimate) if view.estimate.any() else view.offer.uniform()


def perturbed(view: View) -> np.ndarray:
    """CoLSTIM's first item: argmax <x, estimate> + e_x |x| in V^-1, with e_x the link's noise clipped to [-c2, c2]."""
    values = view.offer.values(view.estimate)
    noise = np.clip(view.link.noise(view.rng, values.shape), -view.scenario.c2, view.scenario.c2)
    return view.offer.pick((values + noise * view.offer.norms(view.uncertainty)).argmax(1))


# Ask rules of ROAM: view, x (runs, d) -> index of y in the history (runs,)


def most_uncertain(view: View, x: np.ndarray) -> np.ndarray:
    """The paper's rule: the past item with the largest |x - y| in V^-1."""
    return view.uncertainty.squared_to_history(x).argmax(1)


def previous(view: View, x: np.ndarray) -> np.ndarray:
    """The item consumed just before."""
    return np.full(len(x), view.uncertainty.consumed - 1)


def random(view: View, x: np.ndarray) -> np.ndarray:
    """Any past item."""
    return view.rng.integers(view.uncertainty.consumed, size=len(x))


def recent(view: View, x: np.ndarray) -> np.ndarray:
    """The most uncertain of the last `window` items."""
    first = max(0, view.uncertainty.consumed - view.scenario.window)
    return first + view.uncertainty.squared_to_history(x)[:, first:].argmax(1)


# Ask rules of CoLSTIM: view, x (runs, d) -> index of y in the offer (runs,)


def any_other(view: View, x: np.ndarray) -> np.ndarray:
    """Any item of the offer but x."""
    k = view.scenario.k
    return (view.offer.chosen + 1 + view.rng.integers(k - 1, size=len(x))) % k


def optimistic(view: View, x: np.ndarray) -> np.ndarray:
    """CoLSTIM's second item: argmax <y, estimate> + c1 |y - x| in V^-1. It may be x itself: then nothing is learnt."""
    spread = view.offer.distances(view.uncertainty, view.offer.chosen)
    return (view.offer.values(view.estimate) + view.scenario.c1 * spread).argmax(1)


@dataclass(frozen=True)
class Policy:
    """Rules for the two phases, each a pair (recommend, ask)."""

    explore: tuple[Callable, Callable]
    act: tuple[Callable, Callable]
    recycles: bool  # y comes from the history and costs no regret; otherwise from the offer, at half the regret


ASK_RULES = {rule.__name__: rule for rule in (most_uncertain, previous, random, recent)}

ALGORITHMS: dict[str, Callable[["Scenario"], Policy]] = {
    "roam": lambda scenario: Policy((uniform, previous), (greedy, ASK_RULES[scenario.ask]), recycles=True),
    "colstim": lambda scenario: Policy((uniform, any_other), (perturbed, optimistic), recycles=False),
}
