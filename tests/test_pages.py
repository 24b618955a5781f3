"""Every page renders without an exception, with every preset and each control at either end."""

import json
from dataclasses import replace
from functools import cache
from unittest.mock import Mock

import numpy as np
import pytest
from streamlit.runtime import scriptrunner
from streamlit.testing.v1 import AppTest

from pages import page, registry, scenario_controls, watching
from pages.board.board import board
from pages.figures import SINGLE_USERS
from pages.lab.page import asked_words
from pages.lab.presets import PRESETS
from pages.palette import PALETTE
from pages.scenario_controls import SIZES
from pages.words import with_band
from roam_core import KNOBS, Result, Scenario, simulate
from roam_core.scenario import nearest_scenario

SMALL = {"horizon": "60", "k": "50", "runs": "8"}


def dashboard() -> AppTest:
    """The dashboard without a browser."""
    return AppTest.from_file("../pages/navigation.py", default_timeout=90)


@cache
def page_hashes() -> dict[str, str]:
    """What the navigation calls each page: a test can open one of them without a look at the start page first."""
    known = dashboard().run()._registered_pages
    return {info["url_pathname"]: name for name, info in known.items()}


def open_page(page: str, link: dict[str, str | list[str]]) -> AppTest:
    """A page as a visitor with this link sees it."""
    app = dashboard()
    app.query_params.update(link)
    app._page_hash = page_hashes()[registry.page(page).path]
    app.run()
    assert not app.exception, (link, app.exception)
    return app


def visit(page: str, **link: str) -> AppTest:
    """A page with a small scenario, unless the link says otherwise."""
    return open_page(page, {**SMALL, **link})


def lab(**link: str) -> AppTest:
    """The lab when its simulation is complete, with a regret, an error, a ratio and a plot of the questions."""
    app = visit("lab", **link)
    assert f"{app.session_state.scenario.runs} of" in app.get("progress")[0].proto.text
    assert charts(app)[:3] == ["Cumulative regret", "Estimation error", "Critical ratio"]
    assert ("Which past item was asked about" in charts(app)) == (link.get("algorithm") != "colstim")
    return app


def charts(app: AppTest) -> list[str]:
    """Titles of the charts on a page that have something in them."""
    return [figure["layout"]["title"]["text"] for figure in drawn(app) if figure["data"]]


def drawn(app: AppTest) -> list[dict]:
    """The charts of a page."""
    found = [e.proto for e in app.get("bidi_component") if e.proto.component_name == "roam_chart"]
    return [json.loads(json.loads(proto.json)["figure"]) for proto in found]


def means(figure: dict) -> dict[str, str]:
    """The colours of a figure's curves by their names."""
    return {t["name"]: t["line"]["color"] for t in figure["data"] if t["name"] not in ("upper", "lower")}


def metric(app: AppTest, label: str) -> str:
    return next(m.value for m in app.metric if m.label == label)


def test_the_start_page_says_what_this_is():
    app = dashboard().run()
    assert not app.exception
    assert app.title[0].value == "Regret once, ask many"


def test_the_lab_shows_the_numbers_of_simulate():
    app = lab()
    result = simulate(Scenario(horizon=60, k=50, runs=8))
    assert metric(app, "Regret at T") == f"{result.mean('regret')[-1]:.1f}"
    assert metric(app, "Error at T") == f"{result.mean('error')[-1]:.3f}"


def asked_in_words(asked: list[int], tau: int) -> str:
    """What the lab says of a run that asked about these items, by their round; 0 where nothing was asked."""
    scenario = Scenario(horizon=len(asked), tau=tau, k=5, runs=1)
    return asked_words(replace(simulate(scenario), asked=np.array([asked], dtype=np.int32) - 1))


def test_the_lab_says_which_items_were_asked_about_as_it_was():
    again = asked_in_words([0, 1, 2, 2, 4, 2], tau=3)
    assert "that of round 2, from exploration. It was asked about 3 times." in again
    assert "Of the 3 questions after exploration 2 were about items from it." in again
    later = asked_in_words([0, 1, 2, 4, 4, 4], tau=2)
    assert "that of round 4. It was asked about 3 times." in later
    assert "Of the 4 questions after exploration 1 was about an item from it." in later
    assert asked_in_words([0, 1, 2, 3], tau=2).endswith(
        "No item was asked about twice. Of the 2 questions after exploration 1 was about an item from it."
    )
    assert "No item was asked about more than 2 times, and 2 items were so often." in asked_in_words(
        [0, 1, 1, 2, 2], tau=0
    )
    assert "exploration" not in asked_in_words([0, 1, 1, 1], tau=0)
    assert asked_in_words([0, 0, 0], tau=1) == "Run 1 has no question about a past item."
    assert asked_words(Result.join(Scenario(), [], 0.0)) == "No run is complete yet."


