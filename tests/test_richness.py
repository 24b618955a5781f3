"""rho(H) against Definition 1, closed forms, dense sampling and the facets of the difference body."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

from roam_core.items import ItemLaw, uniform_on_sphere
from roam_core.richness import Pairs, richness, richness_along


def items_on_sphere(seed, n, d, radius=1.0):
    return radius * uniform_on_sphere(np.random.default_rng(seed), (n, d))


def items_like_roams(seed, n, d):
    """Half of the items anywhere, half near one item, as after exploration."""
    items = items_on_sphere(seed, n, d)
    items[n // 2 :] = 0.3 * items[n // 2 :] + items[0]
    return items / np.linalg.norm(items, axis=1, keepdims=True)


def ratio(history, v, radius):
    """(r + |m(v)|) / w(v) of directions v (s, d)."""
    along = history @ v.T
    low, high = along.min(0), along.max(0)
    return (radius + np.abs(high + low) / 2) / ((high - low) / 2)


def exact_from_difference_body(history, radius):
    """A corner of the search is the normal of a facet of {y - y'}: try them all."""
    differences = (history[:, None] - history).reshape(-1, history.shape[1])
    return ratio(history, ConvexHull(differences).equations[:, :-1], radius).max()


def definition_1(history, x, other, L):
    """(s,) |x - x'|_A / max_y |x - y|_A for A = L L^T: x, other (s, d) and L (s, d, d)."""

    def norm(v):
        return np.linalg.norm(np.einsum("s...i,sij->s...j", v, L), axis=-1)

    return norm(x - other) / norm(x[:, None] - history).max(1)


def in_ball(x, radius):
    return x * (radius / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), radius))


@pytest.mark.parametrize("d", [2, 3, 4])
def test_a_search_over_x_other_and_A_approaches_beta_and_never_passes_it(d):
    """Definition 1 taken literally: walkers keep a random change of x, x' or A = L L^T if it raises the ratio."""
    radius = 1.5
    history = items_on_sphere(d, 3 * d, d, radius)
    beta = richness(history, radius).beta
    rng = np.random.default_rng(1)
    state = [radius * rng.standard_normal((100, *shape)) for shape in ((d,), (d,), (d, d))]
    value = np.zeros(100)
    for i, scale in enumerate(np.geomspace(1, 1e-3, 3000)):
        changed = list(state)
        changed[i % 3] = state[i % 3] + scale * rng.standard_normal(state[i % 3].shape)
        x, other, L = changed
        new = definition_1(history, in_ball(x, radius), in_ball(other, radius), L)
        better = new > value
        state[i % 3][better] = changed[i % 3][better]
        value[better] = new[better]
    assert value.max() <= beta * (1 + 1e-9)
    assert value.max() >= 0.97 * beta


@pytest.mark.parametrize("d", [2, 3, 5, 8])
def test_the_witness_attains_beta_in_definition_1(d):
    radius = 0.7
    history = items_on_sphere(d, 4 * d, d, radius)
    found = richness(history, radius)
    assert np.linalg.norm(found.x) <= radius
    np.testing.assert_allclose(np.linalg.norm(found.v), 1)
    np.testing.assert_allclose(np.linalg.norm(found.other), radius)
    along = history @ found.v
    np.testing.assert_allclose([found.low, found.high], [along.min(), along.max()])
    np.testing.assert_allclose(found.beta, ratio(history, found.v[None], radius)[0], rtol=1e-12)
    for thin in (1e-2, 1e-4):  # A = v v^T + thin^2 I is positive definite, and as good as v v^T in the limit
        L = np.outer(found.v, np.eye(d)[0]) + thin * np.eye(d)
        attained = definition_1(history, found.x[None], found.other[None], L[None])[0]
        assert found.beta * (1 - 20 * thin) <= attained <= found.beta * (1 + 1e-9)


@pytest.mark.parametrize("make", [items_on_sphere, items_like_roams])
@pytest.mark.parametrize("n", [3, 7, 50])
def test_in_the_plane_beta_is_the_best_of_all_angles(make, n):
    history = make(n, n, 2)

    def value(angles):
        return ratio(history, np.column_stack([np.cos(angles), np.sin(angles)]), 1.0)

    angles = np.linspace(0, np.pi, 20_001)
    best, width = angles[value(angles).argmax()], angles[1]
    while width > 1e-14:
        near = np.linspace(best - width, best + width, 201)
        best, width = near[value(near).argmax()], width / 100
    found = richness(history, 1.0)
    assert found.exact
    np.testing.assert_allclose(found.beta, value(np.array([best]))[0], rtol=1e-9)


