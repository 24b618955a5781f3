"""Ellipses and reaches against their definitions."""

from dataclasses import replace

import numpy as np
import pytest

from roam_core import Scenario, trajectory
from roam_core.ellipses import ellipse, reach
from roam_core.policies import ASK_RULES

SCENARIO = Scenario(d=2, tau=8, k=30, horizon=60, seed=3)


def border(semi_axes, angle, points=100):
    turn = np.linspace(0, 2 * np.pi, points, endpoint=False)
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return (semi_axes * np.column_stack([np.cos(turn), np.sin(turn)])) @ rotation.T


def test_every_point_of_the_border_has_the_level_as_its_norm():
    rng = np.random.default_rng(0)
    for _ in range(20):
        root = rng.standard_normal((2, 2))
        M, level = root @ root.T + 0.01 * np.eye(2), rng.uniform(0.1, 5)
        v = border(*ellipse(M, level))
        np.testing.assert_allclose(np.einsum("ni,ij,nj->n", v, M, v), level**2, rtol=1e-9)


def test_the_axes_are_those_of_the_eigen_decomposition():
    V = trajectory(SCENARIO).V[20]
    semi_axes, angle = ellipse(V, 3.0)
    longest = np.array([np.cos(angle), np.sin(angle)])
    np.testing.assert_allclose(V @ longest, longest * (3 / semi_axes[0]) ** 2, rtol=1e-9)
    assert semi_axes[0] >= semi_axes[1]
    np.testing.assert_allclose((3 / semi_axes) ** 2, np.linalg.eigvalsh(V), rtol=1e-9)


@pytest.mark.parametrize("rule", ASK_RULES)
def test_reach_agrees_with_a_plain_loop(rule):
    run = trajectory(replace(SCENARIO, ask=rule))
    reached = reach(run)
    assert np.isnan([reached.before[0], reached.after[0], reached.farthest[0]]).all()
    for t in range(1, 60):
        z = run.x[t] - run.y[t]
        inverse, later = np.linalg.inv(run.V[t]), np.linalg.inv(run.V[t] + np.outer(z, z))
        np.testing.assert_allclose(reached.before[t] ** 2, z @ inverse @ z, rtol=1e-8)
        np.testing.assert_allclose(reached.after[t] ** 2, z @ later @ z, rtol=1e-6)
        farthest = max((run.x[t] - y) @ inverse @ (run.x[t] - y) for y in run.x[:t])
        np.testing.assert_allclose(reached.farthest[t] ** 2, farthest, rtol=1e-8)
    if rule == "most_uncertain":
        np.testing.assert_allclose(reached.before[8:], reached.farthest[8:], rtol=1e-9)


def test_with_every_item_drawn_the_ask_rule_changes_neither_contexts_nor_taste():
    large = replace(SCENARIO, k=100)
    first, *others = (trajectory(replace(large, ask=rule), every_item=True) for rule in ASK_RULES)
    assert not np.array_equal(first.x, others[0].x)
    for other in others:
        np.testing.assert_array_equal(other.contexts, first.contexts)
        np.testing.assert_array_equal(other.theta, first.theta)
        np.testing.assert_array_equal(other.best, first.best)
