"""Figures of the page "Rich history". They only draw."""

import numpy as np

from pages.figures import base_layout, faint, numbers, shade_exploration
from pages.palette import DASHES, PALETTE
from pages.richness import is_exact
from roam_core.enrichment import RichResult
from roam_core.richness import Pairs, Richness


def reach_over_time(result: RichResult, bound: float) -> dict:
    """Median of 1 / rho(H_t) over the runs with its 10% and 90% quantiles, and what the paper's bound leaves of it."""
    figure = base_layout("How far the best question reaches", "round t", "share of the mistake, 1/ρ(H)", "reach")
    at_most = "" if is_exact(result.scenario) else " (at most)"
    figure["yaxis"] |= {"range": [0, 1.03], "tickformat": ".0%"}
    figure["showlegend"] = True
    data = []
    if result.runs:
        rounds = list(result.rounds)
        high, median, low = 1 / quantiles(result.beta)  # a flat history has an infinite rho: it reaches nothing
        edge = {"type": "scatter", "mode": "lines", "x": rounds, "line": {"width": 0}, "hoverinfo": "skip"}
        data = [
            {**edge, "y": numbers(high), "name": "90%", "showlegend": False},
            {**edge, "y": numbers(low), "name": "10% to 90% of runs", "fill": "tonexty",
             "fillcolor": faint(PALETTE[3])},
            {"type": "scatter", "mode": "lines+markers", "x": rounds, "y": numbers(median),
             "name": f"median run{at_most}", "line": {"color": PALETTE[3], "width": 3}, "marker": {"size": 7},
             "hovertemplate": "round %{x}: the median run reaches %{y:.0%}<extra></extra>"},
            {"type": "scatter", "mode": "lines", "x": [1, result.scenario.horizon], "y": [1 / bound, 1 / bound],
             "name": "what the paper's proof counts on, 1/β", "line": {"color": PALETTE[2], "width": 3, "dash": "dash"},
             "hovertemplate": "the paper's proof counts on %{y:.3p}<extra></extra>"},
        ]  # fmt: skip
    shade_exploration(figure, result.scenario.resolved().tau)
    figure["xaxis"]["range"] = [0, result.scenario.horizon + 1]
    return {"data": data, "layout": figure}


def quantiles(beta: np.ndarray) -> np.ndarray:
    """(3, rounds) 10%, 50% and 90% quantile of rho (runs, rounds), each the value of a run; it may be infinite."""
    return np.quantile(beta, [0.1, 0.5, 0.9], axis=0, method="inverted_cdf")


# Lemma 3 on one history in the plane with two items at least, step by step


def pairs(history: np.ndarray, radius: float) -> dict:
    """The items of a history (n, 2) two by two, each pair joined by a line."""
    figure = base_layout("1. Pairs", "", "", "pairs")
    whole = len(history) // 2 * 2
    x, y = (
        [value for i in range(0, whole, 2) for value in (*numbers(history[i : i + 2, axis]), None)] for axis in (0, 1)
    )
    data = [
        {"type": "scatter", "mode": "lines+markers", "x": x, "y": y, "name": "pair", "hoverinfo": "skip",
         "line": {"color": PALETTE[0], "width": 3}, "marker": {"color": PALETTE[4], "size": 10}},
    ]  # fmt: skip
    if whole < len(history):
        left_out = {"color": PALETTE[4], "size": 11, "symbol": "circle-open", "line": {"width": 3}}
        data.append({"type": "scatter", "mode": "markers", "x": numbers(history[-1:, 0]), "y": numbers(history[-1:, 1]),
                     "name": "left out", "marker": left_out, "hoverinfo": "skip"})  # fmt: skip
    edge = 1.08 * radius
    for axis in ("xaxis", "yaxis"):
        figure[axis] |= {"range": [-edge, edge], "showgrid": False}
    figure["yaxis"] |= {"scaleanchor": "x", "constrain": "domain"}
    figure["xaxis"] |= {"constrain": "domain"}
    figure["shapes"] = [{"type": "circle", "x0": -radius, "x1": radius, "y0": -radius, "y1": radius,
                         "line": {"color": "#888888", "width": 1.5}, "layer": "below"}]  # fmt: skip
    figure["showlegend"] = len(data) > 1
    return {"data": data, "layout": figure}


