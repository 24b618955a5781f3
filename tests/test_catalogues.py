"""Catalogues: their laws against plain computations, their pictures and words, and the pages with them."""

import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from roam_core import Scenario, simulate, trajectory
from roam_core.catalogues import CATALOGUES, Catalogue, read_csv
from roam_core.items import ITEM_LAWS, ItemLaw
from roam_core.richness import richness
from roam_core.scenario import nearest_scenario
from roam_core.theory import Theory
from tests import oracle
from tests.test_engine import index_in
from tests.test_pages import visit

FINITE = [name for name, catalogue in CATALOGUES.items() if not catalogue.endless]
ENDLESS = [name for name, catalogue in CATALOGUES.items() if catalogue.endless]


def sizes(name: str) -> list[int]:
    return sorted({2, 3, CATALOGUES[name].most_features})


CASES = [(name, d) for name in CATALOGUES for d in sizes(name)]


@pytest.mark.parametrize("name", CATALOGUES)
def test_a_catalogue_has_names_features_and_numbers(name):
    catalogue = CATALOGUES[name]
    n, p = catalogue.values.shape
    assert (len(catalogue.names), len(set(catalogue.names))) == (n, n)
    assert len(catalogue.features) == len(set(catalogue.features)) == len(catalogue.ends) == p
    assert np.isfinite(catalogue.values).all()
    with pytest.raises(ValueError, match="read-only"):
        catalogue.values[0] = 0
    assert name == catalogue.name
    assert n == {"flowers": 2000, "colours": 2000, "wines": 178, "digits": 1797}[name]
    assert catalogue.most_features == ITEM_LAWS[name].most_features == min(np.linalg.matrix_rank(catalogue.values), 50)


@pytest.mark.parametrize(("name", "d"), [(name, d) for name, d in CASES if name in FINITE])
def test_the_items_of_a_table_are_its_first_principal_components(name, d):
    """Against a plain singular value decomposition; the signs of components are free."""
    catalogue, found = CATALOGUES[name], CATALOGUES[name].embedding(d, radius=1.7)
    values = catalogue.values
    deviation = values.std(0)
    plain = (values - values.mean(0)) / np.where(deviation > 0, deviation, 1)
    _, _, components = np.linalg.svd(plain, full_matrices=False)
    expected = plain @ components[:d].T
    expected *= 1.7 / np.linalg.norm(expected, axis=1).max()
    signs = np.sign(np.vecdot(expected, found.items, axis=0))
    np.testing.assert_allclose(found.items * signs, expected, atol=1e-9)
    np.testing.assert_allclose(found.items, plain @ found.axes.T, atol=1e-9)
    assert np.linalg.norm(found.items, axis=1).max() == pytest.approx(1.7)
    # Sigma, from all pairs of items
    pairs = (found.items[:, None] - found.items[None]).reshape(-1, d) if len(values) < 200 else None
    if pairs is not None:
        np.testing.assert_allclose(found.sigma, pairs.T @ pairs / len(pairs), atol=1e-12)
    np.testing.assert_allclose(found.sigma, ItemLaw(d, name, radius=1.7).sigma, atol=1e-12)


@pytest.mark.parametrize(("name", "d"), [(name, d) for name, d in CASES if name in ENDLESS])
def test_items_without_end_are_their_first_features(name, d):
    catalogue, found = CATALOGUES[name], CATALOGUES[name].embedding(d, radius=2.0)
    assert found.items.shape == (2000, d)
    assert found.features_used == catalogue.features[:d]
    assert (np.ptp(found.values[:, d:], axis=0) == 0).all()
    lows, highs = (np.array([getattr(r, end) for r in catalogue.ranges]) for end in ("low", "high"))
    np.testing.assert_array_equal(found.values[0, d:], (lows + highs)[d:] / 2)
    for corner in (lows, highs):
        assert np.linalg.norm(found.of(corner)) == pytest.approx(2.0)
    many = found.of(catalogue.sample(np.random.default_rng(0), 200_000))
    assert np.linalg.norm(many, axis=1).max() <= 2 + 1e-9
    # Two independent items differ by Sigma: variances within 5 standard errors, which are below sqrt(2 / n).
    np.testing.assert_allclose(2 * np.cov(many.T), found.sigma, atol=5 * np.sqrt(2 / len(many)) * found.sigma[0, 0])


