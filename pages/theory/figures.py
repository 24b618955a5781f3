"""Figures of the page "Theory, measured". They only draw."""

import math
from collections.abc import Sequence

import numpy as np

from pages.figures import base_layout, ends, faint, numbers, shade_exploration
from pages.palette import DASHES, PALETTE
from pages.theory.fits import Fit, log_spaced
from pages.theory.proof import STEP_NAMES, Proof
from pages.words import spoken, ten
from roam_core import Result
from roam_core.theory import Theory, far_off

TERM_NAMES = ("regret", *STEP_NAMES)  # a step leads to the next term
TERM_SIGNS = ("rₜ", "⟨x*−x, θ*−θ̂⟩", "‖θ*−θ̂‖ ‖x*−x‖", "α ‖x*−x‖", "αβ ‖x−y‖")
DOTS = 250  # rounds drawn as dots, at most
BLOCKS = 40  # points of a line through the dots, at most
POINTS = 300  # of the share of runs, at most
LARGEST_POWER = math.log10(np.finfo(float).max)


def terms(proof: Proof) -> dict:
    """The five terms of the chain over the rounds of a run: a dot a round, and a line of geometric means."""
    rounds, s = proof.lossy, proof.scenario
    values = proof.chain.terms[:, rounds]
    dots = np.unique(np.linspace(0, len(rounds) - 1, min(DOTS, len(rounds))).round().astype(int))
    blocks = np.array_split(np.arange(len(rounds)), min(BLOCKS, len(rounds))) if len(rounds) else []
    data = []
    for number, name in enumerate(TERM_NAMES if len(rounds) else ()):
        own = {"type": "scatter", "legendgroup": name, "name": name}
        logs = np.log(values[number], out=np.full(len(rounds), np.nan), where=values[number] > 0)
        sign = TERM_SIGNS[number].replace("β", "ρ" if proof.own else "β")
        hover = "round %{x}: %{y:.3g}<extra>" + sign + "</extra>"
        marker = {"color": PALETTE[number], "size": 5, "opacity": 0.4}
        line = {"color": PALETTE[number], "dash": DASHES[number], "width": 3}
        data += [
            {**own, "mode": "markers", "x": (rounds[dots] + 1).tolist(), "y": numbers(values[number, dots]),
             "marker": marker, "showlegend": False, "hovertemplate": hover},
            {**own, "mode": "lines", "x": [round(float(rounds[b].mean()) + 1, 1) for b in blocks],
             "y": numbers(np.array([np.exp(logs[b].mean()) for b in blocks])), "line": line, "hoverinfo": "skip"},
        ]  # fmt: skip
    layout = base_layout("From regret to its bound, step by step", "round t", "", "terms")
    layout["xaxis"]["range"] = [0, s.horizon]
    shade_exploration(layout, s.tau)
    return _on_log_axis(data, layout)


