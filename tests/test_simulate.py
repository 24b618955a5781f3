"""stream and Result: pace, cancelling, moments, export."""

import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from roam_core import Result, Scenario, simulate, stream
from roam_core.engine import Batch, batch_sizes


@pytest.mark.battery
@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor(2)], ids=["inline", "threads"])
def test_results_come_often_and_progress_only_grows(executor):
    scenario = Scenario(horizon=800, k=9000, runs=6, algorithm="colstim")
    moments, progress, runs = [time.monotonic()], [0.0], [0]
    for result in stream(scenario, executor):
        moments.append(time.monotonic())
        progress.append(result.progress)
        runs.append(result.runs)
    assert len(moments) > 4, "the scenario is too small to show the pace"
    # A beat is 0.2 s; the machine may be busy, so judge the typical gap and allow two.
    assert np.median(np.diff(moments)) < 0.4
    assert (np.diff(progress) >= 0).all()
    assert (np.diff(runs) >= 0).all()
    assert progress[-1] == 1
    assert runs[-1] == 6


class Recorder(Executor):
    """An executor that runs the first task at once and leaves the others waiting."""

    def __init__(self):
        self.futures = []

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        if not self.futures:
            future.set_result(fn(*args, **kwargs))
        self.futures.append(future)
        return future


def test_closing_a_stream_cancels_what_has_not_begun():
    executor = Recorder()
    results = stream(Scenario(runs=70, horizon=10, k=5), executor)
    first = next(results)
    assert first.runs == batch_sizes(first.scenario)[0]
    results.close()
    assert len(executor.futures) > 1
    assert all(future.cancelled() for future in executor.futures[1:])


def test_a_failing_worker_is_reported_not_swallowed():
    class Broken(Executor):
        def submit(self, fn, /, *args, **kwargs):
            future = Future()
            future.set_exception(RuntimeError("worker died"))
            return future

    with pytest.raises(RuntimeError, match="worker died"):
        simulate(Scenario(runs=5, horizon=10, k=5), Broken())


@pytest.mark.parametrize("k", [2, 50, 1000, 100_000])
@pytest.mark.parametrize("runs", [1, 3, 4, 21, 100])
def test_batches_hold_every_run_and_fit_the_memory(runs, k):
    scenario = Scenario(runs=runs, k=k, horizon=10, d=20)
    sizes = batch_sizes(scenario)
    assert sum(sizes) == runs
    assert min(sizes) >= 1
    assert max(sizes) == 1 or max(sizes) * k * 20 <= 2_000_000


def test_different_seeds_and_batches_give_different_runs():
    first, second = (simulate(Scenario(runs=50, horizon=20, k=50, seed=seed)).regret for seed in (0, 1))
    assert len(np.unique(np.vstack([first, second])[:, -1])) == 100


def result_of(**curves) -> Result:
    regret = np.asarray(curves["regret"], dtype=float)
    ratio = np.asarray(curves.get("ratio", regret), dtype=float)
    asked = np.asarray(curves.get("asked", np.full(regret.shape, -1)))
    batch = Batch(regret, regret, ratio, asked, np.ones(len(regret)))
    return Result.join(Scenario(runs=max(1, len(regret)), horizon=regret.shape[1], k=2), [batch], 1.0)


def test_mean_and_band_are_those_of_the_paper():
    regret = np.random.default_rng(0).normal(size=(7, 3))
    result = result_of(regret=regret)
    np.testing.assert_allclose(result.mean("regret"), regret.mean(0))
    np.testing.assert_allclose(result.band("regret"), 2 * regret.std(0) / np.sqrt(7))


def test_moments_leave_out_what_is_not_finite():
    result = result_of(regret=np.zeros((3, 3)), ratio=[[np.nan, 1, 2], [np.nan, np.inf, 4], [np.nan, np.inf, 9]])
    np.testing.assert_array_equal(result.mean("ratio"), [np.nan, 1, 5])
    np.testing.assert_allclose(result.band("ratio"), [np.nan, np.nan, 2 * np.std([2, 4, 9]) / np.sqrt(3)])


def test_a_result_without_runs_has_no_mean_and_raises_no_warning():
    empty = Result.join(Scenario(horizon=4), [], 0.0)
    assert empty.runs == 0
    assert np.isnan(empty.mean("regret")).all()
    assert np.isnan(empty.band("ratio")).all()
    assert len(list(empty.csv())) == 4 + len(empty.scenario.to_strings()) + 2


def test_times_asked_counts_every_question():
    result = result_of(regret=np.zeros((2, 4)), asked=[[-1, 0, 0, 1], [-1, 0, 1, 2]])
    np.testing.assert_array_equal(result.times_asked, [[2, 1, 0, 0], [1, 1, 1, 0]])


def test_a_question_costs_what_the_scenario_says():
    asked = [[-1, 0, -1, 1], [-1, 0, 1, 2]]
    result = replace(result_of(regret=np.zeros((2, 4)), asked=asked), scenario=Scenario(horizon=4, tau=0, cost=0.5))
    np.testing.assert_array_equal(result.questions, [[0, 1, 1, 2], [0, 1, 2, 3]])
    np.testing.assert_array_equal(result.regret_plus_cost, [[0, 0.5, 0.5, 1], [0, 0.5, 1, 1.5]])
    np.testing.assert_array_equal(result.mean("regret_plus_cost"), [0, 0.5, 0.75, 1.25])


def test_the_csv_holds_the_scenario_and_the_curves():
    scenario = Scenario(d=2, tau=3, k=20, horizon=12, runs=6, user_link="probit", cost=0.5)
    result = simulate(scenario)
    lines = list(result.csv())
    header = [line[2:].split(" = ", 1) for line in lines if line.startswith("# ") and "automatic" not in line]
    assert Scenario.from_strings(dict(header)) == scenario
    rows = [line.split(",") for line in lines if not line.startswith("#")]
    assert rows[0] == ["t", "regret_mean", "regret_band", "error_mean", "error_band", "ratio_mean", "ratio_band"]
    assert [int(row[0]) for row in rows[1:]] == list(range(1, 13))
    np.testing.assert_allclose([float(row[1]) for row in rows[1:]], result.mean("regret"), rtol=1e-9)
    assert [row[5] for row in rows[1:4]] == ["", "", ""]
    np.testing.assert_allclose([float(row[6]) for row in rows[4:]], result.band("ratio")[3:], rtol=1e-9)


def test_a_trajectory_that_does_not_exist_or_is_too_large_is_refused():
    with pytest.raises(ValueError, match="runs 0 to 4"):
        simulate(Scenario(runs=5, horizon=5, k=5)).trajectory(5)
    large = Result.join(Scenario(runs=1, horizon=1000, k=100_000), [], 0.0)
    with pytest.raises(ValueError, match="horizon x k x d"):
        large.trajectory(0)
