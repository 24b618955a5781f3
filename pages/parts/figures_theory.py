"""Figures of the theory page, and the straight lines fitted in them. They take numbers and give plain Plotly dicts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.parts.chain import STEP_NAMES, Proof, spoken, ten
from pages.parts.figures import DASHES, PALETTE, base_layout, exploration_label, exploration_shade, faint, numbers
from roam_core import Result
from roam_core.theory import Theory

TERM_NAMES = ("regret rₜ", "⟨x*−x, θ*−θ̂⟩", "‖θ*−θ̂‖ ‖x*−x‖", "α ‖x*−x‖", "αβ ‖x−y‖")
DOTS = 250  # rounds drawn as dots, at most
BLOCKS = 40  # points of a line through the dots, at most
POINTS = 60  # rounds that a slope is fitted to, at most, evenly spread on the log axis
FEW = 8  # runs: with fewer, their spread says too little
LARGEST = math.log10(np.finfo(float).max)


@dataclass(frozen=True)
class Fit:
    """A straight line on log-log axes: y = exp(level) x^slope."""

    slope: float  # NaN if there is none
    error: float  # two standard errors of the slope; NaN if unknown
    level: float

    def at(self, x: np.ndarray) -> np.ndarray:
        """The line's height over x."""
        return np.exp(self.level + self.slope * np.log(x))

    def __str__(self) -> str:
        if math.isnan(self.slope):
            return "none"
        error = "" if math.isnan(self.error) else f" ± {self.error:.2f}"
        return f"{self.slope:.2f}{error}".replace("-", "−")


NO_FIT = Fit(math.nan, math.nan, math.nan)


def log_spaced(first: int, last: int) -> np.ndarray:
    """Whole numbers from first to last, evenly spread on a log axis; none if first is above last."""
    if first > last:
        return np.empty(0, dtype=int)
    return np.unique(np.geomspace(first, last, POINTS).round().astype(int))


def slope_in_t(t: np.ndarray, regret: np.ndarray) -> Fit:
    """Least squares for each run of log regret (runs, len(t)) on log t, then the mean of the slopes.

    Values of one run depend on each other, runs do not: so the error comes from the spread between runs. The line goes
    through the middle of the mean curve.
    """
    known = (regret > 0) & np.isfinite(regret)
    x = np.log(np.broadcast_to(t, regret.shape))
    y = np.log(regret, out=np.zeros(regret.shape), where=known)
    n = np.maximum(known.sum(1, keepdims=True), 1)
    x_off = np.where(known, x - np.sum(x, 1, where=known, keepdims=True) / n, 0)
    width = (x_off**2).sum(1)
    usable = width > 0
    if not usable.any():
        return NO_FIT
    slopes = (x_off * y).sum(1)[usable] / width[usable]
    error = 2 * slopes.std(ddof=1) / math.sqrt(len(slopes)) if len(slopes) >= FEW else math.nan
    slope, mean = float(slopes.mean()), regret.mean(0)
    middle = np.log(mean[mean > 0]).mean() - slope * np.log(t[mean > 0]).mean()
    return Fit(slope, float(error), float(middle))


def weighted_slope(x: np.ndarray, y: np.ndarray, error: np.ndarray) -> Fit:
    """Weighted least squares of log y on log x; `error` are standard errors of y.

    A standard error of y is one of error / y on the log axis, and weights are inverse squares of those. If one is not
    known (or zero), all weights are equal and the slope's error is unknown.
    """
    if len(x) < 2 or not ((y > 0) & np.isfinite(y)).all():
        return NO_FIT
    known = bool((error > 0).all())
    weight = (y / error) ** 2 if known else np.ones(len(x))
    u, v = np.log(x), np.log(y)
    off = u - np.average(u, weights=weight)
    width = weight @ off**2
    slope = weight @ (off * v) / width
    level = np.average(v, weights=weight) - slope * np.average(u, weights=weight)
    return Fit(float(slope), 2 / math.sqrt(width) if known else math.nan, float(level))


def fits_in_t(result: Result, theory: Theory) -> tuple[Fit, Fit, Fit]:
    """Slopes after exploration: of R(t) over t, of R(t) - R(tau) over t - tau, and of the bound over t."""
    tau, T = theory.scenario.resolved().tau, theory.scenario.horizon
    t, since = log_spaced(tau + 1, T), log_spaced(1, T - tau)
    paid = result.regret[:, tau - 1 : tau] if tau else np.zeros((result.runs, 1))
    return (
        slope_in_t(t, result.regret[:, t - 1]),
        slope_in_t(since, result.regret[:, tau + since - 1] - paid),
        slope_in_t(t, theory.bound(t)[None]),
    )


def learning(since: Fit) -> str:
    """What a slope says about learning; the slope is that of the regret after exploration."""
    if math.isnan(since.slope):
        return "There are too few rounds with regret after exploration to fit a slope."
    if math.isnan(since.error):
        return "With so few runs there is no telling how sure that is."
    if since.slope + since.error < 1:
        return "Regret's slope is clearly below 1, that of a straight line: the algorithm gets better as it goes."
    return "Regret's slope is not clearly below 1, that of a straight line: these rounds show no learning."


