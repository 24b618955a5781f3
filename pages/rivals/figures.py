"""Figures of the page "ROAM and its rivals". They only draw."""

from collections.abc import Sequence

import numpy as np

from pages.figures import base_layout, ends, numbers, with_bands
from pages.palette import PALETTE
from roam_core import Result
from roam_core.paper import Map
from roam_core.result import moments


def regret_map(table: Map, here: tuple[float, float]) -> dict:
    """CoLSTIM's regret at T over c1 and c2, with the level of ROAM's regret as a contour where there is one.

    The cell of `here`, a pair of c1 and c2, has a frame if there is such a cell.
    """
    names = {"x": [f"{c:g}" for c in table.c2], "y": [f"{c:g}" for c in table.c1]}
    z = [numbers(row) for row in table.regret]
    text = [["" if value is None else f"{value:.0f}" for value in row] for row in z]
    known = table.regret[np.isfinite(table.regret)]
    data = [
        {
            "type": "heatmap", **names, "z": z, "text": text, "texttemplate": "%{text}", "textfont": {"size": 17},
            "colorscale": "Cividis", "reversescale": True, "name": "CoLSTIM", "xgap": 2, "ygap": 2,
            "customdata": [numbers(row) for row in table.band],
            "colorbar": {"title": {"text": "regret at T"}, "thickness": 14, "outlinewidth": 0},
            "hovertemplate": "c1 = %{y}, c2 = %{x}<br>regret %{z:.4g} ± %{customdata:.2g}<extra></extra>",
        }
    ]  # fmt: skip
    if known.size == table.regret.size and known.min() < table.roam < known.max():
        data.append(
            {
                "type": "contour", **names, "z": z, "showscale": False, "name": "ROAM's level", "hoverinfo": "skip",
                "contours": {"start": table.roam, "end": table.roam, "size": 1, "coloring": "none"},
                "line": {"color": PALETTE[1], "width": 4},
            }
        )  # fmt: skip
    layout = base_layout("CoLSTIM's regret at T", "perturbation limit of x (c2)", "exploration weight of y (c1)", "map")
    for axis in ("xaxis", "yaxis"):
        layout[axis] |= {"type": "category", "showgrid": False, "dtick": 1}
    layout["showlegend"] = False
    if here[0] in table.c1 and here[1] in table.c2:
        y, x = table.c1.index(here[0]), table.c2.index(here[1])  # a category's place is a whole number
        edges = {"x0": x - 0.5, "x1": x + 0.5, "y0": y - 0.5, "y1": y + 0.5}
        layout["shapes"] = [{"type": "rect", **edges, "line": {"color": PALETTE[5], "width": 5}}]
    return {"data": data, "layout": layout}


def by_window(results: Sequence[Result], level: Result) -> dict:
    """Regret at T of the ask rule `recent` against its window, beside that of choosing from the whole history."""
    known = [result for result in results if result.runs]
    x = [result.scenario.window for result in known]
    data = [with_bands("most uncertain of the last w", x, *ends(known), PALETTE[0])] if known else []
    if level.runs:
        height, band = (getattr(level, moment)("regret")[-1] for moment in ("mean", "band"))
        windows = [result.scenario.window for result in results]
        data.append(
            {
                "type": "scatter", "mode": "lines", "name": f"whole history: {height:.3g} ± {np.nan_to_num(band):.2g}",
                "x": [min(windows), max(windows)], "y": numbers(np.array([height, height])),
                "line": {"color": PALETTE[2], "width": 3, "dash": "dash"},
            }
        )  # fmt: skip
    layout = base_layout("How many recent items are enough?", "window w", "R(T)", "window")
    layout["xaxis"] |= {"type": "log", "tickvals": [result.scenario.window for result in results]}
    layout["yaxis"]["rangemode"] = "tozero"
    layout["showlegend"] = True
    return {"data": data, "layout": layout}


def asking_less(results: Sequence[Result], cost: float) -> dict:
    """Regret at T, without and with the cost of questions, against the threshold below which none is asked."""
    known = [result for result in results if result.runs]
    x = [f"{result.scenario.skip_below:g}" for result in known]
    data = []
    if known:
        data.append(with_bands("regret", x, *ends(known), PALETTE[0]))
    if known and cost:
        totals = np.array([moments(result.regret[:, -1] + cost * result.questions[:, -1]) for result in known])
        data.append(with_bands(f"regret plus {cost:g} a question", x, *totals.T, PALETTE[1], "dash", "square"))
    layout = base_layout("Regret at T", "threshold s", "R(T)", "asking less")
    layout["xaxis"]["type"] = "category"
    layout["yaxis"]["rangemode"] = "tozero"
    layout["showlegend"] = True
    return {"data": data, "layout": layout}


def questions(results: Sequence[Result]) -> dict:
    """Questions asked in a run against the threshold."""
    known = [result for result in results if result.runs]
    x = [f"{result.scenario.skip_below:g}" for result in known]
    mean = np.array([result.questions[:, -1].mean() for result in known])
    data = {
        "type": "bar", "x": x, "y": numbers(mean), "name": "questions", "marker": {"color": PALETTE[4]},
        "text": [f"{value:.0f}" for value in mean], "textposition": "auto", "textfont": {"size": 16},
        "hovertemplate": "threshold %{x}: %{y:.4g} questions a run<extra></extra>",
    }  # fmt: skip
    layout = base_layout("Questions asked in a run", "threshold s", "questions", "questions")
    layout["xaxis"]["type"] = "category"
    layout["showlegend"] = False
    return {"data": [data] if known else [], "layout": layout}
