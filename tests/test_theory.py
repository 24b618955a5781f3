"""The bound against its formula written out, the proof's chain against a plain loop over a run."""

import itertools
import math

import numpy as np
import pytest

from roam_core import KNOBS, Scenario, paper, simulate, trajectory
from roam_core.engine import finish
from roam_core.links import LINKS
from roam_core.policies import ASK_RULES
from roam_core.richness import richness
from roam_core.theory import (
    HYPOTHESES,
    MOST_EXPLORED,
    PHASES,
    STEPS,
    TERMS,
    Theory,
    chain,
    exploration_needed,
    failing,
    far_off,
    potential,
    printed_lemma,
    probed,
    repaired_lemma,
)
from tests import oracle

SMALL = {"horizon": 120, "k": 50, "runs": 1}


def test_the_constants_of_the_papers_default_scenario():
    theory = Theory(Scenario())  # d = 5, r = 1, logistic, tau = 50, Sigma = 2/5 I
    kappa = math.exp(-4) / (1 + math.exp(-4)) ** 2
    alpha = math.sqrt(2.5 * math.log(401) + math.log(20)) / kappa
    np.testing.assert_allclose(theory.kappa, kappa)
    np.testing.assert_allclose(theory.lambda_min, 0.4)
    np.testing.assert_allclose(theory.beta, 8 * math.sqrt(2.5))
    np.testing.assert_allclose(theory.alpha(1000), alpha)
    np.testing.assert_allclose(alpha, 240.07, atol=0.01)
    bound = 100 + alpha * 8 * math.sqrt(2.5) * math.sqrt(10_000 * math.log((200 + 1000) / 5))
    np.testing.assert_allclose(theory.bound(1000), bound)
    assert theory.prescribed_tau(1.0) == math.ceil(2.5 * math.log(100)) == 12
    assert theory.prescribed_tau(4.0) == math.ceil(10 * math.log(100)) == 47


def test_every_knob_of_the_bound_is_heard():
    scenario = Scenario(d=3, radius=2.0, items="ball", flatness=0.5, link="cauchit", tau=7, horizon=400)
    theory = Theory(scenario, delta=0.01)
    lambda_min = 2 * 2.0**2 * 0.5**2 / (3 + 2)
    kappa = 1 / (math.pi * (1 + 8.0**2))
    alpha = math.sqrt(1.5 * math.log(1 + 800 / 3) + math.log(100)) / kappa
    beta = 16 / math.sqrt(lambda_min)
    np.testing.assert_allclose([theory.kappa, theory.lambda_min, theory.beta], [kappa, lambda_min, beta])
    bound = 2 * 2 * 7 + alpha * beta * math.sqrt(2 * 3 * 400 * math.log((4 * 4 * 7 + 400) / 3))
    np.testing.assert_allclose(theory.bound(400), bound)
    assert theory.prescribed_tau(1.5) == math.ceil(1.5 * 4 / lambda_min * math.log(300))


def test_alpha_and_bound_take_arrays():
    theory = Theory(Scenario(d=4))
    T = np.array([[1, 10], [100, 1000]])
    for curve in (theory.alpha, theory.bound, theory.repaired_bound):
        np.testing.assert_allclose(curve(T), [[curve(t) for t in row] for row in T])


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("radius", [0.1, 1.0, 10.0])
def test_where_the_logarithm_would_be_below_one_the_bound_is_above_the_trivial_one(link, radius):
    for d in (2, 50):
        theory = Theory(Scenario(d=d, tau=0, radius=radius, link=link), delta=0.9)
        T = np.arange(1, math.ceil(math.e * d))
        assert (theory.bound(T) >= 2 * radius * T).all()
        T = np.arange(1, math.ceil(math.e * d / (4 * radius**2)) + 1)
        assert (theory.repaired_bound(T) >= 2 * radius * T).all()


def test_the_repaired_bound_has_the_longer_probes_under_the_logarithm():
    theory = Theory(Scenario(d=3, radius=2.0, tau=7, horizon=400))
    rest = theory.alpha(400) * theory.beta * math.sqrt(2 * 3 * 400)
    np.testing.assert_allclose(theory.repaired_bound(400), 28 + rest * math.sqrt(math.log(16 * 407 / 3)))
    assert theory.repaired_bound(400) > theory.bound(400)
    assert (theory.enough, Theory(Scenario(radius=0.3)).enough) == (16.0, 1.0)


