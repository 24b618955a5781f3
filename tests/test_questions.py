"""What to ask: the informative rule, a rule of one's own as a function, and the report on rules in worlds."""

import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from roam_core import Scenario, paper, questions, simulate, stream, trajectory
from roam_core.__main__ import main
from roam_core.engine import run_batch
from roam_core.links import LINKS
from roam_core.policies import ASK_RULES, compared_rules
from roam_core.questions import PAPERS, RESULTS, RULES, SEEDS, load, relative, scenarios
from roam_core.worlds import WORLDS
from tests import oracle

SMALL = Scenario(d=3, k=40, horizon=50, tau=8, runs=4)


# The informative rule


@pytest.mark.parametrize("changes", [{}, {"radius": 6.0}, {"flatness": 0.1, "questions": 2}, {"tau": 0}], ids=str)
@pytest.mark.parametrize("link", LINKS)
def test_a_gain_is_what_the_determinant_grows_by(link, changes):
    """By brute force: det H with each of the questions, over det H without, less 1.

    The Hessian is that of the estimate to the estimate's own tolerance, 1e-5.
    """
    seen = []

    def watched(view, x):
        gains = view.information.gains(x)
        probes = view.information.estimator._signed[-1, :, : view.information.estimator._count].T
        z = x[-1] - view.uncertainty.history[-1].T
        H = oracle.hessian(list(probes), link, view.scenario.ridge, view.estimate[-1])
        seen.append((gains[-1], np.expm1(oracle.gains(z, H, link, view.estimate[-1]))))
        return gains

    scenario = replace(SMALL, link=link, **changes)
    by_function = simulate(scenario, ask=watched)
    assert len(seen) > 40
    for ours, brute in seen:
        np.testing.assert_allclose(ours, brute, rtol=1e-4, atol=1e-13)
    np.testing.assert_array_equal(by_function.asked, simulate(replace(scenario, ask="informative")).asked)


@pytest.mark.parametrize("radius", [1.0, 10.0])
def test_late_questions_gain_hardly_less_than_the_best(radius, monkeypatch):
    """H is not computed anew in every round then: a choice may differ from the best, by a few percent of its gain.

    No chance is involved. In 25 runs with the defaults 1% of the choices differ, by 2% of the gain at most.
    """
    genuine, losses = ASK_RULES["informative"], []

    def watched(view, x):
        y, estimator = genuine.choose(view, x), view.information.estimator
        if estimator._count > 250 and estimator._count % 10 == 0:
            for run in range(2):
                H = oracle.hessian(list(estimator._signed[run, :, : estimator._count].T), "logistic", 1e-3,
                                   view.estimate[run])  # fmt: skip
                z = x[run] - view.uncertainty.history[run].T
                gains = oracle.SLOPE["logistic"](z @ view.estimate[run]) * oracle.norm(z, H) ** 2
                losses.append(1 - gains[y[run]] / gains.max())
        return y

    monkeypatch.setitem(ASK_RULES, "informative", replace(genuine, choose=watched))
    run_batch(Scenario(ask="informative", radius=radius, horizon=700), 0)
    assert len(losses) > 80
    assert max(losses) < 0.05
    assert np.mean(np.array(losses) > 1e-5) < 0.1


@pytest.mark.battery
def test_it_repairs_the_papers_rule_where_that_fails_and_loses_nothing_where_it_does_not():
    """The finding at reduced size: 67 runs of 300 rounds. Tried with forty seeds.

    With large utilities the error is 23 times smaller on average, never less than 14 times; asked are 5 times, six
    standard deviations away. Regret is lower by three bands or more, asked is one. At the paper's r regret may be
    higher by at most two bands (four sigma): four standard deviations above the mean, one false alarm in 25,000.
    """
    small = Scenario(horizon=300, runs=67, k=200)

    def both(radius):
        return (simulate(replace(small, radius=radius, ask=ask)) for ask in (PAPERS, "informative"))

    papers, ours = both(10.0)
    assert papers.error[:, -1].mean() > 5 * ours.error[:, -1].mean()
    share, band = relative(ours.regret[:, -1], papers.regret[:, -1])
    assert share + band < 1
    papers, ours = both(1.0)
    share, band = relative(ours.regret[:, -1], papers.regret[:, -1])
    assert share - 2 * band < 1


def test_with_the_same_luck_rules_explore_alike():
    """So that they may be compared run by run."""
    first, *others = (simulate(replace(SMALL, ask=ask, formula="-gap", window=5)) for ask in ASK_RULES)
    for other in others:
        np.testing.assert_array_equal(other.regret[:, :8], first.regret[:, :8])
        np.testing.assert_array_equal(other.lambda_min, first.lambda_min)
        assert (other.asked[:, 8:] != first.asked[:, 8:]).any()


def test_a_formula_is_compared_with_the_rules_once_it_is_another():
    assert compared_rules(Scenario()) == [rule for rule in ASK_RULES if rule != "formula"]
    assert compared_rules(Scenario(formula="-age")) == list(ASK_RULES)


# A rule of one's own, as a function


