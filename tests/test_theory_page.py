"""The theory page: every control, preset and link; figures, slopes and words against independent numbers."""

import json
import math
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.theory import figures, fits, reading
from pages.theory import proof as proofs
from pages.theory.words import (
    both_bounds,
    findings,
    formula_says,
    gap,
    informative_from,
    learning,
    measured,
    promise,
    verdict,
)
from pages.words import spoken, typeset
from roam_core import KNOBS, Scenario, simulate, trajectory
from roam_core.engine import finish
from roam_core.links import LINKS
from roam_core.richness import richness
from roam_core.theory import DELTA, Theory, chain, failing
from tests.test_pages import LONG, visit


def prove(scenario: Scenario, delta: float, own: bool = False) -> proofs.Proof:
    return finish(proofs.prove(scenario, delta, own))


TITLES = [
    "From regret to its bound, step by step",
    "What each step gives away",
    "Regret and bound over the rounds",
    "Regret at T and bound over d",
    "Estimates farther than 1 from the taste",
]
CONTROLS = ("d", "tau", "k", "link", "radius", "flatness", "delta", "items", "ask", "skip_below", "user_link", "runs")
SMALL = {"horizon": "80", "k": "30", "tau": "8", "runs": "9"}
PAPER = prove(Scenario(k=200, horizon=300, runs=1), DELTA)


@pytest.fixture(scope="module")
def plain():
    """The chain in the paper's default scenario."""
    return prove(Scenario(), DELTA)


def drawn(app: AppTest) -> dict[str, dict]:
    """The figures on the page by title; whatever is on screen is free of NaN and inf."""
    assert not app.exception
    charts = [e.proto for e in app.get("bidi_component") if e.proto.component_name == "roam_chart"]
    data = [json.loads(proto.json) for proto in charts if proto.json]
    words = [e.value for kind in ("markdown", "caption", "latex", "warning") for e in app.get(kind)]
    for text in words + [one["alt"] for one in data]:
        assert not re.search(r"\b(nan|inf)\b", text, re.IGNORECASE), text
    assert "NaN" not in json.dumps(data)
    assert "Infinity" not in json.dumps(data)
    found = [json.loads(one["figure"]) for one in data]
    return {figure["layout"]["title"]["text"]: figure for figure in found}


def said(app: AppTest) -> str:
    return "\n".join(e.value for kind in ("markdown", "latex") for e in app.get(kind))


def widget(app: AppTest, name: str):
    kinds = ("slider", "select_slider", "selectbox", "number_input")
    return next(w for kind in kinds for w in app.get(kind) if w.key in (f"w_{name}", f"theory.{name}"))


def test_the_page_shows_the_numbers_of_theory_and_simulate():
    app = visit("theory", **SMALL)
    assert list(drawn(app)) == TITLES
    scenario = Scenario(horizon=80, k=30, tau=8, runs=9)
    theory, result = Theory(scenario), simulate(scenario)
    for value in (theory.kappa, theory.beta, float(theory.alpha(80)), float(theory.bound(80))):
        assert typeset(value) in said(app)
    assert verdict(theory) in said(app)
    assert formula_says(theory) in said(app)
    assert f"**The 9 runs say {spoken(result.mean('regret')[-1])}** ±" in said(app)
    proof = prove(scenario, DELTA)
    assert all(text in said(app) for text in findings(proof))
    for text in (promise(theory, result), both_bounds(theory, result, proof), gap(result), measured(result, theory)):
        assert text in said(app)
    for text in (reading.as_stated(theory), reading.about_kappa(theory), reading.slips(), reading.steps()):
        assert text in said(app)
    for text in (reading.about_sigma(theory), reading.taken_for_granted(theory)):
        assert text in said(app)
    t = fits.log_spaced(9, 80)
    slopes = [np.polyfit(np.log(t), np.log(run[t - 1]), 1)[0] for run in result.regret]
    error = 2 * np.std(slopes, ddof=1) / 3
    assert f"Slope of regret: {np.mean(slopes):.2f} ± {error:.2f}." in said(app)
    family = [simulate(Scenario(d=d, horizon=80, k=30, tau=8, runs=9)) for d in (2, 4, 6, 8, 10)]
    assert f"Slope of regret at T: {fits.fits_in_d(family, [theory])[0]}." in said(app)


