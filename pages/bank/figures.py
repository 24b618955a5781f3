"""Figures of a question, as Plotly dicts: what the runs say, with the predictions drawn in. They only draw."""

import math
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from pages import figures
from pages.ask_better import figures as plane
from pages.ask_better.asking import Asking, one_round
from pages.ask_better.words import item_said
from pages.bank.commitments import Answer
from pages.bank.question import Bars, Question, Race, Results, Scene, Truth
from pages.figures import Series, base_layout, curves, numbers, with_bands
from pages.palette import PALETTE, ROLES

Predicted = Mapping[str, Sequence[Answer]]  # whose -> their answers; one's own, or those of a class and a vote
YOURS = "you predicted"
COLOURS = (ROLES["yours"], PALETTE[3], PALETTE[4])
SYMBOLS = ("diamond", "circle", "square")
MANY = 3  # bars, or predictions of one group: more are drawn narrow or pale
WRAP, NARROW = 13, 9  # characters of a bar's name in a line; where there are many bars
OVER_ROUNDS = "Regret so far, mean over users"
WAITING = "Commit first:<br>then the simulation runs."
HIDDEN = 0.45  # opacity of what was not right


def drawn(question: Question, results: Results, predicted: Predicted, truth: Truth | None = None) -> dict:
    """What the runs say so far and what was predicted. Without a truth only what is shown before one commits."""
    if isinstance(question.plot, Scene):
        return _scene(question, predicted, truth)
    if isinstance(question.plot, Race):
        return _race(question, results, predicted, truth)
    return _bars(question, question.plot, predicted, truth)


def described(question: Question, truth: Truth | None, predicted: Predicted) -> str:
    """The figure in words."""
    said = question.outcome(truth).replace("*", "") if truth else "What came out is not shown yet."
    own = [f"{whose}: {question.words(answers[0])}" for whose, answers in predicted.items() if len(answers) == 1]
    return f"{question.title} {said} {'. '.join(own)}".strip()


# Curves over the rounds


def _race(question: Question, results: Results, predicted: Predicted, truth: Truth | None) -> dict:
    plot: Race = question.plot
    shown = len(results) if truth else plot.before
    series = [Series(result, label) for result, label in zip(results, plot.labels, strict=False)][:shown]
    figure = curves(series, "regret", title=OVER_ROUNDS) if series else _empty(question)
    known = all(result.runs for result in results[: plot.before])
    for number, (whose, answers) in enumerate(predicted.items() if known else ()):
        figure["data"] += marks(number, whose, [plot.path(results, answer) for answer in answers])
    for trace in figure["data"]:
        if trace["name"] in plot.labels:
            trace["showlegend"] = True  # also if it is the only curve: the prediction stands beside it
    layout = figure["layout"]
    layout["showlegend"] = True
    layout["margin"]["r"] = 30  # half a mark beyond the last round
    layout["legend"] |= figures.legend_lines([*plot.labels, *predicted])
    if question.commitment.kind == "curve":
        layout["yaxis"]["range"] = [0, question.commitment.top]
    return figure


def marks(number: int, whose: str, paths: Sequence[tuple[list, list[float]]]) -> list[dict]:
    """A trace of all predictions of a group: marks, or lines with gaps between. A class may have hundreds."""
    colour, opacity = COLOURS[number % len(COLOURS)], 1 if len(paths) <= MANY else 0.35
    if not paths:
        return []
    x = [place for places, _ in paths for place in (*places, None)][:-1]
    y = [height for _, heights in paths for height in (*numbers(np.array(heights)), None)][:-1]
    alone = len(paths[0][0]) == 1
    return [
        {
            "type": "scatter", "x": x, "y": y, "name": whose, "mode": "markers" if alone else "lines+markers",
            "opacity": opacity, "cliponaxis": False, "connectgaps": False,
            "marker": {"color": colour, "size": 15 if alone else 8, "symbol": SYMBOLS[number % len(SYMBOLS)]},
            "line": {"color": colour, "width": 3, "dash": "dash"},
            "hovertemplate": f"{whose}: %{{y:.4g}}<extra></extra>",
        }
    ]  # fmt: skip


