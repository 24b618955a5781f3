"""What the page "Ask better" says."""

import html
import math
from collections.abc import Mapping

import numpy as np

from pages.ask_better.asking import Asking
from pages.ask_better.comparing import ERROR
from pages.words import literal, spoken
from roam_core.aim import Aimed
from roam_core.formulas import FUNCTIONS, VARIABLES, FormulaError
from roam_core.links import LINKS
from roam_core.questions import COMMAND, Record

WINDOW = 40  # characters of a formula that are shown around a mistake

MARKS = {"you": "○", "paper": "□", "informative": "◇", "rule": "⬡"}

QUESTION = "#### Which of these past items would you ask about?"
PICTURE = (
    "The user has just consumed the new item **x**, the star. You may ask one thing: did they like x better than one "
    "of the items before, the dots? The arrow is the taste as the algorithm believes it now, so what lies higher "
    "should please this user more. **Whose answer would tell most about the taste?**"
)
HOW = "Click a dot. With the keyboard: Tab to the picture, arrow keys, Enter."
READ = (
    "Dots are past items, drawn the larger the higher **{rule}** scores them. In the shaded band the answer is open: "
    "neither answer is more likely than 90%, by the estimate."
)
SIDE_BY_SIDE = (
    "Does a better question pay? Each row is a world, each column a rule for what to ask. The first column is the "
    "regret of the paper's rule. **Blue: a rule pays less than the paper's, orange: more.** A "
    "frame marks what is hardly luck."
)
REPORT = (
    "The same table, computed beforehand with 1,000 users a cell: where does weighing a question by how open its "
    "answer is pay, and where not? **Blue: a rule pays less than the paper's, orange: more.** A frame marks what is "
    "hardly luck."
)
WHY = (
    "The paper's rule asks where least was asked so far (V). It does not look at whether the answer is known "
    "beforehand. Where utilities are large, the most uncertain item is often such a one."
)
SHRINKS = (
    "An open answer, in a direction in which little is known: that is what a question must aim at. Where utilities are "
    "small every answer is open, and both rules ask much the same."
)


def percent(share: float) -> str:
    """A share, in whole per cent unless that hides something.

    >>> percent(0.4), percent(0.0004), percent(0.996), percent(1.0)
    ('40%', 'less than 1%', '99.6%', '100%')
    """
    if share < 0.01:
        return "less than 1%"
    return f"{share:.1%}" if 0.99 < share < 1 else f"{share:.0%}"


def likely(chance: float) -> str:
    """How sure the answer is, from the chance that the new item is preferred.

    >>> likely(0.9999), likely(0.3)
    ('x wins, more than 99.9% sure', 'y wins, 70% sure')
    """
    winner, sure = ("x", chance) if chance >= 0.5 else ("y", 1 - chance)
    return f"{winner} wins, {'more than 99.9%' if sure > 0.999 else percent(sure)} sure"


def item_said(asking: Asking, index: int, score: float | None) -> str:
    """What a past item says when one points at it; its score and what it would tell only once that is known."""
    said = f"item of round {index + 1}"
    if score is None:
        return said
    return (
        f"{said}<br>score {score:.3g}<br>{likely(float(asking.chance[index]))}"
        f"<br>tells {percent(float(asking.share[index]))} of the best"
    )


def your_question(asking: Asking, yours: int) -> str:
    """What the visitor's question would tell, beside the best one and the paper's."""
    share = float(asking.share[yours])
    if yours == asking.informative:
        first = "**Your question tells most: no other one would tell more.**"
    else:
        first = f"**Your question tells {percent(share)} of what the best would.**"
    return f"{first} {papers_question(asking)}"


def papers_question(asking: Asking) -> str:
    """What the paper's question would tell."""
    if asking.papers == asking.informative:
        return "Here the paper's rule asks the best question too."
    chance = float(asking.chance[asking.papers])
    sure = max(chance, 1 - chance)
    why = f": its answer is {percent(sure)} sure beforehand" if sure > 0.9 else ""
    return f"The paper's rule would ask a question that tells {percent(asking.papers_share)} of the best{why}."


def picks_table(asking: Asking, picks: Mapping[str, int], names: Mapping[str, str]) -> str:
    """A Markdown table: whose question, what is expected as an answer, and what it tells."""
    rows = [
        f"| {MARKS[key]} {names[key]} | {likely(float(asking.chance[index]))} | {percent(float(asking.share[index]))} |"
        for key, index in picks.items()
    ]
    return "\n".join(["| question | expected answer | tells |", "|---|---|---:|", *rows])


TELLS = (
    "What a question tells is how much the logarithm of the determinant of H would grow, log(1 + slope · reach²), by "
    "what is known now. H adds up all questions so far, each weighed by how open its answer was. *y* is the past item."
)


