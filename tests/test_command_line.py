"""python -m roam_core as a person uses it."""

import csv
import os
import pty
import subprocess
import sys

import numpy as np
import pytest

from roam_core import KNOBS, Scenario, simulate
from roam_core.__main__ import main

SMALL = ["run", "--d", "2", "--k", "20", "--horizon", "30", "--runs", "6", "--tau", "5"]


def test_run_prints_the_numbers_of_simulate(capsys):
    assert main(SMALL) == 0
    out, err = capsys.readouterr()
    result = simulate(Scenario(d=2, k=20, horizon=30, runs=6, tau=5))
    assert f"{result.mean('regret')[-1]:.3f} +- {result.band('regret')[-1]:.3f}" in out
    assert f"{result.mean('error')[-1]:.3f} +- {result.band('error')[-1]:.3f}" in out
    assert f"{result.mean('ratio')[-1]:.3f} +- {result.band('ratio')[-1]:.3f}" in out
    assert "nan" not in out
    assert err == ""


@pytest.mark.parametrize("extra", [["--tau", "30"], ["--horizon", "1", "--tau", "0"], ["--runs", "1"]])
def test_edge_cases_print_no_nan(extra, capsys):
    assert main([*SMALL, *extra]) == 0
    assert "nan" not in capsys.readouterr().out


def test_run_tells_what_the_questions_cost(capsys):
    assert main([*SMALL, "--skip_below", "0.5", "--cost", "0.1"]) == 0
    result = simulate(Scenario(d=2, k=20, horizon=30, runs=6, tau=5, skip_below=0.5, cost=0.1))
    out = capsys.readouterr().out
    assert f"questions (mean over runs): {result.questions[:, -1].mean():.1f}" in out
    assert f"regret plus cost of the questions: {result.mean('regret_plus_cost')[-1]:.3f} +- " in out


def test_csv_holds_every_round(tmp_path, capsys):
    path = tmp_path / "out.csv"
    assert main([*SMALL, "--csv", str(path)]) == 0
    rows = list(
        csv.DictReader(line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    )
    assert len(rows) == 30
    np.testing.assert_allclose(
        float(rows[-1]["regret_mean"]), simulate(Scenario(d=2, k=20, horizon=30, runs=6, tau=5)).mean("regret")[-1]
    )
    assert path.read_text(encoding="utf-8").startswith("# d = 2\n# tau = 5\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--d", "1"],
        ["run", "--tau", "2000"],
        ["run", "--link", "linear"],
        ["run", "--radius", "nan"],
        ["run", "--runs", "10000", "--horizon", "10000"],
        ["run", "--csv", "no/such/folder/out.csv"],
        ["run", "--colour", "red"],
        ["run", "--d"],
        ["walk"],
        [],
    ],
)
def test_bad_input_gives_one_line_and_status_2(arguments, capsys):
    try:
        status = main(arguments)
    except SystemExit as stop:
        status = stop.code
    out, err = capsys.readouterr()
    assert status == 2
    assert out == ""
    assert err.startswith("roam_core: error: ")
    assert err.count("\n") == 1


def test_help_names_every_field_with_range_and_default(capsys):
    with pytest.raises(SystemExit):
        main(["run", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    for name, knob in KNOBS.items():
        assert f"--{name} " in text
        assert f"Default: {knob.format(knob.default)}." in text


def test_a_progress_bar_is_drawn_on_a_terminal_only():
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "roam_core", *SMALL]
    on_terminal = subprocess.run(command, stdout=subprocess.PIPE, stderr=follower, check=True, encoding="utf-8")
    os.close(follower)
    assert "100%" in os.read(leader, 100_000).decode()
    piped = subprocess.run(command, capture_output=True, check=True, encoding="utf-8")
    assert piped.stderr == ""
    assert piped.stdout == on_terminal.stdout
