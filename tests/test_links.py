"""Link functions against SciPy's distributions and against calculus."""

import numpy as np
import pytest
from scipy import integrate, stats

from roam_core.links import LINKS

LAWS = {"logistic": stats.logistic, "probit": stats.norm, "cauchit": stats.cauchy}
U = np.linspace(-30, 30, 601)
HUGE = np.array([0.0, 1e2, 1e4, 1e8, 1e100, 1e300, 1.7e308])


@pytest.mark.parametrize("name", LINKS)
def test_F_and_its_slope_are_the_distribution_and_its_density(name):
    link, law = LINKS[name], LAWS[name]
    np.testing.assert_allclose(link.F(U), law.cdf(U), rtol=1e-10, atol=1e-15)
    np.testing.assert_allclose(link.slope(U), law.pdf(U), rtol=1e-10, atol=1e-300)
    np.testing.assert_allclose(link.F(U) + link.F(-U), 1)


@pytest.mark.parametrize("name", LINKS)
def test_the_integral_integrates_F(name):
    link = LINKS[name]
    for low, high in [(-3.0, -1.0), (-1.0, 2.0), (2.0, 9.0)]:
        area, _ = integrate.quad(lambda u: float(link.F(np.float64(u))), low, high, epsabs=1e-12)
        np.testing.assert_allclose(link.integral(np.float64(high)) - link.integral(np.float64(low)), area, atol=1e-10)


@pytest.mark.parametrize("name", LINKS)
def test_huge_arguments_overflow_nowhere(name):
    link = LINKS[name]
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        for u in (HUGE, -HUGE):
            assert ((link.F(u) >= 0) & (link.F(u) <= 1)).all()
            assert (link.slope(u) >= 0).all()
            assert np.isfinite(link.integral(u / 2)).all()


@pytest.mark.parametrize("name", LINKS)
def test_kappa_is_the_smallest_slope_in_reach(name):
    for radius in (0.1, 1.0, 3.0):
        reach = np.linspace(-4 * radius, 4 * radius, 1001)
        np.testing.assert_allclose(LINKS[name].kappa(radius), LINKS[name].slope(reach).min())


@pytest.mark.parametrize(
    ("name", "law"), [("logistic", stats.gumbel_r), ("probit", stats.norm), ("cauchit", stats.cauchy(0, 0.5))]
)
def test_colstims_noise_has_its_law(name, law):
    """Kolmogorov-Smirnov at level 1e-4 for each link."""
    noise = LINKS[name].noise(np.random.default_rng(0), (100, 200))
    assert noise.shape == (100, 200)
    assert stats.kstest(noise.ravel().astype(float), law.cdf).pvalue > 1e-4