@pytest.mark.catalogue
@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("The paper's defaults", {}),
        ("Small utilities: κ is kind", {"radius": 0.3}),
        ("Ask about the previous item", {"d": 2, "ask": "previous"}),
        ("Flat item space", {"flatness": 0.1}),
    ],
)
def test_every_preset_says_what_is_true_of_its_run(at_a_glance, plain, name, changes):
    app = visit("theory", **SMALL, delta="0.1")
    next(b for b in app.button if b.label == name).click().run()
    assert list(drawn(app)) == TITLES
    assert app.session_state.scenario == Scenario(**changes)
    assert app.session_state["theory.delta"] == DELTA
    notice = next(text.value for text in app.markdown if text.value.startswith("**Notice.**"))
    proof = prove(Scenario(**changes), DELTA) if changes else plain
    slack, usual = proof.slack, plain.slack
    if "radius" in changes:
        assert slack[2] < usual[2] / 3
        assert f"only a factor of {spoken(slack[2])}" in notice
        assert "κ is 0.178, its largest 0.25" in notice  # F'(1.2) and F'(0) of the logistic link
    elif "ask" in changes:
        assert proof.chain.holds[3] < 0.1
        assert f"fails in {1 - proof.chain.holds[3]:.1%}" in notice
    elif "flatness" in changes:
        np.testing.assert_allclose(Theory(proof.scenario).beta, 10 * Theory(plain.scenario).beta)
        assert slack[3] > 3 * usual[3]
        assert f"a factor of {spoken(slack[3])}" in notice
    else:
        assert slack[2:].min() > 5 * slack[:2].max()
        assert f"factors of {spoken(slack[2])} and {spoken(slack[3])}" in notice


@pytest.mark.catalogue
@pytest.mark.parametrize("name", [*CONTROLS, "ridge", "seed", LONG])
def test_every_control_can_be_moved_to_either_end(at_a_glance, name):
    app = visit("theory", **SMALL)
    control = widget(app, name)
    kind, names = (float, ()) if name == "delta" else (KNOBS[name].kind, KNOBS[name].choices)
    ends = names or getattr(control, "options", []) or [control.min, control.max]
    for end in (kind(ends[0]), kind(ends[-1])):
        widget(app, name).set_value(end).run()
        assert list(drawn(app)) == TITLES
        shown = (
            app.session_state["theory.delta"]
            if name == "delta"
            else getattr(app.session_state.scenario.resolved(), name)
        )
        assert shown == end or app.warning


@pytest.mark.parametrize(("text", "used"), [("0.1", 0.1), ("abc", 0.05), ("nan", 0.05), ("0", 0.001), ("1e999", 0.5)])
def test_a_bad_delta_in_the_link_gives_a_message_and_the_nearest_value(at_a_glance, text, used):
    app = visit("theory", **SMALL, delta=text)
    assert app.session_state["theory.delta"] == used
    assert bool(app.warning) == (text != "0.1")
    assert widget(app, "delta").value == used


