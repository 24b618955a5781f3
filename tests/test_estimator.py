"""The estimate: root of its equation for every link, on any data, at every round."""

import numpy as np
import pytest

from roam_core.estimator import MANY, TOLERANCE, Estimator
from roam_core.links import LINKS
from tests import oracle


def distance_to_root(theta, z, outcome, link, ridge):
    """First-order distance of theta to the root of the estimating equation, from SciPy's distributions."""
    law = oracle.CDF[link]
    u = z @ theta
    gradient = (law.cdf(u) - outcome) @ z + ridge * theta
    hessian = (z.T * law.pdf(u)) @ z + ridge * np.eye(len(theta))
    return np.linalg.norm(np.linalg.solve(hessian, gradient))


def comparisons(rng, runs, d, rounds, link, kind):
    """Probes (rounds, runs, d) and outcomes (rounds, runs)."""
    theta = rng.normal(size=(runs, d))
    z = rng.normal(size=(rounds, runs, d)) * (30 if kind == "large" else 1)
    if kind == "collinear":
        z[:, :, 1:] = 0
    utility = np.einsum("tnd,nd->tn", z, theta)
    if kind == "separable":
        return z, (utility > 0).astype(float)
    if kind == "one-sided":
        return z, np.ones((rounds, runs))
    return z, (rng.random((rounds, runs)) < oracle.CDF[link].cdf(utility)).astype(float)


@pytest.mark.catalogue
@pytest.mark.parametrize("kind", ["plain", "separable", "one-sided", "collinear", "large"])
@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("ridge", [1e-6, 1e-3, 0.1])
def test_the_estimate_solves_its_equation_after_every_comparison(link, kind, ridge):
    runs, d, rounds = 8, 3, 60
    z, outcome = comparisons(np.random.default_rng(0), runs, d, rounds, link, kind)
    estimator = Estimator(LINKS[link], ridge, runs, d, rounds, reach=np.linalg.norm(z, axis=2).max())
    for t in range(rounds):
        estimator.add(z[t], outcome[t])
        assert np.isfinite(estimator.estimate).all()
        for n in range(runs):
            theta = estimator.estimate[n]
            off = distance_to_root(theta, z[: t + 1, n], outcome[: t + 1, n], link, ridge)
            assert off <= 2 * TOLERANCE * (1 + np.linalg.norm(theta)), f"round {t + 1}, run {n}"


@pytest.mark.parametrize("ridge", [1e-3, 0.1, 5.0])
@pytest.mark.parametrize("kind", ["plain", "separable", "one-sided"])
def test_the_logistic_estimate_is_scikit_learns(kind, ridge):
    z, outcome = comparisons(np.random.default_rng(1), 3, 4, 80, "logistic", kind)
    estimator = Estimator(LINKS["logistic"], ridge, 3, 4, 80, reach=6.0)
    for t in range(80):
        estimator.add(z[t], outcome[t])
    for n in range(3):
        reference = oracle.fit(z[:, n], outcome[:, n], "logistic", ridge)
        np.testing.assert_allclose(estimator.estimate[n], reference, atol=2e-5 * (1 + np.linalg.norm(reference)))


class Watched(Estimator):
    """An Estimator that tells in which precision it looked at all comparisons, and how many these were."""

    def __init__(self, *args, **kwargs):
        self.seen = []
        super().__init__(*args, **kwargs)

    def _gradient(self, some, signed):
        self.seen.append((self._count, signed.dtype.name))
        return super()._gradient(some, signed)

    def counts(self, precision):
        """The numbers of comparisons that it has looked at in this precision."""
        return [count for count, name in self.seen if name == precision]


