"""What Windows and macOS need: no call they lack, text files in UTF-8 whatever the system prefers, fewer cores."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from roam_core import executors

pytestmark = pytest.mark.fault
ROOT = Path(__file__).parents[1]
LIKE_WINDOWS = {"PYTHONPATH": os.pathsep.join([str(ROOT / "tests/like_windows"), str(ROOT)])}


def run(*command: str, **environment: str) -> subprocess.CompletedProcess:
    """Run Python with these arguments in the project's folder."""
    settings = os.environ | environment
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=settings, capture_output=True, encoding="utf-8", errors="replace"
    )


def test_the_command_line_works_with_what_windows_has(tmp_path):
    small = ["--runs", "4", "--horizon", "20", "--k", "5", "--d", "2"]
    table = tmp_path / "table.csv"
    sweep = ["sweep", "--vary", "tau=0,5", "--out", str(table), "--workers", "2", *small]
    for arguments in (["run", *small], sweep):
        done = run("-m", "roam_core", *arguments, **LIKE_WINDOWS)
        assert (done.returncode, done.stderr) == (0, ""), arguments
    assert len(table.read_text(encoding="utf-8").splitlines()) == 1 + 2 * 20


def test_the_benchmark_says_what_it_cannot_measure_on_windows():
    code = "from roam_core import Scenario, bench; print(bench.measure_memory(Scenario(runs=2, horizon=5, k=2)))"
    done = run("-c", code, **LIKE_WINDOWS)
    assert (done.stdout, done.stderr) == ("None\n", "")


@pytest.mark.parametrize("arguments", [["run", "--help"], ["paper"]])
def test_symbols_that_a_pipe_cannot_show_are_no_error(arguments):
    done = run("-m", "roam_core", *arguments, PYTHONIOENCODING="cp1252:strict")
    assert done.returncode == 0, done.stderr


def test_a_process_that_may_use_one_core_counts_one():
    code = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})" if sys.platform == "linux" else ""
    limit = {} if code else {"LOKY_MAX_CPU_COUNT": "1"}
    done = run("-c", f"{code}\nfrom roam_core.executors import cores; print(cores())", **limit)
    assert done.stdout == "1\n"
    assert 1 <= executors.cores() <= os.cpu_count()


@pytest.mark.parametrize("folder", ["pages", "roam_core"])
def test_processes_are_never_forked(folder):
    """macOS forbids it in a program with threads, Windows knows nothing of it."""
    for path in (ROOT / folder).rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"os\.fork|get_context\((?!\"spawn\")|multiprocessing\.(Process|Pool)\b", text), path
