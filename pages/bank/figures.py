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
from pages.bank import strips
from pages.bank.commitments import Answer
from pages.bank.question import Bars, Question, Race, Results, Scene, Truth
from pages.bank.truths import ends
from pages.figures import Series, base_layout, curves, numbers, with_bands
from pages.palette import PALETTE, ROLES

Predicted = Mapping[str, Sequence[Answer]]  # whose -> their answers; one's own, or those of a class and a vote
YOURS = "you predicted"
COLOURS = (ROLES["yours"], PALETTE[3], PALETTE[4])
SYMBOLS = ("diamond", "circle", "square")
LOOKS = tuple(zip(COLOURS, SYMBOLS, strict=True))
MANY = 3  # bars, or predictions of one group: more are drawn narrow or pale
WRAP, NARROW = 13, 9  # characters of a bar's name in a line; where there are many bars
OVER_ROUNDS = "Regret so far, mean over users"
WAITING, DECIDING = "Commit first:<br>then the simulation runs.", "The simulation is deciding …"
ROW = 0.13  # of the height of a plot: a row of votes
LOWEST = 0.2  # decades: a bar on a log axis is at least so high
HIDDEN = 0.45  # opacity of what was not right


def drawn(question: Question, results: Results, predicted: Predicted, truth: Truth | None = None) -> dict:
    """What the runs say so far and what was predicted. Without a truth only what is shown before one commits."""
    if isinstance(question.plot, Scene):
        return _scene(question, predicted, truth)
    if isinstance(question.plot, Race):
        return _race(question, results, predicted, truth)
    return _bars(question, question.plot, results, predicted, truth)


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
    lengths = {one.result.scenario.resolved().tau for one in series}
    if len(lengths) > 1 or lengths == {question.runs[0].horizon}:  # one shade would say what is not true of all
        figure["layout"] |= {"shapes": [], "annotations": []}
    known = all(result.runs for result in results[: plot.before])
    beside = truth is not None and question.commitment.kind == "number" and _of_a_class(predicted)
    for number, (whose, answers) in enumerate(predicted.items() if known and not beside else ()):
        figure["data"] += marks(number, whose, [plot.path(results, answer) for answer in answers])
        figure["data"] += middle(number, whose, question, answers)
    for trace in figure["data"]:
        if trace["name"] in plot.labels:
            trace["showlegend"] = True  # also if it is the only curve: the prediction stands beside it
    layout = figure["layout"]
    layout["showlegend"] = True
    layout["margin"]["r"] = 30  # half a mark beyond the last round
    layout["legend"] |= figures.legend_lines([*plot.labels, *predicted])
    if beside:
        votes = {whose: [plot.path(results, one)[1][-1] for one in answers] for whose, answers in predicted.items()}
        scale = {words: plot.path(results, one)[1][-1] for one, words in question.commitment.ticks.items()}
        strips.add(figure, votes, plot.path(results, truth.value)[1][-1], LOOKS, scale)
    if question.commitment.kind == "curve":
        layout["yaxis"]["range"] = [0, question.commitment.top]
    return figure


def _of_a_class(predicted: Predicted) -> bool:
    """Whether it is what many predicted, and not one alone."""
    return any(len(answers) > 1 for answers in predicted.values())


def middle(number: int, whose: str, question: Question, answers: Sequence[Answer]) -> list[dict]:
    """A thick line for the median of the curves that a class drew."""
    if question.commitment.kind != "curve" or len(answers) <= MANY:
        return []
    heights = np.median(np.array(answers), axis=0).tolist()
    line = {"color": COLOURS[number % len(COLOURS)], "width": 6}
    return [
        {
            "type": "scatter", "mode": "lines", "x": list(question.commitment.rounds), "y": heights, "line": line,
            "name": f"the middle of the {whose}", "hovertemplate": "%{y:.4g}<extra></extra>",
        }
    ]  # fmt: skip


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
            "line": {"color": colour, "width": 3 if len(paths) <= MANY else 1.5, "dash": "dash"},
            "hovertemplate": f"{whose}: %{{y:.4g}}<extra></extra>",
        }
    ]  # fmt: skip


def _empty(question: Question) -> dict:
    layout = base_layout(OVER_ROUNDS, "round t", "R(t)", "empty")
    layout["xaxis"] |= figures.rounds_axis(question.runs[0].horizon)
    scale = question.commitment
    layout["yaxis"]["range"] = [0, scale.top if scale.kind == "curve" else question.plot.path((), scale.high)[1][-1]]
    return {"data": [], "layout": layout}


