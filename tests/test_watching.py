"""What a page does while it waits: nobody loses work, nothing waits for ever, sessions hold no results."""

import gc
import threading
from dataclasses import replace

import pytest

from pages import parameters, watching
from pages.board import ledger
from pages.board.board import Board
from pages.board.worker import DONE, FAILED
from pages.board.works import Errand
from roam_core import Scenario
from roam_core.result import Result
from tests.test_board import QUICK, Puppets, blank, wait_for
from tests.test_pages import Session, visit


@pytest.fixture
def page(monkeypatch):
    """A board without processes, and a session without a page."""
    board = Board(2, crew=Puppets)
    monkeypatch.setattr(watching, "board", lambda: board)
    monkeypatch.setattr(parameters.st, "session_state", Session(visitor="ann"))
    yield board, board._crew
    board.close()


def test_a_page_that_computes_something_keeps_the_rest_of_its_work(page, monkeypatch):
    """It computes for longer than the lease of a visitor who does not look, and then a little."""
    monkeypatch.setattr(ledger, "LEASE", 0.5)
    board, crew = page
    watching.look([QUICK])
    curves = crew.given.get(timeout=60)
    values = []
    waiting = threading.Thread(target=lambda: values.append(watching.compute("Dividing", divmod, 17, 5)))
    waiting.start()
    errand = crew.given.get(timeout=60)
    assert errand.job.work == Errand(divmod, (17, 5))
    waiting.join(3 * ledger.LEASE)
    assert not curves.dropped
    assert QUICK in board._ledger.jobs
    crew.report(errand, DONE, (3, 2))
    waiting.join(60)
    assert values == [(3, 2)]


def test_what_a_page_computes_is_dropped_when_its_script_is_ended(page, monkeypatch):
    board, crew = page

    def ended(seconds):
        raise KeyboardInterrupt  # as Streamlit's own exceptions, no Exception

    monkeypatch.setattr(board, "wait", ended)
    with pytest.raises(KeyboardInterrupt):
        watching.compute("Dividing", divmod, 17, 5)
    wait_for(lambda: crew.dropped or not board._ledger.jobs)


def test_stop_keeps_what_there_is_and_again_goes_on(page):
    _, crew = page
    watching.look([QUICK])
    crew.carry_out()
    wait_for(lambda: watching.look([QUICK]).runs == [2])
    watching._stopped.set([QUICK])
    stopped = watching.look([QUICK])
    assert (stopped.runs, stopped.running) == ([2], False)
    while not crew.given.empty():  # what was under way is dropped
        crew.report(crew.given.get(), "dropped", None)
    watching.again([QUICK])
    assert watching.look([QUICK]).running
    order = crew.given.get(timeout=60)
    assert order.job.work == QUICK
    crew.report(order, FAILED, "no")
    wait_for(lambda: watching.look([QUICK]).failures == ["no"])
    assert not watching.look([QUICK]).running


def test_a_result_that_was_forgotten_is_empty_and_computed_again_when_wanted(page):
    _, crew = page
    (nothing,) = watching.recall([QUICK])
    assert nothing.runs == 0
    watching.look([QUICK])
    order = crew.given.get(timeout=60)
    crew.report(order, DONE, blank(order))
    wait_for(lambda: watching.recall([QUICK])[0].runs == 2)


@pytest.mark.battery
@pytest.mark.parametrize("name", ["lab", "rivals", "experiments", "theory", "history", "one_run"])
def test_a_session_holds_no_results(name):
    """When a page has been drawn and the board has forgotten its results, they are gone: callbacks keep none alive."""
    seed = 4711
    app = visit(name, seed=str(seed), d="2", compare="1")
    held = [o for o in gc.get_objects() if isinstance(o, Result) and o.scenario.seed == seed and o.runs]
    assert held
    del held
    real = watching.board()
    for work in list(real._ledger.jobs):
        scenario = work if isinstance(work, Scenario) else getattr(work, "scenario", None)
        if scenario and scenario.seed == seed:
            real.forget(replace(work))

    def gone() -> bool:
        gc.collect()
        return not any(isinstance(o, Result) and o.scenario.seed == seed and o.runs for o in gc.get_objects())

    wait_for(gone, 20)  # a worker's thread lets go of its last answer within a second
    assert app.session_state.scenario.seed == seed
