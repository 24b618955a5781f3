"""One batch of runs, advanced together round by round: the model and the algorithm of the paper."""

import itertools
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from roam_core.estimator import Estimator
from roam_core.extremes import ExtremeItems
from roam_core.information import Information
from roam_core.items import uniform_on_sphere
from roam_core.links import LINKS
from roam_core.offers import AllItems
from roam_core.policies import Scores, View
from roam_core.scenario import Scenario
from roam_core.uncertainty import Uncertainty

Outcome = TypeVar("Outcome")

FIRST_BATCHES = (2, 25)  # runs: few, so that a curve is there at once
BATCH = 40  # runs whose arrays still fit the cache
ITEMS_AT_ONCE = 2_000_000  # numbers drawn in one round, where all k items are drawn


@dataclass(frozen=True)
class Batch:
    """What a batch of runs measured; arrays are (runs, horizon) unless said otherwise."""

    regret: np.ndarray  # cumulative
    error: np.ndarray  # |theta - estimate| with the estimate that round t starts from
    # Critical ratio of the round's first question; NaN in rounds 1..tau and in round 1, infinite where CoLSTIM compares
    # x with x. Where a question is skipped it is that of the question: it says how rich the history is, used or not.
    ratio: np.ndarray
    # Index in the history (0 is the item of round 1) of y_t, which the round's first question is about; -1 where no
    # past item is asked about.
    asked: np.ndarray
    lambda_min: np.ndarray  # (runs,) smallest eigenvalue of V at tau + 1
    also_asked: np.ndarray = field(default=None, kw_only=True)  # (runs, horizon, m - 1) the same of further questions

    def __post_init__(self):
        if self.also_asked is None:
            object.__setattr__(self, "also_asked", np.empty((*self.asked.shape, 0), dtype=np.int32))


@dataclass(frozen=True)
class Round:
    """One round of all runs of a batch, handed to `watch`. Arrays are views: copy what you keep."""

    t: int  # 0 is the paper's round 1
    theta: np.ndarray
    estimate: np.ndarray
    V: np.ndarray
    offer: AllItems | ExtremeItems
    x: np.ndarray
    best: np.ndarray
    y: np.ndarray  # of the first question; equal to x where nothing was asked
    asked: np.ndarray
    outcome: np.ndarray  # of the first question
    ratio: np.ndarray
    by_rule: np.ndarray  # what the ask rule chose for the first question; `asked` differs where it was chosen by hand
    also_asked: np.ndarray  # (runs, m - 1) further questions
    also_outcome: np.ndarray  # (runs, m - 1) their outcomes; of no meaning where nothing was asked


