"""Figures: from Results to plain Plotly dicts. They only draw."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pages.palette import DASHES, PALETTE
from roam_core import Result
from roam_core.scenario import Knob

TITLES = {"regret": "Cumulative regret", "error": "Estimation error", "ratio": "Critical ratio"}
LONG_LABEL = 14  # characters: two such legend entries do not fit side by side in a third of a screen
AXES = {"regret": "R(t)", "error": "‖θ* − θ̂‖", "ratio": "ratio"}
SINGLE_USERS = 5  # that are drawn with the spread: the first ones, which stay the same while more come in
PALE = 0.35  # opacity of what is not looked at, which still can be seen in the dark
NARROW = 0.16  # of an axis: ticks nearer to each other would run into each other


@dataclass(frozen=True)
class Series:
    """A Result to draw, with what to call it and, if it is not its place among the others, its colour's number."""

    result: Result
    label: str
    slot: int | None = None


def curves(
    series: Sequence[Series],
    curve: str,
    *,
    log: bool = False,
    guide: bool = False,
    beta: float | None = None,
    bright: Sequence[str] | None = None,
    spread: bool = False,
    title: str = "",
) -> dict:
    """Mean and 95% band of one curve for some Results; the exploration phase of the first one is shaded.

    If `bright` is given, series with other labels are pale. With `spread` there is also where 10 to 90% of the users
    are, and single ones. Without a `title` the curve's own is used.
    """
    first = series[0].result.scenario.resolved()
    legend = len(series) > 1 or spread
    if spread and len(series) == 1:
        series = [replace(series[0], label="mean, 95%")]  # its label has nothing to tell apart
    known = [(number if one.slot is None else one.slot, one) for number, one in enumerate(series) if one.result.runs]
    data = _spreads(known, curve) if spread else []
    for slot, one in known:
        traces = _mean_and_band(one, curve, slot, legend)
        pale = bright is not None and one.label not in bright
        data += [{**trace, "opacity": PALE, "fillcolor": "rgba(0,0,0,0)"} for trace in traces] if pale else traces
    if guide and curve == "regret" and series[0].result.runs:
        data.append(_guide(series[0].result))
    if beta is not None and curve == "ratio":
        data.append(_grey("bound β", [1, first.horizon], [beta, beta], "dash"))
    layout = base_layout(title or TITLES[curve], "round t", AXES[curve], f"{curve} {log}")
    layout["xaxis"] |= rounds_axis(first.horizon, log)
    layout["yaxis"] |= {"type": "log"} if log else {"rangemode": "tozero"}
    # The first estimates are far off, and so are a few users' ratios: they would squeeze all the rest.
    if (curve == "error" or (curve == "ratio" and spread)) and not log and (top := _settled_top(series, curve, spread)):
        layout["yaxis"]["range"] = [0, top]
    shade_exploration(layout, first.tau, log)
    layout["showlegend"] = legend
    layout["legend"] |= legend_lines([one.label for one in series])
    return {"data": data, "layout": layout}


def legend_lines(labels: Sequence[str]) -> dict:
    """One entry a line if any is long: plots side by side then break their legends alike, and their axes are level."""
    long = max(map(len, labels)) > LONG_LABEL
    return {"entrywidth": 1, "entrywidthmode": "fraction"} if long else {}


