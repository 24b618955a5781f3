"""The server's pool: shared, fair, bounded, rid of what nobody wants, and whole again whatever dies."""

import os
import queue
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from pages.board import crew as crews
from pages.board.board import MEMORY, Board
from pages.board.ledger import LEASE, MOST_LOST, Ledger, Line
from pages.board.worker import DONE, DROPPED, FAILED
from pages.board.works import (
    CURVE_BYTES,
    Errand,
    bytes_of,
    expected_bytes,
    expected_seconds,
    join,
    play_part,
    runs_of_parts,
)
from pages.pins import MOST_PINS
from pages.scenario_controls import MOST_VALUES
from pages.sweeps import MOST_SWEPT
from pages.watching import _waiting
from roam_core import Scenario, simulate
from roam_core.engine import Batch, batch_sizes, finish
from roam_core.enrichment import Enrichment, Exploration

QUICK = Scenario(d=2, k=50, horizon=40, runs=30)  # three parts
LONG = Scenario(runs=400, k=2000, algorithm="colstim")


def seeds(*numbers: int) -> list[Scenario]:
    return [replace(QUICK, seed=number) for number in numbers]


def wait_for(condition, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


# The ledger: bookkeeping without threads. The tests are its clock and its workers.


def blank(order) -> Batch:
    """What a worker would bring, without the work."""
    scenario = order.job.work
    values = np.ones((batch_sizes(scenario)[order.index], scenario.horizon))  # not zeros, which may take no memory
    return Batch(values, values, values, values.astype(np.int32), np.zeros(len(values)))


def carry_out(ledger: Ledger, order, now: float = 0.0) -> None:
    ledger.done(order, blank(order))
    if snapshot := order.job.grown(now):
        ledger.publish(order.job, snapshot)


def next_order(ledger: Ledger, now: float = 0.0):
    ledger.tidy(now)
    return ledger.next_order()


def test_parts_are_handed_out_the_first_one_alone_and_the_result_grows_in_order():
    ledger = Ledger(MEMORY)
    ledger.look("ann", [QUICK], 0.0)
    first = next_order(ledger)
    assert next_order(ledger) is None  # the first curve is on its way: nothing goes beside it
    carry_out(ledger, first)
    second, third = next_order(ledger), next_order(ledger)
    assert [first.index, second.index, third.index] == [0, 1, 2]
    carry_out(ledger, third)
    (early,), _ = ledger.look("ann", [QUICK], 0.0)
    assert (early.result.runs, early.complete) == (2, False)  # runs are shown in order
    carry_out(ledger, second, now=5.0)
    (late,), _ = ledger.look("ann", [QUICK], 0.0)
    assert (late.result.runs, late.complete, late.seconds, late.result.progress) == (30, True, 5.0, 1.0)
    assert (early.result.runs, early.complete) == (2, False)  # a snapshot stays what it was


def test_visitors_take_turns_and_first_curves_go_first():
    ledger = Ledger(MEMORY)
    ann, bob, cy = seeds(1, 2, 3)
    ledger.look("ann", [ann], 0.0)
    carry_out(ledger, next_order(ledger))
    ledger.look("bob", [bob], 0.1)
    ledger.look("cy", [cy], 0.2)
    ledger.tidy(0.2)
    assert ledger.line("ann") == Line(2, 0, False)
    assert ledger.line("bob") == Line(2, 0, False)
    assert ledger.line("cy") == Line(2, 1, False)  # bob gets a curve before
    order = [next_order(ledger) for _ in range(3)]
    assert [one.job.work for one in order] == [bob, cy, ann]
    for one in order[:2]:
        carry_out(ledger, one)
    assert [next_order(ledger).job.work for _ in range(2)] == [ann, bob]  # then who asked first, until it is done


def test_who_would_have_been_done_first_alone_goes_first_and_large_work_does_not_hold_up_small():
    ledger = Ledger(MEMORY)
    large, *small = replace(QUICK, runs=5000), *seeds(1, 2, 3)
    ledger.look("ann", [large, small[0]], 0.0)
    ledger.look("bob", [small[1]], 0.01)
    late = 2 * expected_seconds(large)
    ledger.look("cy", [small[2]], late)
    for _ in range(4):
        carry_out(ledger, next_order(ledger))  # the first curves
    got = [next_order(ledger, late).job.work for _ in range(4)]
    assert got[:2] == [small[1], small[1]]  # bob asked later, but needs little
    assert got[2:] == [large, large]  # cy asked so late that ann would have been done
    assert expected_seconds(large) > 0.01 + expected_seconds(small[1])


def test_identical_work_is_one_job_whoever_wants_it():
    ledger = Ledger(MEMORY)
    ledger.look("ann", [QUICK], 0.0)
    ledger.look("bob", [QUICK], 0.0)
    assert len(ledger.jobs) == 1
    order = next_order(ledger)
    ledger.leave("ann", [QUICK])
    assert ledger.tidy(0.0) == []  # bob still wants it
    ledger.leave("bob", [LONG])  # not what bob wants: nothing changes
    assert ledger.tidy(0.0) == []
    ledger.leave("bob", [QUICK])
    assert ledger.tidy(0.0) == [order]
    assert order.dropped
    assert ledger.tidy(0.0) == []  # said once


def test_what_was_dropped_or_stopped_goes_on_where_it_was():
    ledger = Ledger(MEMORY)
    ledger.look("ann", [QUICK], 0.0)
    carry_out(ledger, next_order(ledger))
    under_way = next_order(ledger)
    ledger.look("ann", [], 2.0)
    assert ledger.tidy(2.0) == [under_way]
    assert ledger.peek([QUICK])[0].result.runs == 2  # what there is stays
    ledger.not_done(under_way)
    assert next_order(ledger, 2.0) is None
    ledger.look("ann", [QUICK], 10.0)
    again = next_order(ledger, 10.0)
    assert again.index == under_way.index
    carry_out(ledger, again, 11.0)
    carry_out(ledger, next_order(ledger, 11.0), 12.0)
    assert ledger.peek([QUICK])[0].seconds == 4.0  # 2 before and 2 after: the pause does not count


def test_a_visitor_who_stops_looking_is_forgotten():
    ledger = Ledger(MEMORY)
    ledger.look("gone", [QUICK], 0.0)
    order = next_order(ledger)
    assert ledger.tidy(LEASE) == []
    assert ledger.tidy(LEASE + 0.1) == [order]


def test_a_lost_part_is_played_again_but_not_for_ever():
    ledger = Ledger(MEMORY)
    ledger.look("ann", [QUICK], 0.0)
    for _ in range(MOST_LOST):
        ledger.not_done(next_order(ledger), lost=True)
        assert not ledger.peek([QUICK])[0].complete
    ledger.not_done(next_order(ledger), lost=True)
    given_up = ledger.peek([QUICK])[0]
    assert given_up.complete
    assert "again and again" in given_up.failure


def test_a_failure_is_seen_by_who_waits_and_tried_again_by_who_asks_anew():
    ledger = Ledger(MEMORY)
    ledger.look("ann", [QUICK], 0.0)
    ledger.not_done(next_order(ledger), failure="ValueError: no")
    for _ in range(3):
        (snapshot,), _ = ledger.look("ann", [QUICK], 0.0)
        assert (snapshot.complete, snapshot.failure) == (True, "ValueError: no")
        assert next_order(ledger) is None
    (snapshot,), _ = ledger.look("bob", [QUICK], 0.0)
    assert (snapshot.complete, snapshot.failure) == (False, "")
    assert next_order(ledger).job.work == QUICK


def test_a_forgotten_result_is_computed_again_but_not_while_somebody_waits_for_it():
    ledger = Ledger(MEMORY)
    ledger.look("ann", [QUICK], 0.0)
    ledger.forget(QUICK)
    assert QUICK in ledger.jobs
    while order := next_order(ledger):
        carry_out(ledger, order)
    ledger.forget(QUICK)
    (snapshot,), new = ledger.look("ann", [QUICK], 0.0)
    assert new
    assert not snapshot.complete
    ledger.look("ann", [], 0.0)
    ledger.forget(QUICK)  # a job that was stopped
    assert QUICK not in ledger.jobs


def test_expected_bytes_are_those_of_the_result():
    for work in (QUICK, Enrichment(QUICK, (3, 9)), Exploration(QUICK, (3, 9))):
        parts = [finish(play_part(work, index)) for index in range(len(runs_of_parts(work)))]
        result = join(work, [join(work, parts[:2], 0.5), *parts[2:]], 1.0)  # a result can be joined with what follows
        assert result.runs == 30
        assert bytes_of(result) == pytest.approx(expected_bytes(work), rel=0.2, abs=5000)
    assert bytes_of({"a": [1.0, 2.0], "b": "text"}) > 100


def held(work: Scenario, ledger: Ledger):
    """A page's own reference to what there is."""
    return ledger.peek([work])[0].result


def test_the_oldest_results_go_first_and_what_a_page_holds_counts():
    one = expected_bytes(QUICK)
    ledger = Ledger(int(3.5 * one))
    for work in seeds(1, 2, 3, 4):
        ledger.look("ann", [work], 0.0)
        while order := next_order(ledger):
            carry_out(ledger, order)
    assert [work.seed for work in ledger.jobs] == [2, 3, 4]
    kept = held(seeds(2)[0], ledger)
    ledger.look("ann", seeds(5), 0.0)
    while order := next_order(ledger):
        carry_out(ledger, order)
    assert [work.seed for work in ledger.jobs] == [4, 5]  # 2 is gone, but a page holds it, so 3 went too
    assert ledger.bytes == pytest.approx(3 * one, rel=0.15)
    del kept
    assert ledger.bytes == pytest.approx(2 * one, rel=0.15)


def test_more_than_there_is_room_for_is_computed_in_turn_and_everybody_finishes():
    """Ten visitors want fourteen results each, ten times what fits: nobody waits for ever, memory is bounded."""
    small = Scenario(d=2, k=5, horizon=200, runs=30)
    ledger, now = Ledger(15 * expected_bytes(small)), 0.0
    wants = {f"v{v}": [replace(small, seed=100 * v + n) for n in range(14)] for v in range(10)}
    finished: list[str] = []
    most = 0
    while len(finished) < 10:
        now += 0.1
        assert now < 2000, "somebody waits for ever"
        for visitor, works in wants.items():
            if visitor not in finished:
                snapshots, _ = ledger.look(visitor, works, now)
                if all(snapshot.complete for snapshot in snapshots):
                    finished.append(visitor)
        ledger.tidy(now)
        for order in [order for _ in range(2) if (order := ledger.next_order())]:
            carry_out(ledger, order, now)
        most = max(most, ledger.bytes)
    assert finished[0] == "v0"
    assert most <= 17 * expected_bytes(small)  # the limit, and what two workers have just brought


def test_who_wants_the_same_is_neither_counted_nor_before_one():
    ledger = Ledger(MEMORY)
    same, other = seeds(1, 2)
    for visitor in ("ann", "bob", "cy"):  # a class that looks at one question
        ledger.look(visitor, [same], 0.0)
    ledger.tidy(0.0)
    assert ledger.line("cy") == Line(0, 0, False)
    ledger.look("dan", [other], 1.0)
    ledger.tidy(1.0)
    for visitor in ("ann", "bob", "cy"):
        assert ledger.line(visitor) == Line(1, 0, False)
    assert ledger.line("dan") == Line(3, 3, False)


def test_a_page_for_which_there_is_no_room_says_so():
    ledger = Ledger(int(1.5 * expected_bytes(QUICK)))
    first, second = seeds(1, 2)
    ledger.look("ann", [first], 0.0)
    ledger.look("bob", [second], 1.0)
    ledger.tidy(1.0)
    assert not ledger.line("ann").full
    assert ledger.line("bob").full
    assert "memory is full" in _waiting(ledger.line("bob"))


def test_one_page_with_all_it_may_want_fits():
    assert (1 + MOST_PINS + MOST_SWEPT) * MOST_VALUES * CURVE_BYTES <= MEMORY


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (Line(0, 0, False), ""),
        (Line(1, 0, False), " 1 other is computing too."),
        (Line(12, 0, False), " 12 others are computing too."),
        (Line(12, 2, False), " 12 others are computing: yours is number 3 in line."),
    ],
)
def test_a_visitor_is_told_how_busy_the_server_is_where_that_matters(line, words):
    assert _waiting(line) == words


