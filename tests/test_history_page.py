"""The page "Rich history": every step, every control, every button, every link, and its figures."""

import json
import math
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from pages.history import figures
from pages.history.page import in_ball, table
from pages.history.presets import PRESETS
from pages.history.words import STEPS, about_run, counted_on, over_time
from pages.one_run.scene import in_plane
from pages.richness import affordable
from roam_core import KNOBS, Scenario
from roam_core.catalogues import CATALOGUES
from roam_core.enrichment import Enrichment
from roam_core.richness import Pairs, richness, richness_along
from roam_core.theory import Theory
from tests.test_enrichment import finish
from tests.test_pages import charts, open_page, visit

SCENARIO = Scenario(d=2, tau=6, k=30, horizon=40, runs=8)
CURVE = "How far the best question reaches"


def picture(app) -> dict:
    (data,) = [json.loads(e.proto.json) for e in app.get("bidi_component") if e.proto.component_name == "roam_shadow"]
    return data


def press(app, label: str):
    next(b for b in app.button if b.label == label).click().run()
    assert not app.exception


def reach(points, radius: float = 1.0) -> float:
    return 1 / richness(in_ball(np.array(points), radius), radius).beta


def test_a_link_that_says_nothing_opens_the_first_step():
    app = open_page("history", {})
    shown = picture(app)
    assert (shown["step"], shown["shows"]) == ("past", [])
    assert shown["points"] == shown["own"] == STEPS["past"].points
    assert not app.select_slider  # no control that would change nothing
    assert charts(app) == []
    assert dict(app.query_params) == {}


def test_a_link_with_a_scenario_shows_the_history_of_its_run():
    app = visit("history", tau="12", d="2")
    shown = picture(app)
    assert shown["step"] == "run"
    assert len(shown["own"]) == 12
    assert shown["points"] == shown["own"]
    assert shown["bound"] == Theory(Scenario(d=2)).beta == 8
    assert shown["said"] == about_run(12)
    assert charts(app) == [CURVE]


def test_a_scenario_whose_exploration_is_the_usual_one_begins_with_the_first_step(at_a_glance):
    assert picture(visit("history"))["step"] == "past"  # other rounds, items on offer and runs
    assert picture(visit("history", points="0.500"))["step"] == "run"
    assert picture(visit("history", seed="1"))["step"] == "run"


def test_an_old_link_with_the_constant_of_the_lab_is_no_mistake(at_a_glance):
    app = visit("history", C="2", d="2", tau="12")
    assert not app.warning
    assert picture(app)["step"] == "run"


def test_every_step_is_in_the_link_and_adds_to_the_picture(at_a_glance):
    app, shows = open_page("history", {}), []
    for name, step in list(STEPS.items())[:-1]:
        press(app, step.title)
        shown = picture(app)
        assert (shown["step"], shown["own"], shown["said"]) == (name, step.points, step.said)
        assert app.query_params["step"] == name
        assert shown == picture(open_page("history", {"step": name})) | {"stamp": shown["stamp"]}
        shows.append(shown["shows"])
    assert [len(layers) for layers in shows] == [0, 1, 2, 3, 3, 3, 4]
    assert all(less == more[: len(less)] for less, more in pairwise(shows))


def test_the_steps_are_drawn_in_a_round_item_space_whatever_the_scenario(at_a_glance):
    shown = picture(visit("history", step="other", flatness="0.1", radius="2"))
    assert (shown["outline"], shown["bound"]) == ([1, 1], 8)
    assert shown["points"] == STEPS["other"].points


def test_the_histories_of_the_steps_reach_farther_and_farther():
    narrow, diverse, rich = (reach(STEPS[name].points) for name in ("other", "diverse", "rich"))
    assert narrow < 0.1
    assert 0.3 < diverse < 0.5
    assert rich > 0.9


def test_the_worst_shadow_of_the_off_centre_step_is_not_the_narrowest():
    points = np.array(STEPS["off_centre"].points)
    found, high = richness(points, 1.0), np.ptp(points[:, 1])
    np.testing.assert_allclose(found.v, [1, 0], atol=1e-12)
    assert high < found.high - found.low  # its own shadow is wider
    centred = points - [0.33, 0]  # what its step says: moved to the centre, it reaches farther
    assert reach(centred) > reach(points)


