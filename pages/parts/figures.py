"""Figures: from Results to plain Plotly dicts. They only draw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pages.parts.scene import Ending
from roam_core import Result, Scenario
from roam_core.scenario import Knob

# Okabe and Ito's colours, those that reach a contrast of 3 on white and on the dark background alike.
PALETTE = ("#0077BB", "#D55E00", "#009E73", "#B35BA5", "#A07800", "#CC3311")
ROLES = dict(zip(("new", "asked", "truth", "doubt", "explored", "yours"), PALETTE, strict=True))  # in the plane
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")

TITLES = {"regret": "Cumulative regret", "error": "Estimation error", "ratio": "Critical ratio"}
LONG_LABEL = 14  # characters: two such legend entries do not fit side by side in a third of a screen
AXES = {"regret": "R(t)", "error": "‖θ* − θ̂‖", "ratio": "ratio"}


@dataclass(frozen=True)
class Series:
    """A Result to draw, with what to call it."""

    result: Result
    label: str


def curves(
    series: Sequence[Series],
    curve: str,
    *,
    log: bool = False,
    guide: bool = False,
    beta: float | None = None,
    bright: Sequence[str] | None = None,
    title: str = "",
) -> dict:
    """Mean and 95% band of one curve for some Results; the exploration phase of the first one is shaded.

    If `bright` is given, series with other labels are pale. Without a `title` the curve's own is used.
    """
    first = series[0].result.scenario.resolved()
    data = []
    for number, one in enumerate(series):
        if one.result.runs:
            traces = _mean_and_band(one, curve, number, legend=len(series) > 1)
            pale = bright is not None and one.label not in bright
            data += [{**trace, "opacity": 0.2, "fillcolor": "rgba(0,0,0,0)"} for trace in traces] if pale else traces
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
    layout = base_layout(title or TITLES[curve], "round t", AXES[curve], f"{curve} {log}")
    layout["xaxis"]["range"] = [0, first.horizon]
    layout["yaxis"] |= {"type": "log"} if log else {"rangemode": "tozero"}
    if curve == "error" and not log and (top := _settled_top(series)):
        layout["yaxis"]["range"] = [0, top]  # the first estimates are far off and would squeeze all the rest
    if log:
        layout["xaxis"] = {**layout["xaxis"], "type": "log", "range": [0, float(np.log10(max(first.horizon, 2)))]}
    if first.tau:
        layout["shapes"] = [exploration_shade(first.tau, log)]
        layout["annotations"] = [exploration_label(first.tau, log)]
    layout["showlegend"] = len(series) > 1
    layout["legend"] |= _legend_lines([one.label for one in series])
    return {"data": data, "layout": layout}


def _legend_lines(labels: Sequence[str]) -> dict:
    """One entry a line if any is long: plots side by side then break their legends alike, and their axes are level."""
    long = max(map(len, labels)) > LONG_LABEL
    return {"entrywidth": 1, "entrywidthmode": "fraction"} if long else {}


def _settled_top(series: Sequence[Series]) -> float:
    """A little above the largest estimation error once there are a few comparisons; 0 if no run is complete."""
    tops = [0.0]
    for one in series:
        settled = one.result.scenario.resolved()
        start = min(max(settled.tau, 4 * settled.d), settled.horizon // 3)  # two thirds of the rounds are always seen
        if one.result.runs:
            t, mean, _ = one.result.sampled("error")
            tops.append(1.15 * float(mean[np.array(t) > start].max()))
    return max(tops)


def _mean_and_band(one: Series, curve: str, number: int, legend: bool) -> list[dict]:
    t, mean, band = one.result.sampled(curve)
    colour, dash = PALETTE[number % len(PALETTE)], DASHES[number % len(DASHES)]
    hover = "round %{x}<br>" + TITLES[curve].lower() + " %{y:.4g} ± %{customdata:.2g}<extra>%{fullData.name}</extra>"
    edge = {"type": "scatter", "mode": "lines", "x": t, "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    group = {"legendgroup": str(number)}
    return [
        {**edge, **group, "y": numbers(mean + band), "name": "upper"},
        {**edge, **group, "y": numbers(mean - band), "name": "lower", "fill": "tonexty", "fillcolor": faint(colour)},
        {
            "type": "scatter", "mode": "lines", "x": t, "y": numbers(mean), "customdata": numbers(band),
            "line": {"color": colour, "dash": dash, "width": 3}, "name": one.label, "hovertemplate": hover,
            "showlegend": legend, **group,
        },
    ]  # fmt: skip


def _guide(result: Result) -> dict:
    """The curve c sqrt(t) through the end of the mean regret."""
    t, mean, _ = result.sampled("regret")
    y = mean[-1] * np.sqrt(np.array(t) / t[-1])
    line = {"color": "#888888", "width": 2, "dash": "dot"}
    return {
        "type": "scatter",
        "mode": "lines",
        "x": t,
        "y": numbers(y),
        "line": line,
        "name": "√t guide",
        "hoverinfo": "skip",
    }


def finals(results: Sequence[Result], knob: Knob, words: dict[str, str]) -> dict:
    """Final regret against one field, with 95% bands; `words` are names for the values of a field of names."""
    complete = [result for result in results if result.runs]
    values = [getattr(result.scenario.resolved(), knob.name) for result in complete]
    mean, band = (np.array([getattr(r, moment)("regret")[-1] for r in complete]) for moment in ("mean", "band"))
    data = {
        "type": "scatter", "mode": "markers" if knob.choices else "lines+markers", "name": "regret at T",
        "x": [words.get(value, value) for value in values] if knob.choices else values, "y": numbers(mean),
        "error_y": {"type": "data", "visible": True, "thickness": 2, "array": numbers(np.nan_to_num(band))},
        "line": {"color": PALETTE[0], "width": 3}, "marker": {"color": PALETTE[0], "size": 10},
        "hovertemplate": f"{knob.symbol} = %{{x}}<br>regret %{{y:.4g}} ± %{{error_y.array:.2g}}<extra></extra>",
    }  # fmt: skip
    layout = base_layout("Regret at T", f"{knob.label} ({knob.symbol})", "R(T)", f"finals {knob.name}")
    layout["yaxis"]["rangemode"] = "tozero"
    layout["showlegend"] = False
    if knob.choices:
        layout["xaxis"]["type"] = "category"
    return {"data": [data] if complete else [], "layout": layout}


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
    layout = base_layout("Which past item was asked about", "round t", "round the item is from", "asked")
    highest = int(result.asked[run].max()) + 1 if run < result.runs else 0
    layout["xaxis"]["range"] = [0, result.scenario.horizon]
    layout["yaxis"]["range"] = [0, max(2 * tau, 1.1 * highest, 10)]
    if tau:
        layout["shapes"] = [exploration_shade(tau, False)]
    layout["showlegend"] = True
    return {"data": data, "layout": layout}


def base_layout(title: str, x: str, y: str, revision: str) -> dict:
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
        # Below the axis title whatever its length: the plot makes room for it.
        "legend": {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0, "font": {"size": 15}},
    }


def exploration_shade(tau: int, log: bool) -> dict:
    shade = {"fillcolor": "rgba(128,128,128,0.16)", "line": {"width": 0}, "layer": "below"}
    return {"type": "rect", "xref": "x", "yref": "paper", "x0": 1 if log else 0, "x1": tau, "y0": 0, "y1": 1, **shade}


def exploration_label(tau: int, log: bool) -> dict:
    x = float(np.log10(tau)) if log else tau
    return {
        "x": x, "y": 1, "xref": "x", "yref": "paper", "text": f"τ = {tau}", "showarrow": False,
        "xanchor": "left", "yanchor": "top", "font": {"size": 15},
    }  # fmt: skip


def numbers(values: np.ndarray) -> list[float | None]:
    """Numbers for JSON, five digits of them; None where there is no value."""
    return [float(f"{value:.5g}") if np.isfinite(value) else None for value in values]


def faint(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.22)"


def ending(end: Ending, scenario: Scenario, level: float) -> dict:
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
        {**below, "mode": "lines", "name": f"ellipsoid, c = {level:g}", "fill": "toself", **_points(border),
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
    layout["xaxis2"] = {**plain, "range": [-2, 2], "domain": [0, 1], "anchor": "y2"}
    layout["yaxis2"] = {**plain, "range": [-2, 2], "domain": [0, 0.49], "anchor": "x2", "scaleanchor": "x2"}
    for axis in ("xaxis", "xaxis2", "yaxis", "yaxis2"):
        layout[axis]["constrain"] = "domain"
    layout["margin"] = {"l": 4, "r": 4, "t": 4, "b": 4}
    layout["showlegend"] = False
    width, height = scenario.law.scale
    layout["shapes"] = [_outline("", width, height), _outline("2", 1, 1)]
    return {"data": data, "layout": layout}


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
    layout["legend"] |= _legend_lines(list(names.values()))
    layout["yaxis"]["rangemode"] = "tozero"
    layout["showlegend"] = True
    if tau:
        layout["shapes"], layout["annotations"] = [exploration_shade(tau, False)], [exploration_label(tau, False)]
    return {"data": data, "layout": layout}


def _outline(panel: str, width: float, height: float) -> dict:
    """The border of the item space, or the unit circle that the taste lies on."""
    line = {"color": "rgba(128,128,128,0.6)", "width": 1}
    corners = {"x0": -width, "x1": width, "y0": -height, "y1": height}
    return {"type": "circle", "xref": f"x{panel}", "yref": f"y{panel}", "line": line, "layer": "below", **corners}


def _points(rows: np.ndarray) -> dict[str, list]:
    return {"x": numbers(rows[:, 0]), "y": numbers(rows[:, 1])}
