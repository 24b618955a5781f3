"""A visitor's turn: their own questions in place of the rule's, round after round, beside ROAM's run on the same luck.

Worker processes import this module, so it does without Streamlit.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from pages.one_run.scene import picture
from pages.one_run.telling import item_name
from roam_core import Scenario, Trajectory, trajectory

# Each a round, and the round of the item asked about in it. An item 0 leaves the rounds up to there to the rule.
Choices = tuple[tuple[int, int], ...]

NOT_BY_ROUND = ("theta", "outline", "curves")  # lists of a picture that have no row a round
# What a picture tells of a round that has no question yet.
UNASKED = {"asked": -1, "outcome": None, "norm": None, "ratios": ""}
REGRET, ERROR, RATIO = range(3)  # the first curves of a picture
BOTH = {REGRET: "Regret", ERROR: "Error"}  # the curves in which ROAM's run is drawn too
QUESTION = "Which past item would you ask about?"
AHEAD = 20  # rounds after the first question that the curves have room for, at least


def reached(choices: Choices, rounds: int) -> int:
    """The round whose question comes next; the last one, if that has been asked."""
    return min(choices[-1][0] + 1, rounds)


def by_hand(choices: Choices) -> dict[int, int]:
    """The questions that are not left to the rule."""
    return {t: item for t, item in choices if item}


def your_run(scenario: Scenario, choices: Choices) -> dict[str, Any]:
    """What the picture of a scenario from `in_plane` shows with these questions, up to the round reached.

    Nothing is asked in that round yet, and nothing beyond it is told.
    """
    rounds, chosen = reached(choices, scenario.horizon), by_hand(choices)
    played = max(rounds, scenario.tau)
    run = trajectory(replace(scenario, horizon=played + 1), every_item=True, by_hand=chosen)
    part = _first_rounds(picture(run), played, rounds)
    for t in chosen:
        part["words"][t - 1] += f" {_instead(run, t - 1)}"
        part["stages"][t - 1][1] = f"You asked about {_item(run.asked[t - 1])}. {_instead(run, t - 1)}"
    if choices[-1][0] < scenario.horizon:
        begins = len(choices) == 1 and not choices[0][1]
        _leave_open(part, "" if begins else _told(run, rounds - 2, chosen))
    return part


def _first_rounds(shown: dict[str, Any], played: int, rounds: int) -> dict[str, Any]:
    """What a picture of so many rounds `played` tells of the first ones."""

    def cut(rows: list) -> list:
        return rows[: rounds + len(rows) - played]  # some parts have a row more: what the last round leads to

    part = {name: cut(rows) for name, rows in shown.items() if isinstance(rows, list) and name not in NOT_BY_ROUND}
    part["ellipsoids"] = {
        matrix: {name: cut(rows) if isinstance(rows, list) else rows for name, rows in ellipsoids.items()}
        for matrix, ellipsoids in shown["ellipsoids"].items()
    }
    part["curves"] = [{**curve, "lines": [cut(line) for line in curve["lines"]]} for curve in shown["curves"]]
    return part


def _leave_open(part: dict[str, Any], told: str) -> None:
    """Nothing is asked in the last round yet, so nothing is learnt in it; `told` is what the one before has brought."""
    for name, nothing in UNASKED.items():
        part[name][-1] = nothing
    part["curves"][RATIO]["lines"][0][-1] = None
    for rows in (part["estimate"], *(e[name] for e in part["ellipsoids"].values() for name in ("matrices", "axes"))):
        rows[-1] = rows[-2]
    recommended, rounds = part["stages"][-1][0], len(part["words"])
    part["words"][-1] = f"{told} Round {rounds}: {QUESTION[0].lower()}{QUESTION[1:]}".strip()
    part["stages"][-1] = [recommended, QUESTION, QUESTION, QUESTION]


def _told(run: Trajectory, t: int, chosen: dict[int, int]) -> str:
    """What the question of round t + 1 has brought."""
    yours = t + 1 in chosen
    winner = "new" if run.outcome[t] else "old"
    about = f"{'You' if yours else 'The rule'} asked about {_item(run.asked[t])}"
    before, after = (f"{error:.2f}" for error in run.error[t : t + 2])
    moved = "fell" if run.error[t + 1] < run.error[t] else "rose"
    change = f"{moved} from {before} to {after}" if before != after else f"stayed at {after}"
    luck = ": a single answer can mislead" if before != after and moved == "rose" else ""
    shrunk = f"It shrank the area of V's ellipsoid by {_shrinks(run, t, run.asked[t]):.1%}."
    area = _instead(run, t) if yours else shrunk
    return f"{about}: the user preferred the {winner} one. The error of the estimate {change}{luck}. {area}"


def _instead(run: Trajectory, t: int) -> str:
    """What the rule would have asked in round t + 1, and what it would have done to V."""
    yours, rule = (_shrinks(run, t, index) for index in (run.asked[t], run.by_rule[t]))
    shrank = f"Your question shrank the area of V's ellipsoid by {yours:.1%}"
    if run.asked[t] == run.by_rule[t]:
        return f"{shrank}. The rule would have asked the same."
    return f"{shrank}; the rule's, about {_item(run.by_rule[t])}, would have shrunk it by {rule:.1%}."


def _item(index: int) -> str:
    return f"item {item_name(index)} of round {index + 1}"


def _shrinks(run: Trajectory, t: int, index: int) -> float:
    """By what share a question about an item shrinks the area of the ellipsoid of V."""
    z = run.x[t] - run.x[index]
    return 1 - 1 / np.sqrt(1 + z @ np.linalg.solve(run.V[t], z))  # det(V + z z^T) = det(V) (1 + |z|^2 in V^-1)


def beside_roam(roam: dict[str, Any], yours: dict[str, Any], choices: Choices) -> dict[str, Any]:
    """The picture of your run, with what it shows of ROAM's: its estimate, its regret and its error."""
    rounds = len(yours["x"])
    begun = min(by_hand(choices), default=rounds)  # up to this round's question both runs are the same
    both = [_both(roam, yours, curve, begun) for curve in (REGRET, ERROR)]
    return {
        **roam,
        **yours,
        "ends": rounds,
        "curves": _curves(roam, yours, both, [begun, min(max(rounds, begun + AHEAD), roam["T"])]),
        "turn": {
            "choices": choices,
            "open": rounds if choices[-1][0] < rounds else None,
            "roam": roam["estimate"][: rounds + 1],
            "beside": [_beside(t, begun, *both) for t in range(1, rounds + 1)],
        },
    }