def test_a_control_of_the_run_keeps_the_run_on_screen(at_a_glance):
    app = open_page("history", {"step": "run"})
    for flatness in (0.5, 1.0):
        next(w for w in app.select_slider if w.key == "w_flatness").set_value(flatness).run()
        assert picture(app)["step"] == app.query_params["step"] == "run"
    assert app.session_state.scenario == Scenario()
    press(app, STEPS["past"].title)
    assert picture(app)["step"] == "past"
    assert not app.select_slider


@pytest.mark.catalogue
@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_thing_to_try_sets_the_controls_and_says_what_to_notice(preset, at_a_glance):
    app = visit("history", runs="4", step="run")
    press(app, preset.name)
    assert all(getattr(app.session_state.scenario, name) == value for name, value in preset.changes.items())
    assert picture(app)["said"] == preset.notice
    assert picture(app)["step"] == "run"


def test_what_the_presets_say_is_true_of_every_seed():
    def reached(preset):
        plane = in_plane(affordable(Scenario(**preset.changes)))
        items = plane.law.draw(np.random.default_rng(0), 300, plane.tau).swapaxes(1, 2)  # as exploration draws them
        return 1 / richness_along(items, plane.radius, [plane.tau + 1])

    papers, four, flat, _, wines, flowers = map(reached, PRESETS)
    assert papers.min() > 0.75
    assert flat.max() <= 0.1 + 1e-6
    assert np.median(four) < 0.5 * np.median(papers)
    for found, items in ((wines, "wines"), (flowers, "flowers")):
        assert found.max() < papers.min()
        assert found.min() > 2 / Theory(Scenario(d=2, items=items)).beta
    assert np.median(wines) > 5 / Theory(Scenario(d=2, items="wines")).beta
    lengths = np.linalg.norm(CATALOGUES["wines"].embedding(2).items, axis=1)
    assert 0.74 < np.mean(lengths < 2 / 3) < 0.8, "three in four"
    drawn = Scenario(d=2, items="flowers").law.draw(np.random.default_rng(0), 1, 500)[0]
    assert len(np.unique(drawn[1])) == 7 < len(np.unique(drawn[0])), "seven rows"


def test_the_number_waits_for_its_prediction(at_a_glance):
    app = open_page("history", {"predict": "1", "step": "other"})
    assert picture(app)["hidden"]
    app.button(key="reveal").click().run()
    assert not picture(app)["hidden"]
    press(app, STEPS["diverse"].title)
    assert picture(app)["hidden"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ["12.5% at least (1/β with β = 8)."]),
        ({"radius": 3.0}, ["12.5% at least (1/β with β = 8).", "The radius r does not change β"]),
        ({"flatness": 0.1}, ["1.25% at least (1/β with β = 80).", "it is 12.5% (β = 8)", "differ 10 times less"]),
        ({"items": "ball"}, ["8.84% at least (1/β with β = 11.3).", "differ 1.41 times less"]),
    ],
)
def test_what_the_paper_counts_on_is_said_with_the_reason_where_it_changes(changes, said, at_a_glance):
    plane = Scenario(d=2, **changes)
    for words in said:
        assert words in counted_on(plane)
    differ = math.sqrt(Scenario(d=2).law.lambda_min) / (math.sqrt(plane.law.lambda_min) / plane.radius)
    assert ("times less" in counted_on(plane)) == (not math.isclose(differ, 1))
    np.testing.assert_allclose(Theory(plane).beta, 8 * differ)
    shown = picture(visit("history", step="run", **{name: str(value) for name, value in changes.items()}))
    assert shown["paper"] == counted_on(plane)
    np.testing.assert_allclose(shown["least"], plane.law.lambda_min)


