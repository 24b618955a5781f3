"""A sitting: one person, one catalogue, some questions, and pairs on which what was learnt is put to the test.

It is the same whenever it is played with the same settings and answers: the offers and the test pairs of a sitting
depend on its seed only. So its answers are all that needs to be kept.
"""

import uuid
from dataclasses import dataclass, field

import numpy as np

from pages.you.coin import Score
from roam_core.catalogues import Catalogue
from roam_core.roam import Roam

ON_OFFER = 50  # items on offer in each round
CHOICES = {  # what a sitting can be played with
    "d": (2, 3, 4, 5),
    "questions": (10, 20, 30, 40),
    "tau": (3, 5, 8, 12),
    "radius": (3.0, 6.0, 10.0),
    "ask": ("most_uncertain", "informative", "previous", "random"),
    "every": (0, 1, 2, 4),
}
LAST_SEED = 9999
LEFT, RIGHT, NEITHER = "left", "right", "neither"
SIDES = (LEFT, RIGHT, NEITHER)


@dataclass(frozen=True)
class Settings:
    """What a sitting is played with; its fields are the parameters of the page's link."""

    catalogue: str = "flowers"
    d: int = 3
    questions: int = 20
    tau: int = 5
    radius: float = 6.0
    ask: str = "most_uncertain"
    every: int = 2  # how many questions there are from one test to the next; 0 for no tests
    guess: bool = False  # a friend predicts too
    seed: int = 0

    def __post_init__(self):
        for name, allowed in CHOICES.items():
            value = getattr(self, name)
            if isinstance(value, bool) or value not in allowed:
                raise ValueError(f"{name} = {value!r:.40} is not one of {', '.join(map(str, allowed))}")
        if type(self.seed) is not int or not 0 <= self.seed <= LAST_SEED:
            raise ValueError(f"seed = {self.seed!r:.40} is not a whole number from 0 to {LAST_SEED}")
        if not isinstance(self.guess, bool) or not isinstance(self.catalogue, str):
            raise ValueError("guess must be true or false, and catalogue a name")

    @property
    def ridge(self) -> float:
        """As for a taste of which nothing is known but that its length is about 1."""
        return float(self.d)

    def tests_after(self, asked: int) -> bool:
        """Whether a test comes after so many questions: the first one after exploration, and then every few."""
        return bool(self.every) and asked > self.tau and (asked - self.tau - 1) % self.every == 0


@dataclass(frozen=True)
class Question:
    """What is on screen: an item to look at, a question that is learnt from, or a test that is not."""

    number: int  # in the sitting, from 1
    t: int  # the round
    left: int  # row of the catalogue: the new item, or one of a test's pair
    right: int | None  # row: the past item, or the other one of the pair; None where there is nothing to ask
    since: int | None = None  # the round of the past item; None in a test
    sealed: float | None = None  # in a test, what was predicted beforehand: the probability that the left one is liked

    @property
    def is_test(self) -> bool:
        """Whether nothing is learnt from it."""
        return self.sealed is not None

    @property
    def predicted(self) -> str:
        """The side that was predicted."""
        return LEFT if self.sealed >= 0.5 else RIGHT


@dataclass(frozen=True)
class Answered:
    """A question and what was said to it."""

    question: Question
    side: str
    friend: str | None = None  # what a friend predicted

    @property
    def counts(self) -> bool:
        """Whether it is a test that was answered."""
        return self.question.is_test and self.side != NEITHER

    @property
    def hit(self) -> bool:
        """Whether the sealed prediction came true."""
        return self.counts and self.question.predicted == self.side

    @property
    def friends_hit(self) -> bool:
        """Whether the friend's prediction came true."""
        return self.counts and self.friend == self.side


