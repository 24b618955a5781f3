"""What a simulation measured: curves over many runs, or one run in full."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields

import numpy as np

from roam_core.engine import Batch, Round, batch_sizes, finish, name_of, play
from roam_core.policies import Scores
from roam_core.scenario import KNOBS, Scenario

CURVES = ("regret", "error", "ratio")
COLUMNS = ["t", *(f"{curve}_{what}" for curve in CURVES for what in ("mean", "band"))]
POINTS = 300  # of a curve at display resolution, at most: more cannot be seen
SMOOTHING = 10  # rounds over which the critical ratio is averaged, as in the paper
TRAJECTORY_LIMIT = 50_000_000  # numbers in the context sets of one run


@dataclass(frozen=True)
class Result(Batch):
    """The complete runs so far; arrays are (runs, horizon) unless said otherwise.

    `regret`, `error`, `ratio`, `asked`, `lambda_min` and `also_asked` are described in `Batch`.
    """

    scenario: Scenario
    progress: float  # share of the work done, in [0, 1]
    # The ask rule that took the place of the scenario's, if one did
    ask: Scores | None = field(default=None, kw_only=True)

    @classmethod
    def join(cls, scenario: Scenario, batches: Sequence[Batch], progress: float, ask: Scores | None = None) -> "Result":
        """The Result of some batches of a scenario, in the order given."""
        batches = batches or [_no_runs(scenario)]
        arrays = {f.name: np.concatenate([getattr(batch, f.name) for batch in batches]) for f in fields(Batch)}
        return cls(**arrays, scenario=scenario, progress=progress, ask=ask)

    @property
    def runs(self) -> int:
        """How many runs are complete."""
        return len(self.regret)

    def mean(self, curve: str) -> np.ndarray:
        """(horizon,) mean of "regret", "error" or "ratio" over the runs with a finite value; NaN where none has one."""
        return self._moments(curve)[0]

    def band(self, curve: str) -> np.ndarray:
        """(horizon,) half-width of the mean's 95% band, 2 sigma / sqrt(n); NaN for fewer than two runs."""
        return self._moments(curve)[1]

    def _moments(self, curve: str) -> tuple[np.ndarray, np.ndarray]:
        values = getattr(self, curve)
        known = np.isfinite(values)
        n = known.sum(0)
        mean = finite_mean(values, axis=0)
        variance = _quotient((np.where(known, values - mean, 0) ** 2).sum(0), n, n > 1)
        return mean, 2 * np.sqrt(_quotient(variance, n, n > 1))

    def sampled(self, curve: str) -> tuple[list[int], np.ndarray, np.ndarray]:
        """Rounds, mean and band of a curve at display resolution; the ratio is smoothed over ten rounds."""
        mean, band = self._moments(curve)
        band = np.nan_to_num(band)
        if curve == "ratio":
            mean, band = smooth(mean), smooth(band)
            band[np.isnan(mean)] = np.nan
        rounds = self._displayed
        return rounds.tolist(), mean[rounds - 1], band[rounds - 1]

    def users(self, curve: str) -> np.ndarray:
        """(runs, points) each user's curve in the rounds of `sampled`, smoothed as there; NaN where it is infinite."""
        values = getattr(self, curve)
        return (smooth(values) if curve == "ratio" else values)[:, self._displayed - 1]

    def spread(self, curve: str, shares: Sequence[float] = (0.1, 0.9)) -> np.ndarray:
        """(shares, points) what these shares of the users are below, of `users`; NaN where none has a value."""
        users = self.users(curve)
        known = ~np.isnan(users).all(0)
        quantiles = np.full((len(shares), users.shape[1]), np.nan)
        quantiles[:, known] = np.nanquantile(users[:, known], shares, axis=0)
        return quantiles

    @property
    def _displayed(self) -> np.ndarray:
        """The rounds of a curve at display resolution, at most `POINTS`."""
        horizon = self.scenario.horizon
        return np.unique(np.linspace(1, horizon, min(POINTS, horizon)).round().astype(int))

    @property
    def times_asked(self) -> np.ndarray:
        """(runs, horizon) how often the item consumed in each round was asked about later."""
        counts = np.zeros(self.asked.shape, dtype=np.int32)
        for about in (self.asked, *np.moveaxis(self.also_asked, 2, 0)):
            run, t = np.nonzero(about >= 0)
            np.add.at(counts, (run, about[run, t]), 1)
        return counts

    @property
    def questions(self) -> np.ndarray:
        """(runs, horizon) how many questions the user has answered up to each round."""
        past = self.scenario.declared.asks_the_past
        first = self.asked >= 0 if past else np.ones(self.asked.shape, dtype=bool)
        return np.cumsum(first + (self.also_asked >= 0).sum(2), axis=1)

    @property
    def regret_plus_cost(self) -> np.ndarray:
        """(runs, horizon) cumulative regret and what the questions cost; `mean` and `band` take it as a curve too."""
        return self.regret + self.scenario.cost * self.questions

    def trajectory(self, run: int = 0) -> "Trajectory":
        """Run number `run` in full, played again: the same numbers as row `run` of the arrays."""
        return trajectory(self.scenario, run, ask=self.ask)

    def csv(self) -> Iterator[str]:
        """Lines of a CSV file: the scenario as comments, then mean and band of each curve, one row a round."""
        settled = self.scenario.resolved()
        yield from (f"# {name} = {text}" for name, text in self.scenario.to_strings().items())
        automatic = ", ".join(f"{name} = {getattr(settled, name)}" for name, knob in KNOBS.items() if knob.automatic)
        if self.ask:
            yield f"# in place of the ask rule: the function {name_of(self.ask)}"
        yield f"# automatic values: {automatic}; runs complete: {self.runs}"
        yield ",".join(COLUMNS)
        yield from (",".join(row) for row in self.rows())

    def rows(self) -> Iterator[list[str]]:
        """The round, then mean and band of each curve (`COLUMNS`), as text; empty where there is no value."""
        columns = [column for curve in CURVES for column in self._moments(curve)]
        for t, row in enumerate(zip(*columns, strict=True), start=1):
            yield [str(t), *("" if np.isnan(value) else f"{value:.10g}" for value in row)]