def test_the_rate_is_that_of_theorem_1():
    theory = Theory(Scenario(d=3, radius=2.0, items="ball"), 0.1)
    inside = 2 / (theory.kappa * math.sqrt(8 / 5)) * 3 * math.sqrt(500) * math.log(500 / 0.3)
    np.testing.assert_allclose(theory.rate(500), inside)


def test_the_counterexample_breaks_the_printed_lemma_and_not_the_repaired_one():
    probes = 2 * np.eye(2)  # r = 1, tau = 2: V = I is made of the probes e1 and e2
    np.testing.assert_allclose(potential(np.eye(2), probes), 4)
    np.testing.assert_allclose(printed_lemma(2, 1.0, 2, 2), math.sqrt(8 * math.log(5)))
    assert potential(np.eye(2), probes) > printed_lemma(2, 1.0, 2, 2)
    assert potential(np.eye(2), probes) <= repaired_lemma(2, 1.0, 2, 2)
    assert potential(4 * np.eye(2), probes) == 2 <= repaired_lemma(2, 1.0, 2, 2)  # lambda_min(V) = 4 r^2


def _probes(rng: np.random.Generator, d: int, r: float, n: int, V: np.ndarray) -> np.ndarray:
    """n probes of length 2 r at most: at random, always the most uncertain one, or along the axes in turn."""
    kind = rng.integers(3)
    if kind == 0:
        z = rng.standard_normal((n, d))
        return 2 * r * z / np.linalg.norm(z, axis=1)[:, None] * rng.random((n, 1)) ** rng.choice([0, 0.2])
    if kind == 1:
        return 2 * r * np.eye(d)[np.arange(n) % d]
    found, V = [], V.copy()
    for _ in range(n):
        found.append(2 * r * np.linalg.eigh(V)[1][:, 0])
        V += np.outer(found[-1], found[-1])
    return np.array(found)


def test_no_sequence_of_probes_breaks_the_repaired_lemma():
    rng = np.random.default_rng(7)
    closest = 0.0
    for _ in range(150):
        d, r, n = int(rng.integers(1, 6)), float(rng.choice([0.1, 0.3, 0.5, 1.0, 3.0])), int(rng.integers(1, 60))
        enough = max(1.0, 4 * r**2)
        # As short an exploration as there can be, or a longer one: probes along the axes, of length 2 r at most.
        each = math.ceil(enough / (4 * r**2) - 1e-9) + int(rng.integers(3))
        V, tau = rng.uniform(enough, each * 4 * r**2) * np.eye(d), d * each
        sum_of_norms, allowed = potential(V, _probes(rng, d, r, n, V)), repaired_lemma(d, r, tau, n)
        assert sum_of_norms <= allowed
        closest = max(closest, sum_of_norms / allowed)
    assert closest > 0.8  # the search comes near


def test_the_exploration_that_is_needed_is_what_a_plain_loop_finds():
    scenario = Scenario(d=3, seed=4)
    rng = np.random.default_rng(np.random.SeedSequence(4, spawn_key=(0, 1)))
    items = [scenario.law.draw(rng, PHASES, 1)[..., 0].astype(float) for _ in range(50)]
    share = {}
    for tau in range(2, 51):
        smallest = [
            np.linalg.eigvalsh(sum(np.outer(b[i] - a[i], b[i] - a[i]) for a, b in itertools.pairwise(items[:tau])))
            for i in range(PHASES)
        ]
        share[tau] = np.mean(np.array(smallest)[:, :1] >= [1.0, 4.0], axis=0)
        if share[tau][1] >= 0.95:
            break
    expected = tuple(min(tau for tau in share if share[tau][which] >= 0.95) for which in range(2))
    assert finish(exploration_needed(scenario, (1.0, 4.0))) == expected
    assert expected[0] < expected[1] < 50


def test_an_exploration_that_would_be_too_long_is_none():
    assert finish(exploration_needed(Scenario(d=2, flatness=0.01), (1e-9, 4.0)))[1] is None
    assert finish(exploration_needed(Scenario(d=2, radius=0.1), (1.0,)))[0] < MOST_EXPLORED


