"""Figures of the page "Ask better". They only draw."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pages.ask_better.asking import Asking
from pages.ask_better.comparing import Cell, percent, plain, signed
from pages.figures import base_layout, faint, numbers
from pages.palette import PALETTE, ROLES
from roam_core.aim import Aimed
from roam_core.ellipses import ellipse
from roam_core.links import LINKS

PICKS = {"you": ROLES["yours"], "paper": ROLES["asked"], "informative": ROLES["doubt"], "rule": PALETTE[2]}
SYMBOLS = {"you": "circle-open", "paper": "square-open", "informative": "diamond-open", "rule": "hexagon-open"}
SMALLEST, LARGEST = 9, 30  # px: the marks of the past items
PLAIN = 15.0
APART = 0.19  # of the radius: labels on one side are at least so far from each other
MIDDLE = 0.5  # of the radius: a label so near to the middle reaches into both sides
LABELS = {"you": "you", "paper": "paper", "informative": "informative", "rule": "this rule"}
OPEN = 0.9  # an answer that is more likely than this counts as known
NO_BREAK = "\u00a0=\u00a0"
FULL = 0.2  # a change of regret by this share has the full colour
DEEPEST = 0.5  # how much of it is mixed in: text stays readable on it
WIDEST = 12.0  # the gap up to which the slope is drawn, at least


def sizes(scores: np.ndarray) -> np.ndarray:
    """(items,) how large each is drawn: the least score small, the largest large."""
    halves = scores / 2  # the difference of two scores may be larger than any number
    low, high = halves.min(), halves.max()
    if low == high:
        return np.full(len(scores), PLAIN)
    return SMALLEST + (LARGEST - SMALLEST) * ((halves - low) / (high - low))


def one_round(asking: Asking, said: Sequence[str], picks: Mapping[str, int], size: np.ndarray) -> dict:
    """A round in the plane: the new item, the past ones, and whose question is about which.

    `said` is what a past item says when one points at it, `picks` are the marked ones: a key of `PICKS` -> index.
    With marks there is also the band in which answers are open.
    """
    around = np.argsort(np.arctan2(*asking.history.T))  # so that the arrow keys walk around the circle
    past = asking.history[around]
    data = [
        {
            "type": "scatter", "mode": "markers", "name": "past item", "meta": "choose", **_points(past),
            "marker": {"color": PALETTE[4], "size": numbers(size[around]), "opacity": 0.75, "line": {"width": 0}},
            "customdata": (around + 1).tolist(), "text": [said[i] for i in around],
            "hovertemplate": "%{text}<extra></extra>",
        },
        {
            "type": "scatter", "mode": "markers+text", "name": "new item x", **_points(asking.x[None]),
            "marker": {"color": ROLES["new"], "size": 17, "symbol": "star"}, "text": ["<b>x</b>"],
            "textposition": "bottom center", "textfont": {"size": 18}, "hovertemplate": "the new item<extra></extra>",
        },
    ]  # fmt: skip
    layout = _plane(asking, "round")
    if picks:
        data += [_mark(asking, key, index, size[index]) for key, index in picks.items()]
        layout["annotations"] += _labels(asking, picks)
        layout["shapes"] += _open_band(asking, layout["yaxis"]["range"])
    return {"data": data, "layout": layout}


def both_questions(asking: Asking, names: Mapping[str, str]) -> dict:
    """The same history with the paper's question and the informative one; below, what is left to know after each."""
    picks = {"paper": asking.papers, "informative": asking.informative}
    data = [
        {
            "type": "scatter", "mode": "markers", "name": "past item", **_points(asking.history), "hoverinfo": "skip",
            "marker": {"color": PALETTE[4], "size": 9, "opacity": 0.6}, "showlegend": False,
        },
        {
            "type": "scatter", "mode": "markers+text", "name": "new item x", **_points(asking.x[None]),
            "marker": {"color": ROLES["new"], "size": 17, "symbol": "star"}, "text": ["<b>x</b>"], "showlegend": False,
            "textposition": "bottom center", "textfont": {"size": 18}, "hoverinfo": "skip",
        },
    ]  # fmt: skip
    for key, dash in (("paper", "dash"), ("informative", "solid")):
        ends = np.stack([asking.x, asking.history[picks[key]]])
        data.append(
            {
                "type": "scatter", "mode": "lines+markers", "name": names[key], **_points(ends), "hoverinfo": "name",
                "line": {"color": PICKS[key], "width": 4, "dash": dash}, "marker": {"size": [0, 13]},
            }
        )  # fmt: skip
    left = {"now": (asking.H, "#888888", "dot", "before the question")}
    for key, dash in (("paper", "dash"), ("informative", "solid")):
        z, slope = asking.x - asking.history[picks[key]], asking.variables["slope"][picks[key]]
        left[key] = (asking.H + slope * np.outer(z, z), PICKS[key], dash, f"after it: {names[key]}")
    borders = {key: _border(M) for key, (M, *_) in left.items()}
    for key, (_, colour, dash, name) in left.items():
        data.append(
            {
                "type": "scatter", "mode": "lines", "name": name, **_points(borders[key]), "hoverinfo": "name",
                "xaxis": "x2", "yaxis": "y2", "line": {"color": colour, "width": 3, "dash": dash},
                "showlegend": key == "now",
            }
        )  # fmt: skip
    layout = _plane(asking, "both")
    del layout["annotations"][1:]  # the lines leave no room for words
    layout["shapes"] += _open_band(asking, layout["yaxis"]["range"])
    wide = 1.1 * np.abs(borders["now"]).max()
    bare = {"showticklabels": False, "showgrid": False, "zeroline": False, "constrain": "domain"}
    layout["xaxis2"] = {**bare, "range": [-wide, wide], "anchor": "y2"}
    layout["yaxis2"] = {**bare, "range": [-wide, wide], "anchor": "x2", "scaleanchor": "x2", "domain": [0, 0.36]}
    layout["yaxis"]["domain"] = [0.42, 1]
    layout["annotations"].append(_note("what is left to know", 0.36, 15))
    layout["title"]["text"] = "2. One history, two questions"
    layout["margin"]["t"] = 48
    layout["showlegend"] = True
    return {"data": data, "layout": layout}