def _both(roam: dict[str, Any], yours: dict[str, Any], curve: int, begun: int) -> list[list[float | None]]:
    """Your line of a curve and ROAM's from the round `begun` on; regret counts from there."""
    lines = [run["curves"][curve]["lines"][0] for run in (yours, roam)]
    from_there = lines[0][begun - 1] if curve == REGRET else 0.0
    return [[None] * (begun - 1) + [value - from_there for value in line[begun - 1 :]] for line in lines]


def _curves(roam: dict[str, Any], yours: dict[str, Any], both: list, window: list[int]) -> list[dict[str, Any]]:
    """The small plots of your turn: in the first two both runs, in the others yours."""
    first, last = window
    joined = []
    for number, (theirs, own) in enumerate(zip(roam["curves"], yours["curves"], strict=True)):
        lines = both[number] if number in BOTH else [[None] * (first - 1) + line[first - 1 :] for line in own["lines"]]
        lines = [line[:last] for line in lines]
        top = _highest(lines, roam["tau"]) or _highest(lines, 0) or theirs["top"]
        curve = {**theirs, "lines": lines, "top": top, "colours": ["yours"], "window": window}
        if number in BOTH:
            curve |= {"title": BOTH[number], "colours": ["yours", "new"], "names": ["you", "ROAM"]}
        joined.append(curve)
    return joined


def _highest(lines: list[list[float | None]], after: int) -> float:
    """The largest value after a round, 0 if there is none. The first errors are far off and would squeeze the rest."""
    return max((value for line in lines for value in line[after:] if value is not None), default=0.0)


def _beside(t: int, begun: int, regrets: list[list], errors: list[list]) -> str:
    """How the two runs compare in round t, in words; regrets and errors are yours and ROAM's."""
    if t <= begun:
        return "Same taste, same items on offer, same luck as in ROAM's run: so far both runs are one."
    regret, error = ([f"{line[t - 1]:.2f}" for line in lines] for lines in (regrets, errors))
    rounds = f"Round {t}" if t == begun + 1 else f"Rounds {begun + 1} to {t}"
    return (
        f"{rounds}, same luck. Regret: yours {regret[0]}, ROAM's {regret[1]}. "
        f"Error of the estimate now: yours {error[0]}, ROAM's {error[1]}. {_verdict(regret, error)}"
    )


def _verdict(regrets: list[str], errors: list[str]) -> str:
    """Who is ahead, by the numbers as they are said, yours first."""
    signs = {
        what: np.sign(float(roams) - float(own)) for what, (own, roams) in (("regret", regrets), ("error", errors))
    }
    yours, roams = (" and ".join(what for what, sign in signs.items() if sign == side) for side in (1, -1))
    if not yours + roams:
        return "There is nothing between them yet."
    first = f"You are ahead in {yours}" if yours else f"ROAM is ahead in {roams}"
    return f"{first}{f', ROAM in {roams}' if yours and roams else ''}. In one run that can be luck."
