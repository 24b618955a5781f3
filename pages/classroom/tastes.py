"""The class is the user: everybody answers the same questions about flowers. No Streamlit here.

Answers are kept as text, a letter a question: l and r for the left and the right flower, n for "can't say".
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from roam_core.catalogues import CATALOGUES
from roam_core.estimator import Estimator
from roam_core.links import LINKS

QUESTIONS, FEATURES, RADIUS = 12, 3, 6.0
SIDES = {"left": "l", "right": "r", "neither": "n"}
FLOWERS = CATALOGUES["flowers"]
BEST = 3  # flowers that are recommended


@cache
def embedding():
    """The flowers as items."""
    return FLOWERS.embedding(FEATURES, RADIUS)


@lru_cache(maxsize=256)
def pairs(seed: int) -> tuple[tuple[int, int], ...]:
    """The questions of a room: pairs of flowers that differ, in no direction again and again.

    Of some random pairs the one comes next that is longest where least was asked.
    """
    rng, items = np.random.default_rng(seed), embedding().items
    V, chosen = np.eye(FEATURES), []
    for _ in range(QUESTIONS):
        offered = rng.choice(len(items), (40, 2), replace=False)
        z = items[offered[:, 0]] - items[offered[:, 1]]
        best = int(np.vecdot(z, np.linalg.solve(V, z.T).T).argmax())
        V += np.outer(z[best], z[best])
        chosen.append((int(offered[best, 0]), int(offered[best, 1])))
    return tuple(chosen)


def parse(text: str) -> str:
    """The answers of a person; ValueError if they are none."""
    if not re.fullmatch(rf"[lrn]{{0,{QUESTIONS}}}", text, re.ASCII):
        raise ValueError("these are no answers")
    return text


@lru_cache(maxsize=32)  # when a game ends, all phones want the same
def estimates(seed: int, answers: tuple[str, ...]) -> np.ndarray:
    """(persons, d) the taste that is estimated of each, as on the page "You are the user"."""
    items, people = embedding().items, len(answers)
    estimator = Estimator(LINKS["logistic"], float(FEATURES), max(people, 1), FEATURES, QUESTIONS, reach=2 * RADIUS)
    for number, (left, right) in enumerate(pairs(seed)):
        said = np.array([text[number] if number < len(text) else "n" for text in answers] or ["n"])
        z = np.where((said == "n")[:, None], 0.0, items[left] - items[right])  # a zero z changes nothing
        estimator.add(z, said == "l")
    found = estimator.estimate[:people].copy()
    found.setflags(write=False)
    return found


@dataclass(frozen=True)
class Divided:
    """The question that divides the class most, and what is liked by either side."""

    number: int  # of the question, from 1
    pair: tuple[int, int]  # rows of the flowers
    counts: tuple[int, int]  # who preferred the left one, the right one
    best: tuple[list[int], list[int]]  # rows that are recommended to each half

    def side(self, text: str) -> str:
        """What somebody with these answers said to that question: l, r, n, or empty if nothing."""
        return text[self.number - 1 : self.number]


@lru_cache(maxsize=32)
def divided(seed: int, answers: tuple[str, ...]) -> Divided | None:
    """Where the class is divided most: the smaller side is the largest. None if all agree everywhere."""
    counts = [
        tuple(sum(text[number : number + 1] == side for text in answers) for side in "lr")
        for number in range(QUESTIONS)
    ]
    number = max(range(QUESTIONS), key=lambda n: (min(counts[n]), sum(counts[n])))
    if not min(counts[number]):
        return None
    found = estimates(seed, answers)
    halves = [np.array([text[number : number + 1] == side for text in answers]) for side in "lr"]
    best = tuple(recommended(found[half].mean(0)) for half in halves)
    return Divided(number + 1, pairs(seed)[number], counts[number], best)


def recommended(taste: np.ndarray) -> list[int]:
    """The flowers that are worth most to a taste (d,), in order; of near twins one."""
    items = embedding().items
    chosen: list[int] = []
    for row in np.argsort(-(items @ taste), kind="stable"):
        if all(np.linalg.norm(items[row] - items[other]) > 0.08 * RADIUS for other in chosen):
            chosen.append(int(row))
        if len(chosen) == BEST:
            break
    return chosen


def weights(found: np.ndarray) -> np.ndarray:
    """(persons, d) what tastes (persons, d) say of each feature: utility gained by a standard deviation of it."""
    return np.array([embedding().taste(theta)[:FEATURES] for theta in found]).reshape(-1, FEATURES)
