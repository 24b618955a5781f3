"""Sweeps: the same numbers wherever they run, one table, and going on after an interruption."""

import csv
import logging
import os
import signal
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from pyarrow import csv as arrow_csv
from pyarrow import parquet

from roam_core import KNOBS, Scenario, simulate
from roam_core.__main__ import main
from roam_core.executors import processes
from roam_core.sweep import SweepFile, grid, sweep

BASE = Scenario(d=2, k=30, horizon=40, runs=25)
VARY = {"tau": [0, 5, 20], "link": ["logistic", "cauchit"]}
COMMAND = ["sweep", "--d", "2", "--k", "30", "--horizon", "40", "--runs", "25"]
COMMAND += ["--vary", "tau=0,5,20", "--vary", "link=logistic,cauchit"]


def results_of(steps):
    return {result.scenario: result for step in steps for result in step.finished}


def same(first, second):
    for array in ("regret", "error", "ratio", "asked", "lambda_min"):
        np.testing.assert_array_equal(getattr(first, array), getattr(second, array))


def table_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """The table of `COMMAND`."""
    path = tmp_path_factory.mktemp("sweep") / "table.csv"
    assert main([*COMMAND, "--out", str(path)]) == 0
    return path


reference = cache(simulate)  # for what several tests compare with


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.battery)])
def test_a_sweep_gives_every_scenario_its_own_result(workers):
    scenarios = grid(BASE, VARY)
    with processes(workers) as executor:
        steps = list(sweep(scenarios, executor))
    results = results_of(steps)
    assert set(results) == set(scenarios)
    for scenario in scenarios:
        same(results[scenario], reference(scenario))
    assert (np.diff([step.progress for step in steps]) >= 0).all()
    assert steps[-1].progress == 1


def test_the_table_has_a_row_for_every_scenario_and_round(whole):
    rows = table_of(whole)
    assert len(rows) == 6 * 40
    for scenario in grid(BASE, VARY):
        result, settled = reference(scenario), scenario.resolved()
        mine = [row for row in rows if row["tau"] == str(settled.tau) and row["link"] == settled.link]
        assert [int(row["t"]) for row in mine] == list(range(1, 41))
        assert {row["ridge"] for row in mine} == {str(settled.ridge)}
        np.testing.assert_allclose([float(row["regret_mean"]) for row in mine], result.mean("regret"), rtol=1e-9)
        np.testing.assert_allclose(
            [float(row["error_band"]) for row in mine], result.band("error"), rtol=1e-9, atol=1e-12
        )


@pytest.mark.parametrize("cut", [0, 400, 9000, 20000, -3])
def test_a_sweep_goes_on_where_it_was_cut_off(whole, tmp_path, capsys, monkeypatch, cut):
    path, text = tmp_path / "table.csv", whole.read_text(encoding="utf-8")
    path.write_text(text[:cut], encoding="utf-8")
    complete = sum(line.split(",")[len(KNOBS)] == "40" for line in text[:cut].splitlines()[1:-1])
    computed = []
    monkeypatch.setattr(
        "roam_core.__main__.sweep", lambda missing, executor: computed.extend(missing) or sweep(missing, executor)
    )
    assert main([*COMMAND, "--out", str(path)]) == 0
    assert sorted(path.read_text(encoding="utf-8").splitlines()) == sorted(text.splitlines())
    assert len(computed) == 6 - complete
    computed.clear()
    assert main([*COMMAND, "--out", str(path)]) == 0
    assert computed == []


KILLED_WHILE_WRITING = """
import os, signal, sys
from roam_core import Result
from roam_core.__main__ import main

genuine, begun = Result.rows, []

def rows(result):
    begun.append(result)
    for t, row in enumerate(genuine(result)):
        if len(begun) == 3 and t == 70:
            os.kill(os.getpid(), signal.SIGKILL)
        yield row

Result.rows = rows
main(sys.argv[1:])
"""


