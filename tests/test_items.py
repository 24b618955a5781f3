"""Item laws: where the items lie and how far apart they are."""

import numpy as np
import pytest
from scipy import stats

from roam_core.items import ITEM_LAWS, ItemLaw


@pytest.mark.parametrize("d", [2, 3, 8])
@pytest.mark.parametrize("items", ITEM_LAWS)
def test_sigma_is_the_second_moment_of_a_difference(items, d):
    """Each entry of the empirical moment within 5 standard errors: false alarms below 1e-4 in all."""
    law = ItemLaw(d, items, radius=1.7, flatness=0.3)
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
