"""A page is a module like any other: it can be imported, and its functions called without a page around them."""

import importlib
from dataclasses import replace
from pathlib import Path

import pytest

from pages.history import page as history
from pages.lab import page as lab
from pages.one_run import page as one_run
from pages.page import Page
from pages.rivals import page as rivals
from pages.theory import page as theory
from roam_core import Scenario
from tests.test_hostile_links import visitor

__all__ = ["visitor"]  # the fixture: a session without a page
ROOT = Path(__file__).parents[1]
MODULES = [path.relative_to(ROOT).with_suffix("") for path in (ROOT / "pages").rglob("*.py")]


@pytest.mark.parametrize("path", [path for path in MODULES if path.name != "navigation"], ids=str)
def test_every_module_can_be_imported(path):
    module = importlib.import_module(".".join(path.parts))
    assert path.name != "page" or path.parent.name == "pages" or isinstance(module.PAGE, Page)


def test_what_a_page_wants_follows_from_the_scenario_on_screen(visitor):
    visitor({})
    now = Scenario(horizon=50)
    assert lab.wants() == [now]
    theory.CHANCE.read()
    assert theory.wants() == [now]
    theory.PROVED.set(now)
    assert [scenario.d for scenario in theory.wants()] == [5, 2, 4, 6, 8, 10]
    assert history.wants() == []  # the first step needs no run
    history.STEP.set("run")
    assert history.wants()[0].scenario == history.shown()
    for parameter in rivals.PAGE.parameters:
        parameter.read()
    assert rivals.VIEWS["rival"].wants()[:2] == [now, replace(now, algorithm="colstim")]


def test_the_picture_opens_where_the_link_says(visitor):
    visitor({"round": ["7"], "stage": ["ask"], "hide": ["axes"]})
    for parameter in one_run.PAGE.parameters:
        parameter.read()
    expected = {"round": 7, "stage": 1, "c": 4, "hidden": ["axes"], "ellipsoid": "V"}
    assert one_run.view() == expected


def test_what_is_drawn_by_itself_forgets_late_moves():
    """Every part of a page that the browser calls for goes through called_again.py."""
    using = [path.name for path in MODULES if "st.fragment(" in (ROOT / path).with_suffix(".py").read_text("utf-8")]
    assert using == ["called_again"]