def rules_and_worlds(rules: Mapping[str, str], table: Mapping[str, Mapping[str, Cell]], chosen: str) -> dict[str, Any]:
    """A table for the component `scores`: a row for each world, a column for each rule, the paper's first.

    `rules` are the names of the columns, `table` has the cells by world and rule, `chosen` is the marked column.
    """
    worlds = list(table)
    return {
        "corner": "World",
        "columns": [
            {"name": name, "note": "regret at T" if not place else "", "chosen": rule == chosen}
            for place, (rule, name) in enumerate(rules.items())
        ],
        "rows": [
            {
                "name": next(iter(table[world].values())).world.replace(" = ", NO_BREAK),
                "cells": [
                    _cell(name, table[world][rule], len(worlds), own=not place)
                    for place, (rule, name) in enumerate(rules.items())
                ],
            }
            for world in worlds
        ],
    }


def _cell(name: str, cell: Cell, among: int, own: bool) -> dict[str, Any]:
    """A cell as it is shown: what the paper's rule pays itself, or how much more or less another one pays."""
    if not cell.filled:
        return {"text": "…", "band": "", "shade": 0.0, "kind": "waiting", "said": f"{cell.runs} runs so far"}
    (paid, band), runs = cell.paid, f"{cell.runs} users"
    said = f"{name}, {cell.world}: regret {paid:.3g} ± {plain(band)}, {runs}"
    if own:
        return {"text": f"{paid:.3g}", "band": f"± {plain(band)}", "shade": 0.0, "kind": "own", "said": said}
    shade = DEEPEST * float(np.clip(cell.change / FULL, -1, 1))
    return {
        "text": f"{signed(cell.change)}%", "band": f"± {plain(100 * cell.band)}", "shade": round(shade, 3),
        "kind": cell.verdict(among) if cell.complete else "", "said": f"{said}; {percent(cell)} beside the paper's",
    }  # fmt: skip