def slacks(proof: Proof) -> dict:
    """By what factor each step overshoots, geometric mean over the rounds; a step that fails somewhere is hatched."""
    slack, fails = proof.slack, proof.chain.holds < 1
    with np.errstate(invalid="ignore", divide="ignore"):
        # Lengths add up to the whole factor.
        lengths = np.nan_to_num(np.clip(np.log10(slack), -LARGEST_POWER, LARGEST_POWER))
    words = [f"× {spoken(f)}" if f < 1e7 else spoken(f, 1) for f in slack]
    words = [word + ", fails" * bool(failing) for word, failing in zip(words, fails, strict=True)]
    colours = list(PALETTE[1 : 1 + len(slack)])  # those of the lines that the steps lead to
    top, bottom = max(1.0, lengths.max()), min(0.0, lengths.min())
    data = {
        "type": "bar", "orientation": "h", "y": list(STEP_NAMES), "x": numbers(lengths), "name": "slack", "width": 0.6,
        "marker": {"color": colours, "pattern": {"shape": ["/" if failing else "" for failing in fails]}},
        "customdata": words, "hovertemplate": "%{y}: %{customdata}<extra></extra>",
    }  # fmt: skip
    layout = base_layout("What each step gives away", "mean factor", "", "slacks")
    right = top + (0.85 if fails.any() else 0.55) * (top - bottom)  # room for the words beside the longest bar
    every = max(1, math.ceil((right - bottom) / 5))
    ticks = range(math.floor(bottom / every) * every, math.floor(min(right, LARGEST_POWER)) + 1, every)
    layout["xaxis"] |= {"range": [1.15 * bottom, right], "tickangle": 0}
    layout["xaxis"] |= {"tickvals": list(ticks), "ticktext": [_decade(tick) for tick in ticks], "zeroline": True}
    layout["yaxis"] |= {"autorange": "reversed", "type": "category", "ticklabelstandoff": 6}
    layout["showlegend"] = False
    if proof.loosest is None:
        return {"data": [], "layout": layout}
    beside = {"showarrow": False, "xanchor": "left", "xshift": 4, "font": {"size": 16}}  # to the right, also of 1
    ends = zip(STEP_NAMES, numbers(np.maximum(lengths, 0)), words, strict=True)
    layout["annotations"] = [{**beside, "x": x, "y": name, "text": word} for name, x, word in ends]
    return {"data": [data], "layout": layout}


def share_far_off(result: Result) -> dict:
    """Share of the runs whose estimate is farther than 1 from the taste, over the rounds after exploration."""
    s = result.scenario.resolved()
    far = far_off(result)
    layout = base_layout("Estimates farther than 1 from the taste", "round t", "share of runs", "far off")
    layout["xaxis"]["range"] = [0, s.horizon]
    layout["yaxis"] |= {"range": [0, 1.02], "tickformat": ".0%", "tickvals": [0, 0.25, 0.5, 0.75, 1]}
    layout["showlegend"] = False
    shade_exploration(layout, s.tau)
    if not far.size:
        return {"data": [], "layout": layout}
    t = np.unique(np.linspace(s.tau + 1, s.horizon, min(POINTS, far.shape[1])).round().astype(int))
    line = {"color": PALETTE[0], "width": 3, "shape": "hv"}
    share = {
        "type": "scatter", "mode": "lines", "name": "share", "x": t.tolist(), "line": line,
        "y": numbers(far.mean(0)[t - s.tau - 1]), "hovertemplate": "round %{x}: %{y:.0%} of the runs<extra></extra>",
    }  # fmt: skip
    return {"data": [share], "layout": layout}


def growth_in_t(result: Result, theory: Theory, fit: Fit) -> dict:
    """Mean regret with its band, the fitted line, the bound and the trivial bound, over t, log-log."""
    s = theory.scenario.resolved()
    t = log_spaced(1, s.horizon)
    data = _ceilings(t, theory.bound(t), 2 * s.radius * t)
    if result.runs:
        mean, band = result.mean("regret")[t - 1], np.nan_to_num(result.band("regret")[t - 1])
        data += _measured(t, mean, band) + _line(t[t > s.tau], fit)
    layout = base_layout("Regret and bound over the rounds", "round t", "R(t)", "growth t")
    layout["xaxis"] |= {"type": "log", "range": [0, math.log10(max(s.horizon, 2))], "dtick": 1}
    shade_exploration(layout, s.tau, log=True)
    return _on_log_axis(data, layout)


