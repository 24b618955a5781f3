"""Ten evenings of one user in two lanes, concurrent and history-constrained, as plain data for a picture.

Both lanes are played by the real algorithms, CoLSTIM and ROAM, on the same offers and with the same luck.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pages.films import FEATURES, Film, cast
from roam_core import Result, Scenario, Trajectory, simulate, trajectory

# Two features, so that a film can be drawn. The ridge is larger than usual: ten answers are very few. It was chosen by
# looking: of some sixty settings tried, this one is easy to follow, as CoLSTIM never shows this user one film twice. It
# is kind to ROAM: the past is cheaper for 66% of the users, with a ridge of 1 for 60%, with 0.5 for 58%.
USERS = Scenario(d=2, tau=3, k=5, horizon=10, runs=1000, ridge=2.0)


@dataclass(frozen=True)
class Evening:
    """One round of a lane, with films as items."""

    x: Film
    y: Film | None  # nothing is asked on the first evening of the lane that asks about the past
    since: int  # the evening of y
    prefers_x: bool
    how: str  # x was found, if not by what was learnt


def say_concurrent(evening: Evening) -> str:
    """What happened on an evening with two fresh films."""
    preferred = evening.x if evening.prefers_x else evening.y
    return (
        f"“{evening.x.title}” and “{evening.y.title}” are shown{evening.how}. You prefer “{preferred.title}”, "
        "and the evening costs the mean of the two."
    )


def say_history(evening: Evening) -> str:
    """What happened on an evening with one fresh film and the past."""
    watched = f"You watch “{evening.x.title}”{evening.how}, and pay for it."
    if evening.y is None:
        return f"{watched} There is no past yet, so nothing is asked."
    answer = "Yes" if evening.prefers_x else "No"
    return f"{watched} Was it better than “{evening.y.title}” of evening {evening.since}? {answer}."


@dataclass(frozen=True)
class Lane:
    """A way to learn from comparisons, and who plays it."""

    title: str
    algorithm: str
    say: Callable[[Evening], str]


LANES = (
    Lane("Concurrent: two fresh films", "colstim", say_concurrent),
    Lane("History-constrained: one fresh film and the past", "roam", say_history),
)


def ten_evenings() -> dict[str, Any]:
    """Everything the picture shows as plain numbers and words, the user's taste and the verdict."""
    results = [simulate(replace(USERS, algorithm=lane.algorithm)) for lane in LANES]
    runs = [trajectory(result.scenario, typical(results), every_item=True) for result in results]
    contexts = runs[0].contexts  # (T, k, d), the same in both lanes
    films = cast(contexts.reshape(-1, USERS.d))
    offers = np.arange(len(films)).reshape(contexts.shape[:2])  # (T, k) which films
    best = [offers[t, nearest(contexts[t], x)] for t, x in enumerate(runs[0].best)]
    return {
        "films": [{"title": film.title, "poster": film.poster} for film in films],
        "evenings": [{"offer": offer.tolist(), "best": int(b)} for offer, b in zip(offers, best, strict=True)],
        "lanes": [
            {"title": lane.title, "evenings": told(lane, run, films, offers)}
            for lane, run in zip(LANES, runs, strict=True)
        ],
        "taste": ", ".join(ends[int(value > 0)] for ends, value in zip(FEATURES, runs[0].theta, strict=True)),
        "less": int(np.argmin([run.regret[-1] for run in runs])),
        "verdict": verdict(results, runs),
    }


def typical(results: list[Result]) -> int:
    """The user whose totals of regret are nearest to the medians of all users, in both lanes together."""
    totals = np.array([result.regret[:, -1] for result in results])  # (lanes, runs)
    return int(np.linalg.norm(totals - np.median(totals, axis=1, keepdims=True), axis=0).argmin())


def nearest(items: np.ndarray, item: np.ndarray) -> int:
    """The index of an item (d,) among items (n, d)."""
    return int(np.linalg.norm(items - item, axis=1).argmin())


def told(lane: Lane, run: Trajectory, films: list[Film], offers: np.ndarray) -> list[dict[str, Any]]:
    """A lane, evening by evening: which films are new, which evening the question goes back to, what is paid."""
    watched = [int(offers[t, nearest(run.contexts[t], x)]) for t, x in enumerate(run.x)]
    evenings = []
    for t, paid in enumerate(np.diff(run.regret, prepend=0)):
        asks, back = not np.isnan(run.outcome[t]), int(run.asked[t])
        fresh = asks and back < 0  # y is on offer tonight
        y = int(offers[t, nearest(run.contexts[t], run.y[t])]) if fresh else watched[back] if asks else None
        evening = Evening(
            x=films[watched[t]],
            y=None if y is None else films[y],
            since=back + 1,
            prefers_x=run.outcome[t] == 1,
            how=", picked at random" if t < run.scenario.tau else "",
        )
        new = [watched[t], y] if fresh else [watched[t]]
        evenings.append(
            {
                "new": new,
                "asks": asks,
                "back": back if back >= 0 else None,
                "paid": float(paid),
                "words": lane.say(evening),
            }
        )
    return evenings


def verdict(results: list[Result], runs: list[Trajectory]) -> str:
    """What each lane paid, and how that was for all users."""
    totals = np.array([result.regret[:, -1] for result in results])
    (concurrent, past), cheaper = totals.mean(axis=1), np.mean(totals[1] < totals[0])
    return (
        f"Two fresh films an evening cost {runs[0].regret[-1]:.1f}, one with the past {runs[1].regret[-1]:.1f}. This "
        f"user is the most typical of {USERS.runs:,}: the two totals are nearest to the medians. On average over all "
        f"of them it was {concurrent:.1f} against {past:.1f}, and the past was cheaper for {cheaper:.0%}. "
        "Ten evenings are few: step 3 shows a thousand."
    )
