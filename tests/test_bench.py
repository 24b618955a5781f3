"""The benchmark compares like with like and reports what it measured. Its timings are not judged here."""

import json

import numpy as np
import pytest
from scipy import stats

from roam_core import Scenario, bench, simulate
from roam_core.__main__ import main


@pytest.mark.parametrize("algorithm", ["roam", "colstim"])
def test_the_recipe_simulates_the_same_thing_as_the_engine(algorithm):
    """Kolmogorov-Smirnov on the final regret, level 1e-3 each."""
    scenario = Scenario(algorithm=algorithm, d=2, k=50, horizon=60, tau=10, runs=800)
    slow = [bench.recipe(scenario, seed) for seed in range(60)]
    assert stats.ks_2samp(slow, simulate(scenario).regret[:, -1]).pvalue > 1e-3


def test_bench_prints_a_table_and_writes_json(tmp_path, monkeypatch, capsys):
    small = Scenario(d=2, k=50, horizon=40, runs=12)
    monkeypatch.setattr(bench, "CASES", {"small": small})
    monkeypatch.setattr(bench, "GROWTH", {"runs 12 -> 24": (small, Scenario(d=2, k=50, horizon=40, runs=24))})
    monkeypatch.setattr(bench, "MEMORY", {"small": small})
    assert main(["bench", "--repeats", "2", "--json", str(tmp_path / "bench.json")]) == 0
    out = capsys.readouterr().out
    report = json.loads((tmp_path / "bench.json").read_text())
    row = report["cases"]["small"]
    assert row["recipe ms/run"] > 0
    assert row["one process ratio"]["worst"] <= row["one process ratio"]["median"] <= row["one process ratio"]["best"]
    assert f"{row['workers ratio']['median']:.2f} (" in out
    assert 0 < report["first runs"]["median"] <= 1
    assert 20 < report["peak memory MB"]["small"] < 2000
    assert np.isfinite(report["growth"]["runs 12 -> 24"]["median"])


def test_bad_repeats_give_one_line_and_status_2(capsys):
    assert main(["bench", "--repeats", "0"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
