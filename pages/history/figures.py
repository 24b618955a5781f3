"""Figures of the page "Rich history". They only draw."""

from collections.abc import Sequence

import numpy as np

from pages.figures import base_layout, ends, faint, numbers, shade_exploration, with_bands
from pages.palette import DASHES, PALETTE
from roam_core import Result
from roam_core.enrichment import Explored, RichResult


def richness_over_time(result: RichResult, bound: float) -> dict:
    """Median of beta(H_t) over the runs with its 10% and 90% quantiles, and the paper's bound."""
    figure = base_layout("Richness of the history, β(H)", "round t", "β(H)", "richness")
    figure["yaxis"] |= {"type": "log", "tickvals": [m * 10**p for p in range(6) for m in (1, 2, 5)]}
    figure["showlegend"] = True
    data = []
    if result.runs:
        rounds = list(result.rounds)
        low, median, high = quantiles(result.beta)
        edge = {"type": "scatter", "mode": "lines", "x": rounds, "line": {"width": 0}, "hoverinfo": "skip"}
        data = [
            {**edge, "y": numbers(high), "name": "90%", "showlegend": False},
            {**edge, "y": numbers(low), "name": "10% to 90% of runs", "fill": "tonexty",
             "fillcolor": faint(PALETTE[3])},
            {"type": "scatter", "mode": "lines+markers", "x": rounds, "y": numbers(median), "name": "median run",
             "line": {"color": PALETTE[3], "width": 3}, "marker": {"size": 7},
             "hovertemplate": "round %{x}: median β(H) %{y:.3g}<extra></extra>"},
            {"type": "scatter", "mode": "lines", "x": [1, result.scenario.horizon], "y": [bound, bound],
             "name": "paper's bound", "line": {"color": PALETTE[2], "width": 3, "dash": "dash"},
             "hovertemplate": "the paper's bound on β %{y:.3g}<extra></extra>"},
        ]  # fmt: skip
    shade_exploration(figure, result.scenario.resolved().tau)
    figure["xaxis"]["range"] = [0, result.scenario.horizon + 1]
    return {"data": data, "layout": figure}


def quantiles(beta: np.ndarray) -> np.ndarray:
    """(3, rounds) 10%, 50% and 90% quantile of beta (runs, rounds), each the value of a run; it may be infinite."""
    return np.quantile(beta, [0.1, 0.5, 0.9], axis=0, method="inverted_cdf")


def how_long(
    phases: Sequence[tuple[str, Explored, float]], results: Sequence[Result], prescribed: int, longest: int
) -> dict:
    """Against tau: the share of runs that have explored enough (left axis) and the regret at T (right axis).

    `phases` are a name, what exploration achieves, and the paper's bound on beta; the first is drawn solid.
    """
    figure = base_layout("How long to explore", "exploration rounds τ", "share of runs", "how long")
    data = []
    for (name, phase, bound), dash in zip(phases, ("solid", "dot"), strict=True):
        if not phase.runs:
            continue
        for values, what, colour in (
            (phase.lambda_min >= 1, "λmin(V) ≥ 1", PALETTE[2]),
            (phase.beta <= bound, "β(H) ≤ bound", PALETTE[3]),
        ):
            data.append(
                {
                    "type": "scatter", "mode": "lines+markers", "x": list(phase.lengths), "y": numbers(values.mean(0)),
                    "name": f"{what}{name}", "line": {"color": colour, "width": 3, "dash": dash},
                    "marker": {"size": 7, "symbol": "circle" if dash == "solid" else "diamond-open"},
                    "hovertemplate": "τ = %{x}: %{y:.0%} of runs<extra>%{fullData.name}</extra>",
                }
            )  # fmt: skip
    known = [result for result in results if result.runs]
    tried = [result.scenario.tau for result in known]
    regret = with_bands("regret at T (right axis)", tried, *ends(known), PALETTE[1], DASHES[1], "square")
    hover = "τ = %{x}: regret %{y:.4g} ± %{error_y.array:.2g}<extra></extra>"
    data.append({**regret, "yaxis": "y2", "hovertemplate": hover})
    figure["xaxis"]["range"] = [-0.02 * longest, 1.02 * longest]
    figure["yaxis"] |= {"range": [-0.03, 1.05], "tickformat": ".0%"}
    figure["yaxis2"] = {
        **figure["yaxis"], "title": {"text": "regret at T", "font": {"size": 16}}, "overlaying": "y", "side": "right",
        "rangemode": "tozero", "tickformat": "", "showgrid": False, "autorange": True, "tickmode": "auto",
    }  # fmt: skip
    del figure["yaxis2"]["range"]
    if prescribed <= longest:
        data.append(
            {
                "type": "scatter", "mode": "lines", "name": f"prescribed τ = {prescribed}", "hoverinfo": "skip",
                "x": [prescribed, prescribed], "y": figure["yaxis"]["range"],
                "line": {"color": "#888888", "width": 2, "dash": "dash"},
            }
        )  # fmt: skip
    figure["showlegend"] = True
    return {"data": data, "layout": figure}