def squared_widths(view, x):
    """The paper's rule, as somebody else would write it."""
    return view.uncertainty.squared_to_history(x)


def lowest_estimate(view, x):
    """About the item that looks worst."""
    return -np.vecmat(view.estimate, view.uncertainty.history)


@pytest.mark.parametrize("m", [1, 3])
def test_a_function_takes_the_place_of_the_rule(m):
    scenario = replace(SMALL, questions=m, ask="previous")
    by_rule, by_function = simulate(replace(scenario, ask=PAPERS)), simulate(scenario, ask=squared_widths)
    for array in ("regret", "error", "ratio", "asked", "also_asked"):
        np.testing.assert_array_equal(getattr(by_function, array), getattr(by_rule, array))
    other = simulate(scenario, ask=lowest_estimate)
    assert (other.asked != by_rule.asked).any()
    np.testing.assert_array_equal(other.asked[:, :8], by_rule.asked[:, :8])  # exploration has a rule of its own


def test_a_result_remembers_the_function():
    result = simulate(SMALL, ask=lowest_estimate)
    run = result.trajectory(3)
    np.testing.assert_array_equal(run.asked, result.asked[3])
    np.testing.assert_array_equal(run.asked, trajectory(SMALL, 3, ask=lowest_estimate).asked)
    for t in range(8, 50):
        assert run.asked[t] == (run.x[:t] @ run.estimate[t]).argmin()
    assert "# in place of the ask rule: the function lowest_estimate" in list(result.csv())
    assert not any("in place of" in line for line in simulate(SMALL).csv())
    *_, streamed = stream(SMALL, ask=lowest_estimate)
    np.testing.assert_array_equal(streamed.regret, result.regret)


@pytest.mark.battery
def test_a_function_goes_to_other_processes_if_it_can_be_pickled():
    with ProcessPoolExecutor(1) as pool:
        scenario = replace(SMALL, runs=30)
        pooled = simulate(scenario, pool, ask=lowest_estimate)
        np.testing.assert_array_equal(pooled.asked, simulate(scenario, ask=lowest_estimate).asked)
        with pytest.raises(ValueError, match=r"ask cannot be sent to other processes .*: define the function by name"):
            simulate(scenario, pool, ask=lambda view, x: view.uncertainty.squared_to_history(x))


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        (lambda view, x: np.zeros(len(x)), r"scores of shape \(2,\).*\(2, 8\) in round 9"),
        (lambda view, x: np.zeros((len(x), view.uncertainty.consumed + 1)), r"scores of shape \(2, 9\)"),
        (lambda view, x: 3, r"scores of shape \(\)"),
        (lambda view, x: None, "type object"),
        (lambda view, x: np.full((2, view.uncertainty.consumed), 1j), "type complex128"),
        (
            lambda view, x: np.full((2, view.uncertainty.consumed), np.nan),
            "not a number in round 9: run 0, past item 0",
        ),
    ],
)
def test_bad_scores_are_told(scores, words):
    with pytest.raises(ValueError, match=f"^ask gave .*{words}"):
        simulate(SMALL, ask=scores)


def test_scores_may_be_infinite_or_whole_numbers():
    about = simulate(SMALL, ask=lambda view, x: np.tile(np.arange(view.uncertainty.consumed), (len(x), 1))).asked
    np.testing.assert_array_equal(about, simulate(replace(SMALL, ask="previous")).asked)
    least = simulate(SMALL, ask=lambda view, x: np.full((len(x), view.uncertainty.consumed), -np.inf)).asked
    assert (least[:, 8:] == 0).all()


def test_an_algorithm_without_an_ask_rule_takes_no_function():
    with pytest.raises(ValueError, match="ask = squared_widths is not allowed: CoLSTIM has no ask rule"):
        simulate(replace(SMALL, algorithm="colstim"), ask=squared_widths)


# Worlds and the report


def test_worlds_are_the_papers_setting_with_something_changed():
    papers = Scenario()
    assert WORLDS["middle"].put(papers) == papers
    puts = [world.put(papers) for world in WORLDS.values()]
    assert len(set(puts)) == len(puts)
    assert {WORLDS[name].changes["radius"] for name in ("small", "large", "huge")} == {0.3, 3.0, 10.0}
    for name, world in WORLDS.items():
        assert world.words == world.words.strip(), name


def test_a_quotient_has_the_band_of_a_bootstrap():
    """Within 10% of the standard deviation of 4,000 bootstrap samples of the pairs, which is right to 2%."""
    rng = np.random.default_rng(2)
    papers = rng.gamma(9, 10, 400)
    ours = 0.8 * papers + rng.gamma(4, 5, 400)
    share, band = relative(ours, papers)
    picks = rng.integers(400, size=(4000, 400))
    sampled = ours[picks].mean(1) / papers[picks].mean(1)
    assert share == pytest.approx(ours.mean() / papers.mean())
    assert band == pytest.approx(2 * sampled.std(), rel=0.1)
    assert relative(papers, papers) == (1.0, 0.0)
    assert np.isnan(relative(papers[:1], papers[:1])[1])


shipped = cache(load)


