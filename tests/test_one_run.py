"""The page of one run in two dimensions: every control, every thing to try, every link."""

import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from pages.one_run.presets import PRESETS
from pages.one_run.scene import LARGEST_K, MOST_ROUNDS, in_plane
from pages.words import regret_at_end
from roam_core import KNOBS, simulate
from roam_core.policies import ASK_RULES
from tests.test_pages import charts, visit

CONTROLS = ("tau", "ask", "flatness", "radius", "k", "horizon", "items", "link")


def picture(app: AppTest) -> dict:
    """What the component was given to draw."""
    data = [json.loads(e.proto.json) for e in app.get("bidi_component") if e.proto.component_name == "roam_plane"]
    assert len(data) == 1
    return data[0]


def widget(app: AppTest, name: str):
    return next(w for kind in ("select_slider", "selectbox") for w in app.get(kind) if w.key == f"w_{name}")


def test_the_picture_opens_shortly_after_exploration():
    app = visit("one_run", horizon="100")
    shown = picture(app)
    assert (shown["scene"]["T"], shown["scene"]["tau"]) == (100, 20)
    assert shown["view"] == {"round": 25, "stage": -1, "c": 4, "hidden": []}


def test_a_scenario_too_large_for_the_plane_is_cut_down_and_kept_for_the_lab():
    app = visit("one_run", horizon="1000", k="50000", d="10", algorithm="colstim", tau="600")
    scene = picture(app)["scene"]
    assert (scene["T"], scene["k"], scene["tau"]) == (MOST_ROUNDS, LARGEST_K, MOST_ROUNDS)
    assert app.session_state.scenario.d == 10
    assert app.session_state.scenario.horizon == 1000


@pytest.mark.catalogue
@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_thing_to_try_sets_the_controls_and_says_what_to_notice(preset):
    app = visit("one_run")
    next(b for b in app.button if b.label == preset.name).click().run()
    assert not app.exception
    assert all(getattr(app.session_state.scenario, name) == value for name, value in preset.changes.items())
    assert any(preset.notice in text.value for text in app.markdown)


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


def test_same_seed_again_starts_over_and_a_new_seed_is_another_run():
    app = visit("one_run")
    first = picture(app)
    next(b for b in app.button if b.label == "Same seed again").click().run()
    assert picture(app)["stamp"] == first["stamp"]
    assert picture(app)["token"] != first["token"]
    next(b for b in app.button if b.label == "New seed").click().run()
    assert picture(app)["stamp"] != first["stamp"]


def test_the_link_sets_round_stage_size_and_layers():
    app = visit("one_run", round="33", stage="answer", c="2.5", hide="axes,contexts")
    assert picture(app)["view"] == {"round": 33, "stage": 2, "c": 2.5, "hidden": ["contexts", "axes"]}
    assert not app.warning


@pytest.mark.parametrize(
    ("link", "view"),
    [
        ({"round": "9999"}, {"round": 60}),
        ({"round": "-1"}, {"round": 1}),
        ({"round": "2.5"}, {"round": 2}),
        ({"round": "nan"}, {"round": 25}),
        ({"round": "<b>x"}, {"round": 25}),
        ({"c": "inf"}, {"c": 10}),
        ({"c": "x"}, {"c": 4}),
        ({"c": "nan"}, {"c": 4}),
        ({"stage": "*bold*"}, {"stage": -1}),
        ({"hide": "axes,nonsense"}, {"hidden": ["axes"]}),
        ({"compare": "yes"}, {}),
    ],
)
def test_a_bad_link_gives_a_message_and_the_nearest_view(link, view):
    app = visit("one_run", **link)
    assert app.warning
    shown = picture(app)["view"]
    assert {name: shown[name] for name in view} == view


@pytest.mark.battery
def test_the_four_rules_stand_side_by_side():
    app = visit("one_run", compare="1")
    assert len(charts(app)) == 6
    assert charts(app)[-2:] == ["Cumulative regret of this run", "Mean over 100 users"]
    shown = in_plane(app.session_state.scenario)
    for rule in ASK_RULES:
        result = simulate(replace(shown, ask=rule, runs=100))
        text = f"{regret_at_end(result)} ({result.scenario.words('ask')})"
        assert any(text in caption.value for caption in app.caption)
    app.toggle[0].set_value(False).run()
    assert charts(app) == []
