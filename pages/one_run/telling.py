"""What the page "One run in 2-D" tells of each round, in words. Worker processes import it: no Streamlit here."""

import numpy as np

from pages.words import spoken
from roam_core import Trajectory
from roam_core.ellipses import Reach
from roam_core.links import LINKS
from roam_core.policies import ASK_RULES


def item_name(index: int) -> str:
    """What the item of round index + 1 is called, so that a class can talk of it: A to Z, then AA, AB and so on.

    >>> item_name(0), item_name(25), item_name(26), item_name(52)
    ('A', 'Z', 'AA', 'BA')
    """
    before, letter = divmod(index, 26)
    return (item_name(before - 1) if before else "") + chr(ord("A") + letter)


def words(run: Trajectory, t: int) -> str:
    """Round t + 1 in a few sentences."""
    utility, best = run.x[t] @ run.theta, run.best[t] @ run.theta
    first = (
        f"Round {t + 1}. Recommended item {_number(run, t)}: worth {utility:.2f} to the user, the best was {best:.2f}. "
    )
    if t == 0:
        return first + "There is no past item to compare it with yet."
    winner = "the new item" if run.outcome[t] else "the old one"
    first += f"Compared with {_past(run, t)}: the user prefers {winner}. "
    before, after = _errors(run, t)
    if before == after:
        return first + f"The estimate's error stays at {before}."
    if run.error[t + 1] < run.error[t]:
        return first + f"The estimate's error falls from {before} to {after}."
    return first + f"The estimate's error rises from {before} to {after}: a single answer can mislead."


def stages(run: Trajectory, reached: Reach, t: int) -> list[str]:
    """The four stages of round t + 1, a sentence or two each."""
    scenario = run.scenario
    exploring = t < scenario.tau
    drawn_at_random = exploring or not run.estimate[t].any()
    recommend = f"Item {_number(run, t)} of the {scenario.k} on offer is " + (
        "drawn at random. " if drawn_at_random else "the one that reaches farthest along the estimate. "
    )
    recommend += f"It is worth {run.x[t] @ run.theta:.2f} to the user; the best would be {run.best[t] @ run.theta:.2f}."
    if t == 0:
        nothing = "The history is empty, so nothing is asked in round 1."
        return [recommend, nothing, nothing, "Nothing is learnt yet, but the first item is in the history now."]
    share = reached.before[t] / reached.farthest[t]
    rule = ASK_RULES["previous" if exploring else scenario.ask]
    ask = rule.sentence.format(item=_past(run, t), past=t, **vars(scenario)) + " "
    ask += (
        "The arrow between the two is the probe. It is measured in V⁻¹, where a direction hardly asked about counts as "
        f"long: {spoken(reached.before[t], 2)}"
    )
    ask += ", the longest possible." if share > 1 - 1e-9 else f", {share:.0%} of the longest possible."
    answer = f"The user prefers {'the new item' if run.outcome[t] else 'the old item'}. "
    answer += f"The new one had a chance of {_chance(run, t):.0%} to be preferred."
    return [recommend, ask, answer, _learn(run, reached, t)]


def of_the_ratio(run: Trajectory, reached: Reach, t: int) -> str:
    """What the critical ratio of round t + 1 says."""
    if t == 0:
        return "Nothing is asked in round 1, so there is no critical ratio."
    if t < run.scenario.tau:
        return "Exploration recommends at random, so no critical ratio is counted there."
    if run.ratio[t] == 0:
        return "The recommended item is the best on offer. There is no mistake, so the critical ratio is 0."
    if not np.isfinite(run.ratio[t]):
        return "The item is compared with itself and is not the best on offer: the critical ratio is infinite."
    mistake, question, ratio = (spoken(value, 2) for value in (reached.mistake[t], reached.before[t], run.ratio[t]))
    small = "question reaches farther than the mistake" if run.ratio[t] < 1 else "mistake reaches at least as far"
    return (
        f"Critical ratio {ratio}: {mistake} from the new item to the best one, divided by {question} to the asked one. "
        f"The {small}."
    )


def _past(run: Trajectory, t: int) -> str:
    """The past item that round t + 1 asks about."""
    asked = run.asked[t]
    return f"item {item_name(asked)} of round {asked + 1}" + (", from exploration" if asked < run.scenario.tau else "")


def _chance(run: Trajectory, t: int) -> float:
    """How likely the user was to prefer the new item."""
    return float(LINKS[run.scenario.user_link].F(run.z[t] @ run.theta))


def _errors(run: Trajectory, t: int) -> tuple[str, str]:
    """The estimation error before and after the answer of round t + 1, as text."""
    return f"{run.error[t]:.2f}", f"{run.error[t + 1]:.2f}"


def _learn(run: Trajectory, reached: Reach, t: int) -> str:
    """What the answer of round t + 1 does to V and to the estimate, and why it may do harm."""
    learn = f"What was unknown in the direction of the probe {_fall(reached, t)}. "
    before, after = _errors(run, t)
    if before == after:
        return learn + f"The estimate hardly moves: its error stays at {before}."
    if run.error[t + 1] < run.error[t]:
        return learn + f"The estimate moves closer to the taste: its error falls from {before} to {after}."
    learn += f"The error rises from {before} to {after}: a single answer can mislead. "
    likely = _chance(run, t) if run.outcome[t] else 1 - _chance(run, t)
    if likely < 0.5:
        return learn + f"This one had a chance of only {likely:.0%}. Over many answers such chance evens out."
    return learn + (
        f"Even a likely one ({likely:.0%}) says which item won and not by how much. Over many answers that evens out."
    )


def _fall(reached: Reach, t: int) -> str:
    before, after = (f"{value:.3g}" for value in (reached.before[t], reached.after[t]))
    return f"fell from {before} to {after}" if before != after else f"is {before}, so small that it hardly falls"


def _number(run: Trajectory, t: int) -> int:
    """Where the recommended item stands in its context set, from 1."""
    return int(np.abs(run.contexts[t] - run.x[t]).sum(1).argmin()) + 1