@pytest.mark.catalogue
@pytest.mark.parametrize(
    "link",
    [
        {"link": "probit", "radius": "10", "flatness": "0.01", "tau": "0"},
        {"link": "probit", "radius": "10", "ridge": "1e-6", "tau": "0", "delta": "0.5"},
        {"tau": "80"},
        {"horizon": "1", "tau": "auto"},
        {"horizon": "2", "tau": "0", "runs": "1"},
        {"k": "2", "d": "2", "ask": "random", "runs": "1"},
        {"d": "50", "tau": "auto", "ask": "recent", "window": "1"},
        {"radius": "0.1", "ridge": "1000"},
        {"algorithm": "colstim"},
        {"horizon": "300", "k": "100000"},
        {"own": "1"},
        {"own": "1", "d": "2", "tau": "0"},
        {"own": "1", "horizon": "5", "tau": "0"},
        {"own": "1", "tau": "80"},
        {"user_link": "probit", "skip_below": "0.5", "delta": "0.5", "tau": "1"},
    ],
    ids=str,
)
def test_an_extreme_scenario_is_shown_in_words_and_numbers(at_a_glance, link):
    app = visit("theory", **{**SMALL, **link})
    assert list(drawn(app)) == TITLES


def test_what_the_runs_say_waits_where_people_predict(at_first_sight):
    app = visit("theory", **SMALL, predict="1")
    shown = said(app)
    assert "The theorem's bound" in shown
    measurements = (
        "runs say",
        "loses most",
        "Slope of",
        "A gap at",
        "says nothing",
        "Runs that reach",
        "promises nothing",
    )
    assert not any(words in shown for words in measurements)
    app.button(key="reveal").click().run()
    assert all(words in said(app) for words in ("runs say", "loses most", "Slope of", "A gap at", "Runs that reach"))


def test_regrets_at_another_r_are_not_to_be_compared():
    small, usual = (simulate(Scenario(d=2, k=30, horizon=60, radius=r, runs=2)) for r in (0.3, 1.0))
    assert "Not comparable with regrets at r = 1." in measured(small, Theory(small.scenario))
    assert "comparable" not in measured(usual, Theory(usual.scenario))


def test_the_bound_is_called_no_promise_where_a_hypothesis_fails():
    assert formula_says(Theory(Scenario())) == "**The theorem's bound** on regret is **711,000**."
    assert "promises nothing here" in formula_says(Theory(Scenario(ask="previous")))
    assert "no finite value" in formula_says(Theory(Scenario(link="probit", radius=10.0, tau=0)))


def test_a_small_delta_widens_the_confidence_set(at_a_glance):
    app = visit("theory", **SMALL)
    before = app.latex[1].value
    widget(app, "delta").set_value(0.001).run()
    alpha = float(Theory(Scenario(horizon=80, k=30, tau=8), 0.001).alpha(80))
    assert typeset(alpha) in app.latex[1].value
    assert typeset(alpha) not in before


@pytest.mark.parametrize(
    ("value", "words", "formula"),
    [
        (711_038.2, "711,000", "711{,}000"),
        (999.9, "1,000", "1{,}000"),
        (0.017663, "0.0177", "0.0177"),
        (4.712e8, "4.71 × 10⁸", r"4.71 \times 10^{8}"),
        (9.999e-9, "1 × 10⁻⁸", r"1 \times 10^{-8}"),
        (0.0, "0", "0"),
        (math.inf, "infinite", r"\text{infinite}"),
        (math.nan, "none", r"\text{none}"),
    ],
)
def test_numbers_are_written_for_people(value, words, formula):
    assert (spoken(value), typeset(value)) == (words, formula)


def test_the_chain_is_that_of_the_trajectory_and_a_short_one_is_its_beginning(monkeypatch):
    scenario = Scenario(d=3, k=40, horizon=120, tau=10, runs=5, ask="random")
    whole = chain(trajectory(scenario), 0.1)
    np.testing.assert_array_equal(prove(scenario, 0.1).chain.terms, whole.terms)
    monkeypatch.setattr(proofs, "MOST_ROUNDS", 50)
    np.testing.assert_array_equal(prove(scenario, 0.1).chain.terms, whole.terms[:, :50])