def _empty(question: Question) -> dict:
    layout = base_layout(OVER_ROUNDS, "round t", "R(t)", "empty")
    layout["xaxis"] |= figures.rounds_axis(question.runs[0].horizon)
    layout["yaxis"]["range"] = [0, question.runs[0].horizon]
    return {"data": [], "layout": layout}


# Bars


def _bars(question: Question, plot: Bars, predicted: Predicted, truth: Truth | None) -> dict:
    layout = base_layout(plot.axis[:1].upper() + plot.axis[1:], "", "", f"bars {question.key}")
    names = [
        "<br>".join(textwrap.wrap(label, WRAP if len(plot.labels) < MANY + 1 else NARROW, break_long_words=False))
        for label in plot.labels
    ]
    layout["xaxis"] |= {"type": "category", "categoryorder": "array", "categoryarray": names, "tickangle": 0}
    layout["xaxis"]["range"] = [-0.6, len(names) - 0.4]
    layout["yaxis"] |= {"type": "log", "dtick": 1} if plot.log else {"rangemode": "tozero"}
    layout["showlegend"] = bool(truth and predicted and plot.height)
    if truth is None:
        layout["annotations"] = [_waiting()]
        layout["yaxis"] |= {"showticklabels": False, "type": "linear"}
        return {"data": [], "layout": layout}
    options = list(question.commitment.options) if question.commitment.kind == "choice" and not plot.height else []
    right = [not options or option in truth.right for option in options or names]
    bar = with_bands("what came out", names, np.array(truth.values), np.array(truth.bands), PALETTE[0])
    bar |= {
        "type": "bar",
        "width": 0.55,
        "marker": {"color": PALETTE[0], "opacity": [1 if r else HIDDEN for r in right]},
    }
    del bar["mode"], bar["line"]
    tops = [max(value + np.nan_to_num(band), 0) for value, band in zip(truth.values, truth.bands, strict=True)]
    data = [bar, _numbers_above(names, truth, tops)] if not plot.log else [bar]
    for number, (whose, answers) in enumerate(predicted.items()):
        if plot.height:
            data += marks(number, whose, _heights(plot, truth, names, answers))
        else:
            data.append(_votes(number, whose, options, names, answers, tops, plot.log))
    if plot.log:
        layout["yaxis"]["range"] = _decades(truth, data)
    return {"data": data, "layout": layout}


def _waiting() -> dict:
    centre = {"x": 0.5, "y": 0.5, "xref": "paper", "yref": "paper"}
    return {**centre, "text": WAITING, "showarrow": False, "font": {"size": 18}}


def _heights(plot: Bars, truth: Truth, names: Sequence[str], answers: Sequence[Answer]) -> list[tuple[list, list]]:
    places = [plot.height(truth, answer) for answer in answers]
    return [([names[place]], [height]) for place, height in places]


def _numbers_above(names: Sequence[str], truth: Truth, tops: Sequence[float]) -> dict:
    """The height of each bar in digits, inside its foot."""
    return {
        "type": "scatter", "mode": "text", "x": list(names), "y": numbers(np.array(tops)), "hoverinfo": "skip",
        "text": [f"<b>{float(f'{value:.3g}'):,.12g}</b>".replace("-", "−") for value in truth.values],
        "textposition": "top center", "textfont": {"size": 17}, "showlegend": False, "cliponaxis": False,
    }  # fmt: skip