def along_worst(history: np.ndarray, found: Richness, radius: float) -> dict:
    """Where the items of each pair of a history (n, 2) lie along the worst direction; the longest pair is marked."""
    figure = base_layout("2. Triangle inequality", "place along v", "pair", "triangle")
    places, lengths = numbers(history @ found.v), Pairs.of(history).along(found.v)
    longest, middle = int(lengths.argmax()), float(f"{(found.low + found.high) / 2:.5g}")
    others = [i for i in range(len(lengths)) if i != longest]
    data = [
        {
            "type": "scatter", "mode": "lines+markers", "name": name, "line": line, "marker": {"size": 9},
            "x": [place for i in rows for place in (*places[2 * i : 2 * i + 2], None)],
            "y": [row for i in rows for row in (i + 1, i + 1, None)],
            "hovertemplate": "pair %{y}: place %{x:.3g}<extra></extra>",
        }
        for name, rows, line in (
            ("other pairs", others, {"color": PALETTE[0], "width": 2}),
            ("longest pair", [longest], {"color": PALETTE[1], "width": 6}),
        )
        if rows
    ]  # fmt: skip
    data.append({"type": "scatter", "mode": "lines", "name": "x in the middle m", "x": [middle, middle],
                 "y": [0.4, len(lengths) + 0.6], "hoverinfo": "skip",
                 "line": {"color": "#888888", "width": 2, "dash": "dash"}})  # fmt: skip
    figure["yaxis"] |= {"range": [0.4, len(lengths) + 0.6], "showgrid": False}
    figure["xaxis"]["range"] = [-1.08 * radius, 1.08 * radius]
    figure["yaxis"]["tickvals"] = list(range(1, len(lengths) + 1, 1 + len(lengths) // 8))
    figure["shapes"] = [{"type": "rect", "yref": "paper", "y0": 0, "y1": 1, "x0": found.low, "x1": found.high,
                         "fillcolor": faint(PALETTE[3]), "line": {"width": 0}, "layer": "below"}]  # fmt: skip
    figure["showlegend"] = True
    return {"data": data, "layout": figure}


def by_direction(of: Pairs, sigma: np.ndarray) -> dict:
    """<z, v>^2 in every direction v of the plane: of the longest pair, the mean, what is expected, what is needed."""
    figure = base_layout("3. Concentration", "direction v in degrees", "⟨z, v⟩²", "concentration")
    degrees = np.arange(0, 181, 3)
    v = np.column_stack([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    expected = np.vecdot(v, v @ sigma)
    needed = np.full(len(v), np.linalg.eigvalsh(sigma)[0] / 4)
    squares = of.along(v) ** 2
    data = [
        {
            "type": "scatter", "mode": "lines", "name": name, "x": degrees.tolist(), "y": numbers(values),
            "line": {"color": colour, "width": 3, "dash": dash}, "hovertemplate": "%{x}°: %{y:.3g}<extra></extra>",
        }
        for name, values, colour, dash in (
            ("longest pair", squares.max(0), PALETTE[1], DASHES[0]),
            ("mean of the pairs", squares.mean(0), PALETTE[0], DASHES[1]),
            ("expected, vᵀΣv", expected, "#888888", DASHES[2]),
            ("needed, λmin(Σ)/4", needed, PALETTE[2], DASHES[3]),
        )
    ]  # fmt: skip
    figure["xaxis"] |= {"range": [0, 180], "tickvals": [0, 45, 90, 135, 180]}
    figure["yaxis"] |= {"rangemode": "tozero"}
    figure["margin"] |= {"r": 26}  # else there is no room for the last number
    figure["showlegend"] = True
    return {"data": data, "layout": figure}