def test_the_words_name_the_step_that_loses_most_and_every_step_that_fails():
    slack = PAPER.chain.mean_slack
    assert PAPER.loosest == slack.argmax()
    first, second, *_ = findings(PAPER)
    assert first.startswith(f"**Step {proofs.STEP_NAMES[slack.argmax()]} loses most.**")
    assert f"{spoken(slack.max())} times" in first
    together = np.prod([np.exp(np.log(PAPER.chain.slack[i, PAPER.lossy]).mean()) for i in range(4)])
    assert spoken(together) in first
    assert "All four inequalities hold in each of the 250 rounds" in second

    lazy = prove(Scenario(d=2, k=200, horizon=300, ask="previous"), DELTA)
    failing = round((1 - lazy.chain.holds[3]) * 280)
    assert any(f"(iv) rich history fails** in {failing} of 280 rounds" in text for text in findings(lazy))
    assert any("Another one is asked about" in text for text in findings(lazy))

    heavy = prove(Scenario(d=2, radius=0.1, ridge=1000.0, horizon=100), DELTA)
    assert any("knows nothing of the ridge, λ = 1000" in text for text in findings(heavy))
    blind = proofs.Proof(heavy.scenario, heavy.chain, 0.25)
    assert any("Here it is 0.25" in text for text in findings(blind))


def test_a_run_without_a_chain_says_so():
    explored = prove(Scenario(d=2, horizon=15, tau=15, k=10), DELTA)
    assert "all 15 rounds of this run explore" in findings(explored)[0]
    assert figures.terms(explored)["data"] == figures.slacks(explored)["data"] == []
    silent = prove(Scenario(d=2, horizon=30, k=10, skip_below=1000.0), DELTA)
    assert "after exploration nothing is asked" in findings(silent)[0]


def test_the_verdict_follows_the_bound():
    theory = Theory(Scenario(d=2, horizon=100))
    text = verdict(theory)
    assert "says nothing" in text
    assert f"{spoken(float(theory.bound(100)) / 200)} times as large" in text
    first = informative_from(theory)
    assert theory.bound(first) <= 2 * first
    assert theory.bound(first / 1.3) > 2 * first / 1.3

    class Tight(Theory):
        def bound(self, T):
            return 0.5 * np.asarray(T)

    assert "less than the obvious bound" in verdict(Tight(Scenario()))
    assert "beyond 10³⁰⁰ rounds" in verdict(Theory(Scenario(link="probit", radius=10.0)))


def test_the_probability_is_only_spoken_of_where_every_hypothesis_holds():
    result = simulate(Scenario(d=2, k=30, horizon=60, runs=9))
    assert "1 - 3\\delta = 0.85" in promise(Theory(result.scenario), result)
    assert "all 9 runs" in promise(Theory(result.scenario), result)
    against = {"tau": 2, "ask": "previous", "skip_below": 0.2, "user_link": "cauchit"}
    for name, value in against.items():
        other = simulate(Scenario(**{"d": 2, "k": 30, "horizon": 60, "runs": 3, name: value}))
        theory = Theory(other.scenario)
        text = promise(theory, other)
        assert "3\\delta" not in text
        assert all(f"- {sentence}" in text for sentence in failing(theory, other))
        assert failing(theory) != []
    assert "no promise" in promise(Theory(result.scenario, 0.4), result)
    few = simulate(Scenario(d=2, k=30, horizon=60, runs=9, tau=3))  # two questions: V may be small
    text = promise(Theory(few.scenario), few)
    short = int(np.sum(few.lambda_min - 1e-3 < 1))
    assert f"below 1 in {short} of 9 runs" in text
    assert "3\\delta" not in text