OFF_CENTRE = np.array([[-0.2, 0.5], [-0.2, -0.5], [0.86, 0.5], [0.86, -0.5]])


def every_direction(parts=360_000):
    angles = np.arange(parts) * np.pi / parts
    return np.column_stack([np.cos(angles), np.sin(angles)])


def test_the_worst_shadow_need_not_be_the_narrowest():
    v = every_direction()
    along = OFF_CENTRE @ v.T
    narrowest = v[(along.max(0) - along.min(0)).argmin()]
    worst = v[ratio(OFF_CENTRE, v, 1.0).argmax()]
    found = richness(OFF_CENTRE, 1.0)
    np.testing.assert_allclose(found.v, worst, atol=1e-5)
    np.testing.assert_allclose([found.v, narrowest], np.eye(2), atol=1e-5)
    np.testing.assert_allclose(found.beta, (1 + 0.33) / 0.53)
    np.testing.assert_allclose(ratio(OFF_CENTRE, narrowest[None], 1.0), 1 / 0.5, rtol=1e-4)


@pytest.mark.parametrize("d", [2, 3])
def test_the_proof_of_the_formula_line_by_line(d):
    """Lines 1 to 4 of the module's docstring for random x, x', v and A; g by linear programming."""
    rng = np.random.default_rng(d)
    history = items_on_sphere(d, 4 * d, d)
    v = uniform_on_sphere(rng, (30_000, d))
    for _ in range(3):
        x, other = in_ball(rng.standard_normal((2, d)), 1.0)
        ends = np.vstack([x - history, history - x]).T
        g = linprog(np.ones(ends.shape[1]), A_eq=ends, b_eq=x - other).fun  # x - x' as a sum of them, least in all
        L = rng.standard_normal((50, d, d))
        assert (definition_1(history, x[None], other[None], L) <= g * (1 + 1e-9)).all()
        by_duality = np.abs(v @ (x - other)) / np.abs(v @ (x - history).T).max(1)
        assert g * 0.98 <= by_duality.max() <= g * (1 + 1e-9)
        along = v @ history.T
        m, w, a = (along.max(1) + along.min(1)) / 2, np.ptp(along, axis=1) / 2, v @ x
        np.testing.assert_allclose(np.abs(v @ (x - history).T).max(1), w + np.abs(a - m))
        assert (by_duality <= (1 + np.abs(a)) / (w + np.abs(a - m)) * (1 + 1e-9)).all()
        assert ((1 + np.abs(a)) / (w + np.abs(a - m)) <= (1 + np.abs(m)) / w * (1 + 1e-9)).all()


