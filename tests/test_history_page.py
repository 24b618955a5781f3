"""The page "Rich history": every control, every button, every link, and its figures."""

import json

import numpy as np
import pytest

from pages.history import figures
from pages.history.page import in_ball, table
from pages.history.presets import PRESETS
from roam_core import KNOBS, Scenario, simulate
from roam_core.enrichment import Enrichment, Exploration
from roam_core.richness import Pairs, richness
from roam_core.theory import Theory
from tests.test_enrichment import finish
from tests.test_pages import charts, visit

SCENARIO = Scenario(d=2, tau=6, k=30, horizon=40, runs=8)
STEPS = ("1. A narrow history", "2. One more diverse item", "3. A rich history", "4. Wide but off-centre")


def picture(app) -> dict:
    (data,) = [json.loads(e.proto.json) for e in app.get("bidi_component") if e.proto.component_name == "roam_shadow"]
    return data


def press(app, label: str):
    next(b for b in app.button if b.label == label).click().run()
    assert not app.exception


def test_the_page_shows_history_bound_and_both_plots():
    app = visit("history", tau="12", d="2")
    shown = picture(app)
    assert len(shown["own"]) == 12
    assert shown["points"] == shown["own"]
    assert shown["bound"] == Theory(Scenario(d=2)).beta == 8
    assert len(shown["ratios"]) == 60 - 12
    assert charts(app) == ["Richness of the history, ρ(H)", "How long to explore"]


@pytest.mark.catalogue
@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_thing_to_try_sets_the_controls_and_says_what_to_notice(preset, at_a_glance):
    app = visit("history", runs="4")
    press(app, preset.name)
    assert all(getattr(app.session_state.scenario, name) == value for name, value in preset.changes.items())
    assert any(preset.notice in text.value for text in app.markdown)


def test_the_first_three_steps_put_their_history_on_screen_each_richer_than_the_last(at_a_glance):
    app, betas = visit("history", radius="2"), []
    for step in STEPS[:3]:
        before = picture(app)["stamp"]
        press(app, step)
        assert picture(app)["stamp"] != before
        betas.append(richness(np.array(picture(app)["points"]), 2.0).beta)
    assert betas[0] > 2 * betas[1] > 2 * betas[2]
    assert betas[2] < 1.2
    press(app, "Same seed")
    assert picture(app)["points"] == picture(app)["own"]


def test_the_last_step_shows_a_worst_shadow_that_is_not_the_narrowest(at_a_glance):
    app = visit("history", radius="2")
    press(app, STEPS[3])
    points = np.array(picture(app)["points"])
    assert sorted(map(tuple, points / 2)) == [(-0.2, -0.5), (-0.2, 0.5), (0.86, -0.5), (0.86, 0.5)]
    found, high = richness(points, 2.0), np.ptp(points[:, 1])
    np.testing.assert_allclose(found.v, [1, 0], atol=1e-12)
    assert high < found.high - found.low  # its own shadow is wider
    assert any("is not the narrowest" in text.value for text in app.markdown)


def test_every_word_has_the_agreed_names(at_a_glance):
    app = visit("history", lemma="1")
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
    assert "inf" not in said.replace("infinite", "")


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


@pytest.mark.parametrize(("d", "legend"), [(2, "ρ(H) ≤ β"), (3, "ρ(H) ≤ β (at most)")])
def test_where_a_search_finds_richness_the_share_is_called_an_upper_estimate(d, legend, at_a_glance):
    phase = Exploration(Scenario(d=d, runs=1, tau=4, horizon=6), (4,))
    figure = figures.how_long([("", finish(phase), 8.0), (", f", finish(phase), 8.0)], [], 4, 20)
    names = [trace["name"] for trace in figure["data"]]
    assert [name for name in names if name.startswith("ρ")] == [legend, f"{legend}, f"]
    assert "λmin(V) ≥ 1" in names
    app = visit("history", d=str(d))
    assert any("an upper one" in caption.value for caption in app.caption) == (d > 2)


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
    app = visit("history", runs="4", horizon="40")

    def widget():
        return next(w for kind in ("select_slider", "selectbox") for w in app.get(kind) if w.key == f"w_{name}")

    options = list(KNOBS[name].choices) or [KNOBS[name].kind(o) for o in widget().options]
    for value in (options[0], options[-1]):
        widget().set_value(value).run()
        assert not app.exception
        assert getattr(app.session_state.scenario, name) == value
        assert charts(app)


@pytest.mark.parametrize("flatness", ["0.01", "0.02", "0.05"])
def test_the_flattest_item_space_is_compared_with_another_one(flatness):
    app = visit("history", runs="2", horizon="20", d="2", flatness=flatness, radius="10")
    assert charts(app) == ["Richness of the history, ρ(H)", "How long to explore"]


def test_the_constant_moves_the_prescribed_length(at_a_glance):
    app = visit("history", d="2")
    constant = next(w for w in app.select_slider if w.key == "history.C")
    constant.set_value(4.0).run()
    expected = Theory(Scenario(d=2)).prescribed_tau(4.0)
    assert any(f"= {expected} with C = 4" in caption.value for caption in app.caption)


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


def test_the_curve_of_richness_is_the_median_run_within_the_band():
    result = finish(Enrichment(SCENARIO, (3, 7, 20, 41)))
    figure = figures.richness_over_time(result, 8.0)
    json.dumps(figure, allow_nan=False)
    high, low, median, bound = figure["data"]
    assert median["y"][0] is None  # two items are flat
    column = np.sort(result.beta[:, 2])
    np.testing.assert_allclose(median["y"][2], column[3], rtol=1e-4)
    np.testing.assert_allclose([low["y"][2], high["y"][2]], [column[0], column[7]], rtol=1e-4)
    assert bound["y"] == [8.0, 8.0]
    assert figure["layout"]["shapes"][0]["x1"] == 6


def test_how_long_shows_shares_and_regret_against_tau():
    lengths = (0, 6, 20)
    phases = [("", finish(Exploration(SCENARIO, lengths)), 8.0), (" flat", finish(Exploration(SCENARIO, lengths)), 1.5)]
    results = [simulate(Scenario(d=2, tau=n, k=30, horizon=40, runs=8)) for n in lengths]
    figure = figures.how_long(phases, results, 4, 20)
    json.dumps(figure, allow_nan=False)
    probed, rich, *_, regret, prescribed = figure["data"]
    np.testing.assert_allclose(probed["y"], (phases[0][1].lambda_min >= 1).mean(0))
    np.testing.assert_allclose(rich["y"], (phases[0][1].beta <= 8).mean(0))
    assert regret["x"] == [0, 6, 20]
    np.testing.assert_allclose(regret["y"], [r.mean("regret")[-1] for r in results], rtol=1e-4)
    assert (prescribed["name"], prescribed["x"]) == ("prescribed τ = 4", [4, 4])
    assert len(figures.how_long(phases, results, 21, 20)["data"]) == len(figure["data"]) - 1


def test_figures_of_no_runs_are_valid():
    json.dumps(figures.richness_over_time(Enrichment(SCENARIO, (3,)).join([], 0.0), 8.0), allow_nan=False)
    nothing = Exploration(SCENARIO, (3,)).join([], 0.0)
    empty = figures.how_long([("", nothing, 8.0), ("", nothing, 8.0)], [], 4, 20)
    json.dumps(empty, allow_nan=False)