def slope_over_gap(asking: Asking, names: Mapping[str, str]) -> dict:
    """The link's slope over the gap, with the two questions of the round on it."""
    link, gaps = LINKS[asking.scenario.link], asking.variables["gap"]
    picks = {"paper": asking.papers, "informative": asking.informative}
    end = max(6.0, min(WIDEST, 1.1 * max(abs(float(gaps[index])) for index in picks.values())))
    u = np.linspace(-end, end, 161)
    data = [
        {
            "type": "scatter", "mode": "lines", "name": "slope F′", "x": numbers(u), "y": numbers(link.slope(u)),
            "line": {"color": PALETTE[0], "width": 3}, "fill": "tozeroy", "fillcolor": faint(PALETTE[0], 0.12),
            "hovertemplate": "gap %{x:.2g}: slope %{y:.3f}<extra></extra>", "showlegend": False,
        }
    ]  # fmt: skip
    for key, index in picks.items():
        gap = float(gaps[index])
        data.append(
            {
                "type": "scatter", "mode": "markers", "name": names[key],
                "x": [float(np.clip(gap, -end, end))], "y": numbers(link.slope(np.array([gap]))),
                "marker": {"color": PICKS[key], "size": 16, "symbol": SYMBOLS[key].removesuffix("-open")},
                "cliponaxis": False,
                "hovertemplate": f"gap {gap:.3g}, chance {asking.chance[index]:.1%}<extra>%{{fullData.name}}</extra>",
            }
        )  # fmt: skip
    layout = base_layout("1. How open the answer is", "gap: how much better x looks", "slope F′", "slope")
    layout["xaxis"]["range"] = [-1.04 * end, 1.04 * end]
    layout["yaxis"]["rangemode"] = "tozero"
    layout["showlegend"] = True
    return {"data": data, "layout": layout}


def along_and_across(results: Mapping[str, Aimed], names: Mapping[str, str]) -> dict:
    """The error of the median user's estimate along itself and across it, over the rounds, by rule."""
    data = []
    for key, result in results.items():
        for part, dash in (("across", "solid"), ("along", "dot")):
            if result.runs:
                after = np.array(result.rounds) > result.scenario.resolved().tau
                middle = np.median(getattr(result, part), axis=0)
                data.append(
                    {
                        "type": "scatter", "mode": "lines", "name": f"{part}: {names[key]}",
                        "x": np.array(result.rounds)[after].tolist(), "y": numbers(middle[after]),
                        "line": {"color": PICKS[key], "width": 3.5 if part == "across" else 2.5, "dash": dash},
                        "hovertemplate": "round %{x}: %{y:.3g}<extra>%{fullData.name}</extra>",
                    }
                )  # fmt: skip
    layout = base_layout("3. Error along and across the estimate", "round t", "error, median user", "along")
    layout["yaxis"]["rangemode"] = "tozero"
    layout["legend"] |= {"entrywidth": 1, "entrywidthmode": "fraction"}
    layout["showlegend"] = True
    return {"data": data, "layout": layout}