@pytest.mark.parametrize(("d", "n"), [(2, 4), (2, 13), (3, 20), (5, 60)])
def test_pairs_bound_the_history_as_the_proof_of_lemma_3_says(d, n):
    radius, rng = 2.0, np.random.default_rng(n)
    history = items_on_sphere(n, n, d, radius)
    z = [history[2 * i] - history[2 * i + 1] for i in range(n // 2)]
    pairs = Pairs.of(history)
    np.testing.assert_array_equal(pairs.z, z)
    v = uniform_on_sphere(rng, (20_000, d))
    means = np.mean([(v @ one) ** 2 for one in z], axis=0)
    assert pairs.least <= means.min() * (1 + 1e-9)
    np.testing.assert_allclose(pairs.least, min(np.linalg.eigvalsh(np.mean([np.outer(a, a) for a in z], axis=0))))
    np.testing.assert_allclose(pairs.along(v[0]), [abs(one @ v[0]) for one in z])
    assert pairs.bound(radius) == pytest.approx(4 * radius / np.sqrt(pairs.least))
    assert richness(history, radius).beta <= pairs.bound(radius)
    for _ in range(50):  # the two inequalities of the proof, for a random x and a random norm
        L, x = rng.standard_normal((d, d)), in_ball(rng.standard_normal(d), radius)
        farthest = np.linalg.norm((x - history) @ L, axis=1).max()
        longest = np.linalg.norm(z @ L, axis=1).max()
        assert farthest >= longest / 2
        assert longest**2 >= pairs.least * np.linalg.eigvalsh(L @ L.T)[-1] * (1 - 1e-9)


def test_pairs_that_leave_a_direction_out_bound_nothing():
    line = np.outer(np.linspace(-1, 1, 7), [0.6, 0.8])
    for history in (line, line[:1], line[:0], items_on_sphere(0, 3, 2)):
        assert Pairs.of(history).least == 0
        assert Pairs.of(history).bound(1.0) == np.inf


@pytest.mark.parametrize("make", [items_on_sphere, items_like_roams])
@pytest.mark.parametrize("n", [4, 12, 60])
def test_in_space_beta_is_no_less_than_a_dense_sample_of_the_sphere_shows(make, n):
    history = make(n, n, 3)
    sample = items_on_sphere(0, 200_000, 3)
    found = richness(history, 1.0)
    assert not found.exact
    assert found.beta >= ratio(history, sample, 1.0).max() * (1 - 1e-12)


@pytest.mark.parametrize("make", [items_on_sphere, items_like_roams])
@pytest.mark.parametrize(("d", "n"), [(3, 5), (3, 40), (4, 8), (4, 25), (5, 12)])
def test_the_climb_finds_the_worst_facet_of_the_difference_body(make, d, n):
    for seed in range(3):
        history = make(seed, n, d)
        np.testing.assert_allclose(richness(history, 1.0).beta, exact_from_difference_body(history, 1.0), rtol=1e-9)


@pytest.mark.parametrize("d", [2, 3, 4, 6])
def test_cross_polytope_and_cube_have_richness_root_d(d):
    """Both have half-width r / sqrt(d) at least: across a facet, and along an axis."""
    cross = 2 * np.vstack([np.eye(d), -np.eye(d)])
    cube = 2 / np.sqrt(d) * np.array(list(product([-1, 1], repeat=d)))
    np.testing.assert_allclose([richness(cross, 2.0).beta, richness(cube, 2.0).beta], np.sqrt(d), rtol=1e-9)


@pytest.mark.parametrize("d", [2, 3, 5, 8])
def test_regular_simplex(d):
    """With p corners on top and q at the bottom: w = (d + 1) / (2 sqrt(p q d)) and m = (q - p) / (2 sqrt(p q d))."""
    corners = np.eye(d + 1) - 1 / (d + 1)
    corners = corners @ np.linalg.svd(corners)[2][:d].T
    corners /= np.linalg.norm(corners, axis=1, keepdims=True)
    p = np.arange(1, d + 1)
    q = d + 1 - p
    closed_form = ((2 * np.sqrt(p * q * d) + np.abs(q - p)) / (d + 1)).max()
    np.testing.assert_allclose(richness(corners, 1.0).beta, closed_form, rtol=1e-9)


@pytest.mark.parametrize("corners", [3, 4, 5, 6, 11, 50])
def test_regular_polygon(corners):
    angle = 2 * np.pi * np.arange(corners) / corners
    history = np.column_stack([np.cos(angle), np.sin(angle)])
    c = np.cos(np.pi / corners)  # distance of an edge from the centre
    closed_form = (3 - c) / (1 + c) if corners % 2 else 1 / c
    np.testing.assert_allclose(richness(history, 1.0).beta, closed_form, rtol=1e-9)


@pytest.mark.parametrize("d", [2, 3, 5])
def test_a_flat_history_is_infinitely_poor(d):
    rng = np.random.default_rng(d)
    normal = uniform_on_sphere(rng, (d,))
    anywhere = 0.5 * uniform_on_sphere(rng, (20, d))
    in_flat = anywhere - np.outer(anywhere @ normal - 0.1, normal)
    same = np.tile(anywhere[0], (9, 1))
    for history in (in_flat, same, anywhere[:d], anywhere[:1], anywhere[:0]):
        found = richness(history, 1.0)
        assert found.beta == np.inf
        assert found.exact
        np.testing.assert_allclose(np.linalg.norm(found.v), 1)
        np.testing.assert_allclose(found.high - found.low, 0, atol=1e-12)
    np.testing.assert_allclose(abs(richness(in_flat, 1.0).v @ normal), 1)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_a_thin_history_is_as_poor_as_the_slab_around_it_is_thin(d):
    """The thinnest slab |h - <a, y> - c| <= w around heights h over points y, by linear programming."""
    rest = 0.5 * items_on_sphere(d, 20, d)
    height = np.random.default_rng(d).uniform(-1, 1, 20)
    history = np.column_stack([1e-6 * height, rest[:, 1:]])
    plane = np.column_stack([rest[:, 1:], np.ones(20)])
    w = np.full((20, 1), -1.0)
    sides = np.block([[plane, w], [-plane, w]])
    thinnest = linprog(np.eye(d + 1)[d], A_ub=sides, b_ub=np.r_[height, -height], bounds=(None, None)).fun
    np.testing.assert_allclose(richness(history, 1.0).beta, 1e6 / thinnest, rtol=1e-5)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_turning_scaling_and_repeating_items_changes_nothing(d):
    history = items_on_sphere(d, 5 * d, d)
    turn = np.linalg.qr(np.random.default_rng(0).standard_normal((d, d)))[0]
    beta = richness(history, 1.0).beta
    assert richness(history, 1.0).beta == beta
    for same, radius in ((history @ turn, 1.0), (3 * history, 3.0), (np.repeat(history, 2, axis=0), 1.0)):
        np.testing.assert_allclose(richness(same, radius).beta, beta, rtol=1e-9)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_more_items_never_raise_beta(d):
    items = ItemLaw(d, "ball", radius=2.0).draw(np.random.default_rng(d), 1, 30)[0].T
    betas = [richness(items[:n], 2.0).beta for n in range(31)]
    assert betas[: d + 1] == [np.inf] * (d + 1)
    assert np.isfinite(betas[d + 1 :]).all()
    assert (np.diff(betas[d + 1 :]) <= 1e-12).all()


@pytest.mark.parametrize("items", ["sphere", "ball"])
@pytest.mark.parametrize("d", [2, 3, 4])
def test_along_a_trajectory_beta_is_that_of_each_prefix(d, items):
    trajectories = ItemLaw(d, items, radius=0.5).draw(np.random.default_rng(d), 4, 60).swapaxes(1, 2)
    rounds = [40, 1, 2, d + 1, d + 2, 10, 11, 25, 40, 61]
    along = richness_along(trajectories, 0.5, rounds)
    prefixes = [[richness(items[: t - 1], 0.5).beta for t in rounds] for items in trajectories]
    np.testing.assert_allclose(along, prefixes, rtol=1e-9)
    for one, row in zip(trajectories, along, strict=True):
        np.testing.assert_allclose(richness_along(one, 0.5, rounds), row, rtol=1e-9)


@pytest.mark.parametrize("d", [2, 3, 7])
def test_along_a_trajectory_beta_never_rises(d):
    trajectories = np.array([items_like_roams(seed, 80, d) for seed in range(5)])
    along = richness_along(trajectories, 1.0, range(1, 82))
    assert along.shape == (5, 81)
    assert np.isinf(along[:, : d + 1]).all()
    assert np.isfinite(along[:, d + 1 :]).all()
    assert (np.diff(along[:, d + 1 :], axis=1) <= 0).all()


def test_a_run_that_stays_in_a_flat_longer_than_another_is_still_followed():
    straight = np.column_stack([np.linspace(-0.5, 0.5, 6), np.zeros(6), np.zeros(6)])
    flat_then_full = np.vstack([straight, 0.5 * items_on_sphere(3, 6, 3)])
    full = 0.5 * items_on_sphere(4, 12, 3)
    along = richness_along(np.array([flat_then_full, full]), 1.0, [6, 7, 9, 13])
    expected = [[richness(items[: t - 1], 1.0).beta for t in (6, 7, 9, 13)] for items in (flat_then_full, full)]
    np.testing.assert_allclose(along, expected, rtol=1e-9)
    assert np.isinf(along[0, 1])
    assert np.isfinite(along[1, 1])


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="norm 2, allowed is at most the radius, 1"):
        richness(np.array([[2.0, 0.0]]), 1.0)
    with pytest.raises(ValueError, match="norm nan"):
        richness(np.array([[np.nan, 0.0]]), 1.0)
    for rounds in ([0, 1], [3, 12]):
        with pytest.raises(ValueError, match="rounds must be from 1 to 11"):
            richness_along(items_on_sphere(0, 10, 2), 1.0, rounds)
    assert richness_along(items_on_sphere(0, 10, 2), 1.0, []).shape == (0,)