def error_words(worlds: int, users: int) -> str:
    """How the numbers and verdicts of the table are reached, and how often they are wrong."""
    return (
        f"Each cell has {users} users. In a row all rules meet the same users: same taste, same exploration, so they "
        "are compared user by user. ± is half the width of the 95% band of one number. A frame and the verdict ask for "
        f"more: of a rule {worlds} worlds are judged at once, so each is judged at a level of {ERROR:.0%} / {worlds}. "
        f"Then the chance that anything is said wrongly of one rule is about {ERROR:.0%} at most. Who tries many "
        "formulas will find a lucky one: try it again with a new seed."
    )


def made_words(record: Record) -> str:
    """How the report was made."""
    made, s = record.made, record.scenario
    return (
        f"T = {s.horizon}, k = {s.k}, seeds {s.seed} to {s.seed + record.seeds - 1} with {s.runs} users each. Computed "
        f"on {made['date']} with Python {made['python']}, NumPy {made['numpy']} and SciPy {made['scipy']}, by the "
        f"command {COMMAND}."
    )


def marked(text: str, place: int) -> str:
    """A formula with a caret below the character (from 1) that is wrong; of a long one the part around it.

    >>> print(marked("width ++", 8))
    width ++
           ^
    """
    text = "".join(character if character.isprintable() else "\ufffd" for character in text)
    start = max(0, min(place - 1 - WINDOW // 2, len(text) - WINDOW))
    shown, before = text[start : start + WINDOW], "…" if start else ""
    after = "…" if start + WINDOW < len(text) else ""
    return f"{before}{shown}{after}\n{' ' * (len(before) + place - 1 - start)}^"


def wrong_formula(problem: FormulaError) -> str:
    """What is wrong with a formula, and where."""
    wrong = literal(problem.wrong)
    return f"This formula cannot be used: {wrong}. Look at character {problem.place}. The last good one stays in use."


def names_row() -> str:
    """The variables and functions of a formula in one line of HTML, each explained where one points at it."""
    parts = [
        f"{title}: " + ", ".join(f'<abbr title="{html.escape(said)}">{name}</abbr>' for name, said in names.items())
        for title, names in (("Variables", VARIABLES), ("functions", FUNCTIONS))
    ]
    return f'<p class="names">{"; ".join(parts)}; operators + - * / ** &lt; &lt;= &gt; &gt;=</p>'


def names_table() -> str:
    """The same as a table in HTML."""
    rows = [
        f"<tr><th scope='row'><code>{name}</code></th><td>{html.escape(said)}</td></tr>"
        for names in (VARIABLES, FUNCTIONS)
        for name, said in names.items()
    ]
    return f"<table class='names'>{''.join(rows)}</table>"


# Why, in three pictures


def slope_words(now: Asking) -> str:
    """What the link's slope says of the two questions."""
    steepest = float(LINKS[now.scenario.link].slope(np.zeros(1))[0])
    shares = [float(now.variables["slope"][index]) / steepest for index in (now.papers, now.informative)]
    gaps = [spoken(float(now.variables["gap"][index]), 2) for index in (now.papers, now.informative)]
    return (
        "**An answer tells as much as the link is steep.** Where one item looks much better, the curve is flat: nearly "
        f"every answer is the expected one. The paper's question has a gap of {gaps[0]} and {percent(shares[0])} of "
        f"the largest slope, the most informative one a gap of {gaps[1]} and {percent(shares[1])}."
    )


def both_words(now: Asking) -> str:
    """What the two questions leave to know."""
    papers, informative = (1 - math.exp(-float(now.gain[index]) / 2) for index in (now.papers, now.informative))
    if now.papers == now.informative:
        told = f"Here both are the same question. It shrinks the ellipse by {percent(papers)}."
    else:
        told = (
            f"The paper's question shrinks the ellipse by {percent(papers)}, the most informative one by "
            f"{percent(informative)}."
        )
    return (
        "**Same history, same new item, two questions.** In the shaded band the answer is open. The ellipse below is "
        f"what is left to know of the taste, measured by H. {told}"
    )


def aim_words(results: Mapping[str, Aimed]) -> str:
    """Which part of the error costs regret, and how large both parts are in the end."""
    claim = (
        "**Only the error across the estimate costs regret.** An estimate that is too long or too short recommends the "
        "same item; one that points elsewhere does not."
    )
    if not all(result.runs for result in results.values()):
        return f"{claim} The first runs are on their way."
    across, along = (
        [spoken(float(np.median(getattr(result, part)[:, -1])), 2) for result in results.values()]
        for part in ("across", "along")
    )
    backwards = np.mean([np.mean(result.cosine[:, after(result)] < 0) for result in results.values()])
    unless = "" if not backwards else f" (Unless it points backwards: {percent(backwards)} of these estimates do.)"
    one = next(iter(results.values()))
    return (
        f"{claim}{unless} In round {one.rounds[-1]} the median user's error across is {across[0]} with the paper's "
        f"rule and {across[1]} with the most informative; along it is {along[0]} and {along[1]}."
    )


def after(result: Aimed) -> np.ndarray:
    """(points,) which of the rounds looked at are after exploration; all, if none is."""
    later = np.array(result.rounds) > result.scenario.resolved().tau
    return later if later.any() else np.ones_like(later)