@pytest.mark.battery
def test_a_sweep_that_is_killed_can_go_on(tmp_path, capsys):
    """A process that is killed with two of five scenarios in the table and the third half written."""
    path = tmp_path / "table.csv"
    command = ["sweep", "--runs", "20", "--k", "100", "--horizon", "100", "--tau", "20"]
    command += ["--vary", "seed=0,1,2,3,4", "--out", str(path)]
    killed = subprocess.run([sys.executable, "-c", KILLED_WHILE_WRITING, *command], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert 2 * 100 < len(table_of(path)) < 3 * 100
    assert main(command) == 0
    assert "2 of 5 scenarios are in" in capsys.readouterr().out
    rows = table_of(path)
    assert len(rows) == 5 * 100
    for seed in range(5):
        expected = simulate(Scenario(runs=20, k=100, horizon=100, tau=20, seed=seed)).mean("regret")
        found = [float(row["regret_mean"]) for row in rows if row["seed"] == str(seed)]
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_parquet_holds_the_same_table(whole, tmp_path, capsys):
    assert main([*COMMAND, "--out", str(tmp_path / "table.parquet")]) == 0
    table = parquet.read_table(tmp_path / "table.parquet").to_pydict()
    rows = table_of(whole)
    assert list(table) == list(rows[0])
    np.testing.assert_allclose(table["regret_mean"], [float(row["regret_mean"]) for row in rows])
    assert [path.name for path in tmp_path.iterdir() if "unfinished" in path.name] == []
    assert main([*COMMAND, "--out", str(tmp_path / "table.parquet")]) == 0
    assert "6 of 6 scenarios" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--vary", "tau=0,999", "--horizon", "50", "--out", "t.csv"],
        ["--vary", "tau", "--out", "t.csv"],
        ["--vary", "colour=red", "--out", "t.csv"],
        ["--vary", "d=2,x", "--out", "t.csv"],
        ["--vary", "d=2,3", "--out", "t.txt"],
        ["--vary", "d=2,3", "--out", "no/such/folder/t.csv"],
        ["--vary", "d=2,3", "--out", "t.csv", "--workers", "0"],
        ["--vary", "d=2,3", "--out", "t.csv", "--workers", "many"],
        [
            "--vary",
            "seed=" + ",".join(map(str, range(200))),
            "--vary",
            "k=" + ",".join(map(str, range(2, 102))),
            "--out",
            "t.csv",
        ],
        ["--vary", "d=2"],
    ],
)
def test_bad_input_gives_one_line_and_status_2(arguments, capsys, tmp_path, monkeypatch):
    refused(arguments, capsys, tmp_path, monkeypatch)


def test_a_dask_scheduler_that_does_not_answer_gives_one_line_and_status_2(capsys, tmp_path, monkeypatch):
    import distributed

    genuine = distributed.Client
    monkeypatch.setattr(distributed, "Client", lambda *how, **more: genuine(*how, **more | {"timeout": 0.1}))
    refused(["--vary", "d=2,3", "--out", "t.csv", "--dask", "tcp://127.0.0.1:1"], capsys, tmp_path, monkeypatch)