@pytest.mark.parametrize(("link", "d"), [("logistic", 2), ("logistic", 5), ("logistic", 4), ("cauchit", 5)])
def test_the_estimate_after_700_comparisons_is_the_libraries(link, d):
    z, outcome = comparisons(np.random.default_rng(4), 4, d, 700, link, "plain")
    z /= np.linalg.norm(z, axis=2, keepdims=True)
    estimator = Watched(LINKS[link], 1e-3, 4, d, 700, reach=1.0)
    for t in range(700):
        estimator.add(z[t], outcome[t])
        if t + 1 in (MANY, 400, 700):
            for n in range(4):
                reference = oracle.fit(z[: t + 1, n], outcome[: t + 1, n], link, 1e-3)
                atol = 2e-5 * (1 + np.linalg.norm(reference))
                np.testing.assert_allclose(estimator.estimate[n], reference, atol=atol, err_msg=f"round {t + 1}")
    assert MANY <= min(estimator.counts("float32")) < 400
    assert 700 in estimator.counts("float32")


@pytest.mark.parametrize(
    ("link", "kind", "ridge"),
    [("probit", "plain", 1e-3), ("logistic", "collinear", 1e-6), ("logistic", "separable", 1e-6)],
)
def test_single_precision_is_not_used_where_it_saves_nothing_or_is_too_coarse(link, kind, ridge):
    """Probit is no cheaper in it. Where a direction is hardly known, its roundings are beyond the tolerance."""
    z, outcome = comparisons(np.random.default_rng(5), 4, 3, 300, link, kind)
    reach = np.linalg.norm(z, axis=2).max()
    estimator = Watched(LINKS[link], ridge, 4, 3, 300, reach=reach)
    for t in range(300):
        estimator.add(z[t], outcome[t])
    assert not estimator.counts("float32")
    for n in range(4):
        theta = estimator.estimate[n]
        off = distance_to_root(theta, z[:, n], outcome[:, n], link, ridge)
        assert off <= 2 * TOLERANCE * (1 + np.linalg.norm(theta))


def test_a_zero_probe_changes_nothing():
    rng = np.random.default_rng(2)
    estimator = Estimator(LINKS["probit"], 0.01, 2, 3, 5, reach=6.0)
    estimator.add(np.zeros((2, 3)), np.ones(2))
    assert (estimator.estimate == 0).all()
    estimator.add(rng.normal(size=(2, 3)), np.array([0.0, 1.0]))
    before = estimator.estimate.copy()
    estimator.add(np.zeros((2, 3)), np.zeros(2))
    np.testing.assert_allclose(estimator.estimate, before, atol=1e-9)


def test_a_run_does_not_depend_on_the_runs_beside_it():
    z, outcome = comparisons(np.random.default_rng(3), 6, 3, 50, "logistic", "plain")
    together = Estimator(LINKS["logistic"], 1e-3, 6, 3, 50, reach=6.0)
    alone = Estimator(LINKS["logistic"], 1e-3, 1, 3, 50, reach=6.0)
    for t in range(50):
        together.add(z[t], outcome[t])
        alone.add(z[t, 4:5], outcome[t, 4:5])
    np.testing.assert_allclose(together.estimate[4], alone.estimate[0], atol=1e-6)


@pytest.mark.parametrize("link", LINKS)
def test_the_corrected_inverse_hessian_is_near_the_exact_one(link):
    """All its eigenvalues are within a tenth of the exact one's, though it is seldom computed anew."""
    rng = np.random.default_rng(6)
    estimator = Estimator(LINKS[link], 1e-3, 20, 5, 600, reach=2.0)
    theta = rng.standard_normal((20, 5))
    theta /= np.linalg.norm(theta, axis=1, keepdims=True)
    anew = []
    estimator._renew = lambda some, signed: anew.extend(some) or Estimator._renew(estimator, some, signed)
    for t in range(600):
        z = rng.standard_normal((20, 5))
        z *= rng.uniform(0.2, 2, (20, 1)) / np.linalg.norm(z, axis=1, keepdims=True)
        estimator.add(z, rng.random(20) < LINKS[link].F(np.vecdot(z, theta)))
        if t % 50 == 49 and t > 100:
            f = estimator._likelihood(slice(None), estimator._signed)
            L = np.linalg.cholesky(f.hessian(f.utilities(estimator.estimate)))
            ratios = np.linalg.eigvalsh(L.transpose(0, 2, 1) @ estimator._inverse @ L)
            assert ratios.min() > 0.9
            assert ratios.max() < 1.1
    assert len(anew) < 20 * 600 / 5