# The board: its dispatcher, with a crew that does what the test says.


class Puppets:
    """A crew without processes: the test decides what comes of an order, and when."""

    def __init__(self, size, report):
        self.size, self.report, self.given, self.dropped = size, report, queue.SimpleQueue(), []
        self.pids, self.trouble = [], ""

    def give(self, order):
        self.given.put(order)

    def drop(self, order):
        self.dropped.append(order)

    def try_again(self):
        self.trouble = ""

    def close(self):
        pass

    def carry_out(self):
        order = self.given.get(timeout=60)
        self.report(order, DONE, blank(order))
        return order


@pytest.fixture
def puppets():
    board = Board(2, crew=Puppets)
    yield board, board._crew
    board.close()


def test_results_and_complete_are_read_together(puppets):
    """Whenever a page looks, a job that is complete has all its runs: over a thousand looks while it grows."""
    board, crew = puppets
    scenario = replace(QUICK, runs=2000)
    looks = []
    while not looks or not looks[-1].complete:
        looks.append(board.look("ann", [scenario])[0])
        if not crew.given.empty():
            crew.carry_out()
    assert all(look.complete == (look.result.runs == 2000) for look in looks)
    assert len({look.result.runs for look in looks}) > 3


def test_an_answer_that_cannot_be_joined_is_a_failure_of_that_job_only(puppets):
    board, crew = puppets
    board.look("ann", [QUICK])
    crew.report(crew.given.get(timeout=60), DONE, "no batch at all")
    wait_for(lambda: "AttributeError" in board.look("ann", [QUICK])[0].failure)
    board.look("bob", seeds(9))
    assert [crew.carry_out().job.work] == seeds(9)


