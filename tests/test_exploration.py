"""The lab's section "How long to explore": only computed when opened, and what it says is what was measured."""

import json

import numpy as np
import pytest

from pages.lab import exploration
from pages.lab.exploration import TITLE, trade_off
from pages.lab.exploration_figures import how_long
from roam_core import Scenario, simulate
from roam_core.enrichment import Exploration
from roam_core.theory import Theory
from tests.test_enrichment import finish
from tests.test_hostile_links import visitor
from tests.test_pages import charts, lab, open_page, visit

__all__ = ["visitor"]  # the fixture: a session without a page
SCENARIO = Scenario(d=2, tau=6, k=30, horizon=40, runs=8)


def captions(app) -> str:
    return " ".join(caption.value for caption in app.caption)


def test_it_costs_nothing_until_it_is_opened(visitor):
    visitor({})
    assert exploration.wants() == []
    exploration.OPEN.set(True)
    near, far, *family = exploration.wants()
    assert (near.scenario.flatness, far.scenario.flatness) == (1.0, 0.3)
    assert [scenario.tau for scenario in family] == list(near.lengths) == [0, 2, 4, 6, 10, 15, 20, 30, 40]


def test_the_section_opens_in_the_lab_and_is_in_the_link():
    app = lab(d="2")
    assert TITLE not in charts(app)
    next(t for t in app.toggle if t.key == "lab.explore").set_value(True).run()
    assert not app.exception
    assert app.query_params["explore"] == "1"
    assert charts(app)[:4] == [
        "Cumulative regret",
        "Estimation error",
        "Critical ratio",
        "Which past item was asked about",
    ]
    assert charts(app)[-1] == TITLE
    scenario = app.session_state.scenario
    regrets = {n: simulate(Scenario(d=2, tau=n, horizon=60, k=50, runs=8)).mean("regret")[-1] for n in (0, 2, 4, 6, 10)}
    assert scenario.runs == 8
    best = next(text.value for text in app.markdown if "regret at T is lowest with τ = " in text.value)
    length = int(best.split("lowest with τ = ")[1].split(":")[0])
    assert regrets.get(length, np.inf) <= min(regrets.values())


def test_a_pinned_curve_that_the_section_also_plays_is_drawn_once():
    app = lab(d="2", explore="1", pin="d=2,tau=10,horizon=60,k=50,runs=8")
    assert charts(app)[-1] == TITLE


def test_what_is_too_large_for_the_section_is_said(at_a_glance):
    large = captions(open_page("lab", {"explore": "1", "d": "12"}))
    assert "played with d = 10, k = 1000" not in large
    assert "played with T = 300, d = 10, which is as much as it takes" in large
    assert "as much as it takes" not in captions(visit("lab", explore="1"))


@pytest.mark.parametrize(("d", "legend"), [(2, "rich enough, ρ(H) ≤ β"), (3, "rich enough, ρ(H) ≤ β (at most)")])
def test_where_a_search_finds_richness_the_share_is_called_an_upper_estimate(d, legend, at_a_glance):
    phase = Exploration(Scenario(d=d, runs=1, tau=4, horizon=6), (4,))
    figure = how_long([("", finish(phase), 8.0), (", f", finish(phase), 8.0)], [], 4, 20)
    names = [trace["name"] for trace in figure["data"]]
    assert [name for name in names if name.startswith("rich")] == [legend, f"{legend}, f"]
    assert "asked enough, λmin(V) ≥ 1" in names
    assert ("an upper estimate" in captions(visit("lab", d=str(d), explore="1"))) == (d > 2)


@pytest.mark.parametrize("flatness", ["0.01", "0.02", "0.05"])
def test_the_flattest_item_space_is_compared_with_another_one(flatness):
    app = visit("lab", explore="1", runs="2", horizon="20", d="2", flatness=flatness, radius="10")
    assert charts(app)[-1] == TITLE


def test_the_constant_moves_the_prescribed_length(at_a_glance):
    app = visit("lab", explore="1", d="2")
    constant = next(w for w in app.select_slider if w.key == "lab.C")
    constant.set_value(4.0).run()
    expected = Theory(Scenario(d=2)).prescribed_tau(4.0)
    assert f"= {expected} rounds, with C = 4" in captions(app)
    assert app.query_params["C"] == "4"


def test_how_long_shows_shares_and_regret_against_tau():
    lengths = (0, 6, 20)
    phases = [("", finish(Exploration(SCENARIO, lengths)), 8.0), (" flat", finish(Exploration(SCENARIO, lengths)), 1.5)]
    results = [simulate(Scenario(d=2, tau=n, k=30, horizon=40, runs=8)) for n in lengths]
    figure = how_long(phases, results, 4, 20)
    json.dumps(figure, allow_nan=False)
    probed, rich, *_, regret, prescribed = figure["data"]
    np.testing.assert_allclose(probed["y"], (phases[0][1].lambda_min >= 1).mean(0))
    np.testing.assert_allclose(rich["y"], (phases[0][1].beta <= 8).mean(0))
    assert regret["x"] == [0, 6, 20]
    np.testing.assert_allclose(regret["y"], [r.mean("regret")[-1] for r in results], rtol=1e-4)
    assert (prescribed["name"], prescribed["x"]) == ("prescribed τ = 4", [4, 4])
    assert len(how_long(phases, results, 21, 20)["data"]) == len(figure["data"]) - 1


def test_what_is_said_is_the_first_length_that_is_enough():
    phase = finish(Exploration(SCENARIO, (0, 6, 20)))
    results = [simulate(Scenario(d=2, tau=n, k=30, horizon=40, runs=8)) for n in (0, 6, 20)]
    shares = (phase.lambda_min >= 1).mean(0)
    said = trade_off(phase, results, 8.0)
    first = next((n for n, share in zip(phase.lengths, shares, strict=True) if share >= 0.95), None)
    assert (f"(λmin(V) ≥ 1) takes τ = {first}." in said) == (first is not None)
    assert "fewer than 95% of runs" in trade_off(phase, results, 1.0)
    lowest = min(results, key=lambda result: result.mean("regret")[-1])
    assert f"lowest with τ = {lowest.scenario.tau}: {lowest.mean('regret')[-1]:.3g}" in said


def test_a_figure_of_no_runs_is_valid():
    nothing = Exploration(SCENARIO, (3,)).join([], 0.0)
    json.dumps(how_long([("", nothing, 8.0), ("", nothing, 8.0)], [], 4, 20), allow_nan=False)
    assert trade_off(nothing, [], 8.0) == "No run is complete yet."
