"""Figures of a room, as Plotly dicts. They only draw."""

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence

from pages.bank.commitments import Answer
from pages.bank.figures import COLOURS, WRAP, drawn, marks, middle
from pages.bank.question import Question
from pages.classroom.words import so_many
from pages.figures import base_layout

TALL = 2000  # pixels of a picture for the class: it is as high as the page lets it be (--picture in its style)
NARROW = 5  # bars: of more the names are cut into shorter lines


def distribution(question: Question, votes: Mapping[str, Sequence[Answer]]) -> dict:
    """What a class answered, the votes side by side, without what came out."""
    if question.commitment.kind == "curve":
        return _curves(question, votes)
    if question.commitment.kind == "item":
        return drawn(question, (), votes)
    names = _names(question, votes)
    layout = base_layout("What the class says", "", "people", f"class {question.key}")
    layout["xaxis"] |= {"type": "category", "categoryorder": "array", "categoryarray": list(names.values())}
    layout["xaxis"] |= {"tickangle": 0, "range": [-0.6, len(names) - 0.4]}
    if question.commitment.kind == "number":
        ticks = question.commitment.ticks
        layout["xaxis"] |= {"tickmode": "array", "tickvals": [f"{value:g}" for value in ticks]}
        layout["xaxis"]["ticktext"] = list(ticks.values())
    layout["yaxis"] |= {"rangemode": "tozero", "tickformat": "d", "minallowed": 0}
    layout |= {"barmode": "group", "showlegend": len(votes) > 1}
    data = []
    for number, (whose, answers) in enumerate(votes.items()):
        counts = Counter(answers)
        heights = [counts[answer] for answer in names]
        data.append(
            {
                "type": "bar", "name": whose, "x": list(names.values()), "y": heights,
                "text": [str(height) if height else "" for height in heights], "textposition": "outside",
                "cliponaxis": False, "textfont": {"size": 18}, "marker": {"color": COLOURS[number % len(COLOURS)]},
                "hovertemplate": f"{whose}: %{{y}}<extra></extra>",
            }
        )  # fmt: skip
    highest = max((height for trace in data for height in trace["y"]), default=0)
    layout["yaxis"] |= {"range": [0, max(4, 1.18 * highest)], "dtick": max(1, round(highest / 5))}
    return {"data": data, "layout": layout}


def _names(question: Question, votes: Mapping[str, Sequence[Answer]]) -> dict[Answer, str]:
    """Every answer that has a bar, and what stands below it."""
    commitment = question.commitment
    if commitment.kind == "choice":
        wide = WRAP if len(commitment.options) < NARROW else WRAP - 4
        return {
            name: "<br>".join(textwrap.wrap(words.partition(":")[0], wide, break_long_words=False))
            for name, words in commitment.options.items()
        }
    steps = round((commitment.high - commitment.low) / commitment.step)
    every = (question.parse(question.format(commitment.low + commitment.step * step)) for step in range(steps + 1))
    return {value: f"{value:g}" for value in every}


def _curves(question: Question, votes: Mapping[str, Sequence[Answer]]) -> dict:
    rounds, top = question.commitment.rounds, question.commitment.top
    layout = base_layout("What the class drew", "round t", "R(t)", f"class {question.key}")
    layout["xaxis"]["range"], layout["yaxis"]["range"] = [0, rounds[-1]], [0, top]
    layout["margin"]["r"] = 30  # half of the last number
    layout |= {"showlegend": True}
    data = []
    for number, (whose, answers) in enumerate(votes.items()):
        data += marks(number, whose, [(list(rounds), list(answer)) for answer in answers])
        data += middle(number, whose, question, answers)
    return {"data": data, "layout": layout}


def said(question: Question, votes: Mapping[str, Sequence[Answer]]) -> str:
    """The distribution in words, for those who do not see it."""
    parts = []
    for whose, answers in votes.items():
        common = Counter(map(question.words, answers)).most_common(4)
        parts.append(
            f"{whose}, {so_many(len(answers), 'answer', 'answers')}: "
            + ", ".join(f"{many} {words}" for words, many in common)
        )
    return ". ".join(parts) or "Nobody has answered."