def test_the_dispatcher_goes_on_after_a_mistake(puppets, monkeypatch, caplog):
    board, crew = puppets
    with monkeypatch.context() as patch:
        patch.setattr(board._ledger, "tidy", lambda now: 1 / 0)
        wait_for(lambda: "goes on after a mistake" in caplog.text)
    caplog.clear()
    board.look("ann", [QUICK])
    assert crew.carry_out().job.work == QUICK


def test_orders_nobody_wants_are_dropped_by_the_crew(puppets):
    board, crew = puppets
    board.look("ann", [QUICK])
    order = crew.given.get(timeout=60)
    board.leave("ann", [QUICK])
    wait_for(lambda: crew.dropped == [order])
    crew.report(order, DROPPED, None)
    board.look("ann", [QUICK])
    assert crew.carry_out().index == order.index


def test_a_failure_reaches_the_page(puppets):
    board, crew = puppets
    board.look("ann", [QUICK])
    crew.report(crew.given.get(timeout=60), FAILED, "ValueError: no")
    wait_for(lambda: board.look("ann", [QUICK])[0].failure == "ValueError: no")


# The crew: real processes.


@pytest.fixture(scope="module")
def board():
    board = Board(2)
    wait_for(lambda: len(board.pids) == 2)
    yield board
    board.close()


