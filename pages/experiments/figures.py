"""Figures of the page "What the theory suggests". They only draw."""

from collections.abc import Sequence

import numpy as np

from pages.figures import Series, base_layout, curves, ends, numbers, with_bands
from pages.palette import PALETTE
from roam_core import Result
from roam_core.result import moments


def by_items(results: Sequence[Result]) -> dict:
    """Regret at T, and the part of it that comes after exploration, against the number of items on offer."""
    known = [result for result in results if result.runs]
    k = [result.scenario.k for result in known]
    data = [with_bands("regret at T", k, *ends(known), PALETTE[0])] if known else []
    if known and known[0].scenario.resolved().tau:
        after = np.array([moments(after_exploration(result)) for result in known])
        data.append(with_bands("of it after exploration", k, *after.T, PALETTE[1], "dash", "square"))
    layout = base_layout("Regret at T", "items on offer (k)", "R(T)", "items")
    layout["xaxis"] |= {"type": "log", "tickvals": [result.scenario.k for result in results]}
    layout["yaxis"]["rangemode"] = "tozero"
    layout["showlegend"] = True
    return {"data": data, "layout": layout}


def after_exploration(result: Result) -> np.ndarray:
    """(runs,) regret of the rounds after exploration."""
    tau = result.scenario.resolved().tau
    return result.regret[:, -1] - (result.regret[:, tau - 1] if tau else 0.0)


def by_flatness(flatness: Sequence[float], times: dict[str, tuple[np.ndarray, np.ndarray]]) -> dict:
    """Several quantities as multiples of what they are at f = 1 (values, bands), against the flatness."""
    styles = zip(PALETTE, ("dash", "solid", "dot"), ("diamond", "circle", "square"), strict=False)
    x = [f"{f:g}" for f in flatness]
    data = [
        with_bands(name, x, values, bands, *style)
        for (name, (values, bands)), style in zip(times.items(), styles, strict=False)
        if np.isfinite(values).any()
    ]
    layout = base_layout("Times what it is at f = 1", "flatness (f), 1: not squeezed", "times", "flatness")
    layout["xaxis"]["type"] = "category"
    layout["yaxis"] |= {"type": "log", "tickvals": [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]}
    layout["showlegend"] = True
    return {"data": data, "layout": layout}


def with_line_at_one(series: Sequence[Series]) -> dict:
    """Critical ratios, and the line that a fresh y cannot cross."""
    figure = curves(series, "ratio")
    horizon = series[0].result.scenario.horizon
    tops = [y for trace in figure["data"] for y in trace["y"] if y is not None]
    figure["layout"]["yaxis"]["range"] = [0, max(1.25, *(1.1 * y for y in tops))] if tops else [0, 1.25]
    line = {"color": "#888888", "width": 2, "dash": "dash"}
    figure["data"].append(
        {"type": "scatter", "mode": "lines", "name": "ratio 1", "x": [1, horizon], "y": [1, 1], "line": line}
    )
    return figure


def error_by_questions(results: Sequence[Result]) -> dict:
    """Error at T against the questions per item, beside what twice the answers do to an ordinary mean."""
    known = [result for result in results if result.runs]
    m = [result.scenario.questions for result in known]
    data = []
    if known:
        mean, band = ends(known, "error")
        data = [with_bands("error at T", m, mean, band, PALETTE[0])]
        if m[0] == 1:
            guide = mean[0] / np.sqrt(m)
            data.append(
                {
                    "type": "scatter", "mode": "lines", "name": "1/√m guide", "x": m, "y": numbers(guide),
                    "line": {"color": "#888888", "width": 2, "dash": "dot"}, "hoverinfo": "skip",
                }
            )  # fmt: skip
    return {"data": data, "layout": _questions_layout("Estimation error at T", "‖θ* − θ̂‖", results)}


def regret_by_questions(results: Sequence[Result], cost: float) -> dict:
    """Regret at T, without and with what the questions cost, against the questions per item."""
    known = [result for result in results if result.runs]
    m = [result.scenario.questions for result in known]
    data = [with_bands("regret", m, *ends(known), PALETTE[0])] if known else []
    if known and cost:
        totals = np.array([moments(total(result, cost)) for result in known])
        data.append(with_bands(f"regret plus {cost:g} a question", m, *totals.T, PALETTE[1], "dash", "square"))
    return {"data": data, "layout": _questions_layout("Regret at T", "R(T)", results)}


def total(result: Result, cost: float) -> np.ndarray:
    """(runs,) regret at T plus what all questions cost."""
    return result.regret[:, -1] + cost * result.questions[:, -1]


def _questions_layout(title: str, y: str, results: Sequence[Result]) -> dict:
    layout = base_layout(title, "questions per item (m)", y, title)
    layout["xaxis"]["tickvals"] = [result.scenario.questions for result in results]
    layout["yaxis"]["rangemode"] = "tozero"
    layout["showlegend"] = True
    return layout