@pytest.mark.parametrize(("name", "d"), CASES)
def test_the_law_draws_what_the_catalogue_has(name, d):
    """Of a table its rows, each as often as any other (level 1e-4); without end the law of `sample` (level 1e-5)."""
    law, rng = ItemLaw(d, name, radius=3.0), np.random.default_rng(1)
    drawn = law.draw(rng, 20, 1000)
    assert (drawn.shape, drawn.dtype) == ((20, d, 1000), np.float32)
    items = drawn.swapaxes(1, 2).reshape(-1, d)
    assert np.linalg.norm(items, axis=1).max() <= 3 * (1 + 1e-6)
    if name in FINITE:
        rows = Counter(map(tuple, (CATALOGUES[name].embedding(d).items.astype(np.float32) * np.float32(3)).tolist()))
        found = Counter(map(tuple, items.tolist()))
        assert set(found) <= set(rows), "there is no such item"
        expected = np.array(list(rows.values())) * len(items) / sum(rows.values())
        assert stats.chisquare([found[row] for row in rows], expected).pvalue > 1e-4
    else:
        fresh = CATALOGUES[name].embedding(d, 3.0).of(CATALOGUES[name].sample(rng, 20_000))
        for axis in range(d):
            assert stats.ks_2samp(items[:, axis].astype(float).round(4), fresh[:, axis].round(4)).pvalue > 1e-5
        off_diagonal = np.corrcoef(items.T.astype(float)) - np.eye(d)
        assert np.abs(off_diagonal).max() < 5 / np.sqrt(len(items))


@pytest.mark.parametrize("name", CATALOGUES)
def test_flatness_squeezes_the_last_axis_as_for_every_law(name):
    d = 3
    plain, flat = (ItemLaw(d, name, flatness=f).draw(np.random.default_rng(0), 2, 50) for f in (1.0, 0.1))
    np.testing.assert_allclose(flat, plain * np.array([1, 1, 0.1], dtype=np.float32)[:, None], rtol=1e-6)


@pytest.mark.parametrize("name", CATALOGUES)
def test_a_taste_says_the_same_of_items_and_of_features(name):
    found = CATALOGUES[name].embedding(3, 2.0)
    theta = np.array([0.6, -0.48, 0.64])
    np.testing.assert_allclose(
        CATALOGUES[name].standard.of(found.values) @ found.taste(theta), found.items @ theta, atol=1e-9
    )


@pytest.mark.parametrize("name", CATALOGUES)
@pytest.mark.parametrize("link", ["logistic", "cauchit"])
def test_roam_makes_the_oracle_choices_with_a_catalogue(name, link):
    """Items of a table come back: then rounding decides between two past items that are the same."""
    scenario = Scenario(d=3, k=25, horizon=80, tau=12, runs=3, items=name, seed=5, radius=1.5, link=link)
    run = trajectory(scenario, 2)
    rounds = oracle.roam(
        list(run.contexts),
        tau=12,
        link=link,
        ridge=scenario.resolved().ridge,
        ask="most_uncertain",
        window=50,
        first_picks=[index_in(run.contexts[t], run.x[t]) for t in range(80)],
        answer=lambda t, z: run.outcome[t],
        pick_random=lambda t: run.asked[t],
    )
    for t, (x, y, _, estimate) in enumerate(rounds):
        np.testing.assert_array_equal(run.x[t], x)
        if t:
            np.testing.assert_array_equal(run.x[run.asked[t]], run.x[y])
        np.testing.assert_allclose(run.estimate[t], estimate, atol=2e-5 * (1 + np.linalg.norm(estimate)))
    assert (len(np.unique(run.x, axis=0)) < 80) == (name in FINITE)


@pytest.mark.parametrize("name", CATALOGUES)
def test_the_theory_follows_from_sigma(name):
    scenario = Scenario(d=3, items=name, radius=2.0)
    least = CATALOGUES[name].embedding(3, 2.0).lambda_min
    assert Theory(scenario).lambda_min == pytest.approx(least)
    assert Theory(scenario).beta == pytest.approx(16 / np.sqrt(least))
    assert Theory(scenario).beta > Theory(Scenario(d=3)).beta, "no law is rounder than the sphere"
    items = scenario.law.draw(np.random.default_rng(0), 1, 30)[0].T.astype(float)
    assert 1 <= richness(items, 2.0).beta < Theory(scenario).beta


@pytest.mark.parametrize("name", CATALOGUES)
def test_more_features_than_there_are_is_refused(name):
    most = CATALOGUES[name].most_features
    assert Scenario(d=most, items=name).d == most
    if most == 50:
        return
    for make in (lambda: Scenario(d=most + 1, items=name), lambda: CATALOGUES[name].embedding(most + 1)):
        with pytest.raises(ValueError, match=rf"d = {most + 1} .* from 2 to {most} "):
            make()
    scenario, (problem,) = nearest_scenario({"items": name, "d": "50"})
    assert (scenario.items, scenario.d) == (name, most)
    assert "Used instead" in problem


@pytest.mark.parametrize("d", [1, 0, -3, 2.0, True, None, "2"])
def test_a_bad_number_of_features_is_refused(d):
    with pytest.raises(ValueError, match="from 2 to 5"):
        CATALOGUES["flowers"].embedding(d)