@dataclass
class Sitting:
    """ROAM plays with a person. `now` is what is on screen, None at the end; `take` answers it."""

    settings: Settings
    catalogue: Catalogue
    answered: list[Answered] = field(default_factory=list)
    estimates: list[np.ndarray] = field(default_factory=list)  # after each question that is learnt from
    stopped: bool = False
    name: str = field(default_factory=lambda: uuid.uuid4().hex)  # that no other sitting has

    def __post_init__(self):
        s = self.settings
        self.embedding = self.catalogue.embedding(s.d, s.radius)
        self.roam = Roam(s.d, s.tau, ask=s.ask, seed=s.seed, radius=s.radius, ridge=s.ridge)
        self.consumed: list[int] = []  # rows, a round each
        self.friend: str | None = None  # what the friend predicts of the test on screen
        self._now: Question | None = self._recommend()

    # What is known

    @property
    def now(self) -> Question | None:
        """What is on screen; None when it is over."""
        return None if self.stopped else self._now

    @property
    def asks_friend(self) -> bool:
        """Whether the friend has to predict what is on screen."""
        return bool(self.settings.guess and self.now and self.now.is_test and self.friend is None)

    @property
    def asked(self) -> list[Answered]:
        """The questions that are learnt from, without the tests and what was only looked at."""
        return [one for one in self.answered if one.question.since is not None]

    @property
    def tests(self) -> list[Answered]:
        """The tests that were answered."""
        return [one for one in self.answered if one.counts]

    @property
    def questions(self) -> int:
        """How many questions there are at most: each item is shown once, so a small catalogue has fewer."""
        return min(self.settings.questions, len(self.catalogue.names) - 1)

    @property
    def length(self) -> int:
        """How many questions and tests there are at most."""
        return self.questions + sum(map(self.settings.tests_after, range(1, self.questions + 1)))

    @property
    def score(self) -> Score:
        """The hits of the sealed predictions."""
        return Score(sum(one.hit for one in self.tests), len(self.tests))

    @property
    def friends_score(self) -> Score:
        """The hits of the friend."""
        return Score(sum(one.friends_hit for one in self.tests), len(self.tests))

    @property
    def learnt(self) -> int:
        """How many answers were learnt from."""
        return sum(one.side != NEITHER for one in self.asked)

    @property
    def estimate(self) -> np.ndarray:
        """(d,) the taste it believes in."""
        return self.roam.estimate

    def ranking(self) -> np.ndarray:
        """Rows of the catalogue, what it thinks this person likes best first."""
        return np.argsort(-(self.embedding.items @ self.estimate), kind="stable")

    # How it goes on

    def take(self, number: int, side: str) -> bool:
        """Answer the question of that number; False, and nothing is changed, if it is not on screen any more."""
        asked = self.now
        if asked is None or asked.number != number or side not in SIDES:
            return False
        if self.asks_friend:
            self.friend = side
            return True
        self.answered.append(Answered(asked, side, self.friend))
        self.friend = None
        if not asked.is_test:
            self._learn(asked, side)
        self._now = self._next(asked)
        return True

    def _learn(self, asked: Question, side: str) -> None:
        self.roam.answer(None if side == NEITHER or asked.right is None else side == LEFT)
        if asked.right is not None:
            self.estimates.append(self.estimate)

    def _next(self, last: Question) -> Question | None:
        asked = len(self.asked)
        if not last.is_test and self.settings.tests_after(asked) and self.estimate.any():
            return self._test(asked)
        return self._recommend() if asked < self.questions else None

    def _recommend(self) -> Question:
        """The next round: an item that was not shown before, and the past item to compare it with."""
        t = len(self.consumed)
        fresh = np.setdiff1d(np.arange(len(self.catalogue.names)), self.consumed)
        rng = np.random.default_rng([self.settings.seed, t])
        offer = rng.choice(fresh, min(ON_OFFER, len(fresh)), replace=False)
        row = int(offer[self.roam.recommend(self.embedding.items[offer])])
        back = self.roam.ask()
        past = None if back is None else self.consumed[back]
        self.consumed.append(row)
        return Question(len(self.answered) + 1, t + 1, row, past, None if back is None else back + 1)

    def _test(self, asked: int) -> Question:
        """A random pair, with the prediction that is sealed now."""
        rng = np.random.default_rng([self.settings.seed, asked, 1])
        left, right = (int(row) for row in rng.choice(len(self.catalogue.names), 2, replace=False))
        sealed = self.roam.predict(self.embedding.items[left], self.embedding.items[right]).probability
        return Question(len(self.answered) + 1, len(self.consumed), left, right, sealed=sealed)