# Bars


def _bars(question: Question, plot: Bars, results: Results, predicted: Predicted, truth: Truth | None) -> dict:
    scale = ", log scale" if plot.log else ""
    layout = base_layout(f"{plot.axis[:1].upper()}{plot.axis[1:]}{scale}", "", "", f"bars {question.key}")
    names = [
        "<br>".join(textwrap.wrap(label, WRAP if len(plot.labels) < MANY + 1 else NARROW, break_long_words=False))
        for label in plot.labels
    ]
    layout["xaxis"] |= {"type": "category", "categoryorder": "array", "categoryarray": names, "tickangle": 0}
    layout["xaxis"]["range"] = [-0.6, len(names) - 0.4]
    layout["yaxis"] |= {"type": "log", "dtick": 1} if plot.log else {"rangemode": "tozero"}
    layout["showlegend"] = bool(truth and (plot.users or (predicted and plot.height)))
    if truth is None:
        layout["annotations"] = [_said_in_the_middle(DECIDING if results else WAITING)]
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
    data = [bar, *(_users(names, results) if plot.users else []), _numbers_at_the_ends(plot, names, truth, tops)]
    if plot.users:
        tops = [float(np.max(ends(result), initial=top)) for result, top in zip(results, tops, strict=True)]
    figure = {"data": data, "layout": layout}
    if plot.height and _of_a_class(predicted):
        votes = {whose: [plot.height(truth, one)[1] for one in answers] for whose, answers in predicted.items()}
        place, _ = plot.height(truth, truth.value)
        ticks = question.commitment.ticks if question.commitment.kind == "number" else {}
        scale = {words: plot.height(truth, one)[1] for one, words in ticks.items()}
        strips.add(figure, votes, truth.values[place], LOOKS, scale)
        layout["showlegend"] = False
    else:
        for number, (whose, answers) in enumerate(predicted.items()):
            if plot.height:
                data += marks(number, whose, _heights(plot, truth, names, answers))
            else:
                data.append(_votes(number, whose, options, names, answers))
        if predicted and not plot.height:
            layout["yaxis2"] = {"overlaying": "y", "range": [0, 1], "visible": False, "fixedrange": True}
            layout["yaxis"]["range"] = _below_the_votes(truth, tops, plot.log, len(predicted))
    if plot.log and "range" not in layout["yaxis"]:
        layout["yaxis"]["range"] = _decades(truth, data)
    return figure


def _said_in_the_middle(text: str) -> dict:
    centre = {"x": 0.5, "y": 0.5, "xref": "paper", "yref": "paper"}
    return {**centre, "text": text, "showarrow": False, "font": {"size": 18}}


def _heights(plot: Bars, truth: Truth, names: Sequence[str], answers: Sequence[Answer]) -> list[tuple[list, list]]:
    places = [plot.height(truth, answer) for answer in answers]
    return [([names[place]], [height]) for place, height in places]


def _users(names: Sequence[str], results: Results) -> list[dict]:
    """Every user as a dot on the bar that is their mean."""
    dots = [(name, height) for name, result in zip(names, results, strict=True) for height in ends(result)]
    return [
        {
            "type": "scatter", "mode": "markers", "name": "single users", "x": [name for name, _ in dots],
            "y": numbers(np.array([height for _, height in dots])), "showlegend": True, "hoverinfo": "skip",
            "marker": {"color": "#888888", "size": 8, "opacity": 0.6, "symbol": "line-ew-open", "line": {"width": 2}},
        }
    ]  # fmt: skip


def _numbers_at_the_ends(plot: Bars, names: Sequence[str], truth: Truth, tops: Sequence[float]) -> dict:
    """The height of each bar in digits, beyond its end: below one that hangs down, beside whatever else is there."""
    side = "left" if plot.users or plot.height else "center"
    hangs = [value < 0 for value in truth.values]
    lows = [value - band for value, band in zip(truth.values, np.nan_to_num(truth.bands), strict=True)]
    return {
        "type": "scatter", "mode": "text", "name": "in digits", "x": list(names),
        "y": numbers(np.where(hangs, lows, tops)),
        "text": [f"<b>{float(f'{value:.3g}'):,.12g}</b>".replace("-", "−") for value in truth.values],
        "textposition": [f"{'bottom' if hung else 'top'} {side}" for hung in hangs], "textfont": {"size": 17},
        "hoverinfo": "skip", "showlegend": False, "cliponaxis": False,
    }  # fmt: skip


