"""The paper's regret bound, and the chain of inequalities behind it on a run.

Theorem 1: after tau = C r^2 / lambda_min(Sigma) log(d / delta) rounds of exploration, with probability at least
1 - 3 delta,

    R_T <= 2 r tau + alpha_T beta sqrt(2 d T log((4 r^2 tau + T) / d)),

because in every round t > tau

    r_t <= <x* - x, theta - estimate>                      (i)   x is the best item along the estimate
        <= |theta - estimate|_V |x* - x|_V^-1              (ii)  Cauchy-Schwarz
        <= alpha_t |x* - x|_V^-1                           (iii) the estimate is close, Lemma 1
        <= alpha_t beta |x - y|_V^-1                       (iv)  the history is beta-rich, Lemma 3.

The paper names no delta; here it is 0.05, so the bound is meant to hold for 85% of all runs.
"""

import math
from dataclasses import dataclass

import numpy as np

from roam_core.links import LINKS
from roam_core.result import Trajectory
from roam_core.scenario import Scenario

DELTA = 0.05
TERMS = (
    "r_t",
    "<x* - x, theta - estimate>",
    "|theta - estimate|_V |x* - x|_V^-1",
    "alpha |x* - x|_V^-1",
    "alpha beta |x - y|_V^-1",
)
STEPS = ("greedy choice", "Cauchy-Schwarz", "confidence", "rich history")
ROUNDING = 1e-6  # times r: a utility below this is none, because items are drawn in single precision


@dataclass(frozen=True)
class Theory:
    """The constants and the bound that the paper's proof gives for a scenario.

    >>> theory = Theory(Scenario(d=2, horizon=100))
    >>> theory.beta, theory.prescribed_tau(1.0)
    (8.0, 4)
    """

    scenario: Scenario
    delta: float = DELTA

    def __post_init__(self):
        if not 0 < self.delta < 1:
            raise ValueError(f"delta = {self.delta} is not allowed: it must be a number between 0 and 1")

    @property
    def kappa(self) -> float:
        """Smallest slope of F in reach, F'(4 r)."""
        return LINKS[self.scenario.link].kappa(self.scenario.radius)

    @property
    def lambda_min(self) -> float:
        """Smallest eigenvalue of Sigma."""
        return self.scenario.law.lambda_min

    @property
    def beta(self) -> float:
        """8 r / sqrt(lambda_min(Sigma)), how rich the history is after exploration (Lemma 3)."""
        return 8 * self.scenario.radius / math.sqrt(self.lambda_min)

    def alpha(self, t: np.ndarray | float) -> np.ndarray:
        """Radius of the confidence set in round t (Lemma 1): |theta - estimate|_V <= alpha. t may be an array.

        alpha_t = 1 / kappa sqrt(d / 2 log(1 + 2 t / d) + log(1 / delta))
        """
        d = self.scenario.d
        return np.sqrt(d / 2 * np.log1p(2 * np.asarray(t) / d) - math.log(self.delta)) / self.kappa

    def prescribed_tau(self, C: float) -> int:
        """C r^2 / lambda_min(Sigma) log(d / delta), rounded up. The paper's C is universal, but it has no value."""
        s = self.scenario
        return math.ceil(C * s.radius**2 / self.lambda_min * math.log(s.d / self.delta))

    def bound(self, T: np.ndarray | float) -> np.ndarray:
        """Bound on R_T for the scenario's tau, with the proof's constants. T may be an array.

        The proof needs lambda_min(V) >= 1 at tau + 1, which d > 4 r^2 tau rules out; there the logarithm can be of a
        number below 1. It is taken as at least 1: then the bound is above 2 r T, true of any recommender.
        """
        s = self.scenario.resolved()
        T = np.asarray(T)
        logarithm = np.log(np.maximum((4 * s.radius**2 * s.tau + T) / s.d, math.e))
        with np.errstate(over="ignore"):  # 1 / kappa may be near the largest number there is
            return 2 * s.radius * s.tau + self.alpha(T) * self.beta * np.sqrt(2 * s.d * T * logarithm)