def test_the_table_has_both_bounds_and_what_they_take():
    result = simulate(Scenario(d=2, k=30, horizon=60, tau=9, runs=9))
    theory = Theory(result.scenario)
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in both_bounds(theory, result, PAPER).splitlines()
    ]
    assert rows[2][1:] == [spoken(float(theory.bound(60))), spoken(float(theory.repaired_bound(60)))]
    assert rows[3][1:] == ["≥ 1", "≥ 4 (4r²)"]
    assert rows[4][1:] == [f"{np.sum(result.lambda_min - 1e-3 >= least)} of 9" for least in (1, 4)]
    assert rows[5][1:] == [str(tau) for tau in PAPER.needed]
    small = simulate(Scenario(d=2, k=30, horizon=60, radius=0.3, runs=2))
    table = both_bounds(Theory(small.scenario), small, proofs.Proof(small.scenario, PAPER.chain, 1.0))
    assert "≥ 1 (4r² is only 0.36)" in table
    assert "more than 10,000" in table


def test_the_gap_at_the_confidence_step_is_counted():
    result = simulate(Scenario(d=3, k=30, horizon=60, tau=9, runs=20))
    first, last = (int(np.sum(result.error[:, t] > 1)) for t in (9, -1))
    assert f"In round 10, the first after exploration, it is farther off in **{first} of 20 runs**" in gap(result)
    assert f"In the last round it is so in {last} of 20 runs." in gap(result)
    (share,) = figures.share_far_off(result)["data"]
    assert share["x"] == list(range(10, 61))
    np.testing.assert_allclose(share["y"], (result.error[:, 9:] > 1).mean(0), rtol=1e-4)
    explored = simulate(Scenario(d=3, k=30, horizon=9, tau=9, runs=2))
    assert "all rounds explore" in gap(explored)
    assert figures.share_far_off(explored)["data"] == []
    assert "nothing has been asked yet" in gap(simulate(Scenario(d=3, k=30, horizon=9, tau=0, runs=2)))


def test_the_historys_own_value_in_the_plane_is_exact_in_every_round_it_is_measured(monkeypatch):
    scenario = Scenario(d=2, k=30, horizon=80, tau=0, runs=2)
    run, proof = trajectory(scenario), prove(scenario, DELTA, own=True)
    assert 20 < len(proof.measured) <= proofs.MOST_MEASURED
    for t in proof.measured:
        np.testing.assert_allclose(proof.richness[t - 1], richness(run.x[: t - 1], 1.0).beta)
    between = [max((m for m in proof.measured if m <= t), default=0) for t in range(1, 81)]
    np.testing.assert_array_equal(proof.richness, [proof.richness[m - 1] if m else np.inf for m in between])
    assert proof.chain.holds[3] == 1  # also in between: a longer history is never poorer
    assert proof.slack[3] < prove(scenario, DELTA).slack[3]
    text = findings(proof)[-1]
    assert f"{spoken(proof.richness[-1])} at the end" in text
    assert "2 of the rounds after exploration are left out" not in text  # round 1 asks nothing, 2 and 3 are flat
    assert "3 of the rounds after exploration are left out" in text
    assert "is exact" in text
    assert "αρ ‖x−y‖" in figures.terms(proof)["data"][-2]["hovertemplate"]
    lines = list(proofs.csv(proof, DELTA))
    assert '"alpha rho(H_t) |x - y|_V^-1","rho(H_t)"' in next(line for line in lines if line.startswith("t,"))
    monkeypatch.setattr(proofs, "SEARCHED", 0)
    assert len(prove(scenario, DELTA, own=True).measured) == 1


def test_in_more_dimensions_the_historys_own_value_is_called_a_lower_bound():
    proof = prove(Scenario(d=3, k=30, horizon=60, runs=1), DELTA, own=True)
    assert "a lower bound" in findings(proof)[-1]
    assert proof.measured[0] == 31
    assert "flat to the end" in findings(prove(Scenario(d=6, k=30, horizon=6, tau=0), DELTA, own=True))[0]