def batch_sizes(scenario: Scenario) -> list[int]:
    """How the runs are cut into batches: a function of the scenario only, so that results never depend on the machine.

    >>> batch_sizes(Scenario(runs=100))
    [2, 25, 40, 33]
    """
    largest = max(1, min(BATCH, ITEMS_AT_ONCE // (scenario.k * scenario.d)))
    sizes, left = [], scenario.runs
    for wanted in itertools.chain(FIRST_BATCHES, itertools.repeat(BATCH)):
        sizes.append(min(wanted, largest, left))
        left -= sizes[-1]
        if not left:
            return sizes


def play(
    scenario: Scenario,
    index: int,
    watch: Callable[[Round], None] | None = None,
    every_item: bool = False,
    by_hand: Mapping[int, int] | None = None,
    ask: Scores | None = None,
    luck: int = 0,
) -> Generator[float, None, Batch]:
    """Play batch number `index`; yield the share done after every round, return the Batch.

    With `every_item` all k items are drawn: then the context sets are the same whatever the policy asks.

    `by_hand` are questions chosen beforehand, in every run of the batch: {25: 3} asks in round 25 about the item of
    round 3. Each takes the place of the round's first question. The ask rule is consulted all the same, so that no
    random draw shifts.

    `ask` takes the place of the scenario's ask rule: a function that scores the past items, see `simulate`.

    With another `luck` than 0 the same users, with the same items on offer, answer anew after exploration.

    With several questions per item (m) the user answers them one after the other, and V and the estimate take in each
    answer before the next question is chosen. They are about different past items, as many as the ask rule has, and
    each is skipped by itself. Exploration asks one, about the item before, as in the paper: lambda_min(V) at tau + 1
    and the history that exploration leaves do not depend on m.
    """
    s = scenario.resolved()
    chosen = _indices(s, by_hand or {})
    if ask and "ask" not in s.declared.uses:
        raise ValueError(f"ask = {name_of(ask)} is not allowed: {s.declared.words} has no ask rule")
    runs, d, T = batch_sizes(scenario)[index], s.d, s.horizon
    # One generator each for the world, the user's answers and the policy's own draws.
    seeds = np.random.SeedSequence(s.seed, spawn_key=(index,)).spawn(3)
    world, answers, own = (np.random.default_rng(seed) for seed in seeds)

    theta = uniform_on_sphere(world, (runs, d))
    algorithm = s.declared
    m = s.most_questions
    chance = answers.random((m, T, runs))
    if luck:
        anew = np.random.default_rng(np.random.SeedSequence(s.seed, spawn_key=(index, 1, luck)))
        chance[:, s.tau :] = anew.random((m, T, runs))[:, s.tau :]
    link, user = LINKS[s.link], LINKS[s.user_link]
    may_skip = "skip_below" in algorithm.uses and s.skip_below > 0
    estimator = Estimator(link, s.ridge, runs, d, m * T, reach=2 * s.radius)
    uncertainty = Uncertainty(s.ridge, runs, d, T)
    cheap = algorithm.two_items_matter and ExtremeItems.worthwhile(s.law, s.k) and not every_item
    offer = (ExtremeItems if cheap else AllItems)(s.law, s.k, theta, world)
    asked = np.full((runs, T, m), -1, dtype=np.int32)
    information = Information(estimator, uncertainty)
    view = View(
        s, link, offer, uncertainty, estimator.estimate, own, information, asked.reshape(runs, T * m), scores=ask
    )

    regret, error = np.zeros((runs, T)), np.empty((runs, T))
    lengths = np.full((2, runs, T), np.nan)  # squared, in V^-1: of the gap and of z
    about, outcome = np.zeros((runs, m), dtype=int), np.zeros((runs, m), dtype=bool)  # of the round's questions
    by_rule = np.full(runs, -1)
    lambda_min = np.full(runs, s.ridge)
    every_run = np.arange(runs)

    for t in range(T):
        exploring = t < s.tau
        recommend, question = algorithm.explore if exploring else algorithm.act
        offer.renew()
        x = recommend(view)
        best = offer.best()
        gap = best - x
        off = theta - estimator.estimate
        error[:, t] = np.vecdot(off, off)
        if watch:
            before = estimator.estimate.copy(), uncertainty.V.copy()
        for j in range(1 if exploring else max(1, min(m, t))):
            if not algorithm.asks_the_past:
                y = offer.at(question(view, x))
            elif t:
                view.already = about[:, :j]
                choice = question(view, x)
                if not j:
                    by_rule, choice = choice, chosen.get(t, choice)
                about[:, j] = asked[:, t, j] = choice
                y = uncertainty.history[every_run, :, about[:, j]]
            else:
                y = x  # round 1 has no history: nothing is asked
            z = x - y
            outcome[:, j] = chance[j, t] < user.F(np.vecdot(z, theta))

            if not j and not exploring and (t or not algorithm.asks_the_past):
                both = np.array([gap, z])
                np.vecdot(both, np.matvec(uncertainty.inverse, both), out=lengths[:, :, t])
            if j or (may_skip and not exploring):
                silent = (about[:, :j] == about[:, j, None]).any(1)  # the rule has no further question
                if may_skip:
                    known = np.vecdot(z, np.matvec(uncertainty.inverse, z)) < s.skip_below**2
                    silent |= known & estimator.estimate.any(1)  # the first question of all is asked
                asked[silent, t, j], y[silent], z[silent] = -1, x[silent], 0  # a zero z changes neither estimate nor V
            if not j:
                regret[:, t] = np.vecdot(gap + z / 2 if algorithm.pays_for_both else gap, theta)
                first = y
            estimator.add(z, outcome[:, j])
            uncertainty.probe(z)
        if watch:
            told = asked[:, t, 0], outcome[:, 0], _ratio(*lengths[:, :, t]), by_rule, asked[:, t, 1:], outcome[:, 1:]
            watch(Round(t, theta, *before, offer, x, best, first, *told))

        uncertainty.remember(x)
        if t + 1 == s.tau:
            lambda_min = np.linalg.eigvalsh(uncertainty.V)[:, 0]
        yield (t + 1) / T

    # Rounding in the choice of the best item may leave a gap of -1e-8 or so. Only a past item can be better than it.
    if not (algorithm.asks_the_past and algorithm.pays_for_both):
        np.maximum(regret, 0, out=regret)
    np.cumsum(regret, axis=1, out=regret)
    np.sqrt(error, out=error)
    return Batch(regret, error, _ratio(*lengths), asked[:, :, 0], lambda_min, also_asked=asked[:, :, 1:])


def _ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """The critical ratio, from squared lengths in V^-1: zero where the gap is zero, else infinite where z is zero."""
    ratio = np.where(above > 0, np.inf, 0 * above)  # NaN where there was no question
    np.divide(above, below, out=ratio, where=below > 0)
    return np.sqrt(ratio, out=ratio)


def _indices(s: Scenario, by_hand: Mapping[int, int]) -> dict[int, int]:
    """Questions chosen by hand, counted from 0; ValueError unless each is about an item of the past."""
    if by_hand and not s.declared.asks_the_past:
        raise ValueError(f"by_hand = {dict(by_hand)} is not allowed: {s.declared.words} does not ask about past items")
    for t, item in by_hand.items():
        if not 2 <= t <= s.horizon:
            raise ValueError(f"by_hand has a question in round {t}, allowed are rounds 2 to {s.horizon}")
        if not 1 <= item < t:
            raise ValueError(f"by_hand asks in round {t} about the item of round {item}, allowed are 1 to {t - 1}")
    return {t - 1: item - 1 for t, item in by_hand.items()}


def name_of(function: Callable) -> str:
    """What a function is called."""
    return getattr(function, "__qualname__", type(function).__name__)


def run_batch(
    scenario: Scenario,
    index: int,
    watch: Callable[[Round], None] | None = None,
    every_item: bool = False,
    ask: Scores | None = None,
) -> Batch:
    """Play one batch to its end."""
    return finish(play(scenario, index, watch, every_item, ask=ask))


def finish(playing: Generator[float, None, Outcome]) -> Outcome:
    """Play to the end; what the generator returns."""
    while True:
        try:
            next(playing)
        except StopIteration as stop:
            return stop.value
