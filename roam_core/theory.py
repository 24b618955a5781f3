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

The sum of |x - y|_V^-1 is bounded by a lemma that is false as printed, for lambda_min(V) >= 1 at tau + 1: with V = I,
r = 1, tau = 2 the probes 2 e1 and 2 e2 have norms that sum to 4, its bound is 3.59. Its argument, u <= 2 log(1 + u), is
for norms of at most 1. It is right, with 4 r^2 (tau + T) under the logarithm, if lambda_min(V) >= max(1, 4 r^2).
"""

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np

from roam_core.links import LINKS
from roam_core.result import Result, Trajectory
from roam_core.scenario import KNOBS, Scenario

DELTA = 0.05
TERMS = (
    "r_t",
    "<x* - x, theta - estimate>",
    "|theta - estimate|_V |x* - x|_V^-1",
    "alpha |x* - x|_V^-1",
    "alpha beta |x - y|_V^-1",
)
STEPS = ("greedy choice", "Cauchy-Schwarz", "confidence", "rich history")
PHASES, MOST_EXPLORED = 100, 10_000  # exploration phases that are tried, and the rounds of the longest
REACHED = 0.95  # share of the phases that must reach an eigenvalue
STEP = 0.04  # from one length of exploration that is tried to the next, as a share of it, but at least one round
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

    @property
    def enough(self) -> float:
        """What lambda_min(V) must be at tau + 1 so that the lemma behind the root is right: max(1, 4 r^2).

        Then no probe is longer than 1 in V^-1. (And det V >= 1, which 4 r^2 alone would not give if r < 1/2.)
        """
        return max(1.0, 4 * self.scenario.radius**2)

    def repaired_bound(self, T: np.ndarray | float) -> np.ndarray:
        """The bound with 4 r^2 (tau + T) under the logarithm, which needs lambda_min(V) >= `enough`. T may be an array.

        The logarithm is taken as at least 1, as in `bound`.
        """
        s = self.scenario.resolved()
        T = np.asarray(T)
        logarithm = np.log(np.maximum(4 * s.radius**2 * (s.tau + T) / s.d, math.e))
        with np.errstate(over="ignore"):
            return 2 * s.radius * s.tau + self.alpha(T) * self.beta * np.sqrt(2 * s.d * T * logarithm)

    def rate(self, T: float) -> float:
        """What stands in the O(.) of Theorem 1, r d sqrt(T) log(T / (d delta)) / (kappa sqrt(lambda_min(Sigma)))."""
        s = self.scenario
        return (
            s.radius / (self.kappa * math.sqrt(self.lambda_min)) * s.d * math.sqrt(T) * math.log(T / (s.d * self.delta))
        )


# The lemma behind the square root


def potential(V: np.ndarray, probes: np.ndarray) -> float:
    """Sum of |z| in V^-1 over probes z (n, d), where V (d, d) grows by z z^T after each.

    >>> potential(np.eye(2), 2 * np.eye(2))
    4.0
    """
    total, V = 0.0, np.array(V, dtype=float)
    for z in probes:
        total += math.sqrt(z @ np.linalg.solve(V, z))
        V += np.outer(z, z)
    return total


def printed_lemma(d: int, radius: float, tau: int, n: int) -> float:
    """The paper's bound on `potential` of n probes after tau rounds: false if lambda_min(V) >= 1 is all one knows.

    >>> round(printed_lemma(2, 1.0, 2, 2), 2)
    3.59
    """
    return math.sqrt(2 * n * d * math.log((4 * radius**2 * tau + n) / d))


def repaired_lemma(d: int, radius: float, tau: int, n: int) -> float:
    """A bound on `potential` that is right if lambda_min(V) >= max(1, 4 r^2)."""
    return math.sqrt(2 * n * d * math.log(4 * radius**2 * (tau + n) / d))


def exploration_needed(
    scenario: Scenario, thresholds: Sequence[float]
) -> Generator[float, None, tuple[int | None, ...]]:
    """For each threshold the shortest exploration after which 95% of 100 phases have lambda_min(V) above it.

    V is that of the probes alone, without the ridge. Lengths are tried in steps of 4%, at least a round, up to
    10,000; None if even the longest is too short. A generator, because it may take seconds; it returns the lengths.
    """
    s = scenario.resolved()
    rng = np.random.default_rng(np.random.SeedSequence(s.seed, spawn_key=(0, 1)))
    last = s.law.draw(rng, PHASES, 1).astype(float)  # (phases, d, 1): round 1, in which nothing is asked
    V = np.zeros((PHASES, s.d, s.d))
    found: list[int | None] = [None] * len(thresholds)
    rounds = 1
    while rounds < MOST_EXPLORED and None in found:
        more = min(max(1, int(STEP * rounds)), MOST_EXPLORED - rounds)
        items = np.concatenate([last, s.law.draw(rng, PHASES, more)], axis=-1)
        z = np.diff(items, axis=-1)
        V += z @ z.swapaxes(-1, -2)
        last, rounds = items[..., -1:], rounds + more
        missing = [number for number, length in enumerate(found) if length is None]
        # No eigenvalue is below the smallest one, and that is not above the smallest entry of the diagonal.
        diagonal = np.quantile(np.diagonal(V, axis1=1, axis2=2).min(1), 1 - REACHED, method="higher")
        if rounds > s.d and diagonal >= min(thresholds[number] for number in missing):
            smallest = np.linalg.eigvalsh(V)[:, 0]
            for number in missing:
                if np.mean(smallest >= thresholds[number]) >= REACHED:
                    found[number] = rounds
        yield rounds / MOST_EXPLORED
    return tuple(found)


# What the theorem takes for granted


@dataclass(frozen=True)
class Hypothesis:
    """Something that the theorem takes for granted; `of_runs` if only the runs show whether it is so."""

    words: str  # what must be so
    holds: Callable[["Theory", Result | None], bool]
    instead: Callable[["Theory", Result | None], str]  # what is so where it does not hold, a sentence
    of_runs: bool = False


def papers_question(scenario: Scenario) -> bool:
    """Whether the most uncertain of all past items is asked about; a window that no run outgrows leaves none out."""
    if scenario.ask == "formula":
        return scenario.formula == "width"
    return scenario.ask == "most_uncertain" or (scenario.ask == "recent" and scenario.window >= scenario.horizon - 1)


def probed(result: Result) -> np.ndarray:
    """(runs,) smallest eigenvalue at tau + 1 of the paper's V, the probes alone: what the ridge adds is taken away."""
    return np.maximum(result.lambda_min - result.scenario.resolved().ridge, 0)


