"""The two items that matter, drawn alone, against drawing all k: the same law."""

import numpy as np
import pytest
from scipy import stats

from roam_core.extremes import ExtremeItems, cap_edge, cap_heights
from roam_core.items import ItemLaw, uniform_on_sphere

SAMPLES = 4000
# 12 laws x 4 angles x 4 statistics = 192 tests at level 5e-5 each: all pass with probability above 99%.
LEVEL = 5e-5
LAWS = [
    (ItemLaw(2), 40), (ItemLaw(2), 1000), (ItemLaw(3), 60), (ItemLaw(3), 1000), (ItemLaw(5), 1000), (ItemLaw(5), 41),
    (ItemLaw(10), 300), (ItemLaw(2, "ball"), 50), (ItemLaw(5, "ball", radius=2.0), 400),
    (ItemLaw(3, flatness=0.2), 100), (ItemLaw(2, "ball", flatness=0.05), 80), (ItemLaw(4, flatness=0.5), 2000),
]  # fmt: skip
ANGLES = [0.0, 0.3, 1.6, np.pi]

pytestmark = pytest.mark.battery


def plane(law: ItemLaw, angle: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two directions at this angle and one orthogonal to both (in two dimensions: to the first)."""
    basis = np.linalg.qr(np.random.default_rng(0).normal(size=(law.d, law.d)))[0]
    a, e = basis[0], basis[1]
    return a, np.cos(angle) * a + np.sin(angle) * e, basis[2] if law.d > 2 else e


def all_drawn(law, k, a, b, rng):
    """The winners among k items, all drawn."""
    x, best = np.empty((SAMPLES, law.d)), np.empty((SAMPLES, law.d))
    for n in range(SAMPLES):
        items = law.to_items(uniform_on_sphere(rng, (k, law.lifted)))
        x[n], best[n] = items[(items @ a).argmax()], items[(items @ b).argmax()]
    return x, best


def two_drawn(law, k, a, b, rng):
    """The winners from the caps."""
    offer = ExtremeItems(law, k, np.tile(b, (50, 1)), rng)
    x, best = [], []
    for _ in range(SAMPLES // 50):
        offer.renew()
        x.append(offer.best_along(np.tile(a, (50, 1))))
        best.append(offer.best())
    return np.vstack(x), np.vstack(best)


def statistics(x, best, b, across):
    """Utility of either winner, their inner product, a component of x across both directions.

    Rounded, because the inner product of a unit vector with itself must be one value, not two.
    """
    values = {"x": x @ b, "best": best @ b, "inner": np.vecdot(x, best), "across": x @ across}
    return {name: np.round(value, 9) for name, value in values.items()}


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize(("law", "k"), LAWS)
def test_the_winners_have_the_law_of_drawing_all_items(law, k, angle):
    a, b, across = plane(law, angle)
    full = statistics(*all_drawn(law, k, a, b, np.random.default_rng(1)), b, across)
    caps = statistics(*two_drawn(law, k, a, b, np.random.default_rng(2)), b, across)
    for name, values in full.items():
        assert stats.ks_2samp(values, caps[name]).pvalue > LEVEL, name


@pytest.mark.parametrize(("law", "k"), LAWS)
def test_a_random_item_and_the_best_one_have_the_law_of_drawing_all_items(law, k):
    """Exploration rounds: 12 x 3 tests at level 2e-4 each."""
    _, b, across = plane(law, 0.0)
    rng = np.random.default_rng(3)
    x, best = np.empty((SAMPLES, law.d)), np.empty((SAMPLES, law.d))
    for n in range(SAMPLES):
        items = law.to_items(uniform_on_sphere(rng, (k, law.lifted)))
        x[n], best[n] = items[0], items[(items @ b).argmax()]
    offer = ExtremeItems(law, k, np.tile(b, (SAMPLES, 1)), np.random.default_rng(4))
    offer.renew()
    ours = statistics(offer.uniform(), offer.best(), b, across)
    for name, values in statistics(x, best, b, across).items():
        assert stats.ks_2samp(values, ours[name]).pvalue > 2e-4, name
    assert abs((x == best).all(1).mean() - (offer.best() == law.to_items(offer._u[0])).all(1).mean()) < 5 / np.sqrt(
        SAMPLES
    )


def test_the_rare_empty_cap_is_drawn_right(monkeypatch):
    """With one point expected in a cap, a third of all rounds take step 4; the law must not notice."""
    monkeypatch.setattr("roam_core.extremes.EXPECTED", 1)
    for law, k in [(ItemLaw(2), 40), (ItemLaw(4), 60), (ItemLaw(3, "ball", flatness=0.3), 50)]:
        for angle in (0.2, 1.2, 2.8):
            a, b, across = plane(law, angle)
            full = statistics(*all_drawn(law, k, a, b, np.random.default_rng(5)), b, across)
            caps = statistics(*two_drawn(law, k, a, b, np.random.default_rng(6)), b, across)
            for name, values in full.items():
                assert stats.ks_2samp(values, caps[name]).pvalue > 1e-4, (law, angle, name)


@pytest.mark.parametrize("k", [40, 200])
def test_the_filled_up_context_set_has_the_law_of_the_items(k):
    """x and best are the extremes of `contexts`, and all its items together are uniform (level 1e-4)."""
    law = ItemLaw(3)
    theta = uniform_on_sphere(np.random.default_rng(7), (400, 3))
    offer = ExtremeItems(law, k, theta, np.random.default_rng(8))
    offer.renew()
    direction = uniform_on_sphere(np.random.default_rng(9), (400, 3))
    x = offer.best_along(direction)
    items = np.array([offer.contexts(run) for run in range(400)])
    assert items.shape == (400, k, 3)
    for run in range(400):
        np.testing.assert_array_equal(items[run][(items[run] @ direction[run]).argmax()], x[run])
        np.testing.assert_array_equal(items[run][(items[run] @ theta[run]).argmax()], offer.best()[run])
    along = np.einsum("nki,ni->nk", items, direction).ravel()  # on the sphere in three dimensions: uniform on [-1, 1]
    assert stats.kstest(along, "uniform", args=(-1, 2)).pvalue > 1e-4


def test_looking_at_the_contexts_changes_nothing():
    offers = [ExtremeItems(ItemLaw(3), 50, np.eye(3), np.random.default_rng(1)) for _ in range(2)]
    for offer, look in zip(offers, (False, True), strict=True):
        for _ in range(40):
            offer.renew()
            offer.x = offer.best_along(np.ones((3, 3)))
            if look:
                offer.contexts(0)
    np.testing.assert_array_equal(offers[0].x, offers[1].x)


@pytest.mark.parametrize("dimension", [2, 3, 4, 7, 20, 52])
def test_cap_heights_have_the_right_law(dimension):
    """Kolmogorov-Smirnov against the Beta law cut off at the edge, level 1e-4."""
    for p in (0.2, 0.01):
        edge = cap_edge(dimension, p)
        half = (dimension - 1) / 2
        law = stats.beta(half, half, loc=-1, scale=2)
        np.testing.assert_allclose(law.sf(edge), p, rtol=1e-9)
        heights = cap_heights(np.random.default_rng(0), 20_000, dimension, edge)
        assert stats.kstest(heights, lambda h, law=law, p=p: 1 - law.sf(h) / p).pvalue > 1e-4
