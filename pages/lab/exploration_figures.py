"""The figure of the lab's section "How long to explore". It only draws."""

from collections.abc import Sequence

from pages.figures import base_layout, ends, numbers, with_bands
from pages.palette import DASHES, PALETTE
from pages.richness import is_exact
from roam_core import Result
from roam_core.enrichment import Explored


def how_long(
    phases: Sequence[tuple[str, Explored, float]], results: Sequence[Result], prescribed: int, longest: int
) -> dict:
    """Against tau: the share of runs that have explored enough (left axis) and the regret at T (right axis).

    `phases` are a name, what exploration achieves, and the paper's bound beta; the first is drawn solid.
    """
    figure = base_layout("How long to explore", "exploration rounds (τ)", "share of runs", "how long")
    data = []
    for (name, phase, bound), dash in zip(phases, ("solid", "dot"), strict=True):
        if not phase.runs:
            continue
        at_most = "" if is_exact(phase.scenario) else " (at most)"
        for values, what, colour in (
            (phase.lambda_min >= 1, "asked enough, λmin(V) ≥ 1", PALETTE[2]),
            (phase.beta <= bound, f"rich enough, ρ(H) ≤ β{at_most}", PALETTE[3]),
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