def _votes(number: int, whose: str, options: Sequence[str], names: Sequence[str], answers: Sequence[str]) -> dict:
    """Who chose which bar: a row of marks above all bars, with a name or counts."""
    counts = Counter(answers)
    places = [place for place, option in enumerate(options) if counts[option]]
    alone = len(answers) == 1
    return {
        "type": "scatter", "mode": "markers+text", "name": whose, "x": [names[place] for place in places],
        "y": [0.97 - ROW * number] * len(places), "yaxis": "y2",
        "text": [_whose(whose, counts[options[place]], alone) for place in places],
        "textposition": "bottom center", "textfont": {"size": 17, "color": COLOURS[number % len(COLOURS)]},
        "marker": {"color": COLOURS[number % len(COLOURS)], "size": 15, "symbol": "triangle-down"},
        "cliponaxis": False, "showlegend": False, "hoverinfo": "skip",
    }  # fmt: skip


def _below_the_votes(truth: Truth, tops: Sequence[float], log: bool, rows: int) -> list[float]:
    """The range of an axis that leaves the rows of votes their room above the bars."""
    share = 0.93 - ROW * rows  # of the axis, below the rows
    lows = [value - band for value, band in zip(truth.values, np.nan_to_num(truth.bands), strict=True)]
    if log:
        low, high = _decade_below(truth), math.log10(max(tops)) + 0.15
    else:
        low, high = min(0, 1.2 * min(lows)), max(*tops, 0)
    return [low, low + (high - low) / share]


def _whose(name: str, many: int, alone: bool) -> str:
    """What stands beside a mark: one's own prediction or vote, or how many of a class."""
    return "you" if name == YOURS else name if alone else f"{name}: {many}"


def _decades(truth: Truth, data: Sequence[dict]) -> list[float]:
    """A log axis from the decade below the lowest bar, with room above the highest mark."""
    heights = [y for trace in data for y in trace["y"] if y]
    return [_decade_below(truth), math.log10(max(heights)) + 0.45]


def _decade_below(truth: Truth) -> int:
    """The power of ten that a log axis begins with: the lowest bar must be seen."""
    return math.floor(math.log10(min(truth.values)) - LOWEST)


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
        figure["layout"]["annotations"].append(_named(figure["layout"]["shapes"][-1]))
    if groups:
        figure["data"].append(_counts(now, groups))
        figure["layout"]["title"]["text"] = f"How many chose each item: {figure['data'][-1]['name']}"
        figure["layout"]["margin"]["t"] = 48
    return figure


def _counts(now: Asking, groups: Mapping[str, Sequence[Answer]]) -> dict:
    """How many of each group chose each item, outside of the circle: 3 → 5 for two votes."""
    counts = [Counter(answers) for answers in groups.values()]
    items = sorted(set().union(*counts))
    points = now.history[[item - 1 for item in items]] * 1.06
    ways = [_outward(x, y) for x, y in points / now.scenario.radius]
    return {
        "type": "scatter", "mode": "text", "name": " → ".join(groups), "x": numbers(points[:, 0]),
        "y": numbers(points[:, 1]), "text": [f"<b>{'→'.join(str(one[item]) for one in counts)}</b>" for item in items],
        "textposition": ways, "textfont": {"size": 17}, "hoverinfo": "skip", "cliponaxis": False,
    }  # fmt: skip


def _outward(x: float, y: float) -> str:
    """On which side of a point of the circle there is room for words."""
    if abs(x) < 0.3:
        return "top center" if y > 0 else "bottom center"
    return "middle right" if x > 0 else "middle left"


def _named(band: dict) -> dict:
    """What the band means, in its corner."""
    place = {"xref": band["xref"], "x": 0.01, "xanchor": "left", "y": band["y1"], "yanchor": "top"}
    return {
        **place,
        "text": f"the answer is open (at most {plane.OPEN:.0%} sure)",
        "showarrow": False,
        "font": {"size": 16},
    }


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
                "y": [0] * len(places), "marker": {"color": colour, "size": 15, "symbol": symbol},
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