def _votes(
    number: int,
    whose: str,
    options: Sequence[str],
    names: Sequence[str],
    answers: Sequence[str],
    tops: Sequence[float],
    log: bool,
) -> dict:
    """Who chose which bar: a mark above it, with a name or a count."""
    counts = Counter(answers)
    places = [place for place, option in enumerate(options) if counts[option]]
    alone = len(answers) == 1
    high = max(tops)
    rise = (lambda top: top * 2.2 ** (1 + number)) if log else (lambda top: top + high * (0.16 + 0.13 * number))
    return {
        "type": "scatter", "mode": "markers+text", "name": whose, "x": [names[place] for place in places],
        "y": numbers(np.array([rise(tops[place]) for place in places])),
        "text": ["you" if alone else f"{whose}: {counts[options[place]]}" for place in places],
        "textposition": "middle right", "textfont": {"size": 17, "color": COLOURS[number % len(COLOURS)]},
        "marker": {"color": COLOURS[number % len(COLOURS)], "size": 15, "symbol": "triangle-down"},
        "cliponaxis": False, "showlegend": False, "hoverinfo": "skip",
    }  # fmt: skip


def _decades(truth: Truth, data: Sequence[dict]) -> list[float]:
    """A log axis from the decade below the lowest bar, with room above the highest mark."""
    heights = [y for trace in data for y in trace["y"] if y]
    return [math.floor(math.log10(min(truth.values)) - 0.01), math.log10(max(heights)) + 0.35]


# A round in the plane


def _scene(question: Question, predicted: Predicted, truth: Truth | None) -> dict:
    now = one_round(question.plot.scenario)
    said = [item_said(now, i, None) for i in range(len(now.history))]
    own = {"you": predicted[YOURS][0] - 1} if YOURS in predicted else {}
    groups = {whose: answers for whose, answers in predicted.items() if whose != YOURS}
    if truth is None:
        figure = _without_band(plane.one_round(now, said, {}, np.full(len(said), plane.PLAIN)), now, own)
    else:
        picks = {"paper": now.papers, "informative": now.informative}
        figure = plane.one_round(now, said, own | picks, plane.sizes(np.array(truth.values)))
    for number, (whose, answers) in enumerate(groups.items()):
        counts = Counter(answers)
        items = sorted(counts)
        points = now.history[[item - 1 for item in items]] * (1.08 + 0.08 * number)
        figure["data"].append(
            {
                "type": "scatter", "mode": "text", "name": whose, "x": numbers(points[:, 0]),
                "y": numbers(points[:, 1]), "text": [f"<b>{counts[item]}</b>" for item in items],
                "textfont": {"size": 17, "color": COLOURS[number % len(COLOURS)]}, "hoverinfo": "skip",
            }
        )  # fmt: skip
    return figure


def _without_band(figure: dict, now: Asking, own: Mapping[str, int]) -> dict:
    """The picture before the truth is known: at most the item that one has chosen is marked."""
    for index in own.values():
        x, y = now.history[index]
        figure["data"].append(
            {
                "type": "scatter", "mode": "markers", "name": "you", "x": [float(x)], "y": [float(y)],
                "marker": {"symbol": "circle-open", "size": 28, "color": ROLES["yours"], "line": {"width": 3}},
                "hoverinfo": "skip",
            }
        )  # fmt: skip
    return figure


# All predictions at the end


def summary(titles: Sequence[str], near: Sequence[bool | None]) -> dict:
    """Which predictions came near: a mark a question, in order, read from above."""
    kinds = {True: ("came near", PALETTE[2], "circle"), False: ("surprised you", PALETTE[1], "x"),
             None: ("no prediction", "#888888", "circle-open")}  # fmt: skip
    data = []
    for kind, (name, colour, symbol) in kinds.items():
        places = [place for place, value in enumerate(near) if value is kind]
        data.append(
            {
                "type": "scatter", "mode": "markers", "name": name, "x": [place + 1 for place in places],
                "y": [0] * len(places), "marker": {"color": colour, "size": 20, "symbol": symbol},
                "text": [titles[place] for place in places], "hovertemplate": "%{text}<extra></extra>",
            }
        )  # fmt: skip
    layout = base_layout("Your predictions, question by question", "question", "", "summary")
    layout["xaxis"] |= {
        "range": [0.3, len(titles) + 0.7],
        "tickmode": "array",
        "tickvals": list(range(1, len(titles) + 1)),
    }
    layout["yaxis"] |= {"visible": False, "range": [-1, 1]}
    layout["showlegend"] = True
    return {"data": [trace for trace in data if trace["x"]], "layout": layout}