def test_the_reading_has_the_numbers_of_the_scenario():
    theory = Theory(Scenario(d=4, radius=2.0, items="ball"))
    assert f"is {spoken(1 / math.sqrt(8 / 6))} here" in reading.about_sigma(theory)
    assert "√d for the unit ball, 2 with this d" in reading.about_sigma(theory)
    assert f"√(d/2) = {spoken(math.sqrt(2))}" in reading.about_sigma(theory)
    assert f"√((d + 2)/2) = {spoken(math.sqrt(3))}" in reading.about_sigma(theory)
    assert "add up to 4. The lemma allows 3.59" in reading.slips()
    assert typeset(theory.rate(1000)) in reading.as_stated(theory)
    assert "With the numbers" not in reading.as_stated(Theory(Scenario(horizon=1, d=50), 0.5))
    assert f"{spoken(1 / theory.kappa)} at r = 2" in reading.about_kappa(theory)
    assert "more than" in reading.about_kappa(Theory(Scenario(link="probit", radius=10.0)))


@pytest.mark.parametrize(
    ("link", "formula"),
    [
        ("logistic", lambda r: math.exp(4 * r) + 2 + math.exp(-4 * r)),
        ("probit", lambda r: math.sqrt(2 * math.pi) * math.exp(8 * r**2)),
        ("cauchit", lambda r: math.pi * (1 + 16 * r**2)),
    ],
)
def test_what_is_said_of_the_growth_of_kappa_is_so(link, formula):
    np.testing.assert_allclose([1 / LINKS[link].kappa(r) for r in (0.3, 1, 2)], [formula(r) for r in (0.3, 1, 2)])
    assert link in reading.GROWTH


@pytest.mark.catalogue
def test_the_choice_of_the_historys_own_value_is_in_the_link_and_a_preset_takes_it_back(at_first_sight):
    app = visit("theory", **SMALL, d="2")
    app.checkbox(key="theory.own").check().run()
    assert "ρ(H) instead of β" in said(app)
    assert r"\rho(H_t)" in said(app)
    assert app.query_params["own"] == "1"
    app.button(key="try The paper's defaults").click().run()
    assert not app.checkbox(key="theory.own").value


def test_the_terms_are_dots_and_lines_in_the_order_of_the_chain():
    figure = figures.terms(PAPER)
    json.dumps(figure, allow_nan=False)
    lines, dots = figure["data"][1::2], figure["data"][::2]
    assert [line["name"] for line in lines] == list(figures.TERM_NAMES)
    assert len({line["line"]["color"] for line in lines}) == len({line["line"]["dash"] for line in lines}) == 5
    for t in range(len(dots[0]["x"])):
        column = [trace["y"][t] for trace in dots]
        assert column == sorted(column)
        np.testing.assert_allclose(column, PAPER.chain.terms[:, dots[0]["x"][t] - 1], rtol=1e-4)
    low, high = figure["layout"]["yaxis"]["range"]
    assert 10**low <= min(dots[0]["y"])
    assert max(dots[-1]["y"]) <= 10**high


def test_the_bars_are_the_mean_slack_and_a_failing_step_is_hatched():
    (bars,) = figures.slacks(PAPER)["data"]
    np.testing.assert_allclose(bars["x"], np.log10(PAPER.chain.mean_slack), rtol=1e-4)
    assert bars["marker"]["pattern"]["shape"] == [""] * 4
    lines = figures.terms(PAPER)["data"][1::2]
    assert list(zip(bars["y"], bars["marker"]["color"], strict=True)) == [
        (line["name"], line["line"]["color"]) for line in lines[1:]
    ]
    (bars,) = figures.slacks(prove(Scenario(d=2, k=2000, horizon=200, ask="previous"), DELTA))["data"]
    assert bars["marker"]["pattern"]["shape"] == ["", "", "", "/"]
    assert bars["customdata"][3].endswith(", fails")
    assert bars["x"][3] < 0