@pytest.mark.catalogue
@pytest.mark.parametrize("link", [{}, {"ask": "previous"}, {"ask": "random", "tau": "0"}, {"skip_below": "100"}])
def test_what_the_lab_says_of_the_questions_is_true_of_run_1(link):
    app = lab(**link)
    scenario = app.session_state.scenario
    asked, tau = simulate(scenario).asked[0], scenario.resolved().tau
    said = next(caption.value for caption in app.caption if "run 1" in caption.value)
    times = np.bincount(asked[asked >= 0])
    assert "again and again" not in said
    assert ("No item was asked about twice" in said) == (times.max() == 1)
    assert (f" {times.max()} times" in said) == (times.max() > 1)
    assert (f"{(asked[tau:] >= 0).sum()} questions after exploration" in said) == (tau > 0 and (asked[tau:] >= 0).any())


def test_the_lab_says_how_many_ratios_are_infinite():
    app = lab(algorithm="colstim")
    ratio = simulate(app.session_state.scenario).ratio[:, 50:]
    share = f"{np.mean(np.isinf(ratio)):.1%}"
    assert any(f"Of the rounds after exploration these are {share}." in caption.value for caption in app.caption)
    cell = next(m for m in app.metric if m.label == "Mean critical ratio")
    assert cell.delta == f"without {share} infinite"
    assert not any("infinite" in caption.value for caption in lab().caption)


@pytest.mark.catalogue
@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_renders(preset, at_first_sight):
    app = visit("lab")
    next(b for b in app.button if b.label == preset.name).click().run()
    assert not app.exception
    assert charts(app)[:3] == ["Cumulative regret", "Estimation error", "Critical ratio"]
    assert says(app, preset.notice)
    assert not says(app, "once more")
    scenario = app.session_state.scenario
    assert all(getattr(scenario, name) == value for name, value in preset.changes.items())
    assert (list(app.session_state.pins) == [Scenario()]) == preset.beside
    assert all(app.session_state[flag.key] for flag in preset.shows)


def test_a_notice_that_compares_says_how_to_see_what_it_compares_with(at_a_glance):
    app = open_page("lab", {"tau": "0"})
    assert says(app, "To see that here, press **No exploration** once more.")
    app.button(key="try No exploration").click().run()
    assert not says(app, "once more")
    assert dict(app.query_params) == {"tau": "0", "pin": "defaults", "spread": "1"}


def test_the_spread_of_users_is_said_apart_from_the_band_of_the_mean():
    plain, spread = lab(), lab(spread="1")
    assert any("Its band is the mean's, with 95% confidence" in caption.value for caption in plain.caption)
    assert any("Wide pale band: 10 to 90% of the users" in caption.value for caption in spread.caption)
    assert any("One simulated user." in caption.value for caption in lab(spread="1", runs="1").caption)
    assert len(drawn(plain)[0]["data"]) == 3
    assert len(drawn(spread)[0]["data"]) == 3 + 2 + SINGLE_USERS + 2


def test_regrets_at_different_r_are_divided_by_it():
    app = lab(radius="0.5", pin="horizon=60,k=50,runs=8")
    half, one = (simulate(Scenario(horizon=60, k=50, runs=8, radius=r)).mean("regret")[-1] for r in (0.5, 1))
    assert says(app, f"Divided by r, regret at T is {half / 0.5:.3g} (r = 0.5), {one:.3g} (r = 1).")
    assert says(lab(sweep="radius=0.5,1"), "Divided by r")
    assert not says(lab(pin="horizon=60,k=50,runs=8,tau=0"), "Divided by r")


def test_controls_without_effect_are_not_offered(at_a_glance):
    def offered(app: AppTest) -> set[str]:
        kinds = ("slider", "select_slider", "selectbox", "number_input")
        return {w.key.removeprefix("w_") for kind in kinds for w in app.get(kind) if (w.key or "").startswith("w_")}

    for link in ({}, {"algorithm": "colstim"}, {"ask": "recent"}):
        app = visit("lab", **link)
        scenario = app.session_state.scenario
        assert offered(app) == {name for name in KNOBS if not scenario.no_effect(name)}
        assert {"d", "tau", "k", "link"} < offered(app)


def test_a_curve_has_the_same_colour_above_and_in_the_sweep():
    app = lab(pin="1:horizon=60,k=50,runs=8,tau=9", sweep="tau=3,9,auto")
    above, family = (means(drawn(app)[place]) for place in (0, 4))
    assert above == {"τ = 50": PALETTE[0], "τ = 9": PALETTE[1]}
    assert family == {"τ = 3": PALETTE[2], **above}