def test_every_word_has_the_agreed_names(at_a_glance):
    app = visit("history", lemma="1", tau="12")
    said = " ".join(text.value for kind in (app.markdown, app.caption) for text in kind)
    assert "β(H)" not in said
    assert "narrowest" not in said
    for introduced in ("fresh item $x$", "Another item $x'$", "Let $v$ be a direction"):
        assert introduced in said


LEMMA = ["1. Pairs", "2. Triangle inequality", "3. Concentration"]


@pytest.mark.parametrize("link", [{"tau": "13", "radius": "2"}, {"tau": "4", "points": "600.799_-601.800_0.-900_1.2"}])
def test_lemma_3_has_the_numbers_of_the_history_on_screen(link, at_a_glance):
    app = visit("history", d="3", lemma="1", flatness="0.5", **link)
    assert charts(app)[:3] == LEMMA
    s = Scenario(d=2, flatness=0.5, radius=float(link.get("radius", 1)))
    points = in_ball(np.array(picture(app)["points"]), s.radius)
    n = len(points) // 2
    z = [points[2 * i] - points[2 * i + 1] for i in range(n)]
    least = np.linalg.eigvalsh(sum(np.outer(one, one) for one in z) / n)[0]
    v = (found := richness(points, s.radius)).v
    said = " ".join(text.value for text in app.markdown)
    for words in (
        f"make {n} pairs",
        f"the longest pair is {max(abs(one @ v) for one in z):.3g} long",
        f"$w$ = {np.ptp(points @ v) / 2:.3g} cannot",
        f"/4$ = {s.law.lambda_min / 4:.3g}. Here the mean is",
        f"{least:.3g} where it is smallest",
        rf"Here $\rho(H)$ = {found.beta:.3g}, $4r/\sqrt{{\hat\lambda}}$ = {4 * s.radius / np.sqrt(least):.3g}, and β = "
        f"{8 * s.radius / np.sqrt(s.law.lambda_min):.3g}.",
        f"of the first 3 items it is {richness(points[:3], s.radius).beta:.3g}",
        f"of all {len(points)} it is {found.beta:.3g}.",
    ):
        assert words in said
    assert ("by hand" in said) == ("points" in link)
    assert not re.search(r"\binf\b", said)


@pytest.mark.catalogue
@pytest.mark.parametrize("tau", [0, 1, 2, 3, 100])
def test_lemma_3_can_be_looked_at_on_any_history(tau, at_a_glance):
    app = visit("history", lemma="1", tau=str(tau), horizon="100")
    assert charts(app)[:3] == (LEMMA if tau > 1 else charts(app)[:3])
    assert bool(app.info) == (tau < 2)
    said = " ".join(text.value for text in app.markdown)
    assert "nan" not in said.split()


def test_figures_of_lemma_3_show_pairs_and_lengths():
    law = Scenario(d=2, flatness=0.5).law
    history = law.draw(np.random.default_rng(0), 1, 7)[0].T.astype(float)
    z = history[0:6:2] - history[1:6:2]
    pairs, left_out = figures.pairs(history, 1.0)["data"]
    assert len(pairs["x"]) == 9
    assert pairs["x"][2::3] == [None] * 3
    np.testing.assert_allclose([left_out["x"][0], left_out["y"][0]], history[6], rtol=1e-4)
    found = richness(history, 1.0)
    others, longest, middle = figures.along_worst(history, found, 1.0)["data"]
    i = int(np.abs(z @ found.v).argmax())
    np.testing.assert_allclose(longest["x"][:2], history[2 * i : 2 * i + 2] @ found.v, rtol=1e-4)
    assert longest["y"][:2] == [i + 1, i + 1]
    assert len(others["x"]) == 6
    low, high = (history @ found.v).min(), (history @ found.v).max()
    np.testing.assert_allclose(middle["x"], [(low + high) / 2] * 2, rtol=1e-4)
    longest, mean, expected, needed = figures.by_direction(Pairs.of(history), law.sigma)["data"]
    at_45 = longest["x"].index(45)
    v = np.sqrt([0.5, 0.5])
    for curve, value in ((longest, max((z @ v) ** 2)), (mean, np.mean((z @ v) ** 2)), (expected, v @ law.sigma @ v)):
        np.testing.assert_allclose(curve["y"][at_45], value, rtol=1e-4)
    np.testing.assert_allclose(needed["y"], law.lambda_min / 4)