def _settled_top(series: Sequence[Series], curve: str, spread: bool) -> float:
    """A little above the largest mean once there are a few comparisons, and later 90% of the users; 0 without a run."""
    tops = [0.0]
    for one in series:
        settled = one.result.scenario.resolved()
        start = min(max(settled.tau, 4 * settled.d), settled.horizon // 3)  # two thirds of the rounds are always seen
        if one.result.runs:
            t, mean, _ = one.result.sampled(curve)
            tops.append(_highest(mean, np.array(t) > start))
            if spread:
                tops.append(_highest(one.result.spread(curve)[1], np.array(t) > settled.horizon // 3))
    return 1.15 * max(tops)


def _highest(values: np.ndarray, where: np.ndarray) -> float:
    return float(np.nan_to_num(values[where]).max(initial=0))


def _style(number: int) -> tuple[str, str]:
    """Colour and dash of a series; beyond the palette a colour comes again with another dash."""
    again = number // len(PALETTE)
    return PALETTE[number % len(PALETTE)], DASHES[(number + again) % len(DASHES)]


def _spreads(known: Sequence[tuple[int, Series]], curve: str) -> list[dict]:
    """Where the users are, for each series of more than one, and in grey what that looks like, for the legend."""
    several = [(slot, one) for slot, one in known if one.result.runs > 1]
    if not several:
        return []
    key = {"type": "scatter", "x": [None], "y": [None], "hoverinfo": "skip", "legendrank": 1001}
    square = {"symbol": "square", "size": 15, "color": "rgba(136,136,136,0.4)"}
    keys = [
        {**key, "mode": "markers", "marker": square, "name": "users, 10–90%"},
        {**key, "mode": "lines", "line": {"color": "#888888", "width": 1.5}, "name": "single users"},
    ]
    return [*(trace for slot, one in several for trace in _spread(one, curve, slot)), *keys]


def _spread(one: Series, curve: str, number: int) -> list[dict]:
    """10 to 90% of the users of a series as a pale band, and the first of them as thin lines."""
    t, _, _ = one.result.sampled(curve)
    colour, _ = _style(number)
    line = {
        "type": "scatter", "mode": "lines", "x": t, "hoverinfo": "skip", "showlegend": False,
        "legendgroup": str(number), "connectgaps": True,
    }  # fmt: skip
    low, high = (numbers(edge) for edge in one.result.spread(curve))
    thin = {"color": colour, "width": 1.2}
    return [
        {**line, "line": {"width": 0}, "y": low, "name": "10%"},
        {**line, "line": {"width": 0}, "y": high, "name": "90%", "fill": "tonexty", "fillcolor": faint(colour, 0.16)},
        *(
            {**line, "line": thin, "opacity": 0.6, "y": numbers(user), "name": f"user {place}"}
            for place, user in enumerate(one.result.users(curve)[:SINGLE_USERS], start=1)
        ),
    ]


def _mean_and_band(one: Series, curve: str, number: int, legend: bool) -> list[dict]:
    t, mean, band = one.result.sampled(curve)
    colour, dash = _style(number)
    hover = "round %{x}<br>" + TITLES[curve].lower() + " %{y:.4g} ± %{customdata:.2g}<extra>%{fullData.name}</extra>"
    edge = {
        "type": "scatter", "mode": "lines", "x": t, "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False,
        "connectgaps": True,  # a band with gaps would be filled across them
    }  # fmt: skip
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
    return {**_grey("√t guide", t, numbers(y), "dot"), "hoverinfo": "skip"}


def _grey(name: str, x: Sequence, y: Sequence, dash: str) -> dict:
    line = {"color": "#888888", "width": 2, "dash": dash}
    return {"type": "scatter", "mode": "lines", "name": name, "x": x, "y": y, "line": line}


def finals(results: Sequence[Result], knob: Knob) -> dict:
    """Final regret against one field, with 95% bands."""
    complete = [result for result in results if result.runs]
    values = [getattr(result.scenario.resolved(), knob.name) for result in complete]
    x = [knob.words(value) for value in values] if not knob.ordered else values
    data = with_bands(
        "regret at T", x, *ends(complete), PALETTE[0], mode="markers" if not knob.ordered else "lines+markers"
    )
    data["hovertemplate"] = f"{knob.symbol} = %{{x}}<br>regret %{{y:.4g}} ± %{{error_y.array:.2g}}<extra></extra>"
    layout = base_layout("Regret at T", f"{knob.label} ({knob.symbol})", "R(T)", f"finals {knob.name}")
    layout["yaxis"]["rangemode"] = "tozero"
    layout["showlegend"] = False
    if not knob.ordered:
        layout["xaxis"]["type"] = "category"
    return {"data": [data] if complete else [], "layout": layout}


def ends(results: Sequence[Result], curve: str = "regret") -> tuple[np.ndarray, np.ndarray]:
    """(results,) mean and band of a curve in the last round of each result."""
    return tuple(np.array([getattr(r, moment)(curve)[-1] for r in results]) for moment in ("mean", "band"))


def with_bands(
    name: str,
    x: Sequence,
    mean: np.ndarray,
    band: np.ndarray,
    colour: str,
    dash: str = "solid",
    symbol: str = "circle",
    mode: str = "lines+markers",
) -> dict:
    """Points with error bars, joined by lines."""
    return {
        "type": "scatter", "mode": mode, "name": name, "x": x, "y": numbers(mean),
        "error_y": {"type": "data", "array": numbers(np.nan_to_num(band)), "thickness": 2, "color": "#888888"},
        "line": {"color": colour, "width": 3, "dash": dash}, "marker": {"color": colour, "size": 10, "symbol": symbol},
        "hovertemplate": "%{x}: %{y:.4g} ± %{error_y.array:.2g}<extra>%{fullData.name}</extra>",
    }  # fmt: skip


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
    layout["xaxis"] |= rounds_axis(result.scenario.horizon)
    layout["yaxis"]["range"] = [0, max(2 * tau, 1.1 * highest, 10)]
    if tau:
        layout["shapes"] = [_shade(tau, False)]
    layout["showlegend"] = True
    return {"data": data, "layout": layout}


def base_layout(title: str, x: str, y: str, revision: str) -> dict:
    axis = {"automargin": True, "showline": False, "zeroline": False, "tickfont": {"size": 16}, "nticks": 6}
    return {
        "title": {"text": title, "font": {"size": 20}, "x": 0.02, "xanchor": "left", "y": 0.97, "yanchor": "top"},
        "font": {"size": 16},
        "margin": {"l": 10, "r": 24, "t": 48, "b": 10},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
        "hoverlabel": {"font": {"size": 15}},
        "uirevision": revision,
        "xaxis": {**axis, "title": {"text": x, "font": {"size": 16}}},
        "yaxis": {**axis, "title": {"text": y, "font": {"size": 16}}},
        # Below the axis title whatever its length: the plot makes room for it.
        "legend": {
            "orientation": "h",
            "yref": "container",
            "y": 0,
            "yanchor": "bottom",
            "x": 0,
            "font": {"size": 15},
            "tracegroupgap": 0,
        },
    }


def rounds_axis(horizon: int, log: bool = False) -> dict:
    """An axis of rounds that ends at T, with a tick there.

    >>> rounds_axis(1000)["tickvals"], rounds_axis(730)["tickvals"], rounds_axis(150, log=True)["tickvals"]
    ([0, 200, 400, 600, 800, 1000], [0, 200, 400, 600, 730], [1, 10, 150])
    """
    if log:
        end = float(np.log10(max(horizon, 2)))
        ticks = [10**power for power in range(int(end) + 1)]
        near = 10 ** (end * (1 - NARROW))
    else:
        end = horizon
        power = 10 ** int(np.log10(max(horizon / 5, 1)))
        step = next(step for step in (power, 2 * power, 5 * power, 10 * power) if 5 * step >= horizon)
        ticks, near = list(range(0, horizon, step)), horizon * (1 - NARROW)
    ticks = [tick for tick in ticks if tick <= near or tick == horizon]
    every = ticks if horizon in ticks else [*ticks, horizon]
    return {"range": [0, end], "tickmode": "array", "tickvals": every} | ({"type": "log"} if log else {})


def shade_exploration(layout: dict, tau: int, log: bool = False) -> None:
    """Shade the exploration phase, if there is one, and name its end."""
    if tau:
        layout["shapes"] = [_shade(tau, log)]
        layout["annotations"] = [_shade_label(tau, log, layout["xaxis"].get("range", (0, np.inf))[1])]


def _shade(tau: int, log: bool) -> dict:
    shade = {"fillcolor": "rgba(128,128,128,0.16)", "line": {"width": 0}, "layer": "below"}
    return {"type": "rect", "xref": "x", "yref": "paper", "x0": 1 if log else 0, "x1": tau, "y0": 0, "y1": 1, **shade}


def _shade_label(tau: int, log: bool, end: float) -> dict:
    x = float(np.log10(tau)) if log else tau
    side = "left" if x < 0.85 * end else "right"  # within the plot
    return {
        "x": x, "y": 1, "xref": "x", "yref": "paper", "text": f"τ = {tau}", "showarrow": False,
        "xanchor": side, "yanchor": "top", "font": {"size": 15},
    }  # fmt: skip


def numbers(values: np.ndarray) -> list[float | None]:
    """Numbers for JSON, five digits of them; None where there is no value."""
    return [float(f"{value:.5g}") if np.isfinite(value) else None for value in values]


def faint(colour: str, opacity: float = 0.3) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"