def finished(board, visitor, work):
    wait_for(lambda: board.look(visitor, [work])[0].complete)
    return board.look(visitor, [work])[0]


def under_way(board, visitor, work):
    """Wait until a worker plays a part of it."""
    wait_for(lambda: board.look(visitor, [work]) and any(hand._order for hand in board._crew._hands))


def assert_same(result, expected):
    for array in ("regret", "error", "ratio", "asked", "lambda_min"):
        np.testing.assert_array_equal(getattr(result, array), getattr(expected, array))


def test_a_job_gives_the_result_of_simulate(board):
    assert_same(finished(board, "ann", QUICK).result, simulate(QUICK))


def test_an_errand_takes_its_turn_and_brings_its_value(board):
    snapshot = finished(board, "ann", Errand(divmod, (17, 5)))
    assert (snapshot.result, snapshot.failure) == ((3, 2), "")


def test_what_cannot_be_computed_says_why_and_the_worker_lives(board):
    before = board.pids
    assert "ZeroDivisionError" in finished(board, "ann", Errand(divmod, (1, 0))).failure
    assert "lambda" in finished(board, "ann", Errand(lambda: 1, ())).failure  # it has no name to be found by
    assert board.pids == before


def test_what_a_worker_prints_does_not_get_into_its_answers(board):
    before = board.pids
    for function, arguments in ((print, ("hello",)), (os.write, (1, b"hello"))):
        assert finished(board, "ann", Errand(function, arguments)).failure == ""
    assert board.pids == before