@pytest.mark.parametrize("d", [2, 3])
def test_the_table_says_what_its_columns_are(d):
    result = finish(Enrichment(Scenario(d=d, tau=6, k=30, horizon=20, runs=4), (5, 21)))
    first, *others = table(result).splitlines()
    assert first.startswith("# beta_10, beta_50, beta_90: quantiles of rho(H_t)")
    assert ("lower bounds" in first) == (d == 3)
    *_, names, early, late = others
    assert names == "t,beta_10,beta_50,beta_90"
    for row, beta in zip((early, late), result.beta.T, strict=True):
        low, middle, high = (float(cell) for cell in row.split(",")[1:])
        np.testing.assert_allclose([low, middle, high], np.sort(beta)[[0, 1, 3]], rtol=1e-5)


@pytest.mark.catalogue
@pytest.mark.parametrize("name", ["tau", "flatness", "radius", "items", "d"])
def test_every_control_can_be_moved_to_either_end(name, at_a_glance):
    app = visit("history", runs="4", horizon="40", step="run")

    def widget():
        return next(w for kind in ("select_slider", "selectbox") for w in app.get(kind) if w.key == f"w_{name}")

    options = list(KNOBS[name].choices) or [KNOBS[name].kind(o) for o in widget().options]
    for value in (options[0], options[-1]):
        widget().set_value(value).run()
        assert not app.exception
        assert getattr(app.session_state.scenario, name) == value
        assert picture(app)["step"] == "run"


def test_a_link_restores_a_history_made_by_hand(at_a_glance):
    app = visit("history", points="500.0_-250.433_0.-1000", radius="2")
    assert picture(app)["points"] == [[1.0, 0.0], [-0.5, 0.866], [0.0, -2.0]]
    assert picture(app)["own"] != picture(app)["points"]
    assert not app.warning


@pytest.mark.parametrize("points", ["x", "1", "9999.0", "1.2.3", "nan.1", "<b>.2", "_".join(["1.1"] * 101), "1,2"])
def test_a_bad_history_in_the_link_gives_a_message(points, at_a_glance):
    app = visit("history", points=points)
    assert app.warning
    assert picture(app)["points"] == picture(app)["own"]


def test_the_curve_is_the_median_run_within_the_band():
    result = finish(Enrichment(SCENARIO, (3, 7, 20, 41)))
    figure = figures.reach_over_time(result, 8.0)
    json.dumps(figure, allow_nan=False)
    high, low, median, counted = figure["data"]
    assert median["y"][0] == 0  # two items are flat
    column = 1 / np.sort(result.beta[:, 2])
    np.testing.assert_allclose(median["y"][2], column[3], rtol=1e-4)
    np.testing.assert_allclose([low["y"][2], high["y"][2]], [column[7], column[0]], rtol=1e-4)
    assert counted["y"] == [1 / 8, 1 / 8]
    assert figure["layout"]["shapes"][0]["x1"] == 6


def test_what_is_said_of_the_curve_is_the_median_run_when_exploration_ends_and_at_the_end():
    result = finish(Enrichment(SCENARIO, (3, 7, 41)))
    at_tau, at_end = (1 / np.sort(result.beta[:, i])[3] for i in (1, 2))
    assert f"reaches {100 * at_tau:.2g}% of the farthest mistake after 6 rounds of exploration" in over_time(result)
    assert f"{100 * at_end:.2g}% at the end" in over_time(result)
    within = replace(result, beta=np.tile(result.beta[:, 1:2], 3))
    assert "and as much at the end" in over_time(within)
    assert "reaches 0% of" in over_time(replace(result, beta=np.full_like(result.beta, np.inf)))


def test_a_figure_of_no_runs_is_valid():
    json.dumps(figures.reach_over_time(Enrichment(SCENARIO, (3,)).join([], 0.0), 8.0), allow_nan=False)