def test_the_shipped_report_is_complete_small_and_of_a_thousand_runs():
    assert RESULTS.stat().st_size < 300_000
    text = RESULTS.read_text(encoding="utf-8")
    assert "/" not in text
    assert len(text.splitlines()) == len(RULES) * len(WORLDS)
    table = scenarios()
    assert {name: list(rules) for name, rules in shipped().items()} == {name: list(RULES) for name in WORLDS}
    for name, rules in shipped().items():
        for rule, record in rules.items():
            assert record.scenario == table[name][rule]
            assert record.seeds == SEEDS
            assert record.regret.shape == (1000,)
            assert np.isfinite(record.error).all()
            assert (record.regret >= 0).all()


@pytest.mark.parametrize(("name", "rule"), [("plane", "informative"), ("huge", "slope_width"), ("middle", "random")])
def test_the_shipped_numbers_come_out_again(name, rule):
    """The first two runs, as far as three digits of the largest regret go."""
    record = shipped()[name][rule]
    unit = 10 ** (np.floor(np.log10(record.regret.max())) - 2)
    np.testing.assert_allclose(record.regret[:2], run_batch(record.scenario, 0).regret[:, -1], atol=0.51 * unit)


def test_what_is_said_of_the_shipped_report_is_in_it():
    """What README and pages may say in words: where the informative rule pays less than the paper's, and where more."""
    worlds = shipped()
    shares = {name: relative(rules["informative"].regret, rules[PAPERS].regret) for name, rules in worlds.items()}
    less = [name for name, (share, band) in shares.items() if share + band < 1]
    more = [name for name, (share, band) in shares.items() if share - band > 1]
    assert less == ["middle", "large", "huge", "flat", "plane", "wrong_link", "ball"]
    assert more == ["no_exploration"]
    assert shares["huge"][0] < 0.75
    assert shares["no_exploration"][0] < 1.1
    assert worlds["huge"][PAPERS].error[0] > 35 * worlds["huge"]["informative"].error[0]
    for name, rules in worlds.items():
        for rule in ("previous", "random"):
            share, band = relative(rules[rule].regret, rules[PAPERS].regret)
            assert (share - band > 1) == (name != "huge"), (name, rule)


def test_the_papers_rule_in_the_papers_setting_has_the_regrets_of_the_papers_experiments():
    """Rounding may send a batch of runs another way, as it did in one of the forty since the experiments were made."""
    many = paper.load_many()["rival"]["ROAM"]
    apart = np.abs(shipped()["middle"][PAPERS].regret - many.per_run["regret"])
    assert np.mean(apart < 0.6) > 0.95


TINY = ["questions", "--runs", "1", "--k", "20", "--horizon", "60", "--d", "2", "--workers", "1"]


@pytest.mark.battery
def test_the_command_makes_the_report_and_goes_on_where_it_was_cut_off(tmp_path, monkeypatch, capsys):
    few = {name: WORLDS[name] for name in ("middle", "huge")}
    monkeypatch.setattr(questions, "WORLDS", few)
    monkeypatch.setattr(questions, "RULES", {rule: RULES[rule] for rule in (PAPERS, "slope_width")})
    path = tmp_path / "tiny.jsonl"
    assert main([*TINY, "--out", str(path)]) == 0
    out = capsys.readouterr().out
    assert "2 rules in 2 worlds" in out
    assert "nan" not in out
    whole = path.read_text(encoding="utf-8")
    record = load(path, Scenario(runs=1, k=20, horizon=60, d=2))["huge"]["slope_width"]
    for seed in (0, 7):
        played = simulate(replace(record.scenario, seed=seed)).regret[0, -1]
        assert record.regret[seed] == pytest.approx(played, rel=0.01)
    assert f"{record.regret.mean() / 10:.4g}" in out
    assert record.words == "the largest slope · width^2"
    lines = whole.splitlines(keepends=True)
    path.write_text("".join(lines[:2]) + lines[2][:40], encoding="utf-8")
    assert main([*TINY, "--out", str(path)]) == 0
    assert path.read_text(encoding="utf-8") == whole
    assert [file.name for file in tmp_path.iterdir()] == ["tiny.jsonl"]


def test_a_report_that_is_missing_broken_or_out_of_date_says_what_to_do(tmp_path, capsys):
    path = tmp_path / "report.jsonl"
    with pytest.raises(ValueError, match=r"report.jsonl is missing. Run python -m roam_core questions"):
        load(path)
    lines = RESULTS.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-1]), encoding="utf-8")
    with pytest.raises(ValueError, match=r"no results for random in the world ball as it is today. Run python"):
        load(path)
    stored = json.loads(lines[0])
    stored["regret"]["of"].pop()
    for spoilt in ("{}\n", "nonsense\n", json.dumps(stored) + "\n"):
        path.write_text(spoilt + "".join(lines[1:]), encoding="utf-8")
        with pytest.raises(ValueError, match=r"broken, or no file of results. Delete it and run"):
            load(path)
    assert main(["questions", "--d", "2"]) == 2
    assert "need a file of their own" in capsys.readouterr().err