def test_work_is_dropped_while_it_is_computed(board):
    under_way(board, "ann", LONG)
    board.look("ann", [])
    wait_for(lambda: not any(hand._order for hand in board._crew._hands))
    assert board.peek([LONG])[0].result.runs < 400


def kill(pid: int) -> None:
    """End a process as hard as the system can: on Windows os.kill does it with any signal but two."""
    os.kill(pid, 9)


def workload(seed: int) -> Scenario:
    """Half a second of work, in four parts."""
    return Scenario(runs=70, horizon=150, k=100, seed=seed)


@pytest.mark.fault
def test_a_killed_worker_costs_nothing_but_time(board):
    scenario = workload(1)
    under_way(board, "ann", scenario)
    victim = next(hand.ready.pid for hand in board._crew._hands if hand._order)
    kill(victim)
    assert_same(finished(board, "ann", scenario).result, simulate(scenario))
    wait_for(lambda: len(board.pids) == 2)
    assert victim not in board.pids


@pytest.mark.fault
def test_all_workers_killed_twice_in_a_row_and_while_they_are_being_replaced(board):
    scenario = workload(2)
    under_way(board, "ann", scenario)
    for _ in range(2):
        wait_for(lambda: board.pids)
        for pid in board.pids:
            kill(pid)
    wait_for(lambda: not board.pids)
    for hand in board._crew._hands:  # those that are starting now
        hand.stop()
    assert_same(finished(board, "ann", scenario).result, simulate(scenario))
    wait_for(lambda: len(board.pids) == 2)
    assert board.trouble == ""


@pytest.mark.fault
def test_workers_killed_while_idle_are_replaced_without_an_order(board):
    before = board.pids
    for pid in before:
        kill(pid)
    wait_for(lambda: len(board.pids) == 2 and not set(before) & set(board.pids))


def test_a_worker_killed_while_it_writes_its_answer_is_replaced(board):
    """Answers larger than a pipe, cut short at a moment that luck decides, ten times."""
    for size in range(10):
        errand = Errand(bytes, (30_000_000 + size,))
        under_way(board, "ann", errand)
        for hand in board._crew._hands:
            if hand._order:
                kill(hand.ready.pid)
    assert len(finished(board, "ann", errand).result) == 30_000_009


@pytest.mark.fault
def test_work_that_always_kills_its_worker_is_given_up(board):
    errand = Errand(os._exit, (1,))
    assert "again and again" in finished(board, "ann", errand).failure
    assert finished(board, "ann", Errand(divmod, (7, 2))).result == (3, 1)


