"""The server's one pool: shared, fair, and rid of what nobody wants."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from pages.parts.live import Board
from pages.parts.watching import _waiting
from roam_core import Scenario, simulate

QUICK = Scenario(d=2, k=50, horizon=40, runs=30)
LONG = Scenario(runs=400, k=2000, algorithm="colstim")


@pytest.fixture(scope="module")
def board():
    board = Board(2)
    yield board
    board.close()


def wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def finish(board, visitor, scenario):
    wait_for(lambda: board.look(visitor, [scenario])[0].complete)
    return board.look(visitor, [scenario])[0].result


def test_a_job_gives_the_result_of_simulate(board):
    result, expected = finish(board, "ann", QUICK), simulate(QUICK)
    for array in ("regret", "error", "ratio", "asked", "lambda_min"):
        np.testing.assert_array_equal(getattr(result, array), getattr(expected, array))


def test_identical_scenarios_are_one_job_and_stay_known(board):
    first = board.look("ann", [QUICK])[0]
    assert board.look("bob", [QUICK])[0] is first
    finish(board, "ann", QUICK)
    board.look("ann", [])
    assert board.look("cy", [QUICK])[0] is first
    board.forget(QUICK)
    assert board.look("cy", [QUICK])[0] is not first


def test_what_nobody_wants_is_dropped_also_while_it_is_computed(board):
    job = board.look("ann", [LONG])[0]
    wait_for(lambda: job.running)
    board.look("ann", [])
    wait_for(lambda: not job.running)
    assert not job.done
    assert board.look("ann", [LONG])[0] is not job
    board.look("ann", [])


def test_a_visitor_who_comes_later_does_not_wait_for_the_first_to_finish(board):
    slow = board.look("ann", [LONG])[0]
    wait_for(lambda: slow.running)
    scenario = Scenario(d=2, k=50, horizon=40, runs=30, seed=8)

    def both():
        board.look("ann", [LONG])
        return board.look("bob", [scenario])[0].complete

    wait_for(both)
    assert not slow.complete
    assert board.line("bob")[0] == 1
    board.look("ann", [])


def test_a_first_curve_goes_before_more_of_an_old_one():
    """One worker, and ann has a first curve but much more to come: whoever comes next is served next."""
    board = Board(1)
    try:
        ann = Scenario(runs=2000, horizon=200, k=50)
        wait_for(lambda: board.look("ann", [ann])[0].done)
        others = [Scenario(runs=2000, horizon=200, k=50, seed=seed) for seed in (1, 2, 3)]

        def jobs():
            """Everybody keeps looking, or they would be forgotten while a busy machine takes its time."""
            visitors = zip(("ann", *"bcd"), (ann, *others), strict=True)
            return [board.look(name, [scenario])[0] for name, scenario in visitors]

        jobs()
        assert board.line("b") == (3, 0)
        assert board.line("d") == (3, 2)  # two get their first curve before
        assert board.line("ann") == (3, 0)
        served = len(jobs()[0].done)
        wait_for(lambda: all(job.done for job in jobs()[1:]))
        assert len(jobs()[0].done) <= served + 1  # the batch that was under way
    finally:
        board.close()


@pytest.mark.parametrize(
    ("others", "before", "words"),
    [
        (0, 0, ""),
        (1, 0, " 1 other is computing too."),
        (12, 0, " 12 others are computing too."),
        (12, 2, " 12 others are computing: yours is number 3 in line."),
    ],
)
def test_a_visitor_is_told_how_busy_the_server_is_where_that_matters(others, before, words):
    assert _waiting(others, before) == words


def test_a_visitor_who_leaves_is_rid_of_at_once(board):
    job = board.look("ann", [LONG])[0]
    wait_for(lambda: job.running)
    board.leave("ann", [QUICK])  # they want something else by now
    assert LONG in board._jobs
    board.leave("ann", [LONG])
    assert LONG not in board._jobs
    wait_for(lambda: not job.running)
    board.leave("nobody", [LONG])


def test_a_visitor_who_stops_looking_is_forgotten(board):
    job = board.look("gone", [LONG])[0]
    wait_for(lambda: job.running)
    wait_for(lambda: LONG not in board._jobs)
    assert not job.complete
    wait_for(lambda: not job.running)


def test_a_killed_worker_costs_nothing_but_time(board):
    scenario = Scenario(runs=60, horizon=600, k=100)
    job = board.look("ann", [scenario])[0]
    wait_for(lambda: job.running)
    os.kill(next(iter(board._pool._processes)), signal.SIGKILL)
    np.testing.assert_array_equal(finish(board, "ann", scenario).regret, simulate(scenario).regret)


def test_a_job_whose_workers_always_die_is_given_up(monkeypatch):
    monkeypatch.setattr("pages.parts.live.MOST_LOST", 2)
    board = Board(1)
    try:
        submit = board._submit
        monkeypatch.setattr(board, "_submit", lambda function, *rest: submit(os._exit, 1))
        job = board.look("ann", [QUICK])[0]

        def failure():
            if not job.failure:
                board.look("ann", [QUICK])
            return job.failure

        wait_for(failure)
        assert "again and again" in job.failure
        monkeypatch.undo()
        np.testing.assert_array_equal(finish(board, "ann", QUICK).regret, simulate(QUICK).regret)
    finally:
        board.close()


def test_workers_end_with_the_server():
    """Killed without a chance to clean up, a server leaves no worker behind."""
    code = "from pages.parts.live import Board; import time; b = Board(2); time.sleep(3); "
    code += "print(*b._pool._processes, flush=True); time.sleep(120)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as server:
        workers = [int(pid) for pid in server.stdout.readline().split()]
        assert len(workers) == 2
        server.kill()
    wait_for(lambda: not any(alive(pid) for pid in workers))


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().split()[2] != "Z"
    except FileNotFoundError:
        return False


def test_the_cache_is_bounded(board, monkeypatch):
    monkeypatch.setattr("pages.parts.live.CACHE_BYTES", 100_000)
    for seed in range(6):
        finish(board, "ann", Scenario(d=2, k=50, horizon=40, runs=30, seed=seed))
    board.look("ann", [])
    assert sum(job.result.regret.nbytes for job in board._jobs.values()) < 100_000