@dataclass(frozen=True)
class Chain:
    """The five terms of the proof's chain (`TERMS`), round by round, and how its four steps (`STEPS`) fare.

    Only rounds after exploration in which a question was asked count; in the others the terms are NaN.
    """

    terms: np.ndarray  # (5, T)
    rounding: float  # what counts as zero

    @property
    def counted(self) -> np.ndarray:
        """(T,) whether a round counts."""
        return ~np.isnan(self.terms[0])

    @property
    def holds(self) -> np.ndarray:
        """(4,) share of the rounds that count in which each inequality holds, up to rounding."""
        return _mean(self.terms[:-1] <= self.terms[1:] + self.rounding, self.counted)

    @property
    def lossless(self) -> np.ndarray:
        """(4,) share of the rounds that count in which the left side is zero or less, as it is when x is the best."""
        return _mean(self.terms[:-1] <= self.rounding, self.counted)

    @property
    def slack(self) -> np.ndarray:
        """(4, T) by what factor each step overshoots, right / left; NaN unless both sides are positive."""
        left, right = self.terms[:-1], self.terms[1:]
        with np.errstate(invalid="ignore"):  # infinity / infinity has no value either
            return np.divide(right, left, out=np.full(left.shape, np.nan), where=(left > self.rounding) & (right > 0))

    @property
    def mean_slack(self) -> np.ndarray:
        """(4,) geometric mean of the slack over the rounds that have one; NaN if none has."""
        slack = self.slack
        known = ~np.isnan(slack)
        return np.exp(_mean(np.log(slack, out=np.zeros(slack.shape), where=known), known))


def chain(trajectory: Trajectory, delta: float = DELTA) -> Chain:
    """The proof's chain on one run.

    (ii) always holds, (i) always for ROAM; CoLSTIM's x is not the best along the estimate. (iii) and (iv) may fail:
    they rest on luck (delta), on a large enough tau, and on lambda_min(V) >= 1 at tau + 1. And V here has the ridge in
    it, the paper's has none.
    """
    run, theory = trajectory, Theory(trajectory.scenario, delta)
    t = np.arange(1, len(run.x) + 1)
    gap, off = run.best - run.x, run.theta - run.estimate
    in_V = np.sqrt(np.vecdot(off, np.matvec(run.V, off)))
    gap_norm, z_norm = _inverse_norm(gap, run.V), _inverse_norm(run.z, run.V)
    alpha = theory.alpha(t)
    with np.errstate(over="ignore"):
        terms = [
            gap @ run.theta,
            np.vecdot(gap, off),
            in_V * gap_norm,
            _times(alpha, gap_norm),
            _times(alpha * theory.beta, z_norm),
        ]
    counted = (t > run.scenario.resolved().tau) & ~np.isnan(run.outcome)
    return Chain(np.where(counted, terms, np.nan), ROUNDING * run.scenario.radius)


def _times(factor: np.ndarray, length: np.ndarray) -> np.ndarray:
    """factor * length; zero where the length is zero, also if the factor is infinite, as alpha is for a flat link."""
    return np.multiply(factor, length, out=np.zeros(length.shape), where=length != 0)


def _inverse_norm(v: np.ndarray, V: np.ndarray) -> np.ndarray:
    """(T,) |v| in V^-1 for v (T, d) and V (T, d, d)."""
    return np.sqrt(np.vecdot(v, np.linalg.solve(V, v[..., None])[..., 0]))


def _mean(values: np.ndarray, where: np.ndarray) -> np.ndarray:
    """(4,) mean of values (4, T) over the rounds `where`; NaN if there are none."""
    n = np.broadcast_to(where, values.shape).sum(1)
    return np.divide(values.sum(1, where=where), n, out=np.full(len(values), np.nan), where=n > 0)