def test_the_options_of_the_plots_are_in_the_link(at_a_glance):
    app = visit("lab", log="1", bound="yes")
    assert [box.value for box in app.checkbox if box.label in ("Log axes", "√t guide", "Bound β")] == [
        True,
        False,
        False,
    ]
    assert any("bound" in warning.value for warning in app.warning)
    assert app.query_params["log"] == "1"
    assert "bound" not in app.query_params
    next(box for box in app.checkbox if box.label == "√t guide").check().run()
    assert app.query_params["guide"] == "1"


def changes(app: AppTest) -> list[str]:
    """What the page says differs from the paper's setting."""
    return [button.label for button in app.button if button.key and button.key.startswith("change ")]


def test_what_differs_from_the_papers_setting_is_named_and_can_be_taken_back(at_a_glance):
    assert changes(visit("rivals", horizon="1000", k="1000", runs="100")) == []
    app = visit("rivals", radius="10", c1="3", view="ask", seed="3")
    back = "Back to the paper's setting"
    assert changes(app) == [f"{said}\u2002×" for said in ("k = 50", "T = 60", "n = 8", "r = 10", "c1 = 3")] + [back]
    app.button(key="change radius").click().run()
    assert app.session_state.scenario.radius == 1
    assert "r = 10\u2002×" not in changes(app)
    app.button(key="change all").click().run()
    assert changes(app) == []
    assert app.session_state.scenario == Scenario(seed=3)
    assert dict(app.query_params) == {"seed": "3", "view": "ask"}


def test_a_change_that_cannot_be_taken_back_alone_says_why(at_a_glance):
    app = visit("lab", horizon="200", k="100", tau="150", runs="5000")
    app.button(key="change horizon").click().run()
    assert app.session_state.scenario.horizon == 200
    assert any("too much" in warning.value for warning in app.warning)


def test_a_control_that_repeats_what_it_shows_changes_nothing(monkeypatch):
    session = Session(scenario=Scenario(), w_tau=50)
    monkeypatch.setattr(scenario_controls.st, "session_state", session)
    scenario_controls._moved("tau", shown=50)
    scenario_controls.take_over_moves()
    assert session.scenario.tau is None  # and not 50, which is what it comes to
    scenario_controls._moved("tau", shown=0)
    scenario_controls.take_over_moves()
    assert session.scenario.tau == 50


def test_a_move_that_comes_with_a_call_for_a_part_of_the_page_is_none(monkeypatch):
    session = Session(scenario=Scenario(), w_tau=0)
    monkeypatch.setattr(scenario_controls.st, "session_state", session)
    scenario_controls._moved("tau", shown=50)
    scenario_controls.forget_moves()  # as every part does that is drawn by itself
    scenario_controls.take_over_moves()
    assert session.scenario == Scenario()


@pytest.mark.parametrize("folder", [folder for section in registry.SECTIONS.values() for folder in section])
def test_every_page_leads_to_the_next(folder, at_a_glance):
    app = visit(folder)
    following = registry.after(registry.page(folder).path)
    assert app.button(key="turn").label == f"Next: {registry.page(following).title}"
    assert registry.page(following).teaser in [caption.value for caption in app.caption]


@pytest.mark.parametrize("folder", [folder for section in registry.SECTIONS.values() for folder in section])
def test_the_browsers_back_takes_the_view_from_the_link(folder, at_a_glance, monkeypatch):
    app = visit(folder, tau="7", d="2")
    here = dict(app.query_params)
    app.session_state.scenario = replace(app.session_state.scenario, tau=9, d=3)  # something was changed
    app.run()
    app.query_params.clear()
    app.query_params.update(here)
    context = scriptrunner.get_script_run_ctx
    monkeypatch.setattr(page, "get_script_run_ctx", lambda: Mock(wraps=context(), is_history_navigation=True))
    app.run()
    assert not app.exception
    assert (app.session_state.scenario.tau, app.session_state.scenario.d) == (7, 2)
    assert here.items() <= dict(app.query_params).items()


def test_what_a_page_needs_for_itself_does_not_go_to_the_next(at_a_glance):
    app = visit("history", horizon="200", d="3")
    app.button(key="turn").click().run()
    assert app.session_state.scenario == Scenario(k=50, runs=8, d=3)


def says(app: AppTest, text: str) -> bool:
    """Whether the page says this in running text."""
    return any(text in said.value for said in app.markdown)


def test_a_notice_waits_for_its_prediction(at_a_glance):
    notice = PRESETS[1].notice
    assert says(open_page("lab", {"tau": "0"}), notice)
    app = open_page("lab", {"tau": "0", "predict": "1"})
    assert not says(app, notice)
    app.button(key="reveal").click().run()
    assert says(app, notice)
    assert app.query_params["predict"] == "1"
    app.button(key="try No exploration").click().run()
    assert not says(app, notice)