def refused(arguments, capsys, tmp_path, monkeypatch):
    """A sweep with these arguments says why not."""
    monkeypatch.chdir(tmp_path)
    try:
        status = main(["sweep", *arguments])
    except SystemExit as stop:
        status = stop.code
    err = capsys.readouterr().err
    assert status == 2
    assert err.startswith("roam_core: error: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("content", ["my,own,data\n1,2,3\n", "a note without an end"])
def test_a_file_that_is_no_table_is_left_alone(tmp_path, content):
    path = tmp_path / "notes.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match="not the table of a sweep"):
        SweepFile(path)
    assert path.read_text(encoding="utf-8") == content


def rewritten(table: Path, path: Path, columns: list[str]) -> None:
    """The table with these columns only."""
    if path.suffix == ".parquet":
        parquet.write_table(arrow_csv.read_csv(table).select(columns), path)
    else:
        rows = [[row[name] for name in columns] for row in table_of(table)]
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([columns, *rows])


@pytest.mark.parametrize("gone", [["cost"], ["user_link"], ["flatness", "seed", "user_link"]], ids=str)
@pytest.mark.parametrize("name", ["old.csv", "old.parquet"])
def test_a_table_from_before_a_field_existed_goes_on(whole, tmp_path, monkeypatch, capsys, name, gone):
    path = tmp_path / name
    columns = [column for column in table_of(whole)[0] if column not in gone]
    rewritten(whole, path, columns)
    monkeypatch.setattr("roam_core.__main__.sweep", None)  # nothing is left to play
    assert main([*COMMAND, "--out", str(path)]) == 0
    assert "6 of 6 scenarios" in capsys.readouterr().out
    if path.suffix == ".csv":
        assert path.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")
    else:
        assert parquet.read_table(path).column_names == list(table_of(whole)[0])


def test_a_field_that_a_table_does_not_have_is_at_its_default(whole, tmp_path):
    rewritten(whole, tmp_path / "old.csv", [column for column in table_of(whole)[0] if column != "d"])
    table = SweepFile(tmp_path / "old.csv")
    assert table.missing(grid(BASE, VARY)) == grid(BASE, VARY)
    assert table.missing(grid(replace(BASE, d=5), VARY)) == []


def test_an_unfinished_table_from_before_a_field_existed_is_continued(whole, tmp_path, capsys):
    """Columns in another order too, as if the field had come in between."""
    path, text = tmp_path / "old.csv", whole.read_text(encoding="utf-8")
    first, *others = [column for column in table_of(whole)[0] if column not in ("radius", "user_link")]
    others.insert(3, first)
    rewritten(whole, path, others)
    path.write_text("".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[: 1 + 100]), encoding="utf-8")
    assert main([*COMMAND, "--out", str(path)]) == 0
    assert "2 of 6 scenarios" in capsys.readouterr().out
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("spoil", [lambda c: [*c[:3], "colour", *c[3:]], lambda c: ["d", *c], lambda c: c[-7:]])
def test_a_table_with_other_columns_is_left_alone(whole, tmp_path, spoil):
    path, (header, *rows) = tmp_path / "other.csv", whole.read_text(encoding="utf-8").splitlines()
    content = "\n".join([",".join(spoil(header.split(","))), *rows]) + "\n"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match="not the table of a sweep"):
        SweepFile(path)
    assert path.read_text(encoding="utf-8") == content


def test_without_dask_the_message_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["run", "--runs", "1", "--horizon", "5", "--dask", "tcp://127.0.0.1:1"]) == 2
    assert "pip install distributed" in capsys.readouterr().err


@pytest.mark.battery
def test_a_dask_cluster_that_loses_a_worker_gives_the_same_numbers(caplog):
    """A real cluster of two worker processes; one is killed while the sweep is under way."""
    from distributed import Client, LocalCluster

    from roam_core.executors import dask

    caplog.set_level(logging.ERROR, logger="distributed")  # it warns of the worker that is lost
    scenarios = [Scenario(runs=27, horizon=80, tau=10, k=100, seed=seed) for seed in range(5)]
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        pids = list(client.run(os.getpid).values())
        assert len(set(pids)) == 2
        killed, results = False, {}
        with dask(cluster.scheduler_address) as executor:
            for step in sweep(scenarios, executor):
                results |= results_of([step])
                if 0 < step.progress < 1 and not killed:
                    os.kill(pids[0], signal.SIGKILL)
                    killed = True
    assert killed
    for scenario in scenarios:
        same(results[scenario], simulate(scenario))


def test_every_field_can_be_varied():
    for name, knob in KNOBS.items():
        values = list(knob.choices) or [knob.parse(str(knob.low)), knob.default]
        base = Scenario(tau=0) if name == "horizon" else Scenario(horizon=100, tau=10, d=3)
        scenarios = grid(base, {name: values})
        assert [getattr(s, name) for s in scenarios] == values
