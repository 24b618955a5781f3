"""Straight lines on log-log axes: how regret and bound grow."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.figures import ends
from roam_core import Result
from roam_core.theory import Theory

MOST_POINTS = 60  # rounds that a slope is fitted to, evenly spread on the log axis
FEW = 8  # runs: with fewer, their spread says too little


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
    return np.unique(np.geomspace(first, last, MOST_POINTS).round().astype(int))


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


def fits_in_d(family: Sequence[Result], theories: Sequence[Theory]) -> tuple[Fit, Fit]:
    """Slopes in d: of the mean regret at T, and of the bound. A mean of a few runs waits for more, if there are any."""
    complete = [result for result in family if result.runs >= min(FEW, result.scenario.runs)]
    d = np.array([result.scenario.d for result in complete])
    mean, band = ends(complete)
    bound = np.array([float(theory.bound(theory.scenario.horizon)) for theory in theories])
    every = np.array([theory.scenario.d for theory in theories])
    error = band / 2 if all(result.runs >= FEW for result in complete) else np.zeros(len(d))
    return weighted_slope(d, mean, error), weighted_slope(every, bound, np.zeros(len(every)))