def growth_in_d(family: Sequence[Result], theories: Sequence[Theory], fit: Fit) -> dict:
    """Mean regret at T for several d with the fitted line, the bound and the trivial bound, log-log."""
    d = np.array([theory.scenario.d for theory in theories])
    T, radius = theories[0].scenario.horizon, theories[0].scenario.radius
    data = _ceilings(d, np.array([float(theory.bound(T)) for theory in theories]), np.full(len(d), 2 * radius * T))
    complete = [result for result in family if result.runs]
    if complete:
        own = np.array([result.scenario.d for result in complete])
        mean, band = ends(complete)
        measured = _measured(own, mean, np.nan_to_num(band))[-1]
        errors = {"type": "data", "visible": True, "thickness": 2, "width": 5, "array": measured["customdata"]}
        data += [{**measured, "mode": "markers", "marker": {"color": PALETTE[0], "size": 11}, "error_y": errors}]
        data += _line(d, fit)
    layout = base_layout("Regret at T and bound over d", "feature dimension d", "R(T)", "growth d")
    layout["xaxis"] |= {"type": "log", "range": [math.log10(d.min() * 0.9), math.log10(d.max() * 1.1)]}
    layout["xaxis"] |= {"tickvals": d.tolist(), "ticktext": [str(value) for value in d]}
    return _on_log_axis(data, layout)


def _ceilings(x: np.ndarray, bound: np.ndarray, trivial: np.ndarray) -> list[dict]:
    """The theorem's bound, and what no recommender can exceed."""
    return [
        {
            "type": "scatter", "mode": "lines", "name": name, "x": x.tolist(), "y": numbers(y),
            "line": {"color": PALETTE[number], "dash": DASHES[number], "width": 3},
            "hovertemplate": "%{x}: %{y:.3g}<extra>" + name + "</extra>",
        }
        for name, y, number in (("the theorem's bound", bound, 1), ("2r a round", trivial, 4))
        if np.isfinite(y).any()
    ]  # fmt: skip


def _measured(x: np.ndarray, mean: np.ndarray, band: np.ndarray) -> list[dict]:
    """The mean of the runs with its 95% band; zero has no place on a log axis."""
    edge = {"type": "scatter", "mode": "lines", "x": x.tolist(), "line": {"width": 0}, "hoverinfo": "skip"}
    edge |= {"showlegend": False, "legendgroup": "measured"}
    middle, upper, lower = (np.where(y > 0, y, np.nan) for y in (mean, mean + band, np.maximum(mean - band, mean / 10)))
    return [
        {**edge, "y": numbers(upper), "name": "upper"},
        {**edge, "y": numbers(lower), "name": "lower", "fill": "tonexty", "fillcolor": faint(PALETTE[0])},
        {
            "type": "scatter", "mode": "lines", "name": "measured", "x": x.tolist(), "y": numbers(middle),
            "customdata": numbers(band), "line": {"color": PALETTE[0], "width": 4}, "legendgroup": "measured",
            "hovertemplate": "%{x}: %{y:.4g} ± %{customdata:.2g}<extra>measured</extra>",
        },
    ]  # fmt: skip


def _line(x: np.ndarray, fit: Fit) -> list[dict]:
    """The fitted line, if there is one."""
    if math.isnan(fit.slope) or not x.size:
        return []
    line = {"color": PALETTE[3], "dash": "dash", "width": 3}
    return [
        {"type": "scatter", "mode": "lines", "name": f"slope {fit}", "x": x.tolist(), "y": numbers(fit.at(x)),
         "line": line, "hoverinfo": "skip"}
    ]  # fmt: skip


def _on_log_axis(data: list[dict], layout: dict) -> dict:
    """The figure with a log axis of whole decades, so that it stays as it is while results stream in."""
    values = np.log10([y for trace in data for y in trace["y"] if y] or [1.0])
    low, high = math.floor(values.min()), math.ceil(values.max() + 1e-9)
    ticks = list(range(low, min(high, math.floor(LARGEST_POWER)) + 1, max(1, math.ceil((high - low) / 6))))
    layout["yaxis"] |= {"type": "log", "range": [low, high], "tickvals": [10.0**tick for tick in ticks]}
    layout["yaxis"]["ticktext"] = [_decade(tick) for tick in ticks]
    layout["legend"] |= {"font": {"size": 16}, "traceorder": "normal"}
    layout["showlegend"] = True
    return {"data": data, "layout": layout}


def _decade(power: int) -> str:
    return ten(power) if power > 3 or power < -2 else f"{10.0**power:,g}"