def moments(values: np.ndarray) -> tuple[float, float]:
    """Mean of values (runs,) and half-width of its 95% band, 2 sigma / sqrt(n); NaN for fewer than two runs.

    >>> moments(np.array([1.0, 3.0, 1.0, 3.0]))
    (2.0, 1.0)
    """
    n = len(values)
    mean = float(np.mean(values)) if n else math.nan
    return mean, 2 * float(np.std(values)) / math.sqrt(n) if n > 1 else math.nan


def finite_mean(values: np.ndarray, axis: int) -> np.ndarray:
    """Mean of the finite ones of values (n, m) along an axis; NaN where there are none."""
    known = np.isfinite(values)
    n = known.sum(axis)
    return _quotient(values.sum(axis, where=known), n, n > 0)


def smooth(values: np.ndarray) -> np.ndarray:
    """Mean of each of values (..., rounds) and the (up to) nine before it, of the finite ones; NaN where it is not."""
    known = np.isfinite(values)
    total = np.cumsum(np.where(known, values, 0), axis=-1)
    count = np.cumsum(known, axis=-1)
    total[..., SMOOTHING:] -= total[..., :-SMOOTHING].copy()
    count[..., SMOOTHING:] -= count[..., :-SMOOTHING].copy()
    return np.divide(total, count, out=np.full(values.shape, np.nan), where=known)


@dataclass(frozen=True)
class Trajectory:
    """One run, round by round. Row t - 1 belongs to round t; where nothing was asked, y and outcome are NaN.

    Of several questions per item y, asked and outcome tell the first; estimate and V have all of them in them.
    """

    scenario: Scenario
    run: int
    theta: np.ndarray  # (d,)
    contexts: np.ndarray  # (T, k, d) context set X_t
    x: np.ndarray  # (T, d)
    best: np.ndarray  # (T, d)
    y: np.ndarray  # (T, d)
    asked: np.ndarray  # (T,) index of y in the history, -1 where y is not a past item
    outcome: np.ndarray  # (T,) 1 if the user prefers x, 0 if y
    estimate: np.ndarray  # (T, d) the estimate that round t starts from
    V: np.ndarray  # (T, d, d) V_t that round t starts from
    regret: np.ndarray  # (T,) cumulative
    error: np.ndarray  # (T,)
    ratio: np.ndarray  # (T,)
    by_rule: np.ndarray  # (T,) the index that the ask rule chose; `asked` differs where the question was chosen by hand

    @property
    def z(self) -> np.ndarray:
        """(T, d) probing vectors; NaN where nothing was asked."""
        return self.x - self.y


def trajectory(
    scenario: Scenario,
    run: int = 0,
    every_item: bool = False,
    by_hand: Mapping[int, int] | None = None,
    ask: Scores | None = None,
    luck: int = 0,
) -> Trajectory:
    """Run number `run` of a scenario in full; ValueError if there is no such run or its contexts are too many.

    It is the run that `simulate` plays. With `every_item` it is another run of the same law, whose context sets do not
    depend on the questions: for comparing them on equal terms. With `by_hand` some questions are chosen, the rest of
    the luck is the same: {25: 3} asks in round 25 about the item of round 3. `ask` takes the place of the ask rule.
    With another `luck` than 0 the same user answers anew after exploration.
    """
    if not 0 <= run < scenario.runs:
        raise ValueError(f"run = {run} is not allowed: the scenario has runs 0 to {scenario.runs - 1}")
    size = scenario.horizon * scenario.k * scenario.d
    if size > TRAJECTORY_LIMIT:
        raise ValueError(
            f"horizon x k x d = {size:.2g} is too much to keep for one run, allowed are at most {TRAJECTORY_LIMIT:.2g}"
        )
    ends = np.cumsum(batch_sizes(scenario))
    index = int(np.searchsorted(ends, run, side="right"))
    row = run - int(ends[index - 1] if index else 0)
    rounds: list[dict] = []

    def watch(r: Round) -> None:
        names = ("theta", "estimate", "V", "x", "best", "asked", "ratio", "by_rule")
        own = {name: getattr(r, name)[row].copy() for name in names}
        silent = scenario.declared.asks_the_past and r.asked[row] < 0
        own["y"] = np.full(scenario.d, np.nan) if silent else r.y[row].copy()
        own["outcome"] = np.nan if silent else float(r.outcome[row])
        own["contexts"] = r.offer.contexts(row)
        rounds.append(own)

    batch = finish(play(scenario, index, watch, every_item, by_hand, ask, luck))
    columns = {name: np.array([r[name] for r in rounds]) for name in rounds[0] if name != "theta"}
    curves = {"regret": batch.regret[row], "error": batch.error[row]}
    return Trajectory(scenario, run, theta=rounds[0]["theta"], **columns, **curves)


def _no_runs(scenario: Scenario) -> Batch:
    empty = np.empty((0, scenario.horizon))
    further = np.empty((0, scenario.horizon, scenario.most_questions - 1), dtype=np.int32)
    return Batch(empty, empty, empty, empty.astype(np.int32), np.empty(0), also_asked=further)


def _quotient(above: np.ndarray, below: np.ndarray, where: np.ndarray) -> np.ndarray:
    """above / below, NaN outside `where`."""
    return np.divide(above, below, out=np.full(np.shape(above), np.nan), where=where)