def steeper(fit: Fit, ceiling: Fit) -> str:
    """A word on a regret that grows faster than its bound."""
    if math.isnan(fit.error) or not fit.slope - fit.error > ceiling.slope:
        return ""
    return "Regret is steeper than its bound, which is no contradiction as long as it stays below. "


def fits_in_d(family: Sequence[Result], theories: Sequence[Theory]) -> tuple[Fit, Fit]:
    """Slopes in d: of the mean regret at T, and of the bound. A mean of a few runs waits for more, if there are any."""
    complete = [result for result in family if result.runs >= min(FEW, result.scenario.runs)]
    d = np.array([result.scenario.d for result in complete])
    mean, band = (np.array([getattr(r, moment)("regret")[-1] for r in complete]) for moment in ("mean", "band"))
    bound = np.array([float(theory.bound(theory.scenario.horizon)) for theory in theories])
    every = np.array([theory.scenario.d for theory in theories])
    error = band / 2 if all(result.runs >= FEW for result in complete) else np.zeros(len(d))
    return weighted_slope(d, mean, error), weighted_slope(every, bound, np.zeros(len(every)))


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
        hover = "round %{x}: %{y:.3g}<extra>" + name + "</extra>"
        marker = {"color": PALETTE[number], "size": 5, "opacity": 0.4}
        line = {"color": PALETTE[number], "dash": DASHES[number], "width": 3}
        data += [
            {**own, "mode": "markers", "x": (rounds[dots] + 1).tolist(), "y": numbers(values[number, dots]),
             "marker": marker, "showlegend": False, "hovertemplate": hover},
            {**own, "mode": "lines", "x": [round(float(rounds[b].mean()) + 1, 1) for b in blocks],
             "y": numbers(np.array([np.exp(logs[b].mean()) for b in blocks])), "line": line, "hoverinfo": "skip"},
        ]  # fmt: skip
    layout = base_layout("Five terms, each at most the next", "round t", "", "terms")
    layout["xaxis"]["range"] = [0, s.horizon]
    if s.tau:
        layout["shapes"], layout["annotations"] = [exploration_shade(s.tau, False)], [exploration_label(s.tau, False)]
    return _on_log_axis(data, layout)


def slacks(proof: Proof) -> dict:
    """By what factor each step overshoots, geometric mean over the rounds; a step that fails somewhere is hatched."""
    slack, fails = proof.slack, proof.chain.holds < 1
    with np.errstate(invalid="ignore", divide="ignore"):
        lengths = np.nan_to_num(np.clip(np.log10(slack), -LARGEST, LARGEST))  # lengths add up to the whole factor
    words = [f"× {spoken(f)}" if f < 1e7 else spoken(f, 1) for f in slack]
    words = [word + ", fails" * bool(failing) for word, failing in zip(words, fails, strict=True)]
    colours = [PALETTE[1] if step == proof.loosest else PALETTE[0] for step in range(len(slack))]
    top, bottom = max(1.0, lengths.max()), min(0.0, lengths.min())
    data = {
        "type": "bar", "orientation": "h", "y": list(STEP_NAMES), "x": numbers(lengths), "name": "slack", "width": 0.6,
        "marker": {"color": colours, "pattern": {"shape": ["/" if failing else "" for failing in fails]}},
        "customdata": words, "hovertemplate": "%{y}: %{customdata}<extra></extra>",
    }  # fmt: skip
    layout = base_layout("What each step gives away", "mean factor", "", "slacks")
    right = top + 0.55 * (top - bottom)
    every = max(1, math.ceil((right - bottom) / 5))
    ticks = range(math.floor(bottom / every) * every, math.floor(min(right, LARGEST)) + 1, every)
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
    if s.tau:
        layout["shapes"], layout["annotations"] = [exploration_shade(s.tau, True)], [exploration_label(s.tau, True)]
    return _on_log_axis(data, layout)


def growth_in_d(family: Sequence[Result], theories: Sequence[Theory], fit: Fit) -> dict:
    """Mean regret at T for several d with the fitted line, the bound and the trivial bound, log-log."""
    d = np.array([theory.scenario.d for theory in theories])
    T, radius = theories[0].scenario.horizon, theories[0].scenario.radius
    data = _ceilings(d, np.array([float(theory.bound(T)) for theory in theories]), np.full(len(d), 2 * radius * T))
    complete = [result for result in family if result.runs]
    if complete:
        own = np.array([result.scenario.d for result in complete])
        mean, band = (np.array([getattr(r, moment)("regret")[-1] for r in complete]) for moment in ("mean", "band"))
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
    ticks = list(range(low, min(high, math.floor(LARGEST)) + 1, max(1, math.ceil((high - low) / 6))))
    layout["yaxis"] |= {"type": "log", "range": [low, high], "tickvals": [10.0**tick for tick in ticks]}
    layout["yaxis"]["ticktext"] = [_decade(tick) for tick in ticks]
    layout["legend"] |= {"font": {"size": 16}, "traceorder": "normal"}
    layout["showlegend"] = True
    return {"data": data, "layout": layout}


def _decade(power: int) -> str:
    return ten(power) if power > 3 or power < -2 else f"{10.0**power:,g}"
