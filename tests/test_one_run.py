"""The page of one run in two dimensions: every control, every thing to try, every link."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.one_run.luck import compared, many
from pages.one_run.presets import PRESETS
from pages.one_run.scene import LARGEST_K, MOST_ROUNDS, in_plane, play
from pages.one_run.words import measured_coverage, of_the_curvature
from pages.words import regret_at_end
from roam_core import KNOBS, Scenario, simulate
from roam_core.coverage import Coverage, Covered
from roam_core.policies import ASK_RULES
from tests.test_enrichment import finish
from tests.test_pages import charts, visit

CONTROLS = ("tau", "ask", "flatness", "radius", "k", "horizon", "items", "link")


def picture(app: AppTest) -> dict:
    """What the component was given to draw."""
    data = [json.loads(e.proto.json) for e in app.get("bidi_component") if e.proto.component_name == "roam_plane"]
    assert len(data) == 1
    return data[0]


def widget(app: AppTest, name: str):
    return next(w for kind in ("select_slider", "selectbox") for w in app.get(kind) if w.key == f"w_{name}")


def test_the_picture_opens_where_learning_is_seen():
    app = visit("one_run", horizon="100")
    shown = picture(app)
    assert (shown["scene"]["T"], shown["scene"]["tau"]) == (100, 20)
    assert shown["view"] == {"round": shown["scene"]["opening"], "stage": -1, "ellipsoid": "V", "c": 4, "hidden": []}
    assert shown["view"]["round"] > 20
    assert "round" not in app.query_params


def test_a_scenario_too_large_for_the_plane_is_cut_down_and_kept_for_the_lab():
    app = visit("one_run", horizon="1000", k="50000", d="10", algorithm="colstim", tau="600")
    scene = picture(app)["scene"]
    assert (scene["T"], scene["k"], scene["tau"]) == (MOST_ROUNDS, LARGEST_K, MOST_ROUNDS)
    assert app.session_state.scenario.d == 10
    assert app.session_state.scenario.horizon == 1000


def luck_is_shown(app: AppTest) -> None:
    """The run on screen stands among a hundred users, with those of another setting beside them, and in words."""
    (strip,) = [
        json.loads(data["figure"])
        for data in (json.loads(e.proto.json) for e in app.get("bidi_component"))
        if data.get("name") == "chart_luck"
    ]
    here, other, own = strip["data"]
    assert len(here["y"]) == len(other["y"]) == 100
    scenario = app.session_state.scenario
    np.testing.assert_allclose(here["y"], simulate(many(scenario)).regret[:, -1], rtol=1e-4)
    np.testing.assert_allclose(other["y"], simulate(compared(scenario)).regret[:, -1], rtol=1e-4)
    regret = play(in_plane(scenario)).regret[in_plane(scenario).horizon - 1]
    assert own["y"][0] == pytest.approx(regret, rel=1e-4)
    better = sum(paid > own["y"][0] for paid in here["y"])
    assert any(f"better than {better} of 100 users" in text.value for text in app.markdown)
    assert any(text.value.startswith("The median user pays") for text in app.markdown)


def test_where_the_run_lies_among_users_is_kept_back_for_a_prediction():
    app = visit("one_run", predict="1")
    assert not any("of 100 users" in text.value or "median user" in text.value for text in app.markdown)
    next(b for b in app.button if b.key == "reveal").click().run()
    luck_is_shown(app)


@pytest.mark.catalogue
@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_thing_to_try_sets_the_controls_and_says_what_to_notice(preset):
    app = visit("one_run")
    next(b for b in app.button if b.label == preset.name).click().run()
    assert not app.exception
    assert all(getattr(app.session_state.scenario, name) == value for name, value in preset.changes.items())
    assert any(preset.notice in text.value for text in app.markdown)
    luck_is_shown(app)


@pytest.mark.catalogue
@pytest.mark.parametrize("name", CONTROLS)
def test_every_control_can_be_moved_to_either_end(name):
    app = visit("one_run")
    options = list(KNOBS[name].choices) or [KNOBS[name].kind(o) for o in widget(app, name).options]
    for value in (options[0], options[-1]):
        before = picture(app)["stamp"]
        changed = getattr(app.session_state.scenario.resolved(), name) != value
        widget(app, name).set_value(value).run()
        assert not app.exception
        assert getattr(app.session_state.scenario, name) == value
        assert (picture(app)["stamp"] != before) or not changed


def test_the_window_is_offered_where_it_has_an_effect():
    app = visit("one_run", ask="recent")
    widget(app, "window").set_value(2).run()
    assert app.session_state.scenario.window == 2
    assert all(w.key != "w_window" for w in visit("one_run").get("select_slider"))


def test_a_formula_is_asked_for_where_it_has_an_effect():
    app = visit("one_run", ask="formula")
    app.text_input(key="w_formula").set_value("-age").run()
    assert app.session_state.scenario.formula == app.query_params["formula"] == "-age"
    app.text_input(key="w_formula").set_value("width.real").run()
    assert "at character 6" in app.warning[0].value
    assert app.session_state.scenario.formula == "-age"
    assert not visit("one_run").text_input


def test_same_seed_again_starts_over_and_a_new_seed_is_another_run():
    app = visit("one_run")
    first = picture(app)
    next(b for b in app.button if b.label == "Same seed again").click().run()
    assert picture(app)["stamp"] == first["stamp"]
    assert picture(app)["token"] != first["token"]
    next(b for b in app.button if b.label == "New seed").click().run()
    assert picture(app)["stamp"] != first["stamp"]


def test_the_link_sets_round_stage_size_and_layers():
    app = visit("one_run", round="33", stage="answer", ellipsoid="H", c="2.5", hide="axes,contexts")
    expected = {"round": 33, "stage": 2, "ellipsoid": "H", "c": 2.5, "hidden": ["contexts", "axes"]}
    assert picture(app)["view"] == expected
    assert app.query_params["ellipsoid"] == "H"
    assert not app.warning


@pytest.mark.parametrize(
    ("link", "view"),
    [
        ({"round": "9999"}, {"round": 60}),
        ({"round": "-1"}, {"round": 1}),
        ({"round": "2.5"}, {"round": 2}),
        ({"round": "nan"}, {"round": "opening"}),
        ({"round": "<b>x"}, {"round": "opening"}),
        ({"c": "inf"}, {"c": 10}),
        ({"c": "x"}, {"c": 4}),
        ({"c": "nan"}, {"c": 4}),
        ({"stage": "*bold*"}, {"stage": -1}),
        ({"ellipsoid": "h"}, {"ellipsoid": "V"}),
        ({"hide": "axes,nonsense"}, {"hidden": ["axes"]}),
        ({"compare": "yes"}, {}),
    ],
)
def test_a_bad_link_gives_a_message_and_the_nearest_view(link, view):
    app = visit("one_run", **link)
    assert app.warning
    scene, shown = picture(app)["scene"], picture(app)["view"]
    assert {name: shown[name] for name in view} == {
        name: scene.get(value, value) if isinstance(value, str) else value for name, value in view.items()
    }


def said_of_coverage(app: AppTest) -> str:
    return next(text.value for text in app.markdown if text.value.startswith("**Is the taste inside?**"))


def test_the_coverage_of_both_ellipsoids_is_that_of_100_runs_with_the_controls_and_c_on_screen():
    app = visit("one_run", c="2", tau="12", radius="3")
    covered = finish(Coverage(replace(in_plane(app.session_state.scenario), runs=100)))
    said = said_of_coverage(app)
    assert "100 runs with these controls" in said
    for name, size, distances in (("V, c = 2", 2, covered.V), ("H, nominal 95%", math.sqrt(5.991465), covered.H)):
        share = np.mean(distances[:, 12:] <= size, axis=1)
        about = f"{100 * share.mean():.1f} ± {200 * share.std() / 10:.1f} %".replace(" ", "\u00a0")
        assert f"{name}: **{about}**" in said


@pytest.mark.parametrize(
    ("shares", "words"),
    [([1.0, 0.98], "more often"), ([0.5, 0.4], "less often"), ([1.0, 0.9], "95% is within the band of H")],
)
def test_the_page_says_whether_h_holds_what_its_name_promises(shares, words):
    scenario = Scenario(d=2, horizon=60, tau=10, runs=2)
    rounds = np.arange(60) - 10
    in_H = np.array([np.where(rounds < 50 * share, 0.0, 9.0) for share in shares])
    assert words in measured_coverage(Covered(scenario, in_H, in_H, 1.0), 4)


def test_coverage_has_words_also_where_nothing_can_be_counted():
    explored = Covered(Scenario(d=2, horizon=60, tau=60, runs=2), np.ones((2, 60)), np.ones((2, 60)), 1.0)
    assert "no round to count" in measured_coverage(explored, 4)
    assert "on their way" in measured_coverage(Coverage(in_plane(Scenario())).join([], 0.0), 4)


def test_what_95_percent_means_depends_on_the_links():
    plain, probit, wrong = (
        of_the_curvature(in_plane(Scenario(**changes)))
        for changes in ({}, {"link": "probit"}, {"link": "probit", "user_link": "cauchit"})
    )
    assert "c² = 5.99" in plain
    assert "a name only" not in plain
    assert "a name only" in probit
    assert "another link" not in probit
    assert "another link" in wrong


@pytest.mark.battery
def test_the_rules_stand_side_by_side():
    app = visit("one_run", compare="1", formula="slope * max(width, reach)")
    assert len(charts(app)) == len(ASK_RULES) + 3
    assert charts(app)[-2:] == ["Cumulative regret of this run", "Mean over 100 users"]
    shown = in_plane(app.session_state.scenario)
    for rule in ASK_RULES:
        result = simulate(replace(shown, ask=rule, runs=100))
        text = f"{regret_at_end(result)} ({result.scenario.words('ask')})"
        assert any(text in caption.value for caption in app.caption)
    app.toggle(key="one_run.compare").set_value(False).run()
    assert len(charts(app)) == 1  # the strip of users