def _too_short(theory: "Theory", _: Result | None) -> str:
    s = theory.scenario.resolved()
    if not s.tau:
        return "There is no exploration (τ = 0): without the ridge V would be zero when the proof begins."
    return (
        f"Exploration is too short: the differences of τ = {s.tau} items span at most {_many(s.tau - 1, 'direction')} "
        f"of d = {s.d}, so V has an inverse only because of the ridge."
    )


def _badly_probed(theory: "Theory", result: Result) -> str:
    short = int(np.sum(probed(result) < 1))
    return (
        f"After exploration the smallest eigenvalue of V is below 1 in {short} of {_many(result.runs, 'run')} "
        f"({short / result.runs:.0%}). The paper counts on at least 1, but for a chance of δ = {theory.delta:g}."
    )


HYPOTHESES = (
    Hypothesis(
        "ROAM plays.",
        lambda theory, _: theory.scenario.algorithm == "roam",
        lambda theory, _: f"{theory.scenario.words('algorithm')} plays, and the theorem is about ROAM.",
    ),
    Hypothesis(
        "The question is about the most uncertain past item.",
        lambda theory, _: papers_question(theory.scenario),
        lambda theory, _: f"The ask rule is another one than the paper's: {theory.scenario.words('ask')}.",
    ),
    Hypothesis(
        "No question is left out.",
        lambda theory, _: theory.scenario.skip_below == 0,
        lambda theory, _: f"Questions with an uncertainty below {theory.scenario.skip_below:g} are left out.",
    ),
    Hypothesis(
        "There is one question per item.",
        lambda theory, _: theory.scenario.questions == 1,
        lambda theory, _: f"There are up to {theory.scenario.questions} questions per item, and the paper has one.",
    ),
    Hypothesis(
        "The link of the user is the one that is assumed.",
        lambda theory, _: theory.scenario.resolved().user_link == theory.scenario.link,
        lambda theory, _: (
            f"The user answers by the {KNOBS['link'].words(theory.scenario.user_link)} link, "
            f"and the {theory.scenario.words('link')} one is assumed."
        ),
    ),
    Hypothesis(
        "Exploration is long enough for an inverse of V, τ > d.",
        lambda theory, _: theory.scenario.resolved().tau > theory.scenario.d,
        _too_short,
    ),
    Hypothesis(
        "δ is below 1/3.",
        lambda theory, _: theory.delta < 1 / 3,
        lambda theory, _: (
            f"With δ = {theory.delta:g} it would hold with a probability of at least "
            f"1 − 3δ = {1 - 3 * theory.delta:.2g}, which is no promise.".replace("-", "−")
        ),
    ),
    Hypothesis(
        "After exploration all eigenvalues of V are at least 1, in every run.",
        lambda _, result: bool((probed(result) >= 1).all()),
        _badly_probed,
        of_runs=True,
    ),
)


def failing(theory: Theory, result: Result | None = None) -> list[str]:
    """What stands against the theorem, a sentence each; without a complete run only what the scenario shows.

    >>> failing(Theory(Scenario(tau=5)))[0][:26]
    'Exploration is too short: '
    """
    seen = result is not None and result.runs > 0
    known = [one for one in HYPOTHESES if seen or not one.of_runs]
    return [one.instead(theory, result) for one in known if not one.holds(theory, result)]


def far_off(result: Result) -> np.ndarray:
    """(runs, rounds after exploration) whether the estimate is farther than 1 from the taste.

    kappa is an infimum over estimates that are not, but no hypothesis of Lemma 1 makes them so. An estimate of zero,
    before the first answer, is at distance 1 up to rounding.
    """
    return result.error[:, result.scenario.resolved().tau :] > 1 + ROUNDING


def _many(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n:,} {noun}s"


# The chain


@dataclass(frozen=True)
class Chain:
    """The five terms of the proof's chain (`TERMS`), round by round, and how its four steps (`STEPS`) fare.

    Only rounds after exploration in which a question was asked count; in the others the terms are NaN. They are it too
    where the last term is to have the history's own beta and that is infinite.
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


def chain(trajectory: Trajectory, delta: float = DELTA, richness: np.ndarray | None = None) -> Chain:
    """The proof's chain on one run. With `richness` (T,), beta(H_t) of the history, that stands in (iv), not beta.

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
    beta = theory.beta if richness is None else richness
    with np.errstate(over="ignore"):
        terms = [
            gap @ run.theta,
            np.vecdot(gap, off),
            in_V * gap_norm,
            _times(alpha, gap_norm),
            _times(alpha * beta, z_norm),
        ]
    counted = (t > run.scenario.resolved().tau) & ~np.isnan(run.outcome) & np.isfinite(beta)
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