def dying(*_, **__):
    return subprocess.Popen(
        [sys.executable, "-c", "raise SystemExit(1)"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )


def hanging(*_, **__):
    return subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


@pytest.mark.fault
@pytest.mark.parametrize("new_process", [dying, hanging, lambda: None], ids=["die", "hang", "cannot be had"])
def test_without_processes_the_server_computes_and_says_so_until_they_can_be_had(monkeypatch, new_process):
    right = crews._new_process
    monkeypatch.setattr(crews, "_new_process", new_process)
    monkeypatch.setattr(crews, "PATIENCE", 1.0)
    board = Board(2)
    try:
        assert_same(finished(board, "ann", QUICK).result, simulate(QUICK))
        assert "worker processes" in board.trouble
        monkeypatch.setattr(crews, "_new_process", right)
        board.try_again()
        wait_for(lambda: len(board.pids) == 2)
        assert board.trouble == ""
        assert_same(finished(board, "ann", seeds(5)[0]).result, simulate(seeds(5)[0]))
    finally:
        board.close()


def test_the_stand_in_drops_what_nobody_wants(monkeypatch):
    monkeypatch.setattr(crews, "_new_process", lambda: None)
    board = Board(1)
    try:
        wait_for(lambda: board.trouble)
        board.look("ann", [LONG])
        wait_for(lambda: board._in_flight == 1)
        board.look("ann", [])
        wait_for(lambda: board._in_flight == 0)
        assert_same(finished(board, "ann", QUICK).result, simulate(QUICK))
    finally:
        board.close()


def test_closing_ends_the_workers_and_can_be_done_while_they_start():
    board = Board(2)
    board.close()
    assert all(not hand.thread.is_alive() for hand in board._crew._hands)
    assert all(hand._process is None or hand._process.poll() is not None for hand in board._crew._hands)


@pytest.mark.fault
def test_workers_end_with_the_server():
    """Killed without a chance to clean up, a server leaves no worker behind."""
    code = """
import time
from pages.board.board import Board
from tests.test_board import LONG, under_way, wait_for
board = Board(2)
wait_for(lambda: len(board.pids) == 2)
under_way(board, "ann", LONG)
print(*board.pids, flush=True)
time.sleep(120)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, encoding="utf-8") as server:
        workers = [int(pid) for pid in server.stdout.readline().split()]
        assert len(workers) == 2
        server.kill()
    wait_for(lambda: not any(alive(pid) for pid in workers))


def alive(pid: int) -> bool:
    """Whether a process still runs; one that waits to be collected does not."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().split()[2] != "Z"
    except FileNotFoundError:
        return False


EVERYTHING = """
import resource, sys
from dataclasses import replace
from pages.board.board import Board
from pages.pins import MOST_PINS
from pages.scenario_controls import MOST_VALUES
from pages.sweeps import MOST_SWEPT
from roam_core import Scenario
from tests.test_board import Puppets

largest = Scenario(d=2, k=2, runs=MOST_VALUES // 4000, horizon=4000)
numbers = range(1 + MOST_PINS + MOST_SWEPT)
wants = {f"v{v}": [replace(largest, seed=100 * v + n) for n in numbers] for v in range(int(sys.argv[1]))}
board = Board(2, crew=Puppets)
while wants:
    for visitor, works in list(wants.items()):
        if all(snapshot.complete for snapshot in board.look(visitor, works)):
            board.leave(visitor, works)
            del wants[visitor]
    while not board._crew.given.empty():
        board._crew.carry_out()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)
"""


@pytest.mark.battery
def test_visitors_with_all_pins_and_a_full_sweep_of_the_largest_scenarios_stay_below_2_gb():
    """Six visitors, who want 2.3 GB in all (thirty stay below too, but take a minute). The crew brings arrays of the
    right size at once."""
    command = [sys.executable, "-c", EVERYTHING, "6"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    assert float(done.stdout) < 1.6  # two workers need about a tenth of a GB each
