"""What Section 4 of the paper claims (1 to 6 in the reading notes), at reduced size.

Where two results are compared, their 95% bands must not overlap: more than 2.8 standard errors of the difference.
Claim 5's "hardly affected" asks for less than a fifth.
"""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from roam_core import Result, Scenario, simulate

SIZE = {"k": 300, "horizon": 400}


@cache
def run(**knobs) -> Result:
    return simulate(Scenario(**{**SIZE, "runs": 120, **knobs}))


def clearly_less(first: Result, second: Result, curve: str, t: int = -1) -> bool:
    return first.mean(curve)[t] + first.band(curve)[t] < second.mean(curve)[t] - second.band(curve)[t]


def late(result: Result, curve: str) -> float:
    """Mean over the last hundred rounds."""
    return float(result.mean(curve)[-100:].mean())


def test_1_regret_is_linear_in_exploration_and_sublinear_after():
    result = run()
    per_round = np.diff(result.mean("regret"), prepend=0)
    explored, after = per_round[:50], per_round[50:]
    assert abs(explored[:25].mean() - explored[25:].mean()) < 0.1 * explored.mean()
    assert after[:100].mean() < 0.5 * explored.mean()
    assert after[-100:].mean() < 0.6 * after[:100].mean()


def test_2_regret_grows_roughly_linearly_with_d():
    d = np.array([2, 4, 6, 8, 10])
    regret = np.array([run(d=int(n)).mean("regret")[-1] for n in d])
    assert (np.diff(regret) > 0).all()
    assert np.corrcoef(d, regret)[0, 1] > 0.98


def test_3_the_error_falls_with_t_and_grows_with_d():
    results = [run(d=d) for d in (2, 4, 6, 8, 10)]
    for result in results:
        assert late(result, "error") < 0.6 * result.mean("error")[result.scenario.resolved().tau]
    assert (np.diff([late(result, "error") for result in results]) > 0).all()


@pytest.mark.parametrize("d", [2, 4, 6, 8, 10])
def test_4_the_critical_ratio_is_far_below_beta(d):
    beta = 8 / np.sqrt(Scenario(d=d).law.lambda_min)
    assert np.nanmax(run(d=d).mean("ratio")) < 0.1 * beta


def test_4_the_critical_ratio_grows_with_d_and_falls_with_t():
    assert (np.diff([late(run(d=d), "ratio") for d in (2, 4, 6, 8, 10)]) > 0).all()
    ratio = run(d=6).mean("ratio")
    assert ratio[-100:].mean() < ratio[60:160].mean()


def test_5_more_exploration_costs_regret_and_hardly_changes_error_and_ratio():
    results = [run(tau=tau) for tau in (25, 50, 75, 100)]
    for shorter, longer in pairwise(results):
        assert clearly_less(shorter, longer, "regret")
    for curve in ("error", "ratio"):
        values = [late(result, curve) for result in results]
        assert max(values) < 1.2 * min(values), curve


def test_6_no_exploration_has_larger_regret_error_and_ratio_than_a_little():
    none, little = (run(tau=tau, runs=1000) for tau in (0, 25))
    assert none.scenario.resolved().ridge == 0.1
    assert clearly_less(little, none, "regret")
    assert clearly_less(little, none, "error")
    assert late(little, "ratio") < 0.8 * late(none, "ratio")
