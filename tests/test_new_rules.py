"""A new link, ask rule, item law and algorithm on every page: labelled, in the menus, in sweeps, simulated and drawn.

The declarations are those of tests/test_declarations.py. Worker processes do not know them, so what a page wants is
computed in the test's own process.
"""

import json
import threading

import pytest

from pages import registry, watching
from pages.board.board import Board
from pages.board.worker import play
from roam_core import KNOBS, Scenario, simulate
from tests import conftest
from tests.test_declarations import NEW, declared
from tests.test_pages import charts, metric, visit

pytestmark = pytest.mark.catalogue
__all__ = ["declared"]  # the fixture that registers them, for every test here
PAGES = [folder for folders in registry.SECTIONS.values() for folder in folders]
SMALL = {"d": "2", "k": "20", "horizon": "30", "tau": "5", "runs": "3", "window": "4"}


class InThreads:
    """A crew of threads instead of processes."""

    pids, trouble = (), ""

    def __init__(self, size, report):
        self.size, self._report = size, report

    def give(self, order):
        def carry_out():
            self._report(order, *play(order.job.work, order.index, lambda: order.dropped))

        threading.Thread(target=carry_out, daemon=True).start()

    def drop(self, order):
        pass

    def close(self):
        pass


@pytest.fixture(autouse=True)
def board(monkeypatch, declared):
    board = Board(2, crew=InThreads)
    for room in (watching, conftest):
        monkeypatch.setattr(room, "board", lambda: board)
    yield board
    board.close()


def drawn(app) -> str:
    """Everything that the charts hold."""
    return " ".join(e.proto.json for e in app.get("bidi_component"))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(("field", "name"), [*NEW.items(), ("user_link", "laplace")])
def test_every_page_is_drawn_with_it(page, field, name):
    app = visit(page, **SMALL, **{field: name}, compare="1")
    assert not app.warning
    assert getattr(app.session_state.scenario, field) == name
    assert "NaN" not in drawn(app)
    menus = [menu for menu in app.selectbox if menu.key == f"w_{field}"]
    assert all(KNOBS[field].words(name) in menu.options for menu in menus)
    assert (
        menus
        or page in ("start", "setting", "paper", "ask_better", "you", "lesson", "classroom")
        or field in ("algorithm", "user_link", "ask", "link")
    )


@pytest.mark.parametrize(("field", "name"), NEW.items())
def test_the_lab_sweeps_over_it_and_shows_the_numbers_of_simulate(field, name):
    app = visit("lab", **SMALL, **{field: name}, sweep=f"{field}={','.join(KNOBS[field].choices)}")
    numbers = {key: int(value) for key, value in SMALL.items()}
    result = simulate(Scenario(**numbers, **{field: name}))
    assert metric(app, "Regret at T") == f"{result.mean('regret')[-1]:.1f}"
    assert "Regret at T" in charts(app)
    assert json.dumps(KNOBS[field].words(name))[1:-1] in drawn(app)
    assert (
        f"{KNOBS[field].label} ({KNOBS[field].symbol})" in next(m for m in app.selectbox if m.label == "Field").options
    )


def test_an_ask_rule_is_compared_with_the_others_by_its_name():
    app = visit("one_run", **SMALL, compare="1")
    assert "Compare the six ask rules on this run" in [toggle.label for toggle in app.toggle]
    assert any("Oldest of last 4" in text.value for text in app.markdown)
    app = visit("one_run", **SMALL, ask="oldest")
    assert "The rule asks about item " in drawn(app)
    assert "oldest of last 4" in drawn(visit("rivals", **SMALL, view="ask"))


def test_a_link_and_an_algorithm_are_compared_with_the_others_by_their_names():
    app = visit("rivals", **SMALL, view="link", link="laplace")
    assert "assumes double exponential (right)" in drawn(app)
    assert any("**double exponential** link" in text.value for text in app.caption)
    assert r"\"Mixed, c2 = 0.1\"" in drawn(visit("rivals", **SMALL))  # a figure is text within text