def test_a_simulation_is_the_same_again_and_learns():
    scenario = Scenario(items="wines", d=4, k=50, horizon=150, runs=20)
    one, other = simulate(scenario), simulate(scenario)
    np.testing.assert_array_equal(one.regret, other.regret)
    assert one.error[:, -1].mean() < 0.6 * one.error[:, 60].mean()
    assert (simulate(replace(scenario, items="digits")).regret != one.regret).any()


# Pictures and words


@pytest.mark.parametrize("name", CATALOGUES)
def test_every_picture_is_well_formed_alone_and_harmless(name):
    catalogue = CATALOGUES[name]
    for row in (0, 1, 77, len(catalogue.values) - 1):
        text = catalogue.draw(row)
        root = ElementTree.fromstring(text)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root[0].text == catalogue.describe(row)
        assert text == catalogue.draw(row)
        assert len(text) < 20_000
        for node in root.iter():
            assert node.tag.rpartition("}")[2] in {"svg", "title", "g", "rect", "path", "circle", "text"}
            assert not {"id", "href", "style", "onload"} & set(node.attrib)
        assert "nan" not in text
        assert "inf" not in text
    assert catalogue.draw(0) != catalogue.draw(1)


@pytest.mark.parametrize("name", ENDLESS)
def test_every_feature_changes_the_picture_and_the_words(name):
    catalogue = CATALOGUES[name]
    for i, r in enumerate(catalogue.ranges):
        ends = []
        for value in (r.low, r.high):
            item = catalogue.standard.middle.copy()
            item[i] = value
            ends.append((catalogue.draw(item), catalogue.describe(item)))
        assert ends[0][0] != ends[1][0]
        assert ends[0][1] != ends[1][1]


def test_a_flower_has_as_many_petals_as_its_words_say():
    flowers = CATALOGUES["flowers"]
    words = ["three", "four", "five", "six", "seven", "eight", "nine"]
    for number, word in enumerate(words, 3):
        single = flowers.draw(np.array([0.5, number, 0.5, 0.0, 0.5]))
        assert single.count("rotate(") == number
        assert flowers.describe(np.array([0.5, number, 0.9, 0.0, 0.1])) == (
            f"{word} round petals, pink, single, a small heart"
        )
        assert flowers.draw(np.array([0.5, number, 0.5, 1.0, 0.5])).count("rotate(") == 3 * number


def test_with_fewer_features_the_others_are_drawn_in_the_middle():
    found = CATALOGUES["flowers"].embedding(2)
    assert found.draw(3) != CATALOGUES["flowers"].draw(3)
    assert all("round" not in found.describe(row) and "pointed" not in found.describe(row) for row in range(50))
    assert CATALOGUES["wines"].embedding(2).draw(3) == CATALOGUES["wines"].draw(3)


def test_digits_are_called_what_was_written():
    assert [CATALOGUES["digits"].describe(row) for row in (0, 1, 9)] == [f"a handwritten {n}" for n in (0, 1, 9)]


def test_a_catalogue_is_known_by_its_name_and_its_items():
    text = b"name,a,b\nx,1,2\ny,3,1\nz,0,9\n"
    one, same, other = read_csv(text, "t"), read_csv(text, "t"), read_csv(text.replace(b"9", b"8"), "t")
    assert one == same != other
    assert hash(one) == hash(other)
    assert one != CATALOGUES["wines"] != "wines"
    assert isinstance(one, Catalogue)


# Pages


@pytest.mark.parametrize("page", ["lab", "one_run", "history", "theory", "experiments", "rivals", "ask_better"])
def test_every_page_works_with_a_catalogue(page):
    items = {"lab": "digits", "theory": "colours", "history": "wines", "one_run": "flowers"}.get(page, "wines")
    extra = {"lab": {"explore": "1", "sweep": "d=2,3,8"}}.get(page, {})
    app = visit(page, items=items, d="3", **extra)
    assert not app.error
    said = " ".join(str(element.value) for element in (*app.markdown, *app.caption)).lower().split()
    assert not {"nan", "inf", "none,"} & set(said)
    if page == "theory":
        assert "More features than colours have, and left out: d = 4, 6, 8, 10." in " ".join(
            str(element.value) for element in app.markdown
        )


def test_choosing_items_with_few_features_lowers_d_and_says_so(at_a_glance):
    app = visit("lab", d="8")

    def widget(kind: str, name: str):
        return next(one for one in app.get(kind) if one.key == f"w_{name}")

    widget("selectbox", "items").set_value("colours").run()
    scenario = app.session_state.scenario
    assert (scenario.items, scenario.d) == ("colours", 3)
    assert any(
        "from 2 to 3 if the items are colours. Used instead: 3" in one.value.replace("\\", "") for one in app.warning
    )
    assert widget("slider", "d").max == 3
