"""What holds for every test: the log stays free of warnings, and a test is quick unless it says otherwise."""

import logging
import sys

import pytest

from pages import page, watching
from pages.board.board import board

collect_ignore = ["like_windows"]  # it is meant for processes that tests start
HARMLESS = ("missing ScriptRunContext", "No runtime found")  # Streamlit, when its functions are called without a page


def pytest_collection_modifyitems(items):
    """`pytest -m quick` runs what tells most in little time."""
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker("browser")
        elif not any(item.get_closest_marker(slow) for slow in ("battery", "catalogue", "fault")):
            item.add_marker("quick")


@pytest.fixture(scope="session", autouse=True)
def no_search_for_components():
    """AppTest starts Streamlit anew for every run, and each time it reads through all installed packages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("streamlit.components.v2.manifest_scanner.scan_component_manifests", list)
        yield


@pytest.fixture(autouse=True)
def own_main():
    """AppTest leaves the page's script as `__main__`; a worker process that is spawned later would run it."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


FIRST_SIGHT = page.first_sight


@pytest.fixture(autouse=True)
def at_the_end(monkeypatch):
    """A page without a browser is drawn when every run is complete: nobody calls for the next drawing."""

    def last_sight(wanted):
        while (sight := watching.look(wanted)).running:
            board().wait(watching.LOOK)
        return sight

    monkeypatch.setattr(page, "first_sight", last_sight)


@pytest.fixture
def at_a_glance(monkeypatch):
    """A page is drawn once, with what is there; then its work is dropped."""

    def watch(shown):
        watch_on(shown)
        board().look(watching.visitor(), [])

    watch_on = page.Page._watch
    monkeypatch.setattr(page.Page, "_watch", watch)
    monkeypatch.setattr(page, "first_sight", FIRST_SIGHT)
    monkeypatch.setattr(watching, "PATIENCE", 0.05)


@pytest.fixture
def at_first_sight(at_a_glance, monkeypatch):
    """A page is drawn once, when its first runs are there; then its work is dropped."""
    monkeypatch.setattr(watching, "PATIENCE", 60.0)


@pytest.fixture(autouse=True)
def quiet_log(caplog):
    """No page and no part of the dashboard logs a warning or a traceback."""
    yield
    records = [record for when in ("setup", "call") for record in caplog.get_records(when)]
    complaints = [r.getMessage() for r in records if r.levelno >= logging.WARNING]
    assert [text for text in complaints if not any(known in text for known in HARMLESS)] == []
