"""Richness along runs, and exploration on its own, against plain computations."""

from dataclasses import replace

import numpy as np
import pytest

from roam_core import Scenario, engine, simulate, trajectory
from roam_core.enrichment import Enrichment, Exploration
from roam_core.richness import richness

SCENARIO = Scenario(d=2, tau=6, k=30, horizon=40, runs=8, seed=4)


def finish(work):
    """The complete result of a piece of work, batch by batch."""
    batches = [engine.finish(work.play(index)) for index in range(len(engine.batch_sizes(work.scenario)))]
    return work.join(batches, 1.0)


@pytest.mark.parametrize("d", [2, 3])
def test_beta_is_that_of_each_history_and_the_curves_are_those_of_simulate(d):
    scenario = replace(SCENARIO, d=d)
    rounds = (1, 4, 7, 20, 41)
    result, plain = finish(Enrichment(scenario, rounds)), simulate(scenario)
    np.testing.assert_array_equal(result.regret, plain.regret)
    np.testing.assert_array_equal(result.lambda_min, plain.lambda_min)
    assert result.beta.shape == (8, 5)
    for run in (0, 1, 7):
        x = trajectory(scenario, run).x
        expected = [richness(x[: t - 1], 1.0).beta for t in rounds]
        np.testing.assert_allclose(result.beta[run], expected, rtol=1e-9)


def test_no_batch_is_no_run():
    result = Enrichment(SCENARIO, (3, 9)).join([], 0.0)
    assert (result.runs, result.beta.shape, result.progress) == (0, (0, 2), 0.0)
    assert Exploration(SCENARIO, (3, 9)).join([], 0.0).runs == 0


@pytest.mark.parametrize("changes", [{}, {"d": 4, "items": "ball"}, {"flatness": 0.2, "radius": 2.0}])
def test_exploration_has_the_law_of_the_first_rounds_of_a_run(changes):
    """Two-sided: |difference of means| < 4 standard errors, a false alarm in 1 of 15,000; two checks a scenario."""
    scenario = replace(Scenario(d=2, tau=12, k=50, horizon=13, runs=400, seed=1), **changes)
    explored = finish(Exploration(scenario, (0, 5, 12)))
    result = finish(Enrichment(scenario, (13,)))
    assert explored.runs == 400
    for ours, theirs in ((explored.lambda_min[:, 2], result.lambda_min), (explored.beta[:, 2], result.beta[:, 0])):
        ours, theirs = np.log(ours), np.log(theirs)
        error = np.sqrt(ours.var() / 400 + theirs.var() / 400)
        assert abs(ours.mean() - theirs.mean()) < 4 * error
    np.testing.assert_allclose(explored.lambda_min[:, 0], scenario.resolved().ridge)
    assert np.isinf(explored.beta[:, 0]).all()
    assert (explored.beta[:, 1] >= explored.beta[:, 2]).all()
    assert (explored.lambda_min[:, 1] <= explored.lambda_min[:, 2] + 1e-9).all()
