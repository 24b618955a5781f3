"""Figures: from Results to plain Plotly dicts. They only draw."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from roam_core import Result
from roam_core.scenario import Knob

# Okabe and Ito's colours, those that reach a contrast of 3 on white and on the dark background alike.
PALETTE = ("#0077BB", "#D55E00", "#009E73", "#B35BA5", "#A07800", "#CC3311")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
POINTS = 300  # of a curve, at most: more cannot be seen
SMOOTHING = 10  # rounds over which the critical ratio is averaged, as in the paper

TITLES = {"regret": "Cumulative regret", "error": "Estimation error", "ratio": "Critical ratio"}
AXES = {"regret": "R(t)", "error": "‖θ* − θ̂‖", "ratio": "ratio"}


@dataclass(frozen=True)
class Series:
    """A Result to draw, with what to call it."""

    result: Result
    label: str


def curves(
    series: Sequence[Series], curve: str, *, log: bool = False, guide: bool = False, beta: float | None = None
) -> dict:
    """Mean and 95% band of one curve for some Results; the exploration phase of the first one is shaded."""
    first = series[0].result.scenario.resolved()
    data = []
    for number, one in enumerate(series):
        if one.result.runs:
            data += _mean_and_band(one, curve, number, legend=len(series) > 1)
    if guide and curve == "regret" and series[0].result.runs:
        data.append(_guide(series[0].result))
    if beta is not None and curve == "ratio":
        line = {"color": "#888888", "width": 2, "dash": "dash"}
        data.append(
            {
                "type": "scatter",
                "mode": "lines",
                "x": [1, first.horizon],
                "y": [beta, beta],
                "line": line,
                "name": "bound β",
            }
        )
    layout = _layout(TITLES[curve], "round t", AXES[curve], f"{curve} {log}")
    layout["xaxis"]["range"] = [0, first.horizon]
    layout["yaxis"] |= {"type": "log"} if log else {"rangemode": "tozero"}
    if curve == "error" and not log and (top := _settled_top(series)):
        layout["yaxis"]["range"] = [0, top]  # the first estimates are far off and would squeeze all the rest
    if log:
        layout["xaxis"] = {**layout["xaxis"], "type": "log", "range": [0, float(np.log10(max(first.horizon, 2)))]}
    if first.tau:
        layout["shapes"] = [_exploration(first.tau, log)]
        layout["annotations"] = [_exploration_label(first.tau, log)]
    layout["showlegend"] = len(series) > 1
    return {"data": data, "layout": layout}


def _settled_top(series: Sequence[Series]) -> float:
    """A little above the largest estimation error once there are a few comparisons; 0 if no run is complete."""
    tops = [0.0]
    for one in series:
        settled = one.result.scenario.resolved()
        start = min(max(settled.tau, 4 * settled.d), settled.horizon - 1)
        if one.result.runs:
            tops.append(1.15 * float(one.result.mean("error")[start:].max()))
    return max(tops)


def _mean_and_band(one: Series, curve: str, number: int, legend: bool) -> list[dict]:
    t, mean, band = sampled(one.result, curve)
    colour, dash = PALETTE[number % len(PALETTE)], DASHES[number % len(DASHES)]
    hover = "round %{x}<br>" + TITLES[curve].lower() + " %{y:.4g} ± %{customdata:.2g}<extra>%{fullData.name}</extra>"
    edge = {"type": "scatter", "mode": "lines", "x": t, "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    group = {"legendgroup": str(number)}
    return [
        {**edge, **group, "y": _plain(mean + band), "name": "upper"},
        {**edge, **group, "y": _plain(mean - band), "name": "lower", "fill": "tonexty", "fillcolor": _faint(colour)},
        {
            "type": "scatter", "mode": "lines", "x": t, "y": _plain(mean), "customdata": _plain(band),
            "line": {"color": colour, "dash": dash, "width": 3}, "name": one.label, "hovertemplate": hover,
            "showlegend": legend, **group,
        },
    ]  # fmt: skip


def sampled(result: Result, curve: str) -> tuple[list[int], np.ndarray, np.ndarray]:
    """Rounds, mean and band of a curve at display resolution; the ratio is smoothed over ten rounds."""
    mean, band = result.mean(curve), np.nan_to_num(result.band(curve))
    if curve == "ratio":
        mean, band = smooth(mean), smooth(band)
        band[np.isnan(mean)] = np.nan
    rounds = np.unique(np.linspace(1, len(mean), min(POINTS, len(mean))).round().astype(int))
    return rounds.tolist(), mean[rounds - 1], band[rounds - 1]


def smooth(values: np.ndarray) -> np.ndarray:
    """Mean of each value and the (up to) nine before it, leaving out NaN."""
    known = np.isfinite(values)
    total = np.cumsum(np.where(known, values, 0))
    count = np.cumsum(known)
    total[SMOOTHING:] -= total[:-SMOOTHING].copy()
    count[SMOOTHING:] -= count[:-SMOOTHING].copy()
    return np.divide(total, count, out=np.full(len(values), np.nan), where=known)


def _guide(result: Result) -> dict:
    """The curve c sqrt(t) through the end of the mean regret."""
    t, mean, _ = sampled(result, "regret")
    y = mean[-1] * np.sqrt(np.array(t) / t[-1])
    line = {"color": "#888888", "width": 2, "dash": "dot"}
    return {
        "type": "scatter",
        "mode": "lines",
        "x": t,
        "y": _plain(y),
        "line": line,
        "name": "√t guide",
        "hoverinfo": "skip",
    }


def finals(results: Sequence[Result], knob: Knob) -> dict:
    """Final regret against one field, with 95% bands; a field with names instead of numbers has one place a name."""
    settled = [getattr(result.scenario.resolved(), knob.name) for result in results if result.runs]
    complete = [result for result in results if result.runs]
    data = []
    if complete:
        data.append(
            {
                "type": "scatter", "mode": "lines+markers", "name": "regret at T", "x": settled,
                "y": _plain(np.array([result.mean("regret")[-1] for result in complete])),
                "error_y": {
                    "type": "data", "visible": True, "thickness": 2,
                    "array": _plain(np.nan_to_num([result.band("regret")[-1] for result in complete])),
                },
                "line": {"color": PALETTE[0], "width": 3}, "marker": {"size": 10},
                "hovertemplate": f"{knob.symbol} = %{{x}}<br>regret %{{y:.4g}} ± %{{error_y.array:.2g}}<extra></extra>",
            }
        )  # fmt: skip
    layout = _layout("Regret at T", f"{knob.label} ({knob.symbol})", "R(T)", f"finals {knob.name}")
    layout["yaxis"]["rangemode"] = "tozero"
    layout["showlegend"] = False
    if knob.choices:
        layout["xaxis"]["type"] = "category"
    return {"data": data, "layout": layout}


def asked(result: Result, run: int = 0) -> dict:
    """Which past item each round of one run asked about; items of the exploration phase are marked."""
    tau = result.scenario.resolved().tau
    data = []
    if run < result.runs:
        index = result.asked[run]
        t = np.flatnonzero(index >= 0)
        early = index[t] < tau
        for where, name, colour, symbol in (
            (early, "item from exploration", PALETTE[1], "diamond"),
            (~early, "later item", PALETTE[0], "circle"),
        ):
            marker = {"color": colour, "symbol": symbol, "size": 6, "opacity": 0.75}
            hover = "round %{x} asked about the item of round %{y}<extra></extra>"
            data.append(
                {
                    "type": "scattergl" if len(t) > 3000 else "scatter", "mode": "markers",
                    "name": name, "marker": marker,
                    "x": (t[where] + 1).tolist(), "y": (index[t[where]] + 1).tolist(), "hovertemplate": hover,
                }
            )  # fmt: skip
    layout = _layout("Which past item was asked about", "round t", "round the item is from", "asked")
    highest = int(result.asked[run].max()) + 1 if run < result.runs else 0
    layout["xaxis"]["range"] = [0, result.scenario.horizon]
    layout["yaxis"]["range"] = [0, max(2 * tau, 1.1 * highest, 10)]
    if tau:
        layout["shapes"] = [_exploration(tau, False)]
    layout["showlegend"] = True
    return {"data": data, "layout": layout}


def _layout(title: str, x: str, y: str, revision: str) -> dict:
    axis = {"automargin": True, "showline": False, "zeroline": False, "tickfont": {"size": 16}, "nticks": 6}
    return {
        "title": {"text": title, "font": {"size": 20}, "x": 0.02, "xanchor": "left", "y": 0.97, "yanchor": "top"},
        "font": {"size": 16},
        "margin": {"l": 10, "r": 12, "t": 48, "b": 10},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
        "hoverlabel": {"font": {"size": 15}},
        "uirevision": revision,
        "xaxis": {**axis, "title": {"text": x, "font": {"size": 16}}},
        "yaxis": {**axis, "title": {"text": y, "font": {"size": 16}}},
        "legend": {"orientation": "h", "y": -0.22, "yanchor": "top", "x": 0, "font": {"size": 15}},
    }


def _exploration(tau: int, log: bool) -> dict:
    shade = {"fillcolor": "rgba(128,128,128,0.16)", "line": {"width": 0}, "layer": "below"}
    return {"type": "rect", "xref": "x", "yref": "paper", "x0": 1 if log else 0, "x1": tau, "y0": 0, "y1": 1, **shade}


def _exploration_label(tau: int, log: bool) -> dict:
    x = float(np.log10(tau)) if log else tau
    return {
        "x": x, "y": 1, "xref": "x", "yref": "paper", "text": f"τ = {tau}", "showarrow": False,
        "xanchor": "left", "yanchor": "top", "font": {"size": 15},
    }  # fmt: skip


def _plain(values: np.ndarray) -> list[float | None]:
    """Numbers for JSON, five digits of them; None where there is no value."""
    return [float(f"{value:.5g}") if np.isfinite(value) else None for value in values]


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.22)"
