"""The benchmark compares like with like and reports what it measured. Its timings are not judged here."""

import json
import sys
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.special import expit
from sklearn import linear_model
from threadpoolctl import threadpool_limits

from roam_core import Scenario, Trajectory, bench, trajectory
from roam_core.__main__ import main
from roam_core.links import LINKS


class Replay(np.random.Generator):
    """A generator that deals the recipe the draws of a run of the engine."""

    def __init__(self, run: Trajectory, noise: list[np.ndarray]):
        super().__init__(np.random.PCG64(run.run))
        self.run, self.noise, self.t = run, iter(noise), -1

    def normal(self, size):
        if self.t < 0:
            dealt, self.t = self.run.theta, 0
        else:
            dealt, self.t = self.run.contexts[self.t], self.t + 1
        assert size == dealt.shape
        return dealt

    def index_of(self, item) -> int:
        (index,) = np.flatnonzero((self.run.contexts[self.t - 1] == item).all(1))
        return index

    def integers(self, k):
        assert k == self.run.scenario.k
        return self.index_of(self.run.x[self.t - 1])

    def choice(self, k, size, replace):
        assert (k, size, replace) == (self.run.scenario.k, 2, False)
        return [self.index_of(self.run.x[self.t - 1]), self.index_of(self.run.y[self.t - 1])]

    def gumbel(self, size):
        assert size == self.run.scenario.k
        return next(self.noise)

    def random(self):
        """Uniform, given that a user with the logistic link answers as in the run."""
        p = expit(self.run.z[self.t - 1] @ self.run.theta)
        return self.uniform(0, p) if self.run.outcome[self.t - 1] else self.uniform(p, 1)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("algorithm", ["roam", "colstim"])
def test_the_recipe_simulates_the_same_thing_as_the_engine(algorithm, seed, monkeypatch):
    """With the engine's items, first picks, noise and luck, the recipe has the engine's regret. No chance is involved.

    The recipe must ask the generator for just these draws. Where it then chooses another x, or gets an answer that the
    engine's user did not give, the regret differs. Tried with recipes that do one thing wrong: every one of these is
    noticed in one of the runs at least. Utilities 20% too large, a probit user, one round of exploration less, an
    intercept, y from another rule, V as it was at the start, c1 20% larger, c2 twice as large, the regret of x alone.
    """
    drawn, genuine = [], LINKS["logistic"].noise
    monkeypatch.setitem(
        LINKS,
        "logistic",
        replace(LINKS["logistic"], noise=lambda *how: drawn.append(genuine(*how)) or drawn[-1]),
    )
    # Both choose among the items by estimates: scikit-learn's must be as good as the engine's.
    monkeypatch.setattr(linear_model, "LogisticRegression", partial(linear_model.LogisticRegression, tol=1e-9))
    scenario = Scenario(algorithm=algorithm, d=2, k=50, horizon=40, tau=10, runs=1, seed=seed)
    run = trajectory(scenario)
    assert len(set(run.outcome[1:10])) == 2, "scikit-learn cannot begin with answers of one kind"
    replay = Replay(run, [noise[0].astype(float) for noise in drawn])
    with threadpool_limits(1):  # as in the benchmark: more threads are in each other's way
        assert bench.recipe(scenario, replay) == pytest.approx(run.regret[-1], rel=1e-5)
    assert replay.t == 40


@pytest.mark.battery
def test_bench_prints_a_table_and_writes_json(tmp_path, monkeypatch, capsys):
    small = Scenario(d=2, k=50, horizon=40, runs=12)
    monkeypatch.setattr(bench, "CASES", {"small": small})
    monkeypatch.setattr(bench, "GROWTH", {"runs 12 -> 24": (small, Scenario(d=2, k=50, horizon=40, runs=24))})
    monkeypatch.setattr(bench, "ASKING", {"small": (small, replace(small, ask="informative"))})
    monkeypatch.setattr(bench, "MEMORY", {"small": small})
    monkeypatch.setattr(bench, "Scenario", lambda: Scenario(d=2, k=50, horizon=40))  # the defaults take seconds
    monkeypatch.setattr(bench, "CLASS", 3)
    assert main(["bench", "--repeats", "2", "--json", str(tmp_path / "bench.json")]) == 0
    out = capsys.readouterr().out
    report = json.loads((tmp_path / "bench.json").read_text(encoding="utf-8"))
    row = report["cases"]["small"]
    assert row["recipe ms/run"] > 0
    assert row["one process ratio"]["worst"] <= row["one process ratio"]["median"] <= row["one process ratio"]["best"]
    assert f"{row['workers ratio']['median']:.2f} (" in out
    assert report["asking"]["small"]["median"] > 0
    assert 0 < report["first runs"]["median"] <= 1
    assert 20 < report["peak memory MB"]["small"] < 2000
    assert np.isfinite(report["growth"]["runs 12 -> 24"]["median"])
    waits = report["class"]
    assert list(waits) == ["one visitor", "3 with the same link", "3 with their own"]
    assert all(name in out for name in waits)
    for wait in waits.values():
        assert all(0 < first <= full for first, full in zip(wait["first"], wait["full"], strict=True))


def test_bad_repeats_give_one_line_and_status_2(capsys):
    assert main(["bench", "--repeats", "0"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_core_alone_has_no_class_to_measure(monkeypatch):
    monkeypatch.setitem(sys.modules, "pages.board", None)
    assert bench.measure_class(print) == {}