def _plane(asking: Asking, revision: str) -> dict:
    """The layout of a picture of the item space, with the estimate pointing up."""
    r = asking.scenario.radius
    layout = base_layout("", "", "", revision)
    bare = {"showticklabels": False, "showgrid": False, "zeroline": False, "constrain": "domain", "title": None}
    layout["xaxis"] |= {**bare, "range": [-1.32 * r, 1.32 * r]}
    layout["yaxis"] |= {**bare, "range": [-1.22 * r, 1.22 * r], "scaleanchor": "x"}
    layout["margin"] = {"l": 4, "r": 4, "t": 6, "b": 4}
    layout["showlegend"] = False
    layout["dragmode"] = False  # a click chooses an item
    circle = {"x0": -r, "x1": r, "y0": -r, "y1": r, "line": {"color": "rgba(128,128,128,0.7)", "width": 1.5}}
    layout["shapes"] = [{"type": "circle", "layer": "below", **circle}]
    arrow = {"x": 0, "y": 0.1 * r, "ax": 0, "ay": -0.5 * r, "xref": "x", "yref": "y", "axref": "x", "ayref": "y"}
    look = {"arrowhead": 2, "arrowwidth": 3, "arrowcolor": ROLES["new"], "text": "", "showarrow": True}
    words = {"x": -0.13 * r, "y": -0.2 * r, "text": "looks better", "showarrow": False, "textangle": -90}
    layout["annotations"] = [arrow | look, words | {"font": {"size": 15}}]
    return layout


def _mark(asking: Asking, key: str, index: int, size: float) -> dict:
    """The frame around an item that somebody would ask about. Frames of one item lie in each other."""
    grown = {"you": 10, "paper": 16, "informative": 20, "rule": 26}[key]
    marker = {"symbol": SYMBOLS[key], "size": float(size) + grown, "color": PICKS[key], "line": {"width": 3}}
    where = _points(asking.history[index][None])
    return {"type": "scatter", "mode": "markers", "name": key, "marker": marker, "hoverinfo": "skip", **where}


def _labels(asking: Asking, picks: Mapping[str, int]) -> list[dict]:
    """A name for every marked item, inside of the circle; those of one item on one label, none on another."""
    r, by_item = asking.scenario.radius, {}
    for key, index in picks.items():
        by_item.setdefault(index, []).append(f'<b><span style="color:{PICKS[key]}">{LABELS[key]}</span></b>')
    labels, lowest = [], dict.fromkeys((-1, 1), -np.inf)
    for index in sorted(by_item, key=lambda index: asking.history[index, 1]):
        x, y = asking.history[index].tolist()
        sides = (-1, 1) if abs(x) < MIDDLE * r else (1 if x > 0 else -1,)
        height = max(0.78 * y, max(lowest[side] for side in sides) + APART * r)
        lowest |= dict.fromkeys(sides, height)
        labels.append(
            {
                "x": x, "y": y, "text": " ".join(by_item[index]), "showarrow": True, "arrowhead": 0,
                "arrowwidth": 1, "arrowcolor": "#888888", "ax": 0.68 * x, "ay": height, "axref": "x", "ayref": "y",
                "xanchor": "right" if x > 0 else "left", "font": {"size": 16},
            }
        )  # fmt: skip
    return labels


def _open_band(asking: Asking, limits: Sequence[float]) -> list[dict]:
    """The heights at which an item's answer is open."""
    half = asking.open_within(OPEN)
    low, high = (float(np.clip(asking.x[1] + way * half, *limits)) for way in (-1, 1))
    return [
        {
            "type": "rect", "xref": "x domain", "yref": "y", "x0": 0, "x1": 1, "y0": low, "y1": high, "layer": "below",
            "line": {"width": 0}, "fillcolor": faint(PALETTE[0], 0.16),
        }
    ]  # fmt: skip


def _note(text: str, height: float, size: int) -> dict:
    return {"x": 0.5, "y": height, "xref": "paper", "yref": "paper", "text": text, "showarrow": False,
            "xanchor": "center", "yanchor": "bottom", "font": {"size": size}}  # fmt: skip


def _border(H: np.ndarray) -> np.ndarray:
    """(90, 2) the ellipse {v : v^T H v = 1}."""
    semi_axes, angle = ellipse(H)
    turn = np.linspace(0, 2 * np.pi, 90)
    axes = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.column_stack([np.cos(turn), np.sin(turn)]) * semi_axes @ axes


def _points(rows: np.ndarray) -> dict[str, list]:
    return {"x": numbers(rows[:, 0]), "y": numbers(rows[:, 1])}
