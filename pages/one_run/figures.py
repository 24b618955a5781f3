"""Figures of the page "One run in 2-D". They only draw."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from pages.figures import AXES, base_layout, faint, legend_lines, numbers, shade_exploration
from pages.one_run.luck import Users
from pages.one_run.scene import Ending
from pages.palette import DASHES, PALETTE
from roam_core import Scenario

WIDEST = 6.0  # of the parameter space that is drawn, at most


def parameter_range(ends: Iterable[Ending], level: float) -> float:
    """How much of the parameter space is drawn, so that all ellipsoids fit and pictures can be compared."""
    return min(max(1.2, *(1.05 * (np.abs(end.estimate).max() + level * end.semi_axes[0]) for end in ends)), WIDEST)


def ending(end: Ending, scenario: Scenario, level: float, wide: float, ellipsoid: str = "ellipsoid of V") -> dict:
    """Where a run in the plane has ended: its history above, the taste with its estimate and ellipsoid below."""
    explored = np.arange(len(end.history)) < scenario.tau
    size = 7 + 2.5 * np.sqrt(end.times_asked)
    data = []
    for where, name, colour, symbol in (
        (~explored, "later item", PALETTE[0], "circle"),
        (explored, "item from exploration", PALETTE[4], "diamond"),
    ):
        marker = {"color": colour, "symbol": symbol, "size": numbers(size[where]), "opacity": 0.7}
        data.append(
            {
                "type": "scatter", "mode": "markers", "name": name, "marker": marker,
                **_points(end.history[where]), "customdata": end.times_asked[where].tolist(),
                "hovertemplate": "asked about %{customdata} times<extra></extra>",
            }
        )  # fmt: skip
    turn = np.linspace(0, 2 * np.pi, 90)
    along, across = np.array([np.cos(end.angle), np.sin(end.angle)]), np.array([-np.sin(end.angle), np.cos(end.angle)])
    a, b = level * end.semi_axes
    border = end.estimate + a * np.cos(turn)[:, None] * along + b * np.sin(turn)[:, None] * across
    below = {"type": "scatter", "xaxis": "x2", "yaxis": "y2", "hoverinfo": "name"}
    data += [
        {**below, "mode": "lines", "name": f"{ellipsoid}, c = {level:g}", "fill": "toself", **_points(border),
         "fillcolor": faint(PALETTE[3]), "line": {"color": PALETTE[3], "width": 3}},
        {**below, "mode": "markers", "name": "taste θ*", "marker": {"color": PALETTE[2], "symbol": "star", "size": 16},
         **_points(end.theta[None])},
        {**below, "mode": "markers", "name": "estimate", "marker": {"color": PALETTE[0], "size": 12},
         **_points(end.estimate[None])},
    ]  # fmt: skip
    layout = base_layout("", "", "", "ending")
    limit, plain = 1.15 * scenario.radius, {"showticklabels": False, "zeroline": False, "showgrid": False}
    layout["xaxis"] = {**plain, "range": [-limit, limit], "domain": [0, 1]}
    layout["yaxis"] = {**plain, "range": [-limit, limit], "domain": [0.51, 1], "scaleanchor": "x"}
    layout["xaxis2"] = {**plain, "range": [-wide, wide], "domain": [0, 1], "anchor": "y2"}
    layout["yaxis2"] = {**plain, "range": [-wide, wide], "domain": [0, 0.49], "anchor": "x2", "scaleanchor": "x2"}
    for axis in ("xaxis", "xaxis2", "yaxis", "yaxis2"):
        layout[axis]["constrain"] = "domain"
    layout["margin"] = {"l": 4, "r": 4, "t": 4, "b": 4}
    layout["showlegend"] = False
    width, height = scenario.law.scale
    layout["shapes"] = [_outline("", width, height), _outline("2", 1, 1)]
    return {"data": data, "layout": layout}


def ending_legend() -> str:
    """What the marks of `ending` mean, as HTML."""
    marks = (
        ("◆", PALETTE[4], "item from exploration"),
        ("●", PALETTE[0], "later item; the larger, the more often asked about"),
        ("★", PALETTE[2], "taste (θ*)"),
        ("●", PALETTE[0], "its estimate (θ̂), below"),
        ("○", PALETTE[3], "ellipsoid: what is left to know"),
    )
    said = "".join(f'<span><b style="color: {colour}">{mark}</b> {words}</span>' for mark, colour, words in marks)
    return f'<div style="display: flex; flex-wrap: wrap; gap: 0.1rem 1.2rem">{said}</div>'


def rival_regrets(endings: Mapping[str, Ending], names: Mapping[str, str], tau: int) -> dict:
    """Cumulative regret of runs that differ in the ask rule only."""
    data = [
        {
            "type": "scatter", "mode": "lines", "name": names[rule], "y": numbers(end.regret),
            "x": list(range(1, len(end.regret) + 1)), "line": {"color": PALETTE[i], "dash": DASHES[i], "width": 3},
            "hovertemplate": "round %{x}: regret %{y:.4g}<extra>%{fullData.name}</extra>",
        }
        for i, (rule, end) in enumerate(endings.items())
    ]  # fmt: skip
    layout = base_layout("Cumulative regret of this run", "round t", AXES["regret"], "rivals")
    layout["xaxis"]["range"] = [0, max(len(end.regret) for end in endings.values())]
    layout["legend"] |= legend_lines(list(names.values()))
    layout["yaxis"]["rangemode"] = "tozero"
    layout["showlegend"] = True
    shade_exploration(layout, tau)
    return {"data": data, "layout": layout}


def strips(groups: Sequence[Users], own: float) -> dict:
    """The regret of every user of some settings as a dot, above the setting; the run on screen among the first."""
    data, shapes = [], []
    for place, group in enumerate(groups):
        colour, (low, high) = PALETTE[place], group.usual
        # Users who pay about the same are set apart sideways; multiples of the golden ratio never bunch.
        aside = np.argsort(np.argsort(group.regrets)) * 0.618034 % 1 - 0.5
        data.append(
            {
                "type": "scatter", "mode": "markers", "name": group.name, "x": numbers(place + 0.6 * aside),
                "y": numbers(group.regrets), "marker": {"color": colour, "size": 6, "opacity": 0.7},
                "hovertemplate": "a user: regret %{y:.3g}<extra>%{fullData.name}</extra>",
            }
        )  # fmt: skip
        shapes += [
            _across(place, low, high, fillcolor=faint(colour), line={"width": 0}, layer="below"),
            _across(place, group.median, group.median, line={"color": colour, "width": 3}),
        ]
    data.append(
        {
            "type": "scatter", "mode": "markers", "name": "the run on screen", "x": [0], "y": numbers(np.array([own])),
            "marker": {"color": PALETTE[5], "symbol": "diamond", "size": 15, "line": {"color": "white", "width": 2}},
            "hovertemplate": "the run on screen: regret %{y:.3g}<extra></extra>",
        }
    )  # fmt: skip
    layout = base_layout("", "", "regret at T", "strips")
    layout["xaxis"] |= {"range": [-0.5, len(groups) - 0.5], "showgrid": False, "tickvals": list(range(len(groups)))}
    layout["xaxis"] |= {
        "ticktext": ["<br>".join(group.name.rsplit(" ", 1)) for group in groups],
        "title": None,
        "tickangle": 0,
    }
    layout["yaxis"]["rangemode"] = "tozero"
    layout["margin"]["t"] = 6
    layout["showlegend"] = False
    layout["shapes"] = shapes
    return {"data": data, "layout": layout}


def _across(place: int, low: float, high: float, **look: Any) -> dict:
    """A rectangle across one strip, from one regret to another."""
    return {"type": "rect", "x0": place - 0.42, "x1": place + 0.42, "y0": low, "y1": high, **look}


def _outline(panel: str, width: float, height: float) -> dict:
    """The border of the item space, or the unit circle that the taste lies on."""
    line = {"color": "rgba(128,128,128,0.6)", "width": 1}
    corners = {"x0": -width, "x1": width, "y0": -height, "y1": height}
    return {"type": "circle", "xref": f"x{panel}", "yref": f"y{panel}", "line": line, "layer": "below", **corners}


def _points(rows: np.ndarray) -> dict[str, list]:
    return {"x": numbers(rows[:, 0]), "y": numbers(rows[:, 1])}
