"""Item laws: where the items lie and how far apart they are."""

import numpy as np
import pytest
from scipy import stats

from roam_core.items import AT_ONCE, ITEM_LAWS, LARGE, ItemLaw


@pytest.mark.parametrize("d", [2, 3, 8])
@pytest.mark.parametrize("items", ITEM_LAWS)
def test_sigma_is_the_second_moment_of_a_difference(items, d):
    """Each entry of the empirical moment within 5 standard errors: false alarms below 1e-4 in all."""
    law = ItemLaw(min(d, ITEM_LAWS[items].most_features or d), items, radius=1.7, flatness=0.3)
    rng = np.random.default_rng(0)
    z = (law.draw(rng, 1, 200_000) - law.draw(rng, 1, 200_000))[0].T.astype(float)
    products = z[:, :, None] * z[:, None, :]
    bound = 5 * products.std(0) / np.sqrt(len(z))
    assert (np.abs(products.mean(0) - law.sigma) <= bound).all()
    np.testing.assert_allclose(law.lambda_min, np.linalg.eigvalsh(law.sigma)[0])


def test_sigma_has_the_closed_forms_of_the_notes():
    np.testing.assert_allclose(ItemLaw(5).sigma, 2 / 5 * np.eye(5))
    np.testing.assert_allclose(ItemLaw(5, "ball", radius=3).sigma, 2 * 9 / 7 * np.eye(5))
    np.testing.assert_allclose(ItemLaw(4, flatness=0.1).lambda_min, 2 / 4 * 0.01)


def test_sphere_items_lie_on_the_ellipsoid_and_ball_items_fill_it():
    rng = np.random.default_rng(1)
    scale = np.array([2.0, 2.0, 0.5])
    on = ItemLaw(3, "sphere", 2.0, 0.25).draw(rng, 1, 50_000)[0].T / scale
    np.testing.assert_allclose(np.linalg.norm(on, axis=1), 1, rtol=1e-6)
    inside = np.linalg.norm(ItemLaw(3, "ball", 2.0, 0.25).draw(rng, 1, 50_000)[0].T / scale, axis=1)
    assert stats.kstest(inside**3, "uniform").pvalue > 1e-4  # volume below radius s is s^3


def test_no_item_is_longer_than_the_radius():
    rng = np.random.default_rng(2)
    for items in ITEM_LAWS:
        x = ItemLaw(2, items, 0.7, 0.5).draw(rng, 1, 10_000)[0].T
        assert np.linalg.norm(x, axis=1).max() <= 0.7 * (1 + 1e-6)


@pytest.mark.parametrize(
    ("d", "items"), [*((d, "sphere") for d in (2, 3, 4, 5, 10, 21)), *((d, "ball") for d in (2, 5))]
)
def test_large_sets_have_their_law(d, items):
    """Coordinates, components along other directions, inner products of items of a set and of two runs.

    A component of a uniform point on the sphere has a Beta law, and so has the inner product of two such points. These
    are 104 Kolmogorov-Smirnov tests at level 1e-5. Tried with other powers of the random number, an angle of half a
    turn, and a sign that is missing: each is noticed.
    """
    law, runs, k = ItemLaw(d, items), 8, 3000
    assert law.lifted * k >= LARGE
    assert runs * k > AT_ONCE > 2 * k, "all runs, or one run, would be drawn together"
    rng = np.random.default_rng(3)
    u = law.draw(rng, runs, k).astype(float)  # (runs, d, k)
    half = (law.lifted - 1) / 2
    component = stats.beta(half, half, loc=-1, scale=2)
    directions = rng.normal(size=(5, d))
    directions = [*np.eye(d), *(directions / np.linalg.norm(directions, axis=1, keepdims=True))]
    seen = [np.einsum("i,nik->nk", direction, u).ravel() for direction in directions]
    if items == "sphere":
        seen.append(np.vecdot(u[:, :, ::2], u[:, :, 1::2], axis=1).ravel())
        seen.append(np.vecdot(u[::2], u[1::2], axis=1).ravel())
    for values in seen:
        assert stats.kstest(values, component.cdf).pvalue > 1e-5


def test_small_sets_are_normal_numbers_brought_to_the_sphere():
    """As they have always been, so that what was drawn with few items comes out again."""
    for items, d, lifted in (("sphere", 5, 5), ("ball", 2, 4)):
        k = (LARGE - 1) // lifted
        normal = np.random.default_rng(4).standard_normal((2, lifted, k), dtype=np.float32)
        expected = normal / np.sqrt(np.einsum("nik,nik->nk", normal, normal))[:, None]
        drawn = ItemLaw(d, items).draw(np.random.default_rng(4), 2, k)
        np.testing.assert_array_equal(drawn, expected[:, :d])


class Stuck:
    """Random numbers that are all the same."""

    def __init__(self, number):
        self.number = number

    def random(self, shape, dtype):
        return np.full(shape, self.number, dtype=dtype)


@pytest.mark.parametrize("number", [0.0, 2.0**-24, 0.5, 1 - 2.0**-24])
@pytest.mark.parametrize("d", [2, 3, 6, 7])
def test_no_random_number_leads_off_the_sphere(d, number):
    with np.errstate(all="raise", under="ignore"):
        items = ItemLaw(d).draw(Stuck(number), 2, LARGE)
    np.testing.assert_allclose(np.linalg.norm(items.astype(float), axis=1), 1, rtol=1e-6)
