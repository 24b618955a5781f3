"""The bound against its formula written out, the proof's chain against a plain loop over a run."""

import math

import numpy as np
import pytest

from roam_core import Scenario, trajectory
from roam_core.links import LINKS
from roam_core.policies import ASK_RULES
from roam_core.theory import STEPS, TERMS, Theory, chain
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
    for curve in (theory.alpha, theory.bound):
        np.testing.assert_allclose(curve(T), [[curve(t) for t in row] for row in T])


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("radius", [0.1, 1.0, 10.0])
def test_where_the_logarithm_would_be_below_one_the_bound_is_above_the_trivial_one(link, radius):
    for d in (2, 50):
        theory = Theory(Scenario(d=d, tau=0, radius=radius, link=link), delta=0.9)
        T = np.arange(1, math.ceil(math.e * d))
        assert (theory.bound(T) >= 2 * radius * T).all()


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
