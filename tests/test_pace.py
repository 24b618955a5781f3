"""How often figures are drawn again, and that a class which looks at the same link has them made once."""

import time

import pytest

from pages import plots
from pages.figures import Series, curves
from pages.pace import NEWEST, REDRAW, SHARE, Pace
from roam_core import Scenario, simulate

SMALL = Scenario(horizon=40, k=20, runs=4)


def test_a_single_visitor_sees_the_usual_pace_and_a_class_a_share_of_the_servers_time():
    pace = Pace()
    assert pace.seconds(30) == REDRAW
    pace.cost = 0.1
    assert pace.seconds(1) == REDRAW
    drawing = 30 * pace.cost / pace.seconds(30)
    assert drawing == pytest.approx(SHARE)


def test_a_drawing_costs_what_the_processor_does_not_how_long_it_waits():
    pace, idle = Pace(), Pace()
    with pace.drawing():
        end = time.thread_time() + 0.05
        while time.thread_time() < end:
            pass
    with idle.drawing():
        time.sleep(0.05)  # the processor is somebody else's: the length does not matter, only that it is not counted
    assert pace.cost >= NEWEST * 0.05
    assert idle.cost < pace.cost / 2


def test_the_same_curves_are_made_once_and_are_those_of_the_figure():
    one, other = (Series(simulate(SMALL), "ROAM") for _ in range(2))
    first = plots.curves_once([one], "regret", {})
    assert plots.curves_once([other], "regret", {}) is first
    assert first == curves([one], "regret")
    assert first.text is first.text


@pytest.mark.parametrize("change", ["label", "slot", "runs", "curve", "options"])
def test_whatever_changes_the_curves_makes_another_figure(change):
    result = simulate(SMALL)
    first = plots.curves_once([Series(result, "ROAM")], "regret", {})
    label = "other" if change == "label" else "ROAM"
    slot = 3 if change == "slot" else None
    again = simulate(Scenario(horizon=40, k=20, runs=5)) if change == "runs" else result
    curve = "error" if change == "curve" else "regret"
    options = {"log": True} if change == "options" else {}
    second = plots.curves_once([Series(again, label, slot)], curve, options)
    assert second is not first
    assert second == curves([Series(again, label, slot)], curve, **options)


def test_only_so_many_figures_are_kept():
    result = simulate(SMALL)
    for number in range(plots.MOST_KEPT + 5):
        plots.curves_once([Series(result, f"curve {number}")], "regret", {})
    assert len(plots._kept) == plots.MOST_KEPT
