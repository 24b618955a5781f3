"""Persons with a known taste who play ROAM with the items of a catalogue, many at once.

A real person answers some twenty questions. What can be learnt from so few is measured here before anybody is asked,
and afterwards with the taste that was estimated: how would it have gone with another question each time?
"""

from dataclasses import dataclass

import numpy as np

from roam_core.estimator import Estimator
from roam_core.information import Information
from roam_core.links import LINKS
from roam_core.policies import ASK_RULES, View
from roam_core.scenario import Scenario
from roam_core.uncertainty import Uncertainty


@dataclass(frozen=True)
class Answers:
    """What came of it for every person."""

    theta: np.ndarray  # (persons, d) the tastes
    estimate: np.ndarray  # (persons, questions, d) after each answer
    covariance: np.ndarray  # (persons, d, d) H^-1 at the end

    @property
    def angles(self) -> np.ndarray:
        """(persons, questions) degrees between the estimate and the taste after each answer."""
        return angles(self.estimate, self.theta[:, None])


def angles(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Degrees between vectors (..., d); 90 where one of them is zero."""
    lengths = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    cosine = np.divide(np.vecdot(one, other), lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return np.degrees(np.arccos(np.clip(cosine, -1, 1)))


def ask_persons(theta: np.ndarray, items: np.ndarray, scenario: Scenario) -> Answers:
    """Play `scenario` with persons of tastes theta (persons, d) and a catalogue of items (n, d).

    Each round offers k items that the person has not consumed yet, drawn at random. The scenario's field `items` does
    not matter, and runs is the number of persons.
    """
    s = scenario.resolved()
    persons, d = theta.shape
    if s.horizon > len(items):
        raise ValueError(f"horizon = {s.horizon} is not allowed: there are {len(items)} items, each shown once")
    offers, luck, own = (np.random.default_rng(seed) for seed in np.random.SeedSequence(s.seed).spawn(3))
    link, user = LINKS[s.link], LINKS[s.user_link]
    estimator = Estimator(link, s.ridge, persons, d, s.horizon, reach=2 * s.radius)
    uncertainty = Uncertainty(s.ridge, persons, d, s.horizon)
    asked = np.full((persons, s.horizon), -1, dtype=np.int32)
    view = View(
        s, link, None, uncertainty, estimator.estimate, own, Information(estimator, uncertainty), asked
    )  # ask rules look at no offer
    every, seen = np.arange(persons), np.zeros((persons, len(items)), dtype=bool)
    estimate = np.empty((persons, s.horizon - 1, d))
    for t in range(s.horizon):
        rows = _offer(offers, seen, min(s.k, len(items) - t))
        values = np.vecdot(items[rows], estimator.estimate[:, None])
        best = values.argmax(1) if t >= s.tau else np.zeros(persons, dtype=int)  # the rows come in random order
        x = items[rows[every, best]]
        seen[every, rows[every, best]] = True
        if t:
            rule = ASK_RULES["previous" if t < s.tau else s.ask]
            asked[:, t] = rule.choose(view, x)
            z = x - uncertainty.history[every, :, asked[:, t]]
            estimator.add(z, luck.random(persons) < user.F(np.vecdot(z, theta)))
            uncertainty.probe(z)
            estimate[:, t - 1] = estimator.estimate
        uncertainty.remember(x)
    return Answers(theta, estimate, estimator.inverse_hessian().copy())


def _offer(rng: np.random.Generator, seen: np.ndarray, k: int) -> np.ndarray:
    """(persons, k) rows of the catalogue that are not among `seen` (persons, n), in random order."""
    lots = rng.random(seen.shape)
    lots[seen] = 2
    first = np.argpartition(lots, k - 1, axis=1)[:, :k]
    return np.take_along_axis(first, np.take_along_axis(lots, first, 1).argsort(1), 1)