@pytest.mark.parametrize(
    ("value", "band", "text"),
    [(0.12345, 0.0123, "0.123 ± 0.012"), (299.4, 118, "299 ± 120"), (12345, 1234, "12,300 ± 1,200"), (5, np.nan, "5")],
)
def test_numbers_with_bands_have_no_powers_of_ten(value, band, text):
    assert with_band(value, band) == text


class Session(dict):
    """A visitor's session without a page."""

    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


def test_a_page_gets_what_it_asked_for_in_that_order_also_if_it_asked_twice(monkeypatch):
    monkeypatch.setattr(watching, "visitor", lambda: "test")
    monkeypatch.setattr(watching.st, "session_state", Session())
    one, other = (Scenario(horizon=20, k=5, runs=2, seed=seed) for seed in (1, 2))
    sight = watching.look([one, other, one])
    assert [result.scenario for result in sight.results] == [one, other, one]
    board().look("test", [])


def ends(widget, name: str) -> list:
    """The first and the last value that a widget offers; every one of a choice."""
    knob = KNOBS[name]
    if knob.choices:
        return list(knob.choices)
    if knob.reader:
        return ["t", "max(width, gap) - 2 * (age <= 5)"]
    if name == "k":
        return [SIZES[0], SIZES[-1]]
    return [knob.kind(widget.min), knob.kind(widget.max)]


# What a control needs to have an effect, or to be at its far end in a moment.
NEEDS = {
    "c1": {"algorithm": "colstim"}, "c2": {"algorithm": "colstim"}, "window": {"ask": "recent"},
    "formula": {"ask": "formula"},
    "runs": {"horizon": "5", "k": "5"}, "horizon": {"runs": "1", "k": "5"},
}  # fmt: skip


LONG = pytest.param("horizon", marks=pytest.mark.battery)  # ten thousand rounds


@pytest.mark.catalogue
@pytest.mark.parametrize("name", [LONG if name == "horizon" else name for name in KNOBS])
def test_every_control_can_be_moved_to_either_end(name, at_first_sight):
    app = visit("lab", **NEEDS.get(name, {}))

    def widget():
        kinds = ("slider", "select_slider", "selectbox", "number_input", "text_input")
        return next(w for kind in kinds for w in app.get(kind) if w.key == f"w_{name}")

    for end in ends(widget(), name):
        widget().set_value(end).run()
        assert not app.exception
        shown = getattr(app.session_state.scenario.resolved(), name)
        assert shown == end or app.warning, f"{name} = {end} became {shown} without a word"


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ({"d": "99"}, {"d": 50}),
        ({"d": "nan"}, {"d": 5}),
        ({"tau": "61"}, {"tau": 60}),
        ({"link": "<b>x</b>"}, {"link": "logistic"}),
        ({"runs": "1e9", "horizon": "5", "k": "5"}, {"runs": 10_000}),
        ({"seed": "-3"}, {"seed": 0}),
        ({"k": "１２"}, {"k": 12}),
    ],
)
def test_a_bad_link_gives_a_message_and_the_nearest_value(link, shown, at_a_glance):
    app = visit("lab", **link)
    for name, value in shown.items():
        assert getattr(app.session_state.scenario, name) == value
    assert bool(app.warning) == (link != {"k": "１２"})
    assert all("<b>" not in warning.value for warning in app.warning)


def test_the_nearest_scenario_always_fits_the_budget():
    scenario, problems = nearest_scenario(
        {"runs": "10000", "k": "100000", "horizon": "10000", "d": "50", "tau": "9999"}
    )
    assert scenario.tau <= scenario.horizon
    assert problems


def test_pins_are_kept_and_labelled_by_what_differs(at_first_sight):
    app = visit("lab")
    next(b for b in app.button if b.label == "Pin this curve").click().run()
    next(b for b in app.button if b.label == "No exploration").click().run()
    assert app.session_state.pins == {Scenario(horizon=60, k=50, runs=8): 0, Scenario(): 1}
    assert not app.exception


def test_formulas_with_commas_are_pinned_and_swept(at_first_sight):
    app = visit("lab", ask="formula", pin="ask=formula,formula=max(width, gap)", sweep="formula=width,min(width,gap)")
    assert not app.warning
    assert list(app.session_state.pins) == [Scenario(ask="formula", formula="max(width, gap)")]
    assert app.query_params["pin"] == "ask=formula,formula=max(width, gap)"
    assert app.session_state.sweep == "formula=width,min(width,gap)"
    assert "Regret at T" in charts(app)


def test_a_sweep_draws_the_family_and_its_ends():
    app = lab(sweep="tau=0,10,20")
    assert charts(app)[-2:] == ["Cumulative regret", "Regret at T"]
    assert "Regret at T" not in charts(lab())


def test_a_bad_sweep_gives_a_message(at_a_glance):
    app = visit("lab", sweep="tau=0")
    assert "2 to 8 values" in app.warning[0].value
