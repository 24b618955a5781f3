"""ROAM for one user who exists: show an item, ask about an earlier one, learn from the answer."""

import inspect
import math
from typing import Any, NamedTuple

import numpy as np

from roam_core import given, saved
from roam_core.ellipses import curvature
from roam_core.estimator import Estimator
from roam_core.information import Information
from roam_core.links import LINKS
from roam_core.offers import GivenItems
from roam_core.policies import View
from roam_core.scenario import KNOBS, Scenario
from roam_core.uncertainty import Uncertainty

MOST_ROUNDS = int(KNOBS["horizon"].high)
ROUND = "a round is recommend(items), ask(), answer(prefers_new)"
QUANTILE = 1.959964  # of the normal law: 95% lie within so many standard deviations


class Prediction(NamedTuple):
    """The probability that an item is preferred to another, and an interval that should hold the user's own."""

    probability: float
    low: float
    high: float


class Roam:
    """Algorithm 1 of the paper for one user; what is not given is as in a `Scenario`.

    >>> items = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])  # four items with two features
    >>> roam = Roam(d=2, tau=3, seed=0)
    >>> for _ in range(12):
    ...     x = items[roam.recommend(items)]  # the item to show
    ...     j = roam.ask()  # which item of the past to compare it with; None in round 1
    ...     roam.answer(None if j is None else bool(x[0] >= roam.history[j][0]))  # somebody who likes the first feature
    >>> roam.round, int((items @ roam.estimate).argmax())
    (13, 0)
    >>> roam.predict(items[0], items[2]).probability > 0.9
    True
    >>> again = Roam.from_json(roam.to_json())  # goes on exactly where it was, also its random numbers
    >>> again.recommend(items) == roam.recommend(items)
    True

    A round is `recommend`, `ask`, `answer`, in this order. A call that is out of order raises a RuntimeError, a bad
    value a ValueError; then nothing has changed. What it hands out are copies.
    """

    def __init__(
        self,
        d: int = Scenario.d,
        tau: int | None = Scenario.tau,
        link: str = Scenario.link,
        *,
        seed: int = Scenario.seed,
        radius: float = Scenario.radius,
        ridge: float | None = Scenario.ridge,
        ask: str = Scenario.ask,
        window: int = Scenario.window,
        formula: str = Scenario.formula,
    ):
        settings = dict(link=link, seed=seed, radius=radius, ridge=ridge, ask=ask, window=window, formula=formula)
        s = Scenario(d=d, tau=tau, **settings, horizon=MOST_ROUNDS, k=2, runs=1).resolved()
        self._scenario = s
        self._rng = np.random.default_rng(s.seed)
        self._estimator = Estimator(LINKS[s.link], s.ridge, 1, s.d, MOST_ROUNDS, reach=2 * s.radius)
        self._uncertainty = Uncertainty(s.ridge, 1, s.d, MOST_ROUNDS)
        self._view = View(
            s,
            LINKS[s.link],
            GivenItems(self._rng),
            self._uncertainty,
            self._estimator.estimate,
            self._rng,
            Information(self._estimator, self._uncertainty),
            asked=np.full((1, MOST_ROUNDS), -1, dtype=np.int32),
        )
        self._x: np.ndarray | None = None  # (1, d) this round's item
        self._asked: list[int | None] = []  # one entry a round; this round's too, once it has asked
        self._answers: list[bool | None] = []

    def __repr__(self) -> str:
        changed = {name: value for name, value in self.settings.items() if value != getattr(Scenario, name)}
        return f"<Roam {', '.join(f'{name}={value!r}' for name, value in changed.items())}: round {self.round}>"

    # What it knows

    @property
    def settings(self) -> dict[str, Any]:
        """What it was made with, automatic values filled in: `Roam(**settings)` is a new one of its kind."""
        return {name: getattr(self._scenario, name) for name in SETTINGS}

    @property
    def round(self) -> int:
        """The number of the round, t: 1 at first, one more after every answer."""
        return len(self._answers) + 1

    @property
    def awaits(self) -> str:
        """The call that is next: recommend, ask or answer."""
        if self._x is None:
            return "recommend"
        return "ask" if len(self._asked) < self.round else "answer"

    @property
    def recommended(self) -> np.ndarray | None:
        """(d,) this round's item, x_t; None before `recommend`."""
        return None if self._x is None else self._x[0].copy()

    @property
    def question(self) -> int | None:
        """This round's question, an index into the history; None before `ask`, and in round 1."""
        return self._asked[-1] if self.awaits == "answer" else None

    @property
    def history(self) -> np.ndarray:
        """(t - 1, d) the items of the rounds before, in their order."""
        return self._uncertainty.history[0].T.copy()

    @property
    def asked(self) -> tuple[int | None, ...]:
        """What each of the rounds before asked about, an index into the history; None for round 1."""
        return tuple(self._asked[: len(self._answers)])

    @property
    def answers(self) -> tuple[bool | None, ...]:
        """What the user said in each of the rounds before: whether the new item was better, None for "can't say"."""
        return tuple(self._answers)

    @property
    def estimate(self) -> np.ndarray:
        """(d,) the estimated taste; zero before the first answer."""
        return self._estimator.estimate[0].copy()

    @property
    def covariance(self) -> np.ndarray:
        """(d, d) how uncertain the estimate is: H^-1 (J + ridge I) H^-1.

        H is the Hessian of the estimating equation, and J = sum F (1 - F) z z^T the covariance of its left side: that
        is the law of the estimate if there are many answers and the link is right. The ridge stands for a taste of
        which nothing else is known than that its coordinates have the variance 1 / ridge. With the logistic link all of
        it is H^-1.
        """
        s, estimate = self._scenario, self._estimator.estimate[0]
        rounds = [t for t, answer in enumerate(self._answers) if answer is not None]
        history = self._uncertainty.history[0].T
        z = history[rounds] - history[[self._asked[t] for t in rounds]] if rounds else np.zeros((0, s.d))
        p = LINKS[s.link].F(z @ estimate)
        J = (z.T * (p * (1 - p))) @ z + s.ridge * np.eye(s.d)
        root = np.linalg.solve(curvature(LINKS[s.link], s.ridge, z, estimate), np.linalg.cholesky(J))
        return root @ root.T

    def predict(self, x: np.ndarray, y: np.ndarray) -> Prediction:
        """The probability that the user prefers the item x (d,) to y (d,), with an interval of nominally 95%.

        With u = <x - y, estimate> it is F(u), and the interval reaches from F(u - 1.96 s) to F(u + 1.96 s), where s^2
        is the variance of u by `covariance`: a normal approximation, for a user who answers by this link. It is for the
        probability, not for an answer: that is one of two, whatever is known.
        """
        z = self._checked(x, "x", 1) - self._checked(y, "y", 1)
        u, reach = z @ self._estimator.estimate[0], QUANTILE * math.sqrt(z @ self.covariance @ z)
        return Prediction(*(float(p) for p in LINKS[self._scenario.link].F(np.array([u, u - reach, u + reach]))))

    # A round

    def recommend(self, items: np.ndarray) -> int:
        """Which of the items (k, d) to show, an index: any of them in the first tau rounds, then the best it knows."""
        self._expect("recommend")
        if self.round > MOST_ROUNDS:
            raise RuntimeError(f"this was round {MOST_ROUNDS}, and there are no more")
        offer = self._view.offer
        offer.put(self._checked(items, "items").T[None])
        self._x = self._rules[0](self._view)
        return int(offer.chosen[0])

    def ask(self) -> int | None:
        """Which item of the past to compare the new one with, an index into `history`; None in round 1."""
        self._expect("ask")
        self._put_question(int(self._rules[1](self._view, self._x)[0]) if self.round > 1 else None)
        return self._asked[-1]

    def answer(self, prefers_new: bool | None) -> None:
        """End the round with the answer: True if the new item was better, False if the past one was.

        With None nothing is learnt, but the item belongs to the past now: the user cannot say, or nothing was asked.
        """
        self._expect("answer")
        if not (prefers_new is None or isinstance(prefers_new, (bool, np.bool_))):
            raise ValueError(f"prefers_new = {prefers_new!r:.60} is not allowed: it must be True, False or None")
        if prefers_new is not None and self.question is None:
            raise ValueError(f"prefers_new = {prefers_new} is not allowed: round 1 asked nothing, so it must be None")
        if prefers_new is not None:
            z = self._x - self._uncertainty.history[:, :, self.question]
            self._estimator.add(z, np.array([prefers_new]))
            self._uncertainty.probe(z)
        self._uncertainty.remember(self._x)
        self._x = None
        self._answers.append(None if prefers_new is None else bool(prefers_new))

    @property
    def _rules(self):
        """How to recommend and what to ask in this round."""
        algorithm = self._scenario.declared
        return algorithm.explore if self.round <= self._scenario.tau else algorithm.act

    def _put_question(self, index: int | None) -> None:
        self._asked[len(self._answers) :] = [index]
        self._view.asked[0, len(self._answers)] = -1 if index is None else index

    def _expect(self, call: str) -> None:
        if self.awaits != call:
            raise RuntimeError(f"{call}() is out of order in round {self.round}: {self.awaits}() is next, {ROUND}")

    def _checked(self, items: Any, name: str, axes: int = 2) -> np.ndarray:
        return given.items(items, name, self._scenario.d, self._scenario.radius, axes)

    # As text

    def to_json(self) -> str:
        """All of it as text, from which `from_json` goes on: a list [x, question, answer] for each round.

        The last one ends where its round has come to.
        """
        rounds = [list(told) for told in zip(self.history.tolist(), self._asked, self._answers, strict=False)]
        if self._x is not None:
            rounds.append([self._x[0].tolist(), *self._asked[len(rounds) :]])
        return saved.write({"settings": self.settings, "rounds": rounds, "random": saved.state_of(self._rng)})

    @classmethod
    def from_json(cls, text: str) -> "Roam":
        """The one that `to_json` wrote, exactly where it was; ValueError if the text is no such thing.

        What the other was told is told to a new one, round by round: so every state it can come to is a sound one.
        """
        told = saved.read(text, {"settings": dict, "rounds": list, "random": list})
        settings, rounds = told["settings"], told["rounds"]
        if unknown := sorted(settings.keys() ^ set(SETTINGS)):
            raise ValueError(f"the saved text is damaged: its settings are not those of a Roam ({unknown[0]!r:.60})")
        roam = cls(**settings)
        if len(rounds) > MOST_ROUNDS:
            raise ValueError(f"the saved text has {len(rounds)} rounds, allowed are {MOST_ROUNDS}")
        for t, row in enumerate(rounds, start=1):
            if not (isinstance(row, list) and (len(row) == 3 or (t == len(rounds) and 1 <= len(row) <= 2))):
                raise ValueError(f"the saved text is damaged: round {t} is no item, question and answer")
            roam._repeat(*row)
        saved.restore(roam._rng, told["random"])
        return roam

    def _repeat(self, x: Any, *rest: Any) -> None:
        """Go through a round again, as far as it is told."""
        self._x = self._checked(x, f"the item of round {self.round}", 1)[None]
        for question in rest[:1]:
            asks = self.ask()  # some rules make the estimator look closer, which must happen again
            if asks is None or question is None:
                known = asks is question
            else:
                known = type(question) is int and 0 <= question < self.round - 1
            if not known:
                raise ValueError(f"the saved text is damaged: round {self.round} asks about {question!r:.60}")
            self._put_question(question)
        for answer in rest[1:]:
            self.answer(answer)


SETTINGS = tuple(inspect.signature(Roam).parameters)  # the fields of a Scenario that make sense for one user