def test_the_papers_defaults_satisfy_every_hypothesis_that_can_be_checked():
    result = simulate(Scenario(horizon=51, k=100))
    assert failing(Theory(result.scenario)) == failing(Theory(result.scenario), result) == []
    np.testing.assert_allclose(probed(result), result.lambda_min - 1e-3)


@pytest.mark.parametrize(
    ("knobs", "delta", "word"),
    [
        ({"algorithm": "colstim"}, 0.05, "CoLSTIM plays"),
        ({"ask": "previous"}, 0.05, "the previous item"),
        ({"ask": "recent", "window": 20}, 0.05, "most uncertain of last 20"),
        ({"skip_below": 0.1}, 0.05, "below 0.1 are left out"),
        ({"user_link": "probit"}, 0.05, "answers by the probit link, and the logistic one is assumed"),
        ({"tau": 5}, 0.05, "τ = 5 items span at most 4 directions of d = 5"),
        ({"tau": 0}, 0.05, "no exploration"),
        *([({"questions": 3}, 0.05, "up to 3 questions per item")] if "questions" in KNOBS else []),
        ({}, 0.4, "1 − 3δ = −0.2, which is no promise"),
    ],
)
def test_a_hypothesis_that_fails_is_named(knobs, delta, word):
    (sentence,) = failing(Theory(Scenario(**knobs), delta))
    assert word in sentence
    assert len([one for one in HYPOTHESES if one.words]) == len(HYPOTHESES) == 8


def test_a_window_that_no_run_outgrows_is_the_papers_rule():
    assert failing(Theory(Scenario(horizon=51, ask="recent", window=50))) == []
    assert failing(Theory(Scenario(horizon=52, ask="recent", window=50))) != []


def test_runs_whose_eigenvalues_are_too_small_are_counted_without_the_ridge():
    result = simulate(Scenario(tau=10, horizon=11, k=20, runs=20, ridge=5.0))
    assert (result.lambda_min >= 1).all()
    short = int(np.sum(result.lambda_min - 5 < 1))
    assert short > 0
    (sentence,) = failing(Theory(result.scenario), result)
    assert f"below 1 in {short} of 20 runs ({short / 20:.0%})" in sentence


def test_the_first_estimate_is_too_far_for_kappa_in_about_three_quarters_of_the_papers_runs():
    far = paper.load()["rival"]["ROAM"].per_run["error_first"] > 1
    assert far.sum() == 73
    np.testing.assert_array_equal(far_off(simulate(Scenario(horizon=51)))[:, 0], far)


def test_an_estimate_of_zero_is_not_too_far():
    result = simulate(Scenario(tau=0, horizon=5, k=20, runs=30))
    assert not far_off(result)[:, :2].any()  # no answer yet
    assert far_off(simulate(Scenario(tau=5, horizon=5, k=20, runs=2))).shape == (2, 0)


def test_with_the_historys_own_value_step_iv_holds_in_the_plane_and_gives_away_less():
    run = trajectory(Scenario(d=2, tau=0, **SMALL))
    own = np.array([richness(run.x[: t - 1], 1.0).beta for t in range(1, 121)])
    found, usual = chain(run, 0.1, own), chain(run, 0.1)
    np.testing.assert_array_equal(found.counted, usual.counted & np.isfinite(own))
    rounds = found.counted
    assert 100 < rounds.sum() < usual.counted.sum()
    np.testing.assert_array_equal(found.terms[:4, rounds], usual.terms[:4, rounds])
    expected = usual.terms[4, rounds] / Theory(run.scenario).beta * own[rounds]
    np.testing.assert_allclose(found.terms[4, rounds], expected)
    assert found.holds[3] == 1


def test_delta_must_be_a_probability():
    for delta in (0, 1, -0.1, math.nan):
        with pytest.raises(ValueError, match="delta"):
            Theory(Scenario(), delta)