def test_a_power_law_has_its_exponent_as_slope():
    t = fits.log_spaced(5, 900)
    exponents = np.linspace(0.3, 0.7, 9)
    fit = fits.slope_in_t(t, 2.0 * t ** exponents[:, None])
    np.testing.assert_allclose(fit.slope, 0.5)
    np.testing.assert_allclose(fit.error, 2 * exponents.std(ddof=1) / 3)
    assert str(fit) == "0.50 ± 0.09"
    assert math.isnan(fits.slope_in_t(t, 2.0 * t[None] ** 0.5).error)  # one run has no spread
    assert str(fits.slope_in_t(t, np.zeros((9, len(t))))) == "none"
    assert str(fits.slope_in_t(t[:1], np.ones((9, 1)))) == "none"


def test_rounds_without_regret_are_left_out_of_a_runs_fit():
    t = fits.log_spaced(1, 100)
    regret = np.tile(np.where(t < 10, 0.0, 3.0 * t**0.8), (2, 1))
    np.testing.assert_allclose(fits.slope_in_t(t, regret).slope, 0.8)


def test_the_weighted_line_is_numpys():
    rng = np.random.default_rng(1)
    d, error = np.array([2, 4, 6, 8, 10]), np.array([1.0, 2.0, 1.5, 4.0, 3.0])
    mean = 20 * d**1.2 * np.exp(0.05 * rng.standard_normal(5))
    fit = fits.weighted_slope(d, mean, error)
    (slope, level), covariance = np.polyfit(np.log(d), np.log(mean), 1, w=mean / error, cov="unscaled")
    np.testing.assert_allclose([fit.slope, fit.level, fit.error], [slope, level, 2 * math.sqrt(covariance[0, 0])])
    unknown = fits.weighted_slope(d, mean, np.zeros(5))
    np.testing.assert_allclose(unknown.slope, np.polyfit(np.log(d), np.log(mean), 1)[0])
    assert math.isnan(unknown.error)
    assert str(fits.weighted_slope(d[:1], mean[:1], error[:1])) == "none"


def test_the_growth_figures_hold_bound_regret_and_fit():
    family = [simulate(Scenario(d=d, tau=10, k=30, horizon=100, runs=8)) for d in (2, 4)]
    theories = [Theory(result.scenario) for result in family]
    fit, _, _ = fits.fits_in_t(family[0], theories[0])
    figure = figures.growth_in_t(family[0], theories[0], fit)
    names = ["the theorem's bound", "2r a round", "upper", "lower", "measured", f"slope {fit}"]
    assert [trace["name"] for trace in figure["data"]] == names
    np.testing.assert_allclose(figure["data"][4]["y"][-1], family[0].mean("regret")[-1], rtol=1e-4)
    np.testing.assert_allclose(figure["data"][0]["y"][-1], theories[0].bound(100), rtol=1e-4)
    fit, _ = fits.fits_in_d(family, theories)
    figure = figures.growth_in_d(family, theories, fit)
    assert [trace["name"] for trace in figure["data"]] == [*names[:2], "measured", f"slope {fit}"]
    assert figure["data"][2]["x"] == [2, 4]
    np.testing.assert_allclose(figure["data"][3]["y"], [r.mean("regret")[-1] for r in family], rtol=1e-4)


def test_learning_is_seen_only_where_the_slope_is_clearly_below_one():
    assert "gets better" in learning(fits.Fit(0.8, 0.1, 0.0))
    assert "no learning" in learning(fits.Fit(0.95, 0.1, 0.0))
    assert "no telling" in learning(fits.Fit(0.5, math.nan, 0.0))


def test_the_file_of_the_chain_has_a_row_a_round():
    lines = list(proofs.csv(PAPER, DELTA))
    rows = [line for line in lines if line[0].isdigit()]
    assert len(rows) == 250
    np.testing.assert_allclose([float(v) for v in rows[0].split(",")[1:]], PAPER.chain.terms[:, 50])
    assert "# delta = 0.05; run 1" in lines