@pytest.mark.parametrize(
    "knobs",
    [
        {"d": 2},
        {"d": 3, "link": "probit", "radius": 1.5, "tau": 5, "ask": "previous"},
        {"d": 4, "tau": 0, "items": "ball", "flatness": 0.3},
        {"d": 2, "algorithm": "colstim", "k": 20, "c2": 1.0},
    ],
)
def test_the_chain_is_what_a_plain_loop_computes(knobs):
    scenario = Scenario(**{**SMALL, **knobs})
    run, tau = trajectory(scenario), scenario.resolved().tau
    theory, found = Theory(scenario, 0.1), chain(run, 0.1)
    assert found.terms.shape == (len(TERMS), 120)
    assert found.slack.shape == (len(STEPS), 120)
    kept, held, ratios = 0, np.zeros(4), [[], [], [], []]
    for i in range(120):
        t = i + 1
        if t <= tau or np.isnan(run.outcome[i]):
            assert np.isnan(found.terms[:, i]).all()
            assert not found.counted[i]
            continue
        gap, off = run.best[i] - run.x[i], run.theta - run.estimate[i]
        alpha = theory.alpha(t)
        row = [
            run.best[i] @ run.theta - run.x[i] @ run.theta,
            gap @ off,
            math.sqrt(off @ run.V[i] @ off) * oracle.norm(gap, run.V[i]),
            alpha * oracle.norm(gap, run.V[i]),
            alpha * theory.beta * oracle.norm(run.x[i] - run.y[i], run.V[i]),
        ]
        np.testing.assert_allclose(found.terms[:, i], row, rtol=1e-6, atol=1e-9)
        kept += 1
        for step in range(4):
            left, right = row[step], row[step + 1]
            held[step] += left <= right + 1e-6 * scenario.radius
            if left > 1e-6 * scenario.radius and right > 0:
                ratios[step].append(right / left)
    assert found.counted.sum() == kept == 120 - max(tau, scenario.algorithm == "roam")
    np.testing.assert_allclose(found.holds, held / kept)
    np.testing.assert_allclose(found.mean_slack, [np.exp(np.mean(np.log(r))) for r in ratios], rtol=1e-5)


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("ask", ASK_RULES)
def test_for_roam_the_greedy_choice_and_cauchy_schwarz_always_hold(ask, link):
    for k in (25, 60):  # k = 25 draws all items, in single precision
        found = chain(trajectory(Scenario(d=3, tau=4, horizon=150, k=k, runs=1, ask=ask, link=link, seed=k)))
        np.testing.assert_array_equal(found.holds[:2], 1)
        assert np.nanmin(found.slack[:2]) >= 1 - 1e-6


def test_in_the_papers_setting_the_whole_chain_holds_with_room_to_spare():
    found = chain(trajectory(Scenario(k=200, horizon=400, runs=1)))
    np.testing.assert_array_equal(found.holds, 1)
    assert (found.mean_slack > 1).all()
    assert (found.mean_slack[2:] > 10).all()  # the confidence set and beta are the loose ones


def test_rounds_with_the_best_item_have_no_slack_and_are_counted_apart():
    run = trajectory(Scenario(d=2, k=10, horizon=200, tau=20, runs=1))
    same = (run.best == run.x).all(1)[20:]
    found = chain(run)
    assert 0 < same.mean() < 1
    assert np.isnan(found.slack[:, 20:][:, same]).all()
    np.testing.assert_allclose(found.lossless, same.mean())


def test_a_step_that_fails_is_reported():
    heavy_ridge = chain(trajectory(Scenario(d=2, radius=0.1, ridge=1000.0, **SMALL)))
    assert heavy_ridge.holds[2] < 0.5  # the estimate stays at zero, |theta|_V = sqrt(1000) is far above alpha
    assert heavy_ridge.mean_slack[2] < 1
    asks_the_last_item = chain(trajectory(Scenario(d=3, ask="previous", k=100, horizon=300, runs=1)))
    assert 0 < asks_the_last_item.holds[3] < 1
    not_greedy = chain(trajectory(Scenario(d=2, algorithm="colstim", k=100, horizon=300, runs=1)))
    assert 0 < not_greedy.holds[0] < 1
    np.testing.assert_array_equal(not_greedy.holds[1], 1)


def test_a_run_that_only_explores_has_an_empty_chain():
    found = chain(trajectory(Scenario(d=2, horizon=15, tau=15, k=10, runs=1)))
    assert not found.counted.any()
    for summary in (found.holds, found.lossless, found.mean_slack):
        assert np.isnan(summary).all()


def test_an_astronomic_alpha_gives_infinity_not_an_error():
    scenario = Scenario(d=2, radius=10.0, link="probit", flatness=0.01, **SMALL)
    assert Theory(scenario).bound(120) == math.inf
    assert chain(trajectory(scenario)).mean_slack[3] == math.inf
