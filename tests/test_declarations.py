"""A link, an ask rule, an item law and an algorithm that nobody has heard of: one declaration each is enough."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import optimize, stats

from roam_core import KNOBS, Scenario, simulate, trajectory
from roam_core.__main__ import main
from roam_core.engine import finish, run_batch
from roam_core.enrichment import Enrichment, Exploration
from roam_core.extremes import ExtremeItems
from roam_core.items import ITEM_LAWS, ItemLaw, Shape
from roam_core.links import LINKS, Link
from roam_core.offers import AllItems
from roam_core.policies import ALGORITHMS, ASK_RULES, Algorithm, AskRule, by_ask_rule, perturbed, previous, uniform
from roam_core.scenario import nearest_scenario
from roam_core.theory import Theory

LAPLACE = Link(
    "double exponential",
    F=lambda u: 0.5 - np.sign(u) * np.expm1(-np.abs(u)) / 2,
    slope=lambda u: np.exp(-np.abs(u)) / 2,
    integral=lambda u: np.maximum(u, 0) + np.exp(-np.abs(u)) / 2,
    bend=np.ones_like,
    noise=lambda rng, shape: rng.standard_exponential(shape, dtype=np.float32),
)
OLDEST = AskRule(
    lambda view, x: np.full(len(x), max(0, view.uncertainty.consumed - view.scenario.window)),
    "oldest of last {window}",
    uses=("window",),
)
# The largest cube in the unit ball: its corners touch the sphere, so no sphere or ball has its items.
CUBE = Shape(
    "cube",
    solid=True,
    draw=lambda rng, runs, d, k: rng.uniform(-1, 1, (runs, d, k)) / np.sqrt(d),
    sigma=lambda scale: np.diag(2 * scale**2 / (3 * len(scale))),
)
# It asks about the past as ROAM does, and pays for both and perturbs x as CoLSTIM does.
MIXED = Algorithm(
    "Mixed",
    explore=(uniform, previous),
    act=(perturbed, by_ask_rule),
    asks_the_past=True,
    pays_for_both=True,
    two_items_matter=False,
    uses=("ask", "c2"),
)
NEW = {"link": "laplace", "ask": "oldest", "items": "cube", "algorithm": "mixed"}
SMALL = Scenario(d=2, k=20, horizon=30, tau=5, runs=3, window=4)


@pytest.fixture(autouse=True)
def declared(monkeypatch):
    monkeypatch.setitem(LINKS, "laplace", LAPLACE)
    monkeypatch.setitem(ASK_RULES, "oldest", OLDEST)
    monkeypatch.setitem(ITEM_LAWS, "cube", CUBE)
    monkeypatch.setitem(ALGORITHMS, "mixed", MIXED)


# What follows from a declaration


@pytest.mark.parametrize(("field", "name"), [*NEW.items(), ("user_link", "laplace")])
def test_it_is_a_choice_wherever_there_is_one(field, name):
    scenario = Scenario(**{field: name})
    assert Scenario.from_strings(scenario.to_strings()) == scenario
    assert nearest_scenario({field: name}) == (scenario, [])
    assert KNOBS[field].choices[-1] == KNOBS[field].compared[-1] == name
    for refused in ("nonsense", name.upper()):
        with pytest.raises(ValueError, match=rf"^{field} = .*one of .*, {name}"):
            Scenario(**{field: refused})


def test_it_has_its_words():
    scenario = Scenario(**NEW, window=7)
    assert [KNOBS[field].words(name) for field, name in NEW.items()] == [
        "double exponential", "oldest of last w", "cube", "Mixed",
    ]  # fmt: skip
    assert [scenario.words(field) for field in NEW] == ["double exponential", "oldest of last 7", "cube", "Mixed"]


def test_it_says_what_has_no_effect():
    mixed, roam, colstim = (Scenario(algorithm=name) for name in ("mixed", "roam", "colstim"))
    assert {field: why for field in KNOBS if (why := mixed.no_effect(field))} == {
        "window": "Only the ask rules 'most uncertain of last w' and 'oldest of last w' use it.",
        "c1": "Only CoLSTIM uses it.",
        "skip_below": "Only ROAM uses it.",
        "questions": "Only ROAM uses it.",
        "formula": "Only the ask rule 'the largest score' uses it.",
    }
    assert replace(mixed, ask="oldest").no_effect("window") == ""
    assert roam.no_effect("c2") == "Only CoLSTIM and Mixed use it."
    assert colstim.no_effect("ask") == colstim.no_effect("window") == "Only ROAM and Mixed use it."


def test_an_algorithm_that_uses_a_field_of_ask_rules_itself_always_uses_it(monkeypatch):
    monkeypatch.setitem(ALGORITHMS, "mixed", replace(MIXED, uses=("ask", "window")))
    assert Scenario(algorithm="mixed", ask="previous").no_effect("window") == ""
    assert Scenario(algorithm="colstim").no_effect("window") == "Only ROAM and Mixed use it."


@pytest.mark.parametrize(("field", "name"), NEW.items())
def test_the_command_line_takes_it(field, name, tmp_path, capsys):
    small = ["--d", "2", "--k", "50", "--horizon", "12", "--runs", "2", "--tau", "4"]
    assert main(["run", *small, f"--{field}", name]) == 0
    assert f"{field}={name}" in capsys.readouterr().out
    other = KNOBS[field].default
    assert main(["sweep", *small, "--vary", f"{field}={other},{name}", "--out", str(tmp_path / "t.csv")]) == 0
    assert f",{name}," in (tmp_path / "t.csv").read_text(encoding="utf-8")
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(["run", "--help"])
    assert name in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, "mixed"])
def test_every_combination_with_the_others_gives_sound_numbers(algorithm):
    for ask, link, items, k in product(ASK_RULES, LINKS, ITEM_LAWS, (10, 60)):
        if not {algorithm, ask, link, items} & set(NEW.values()):
            continue
        scenario = Scenario(
            d=2, k=k, horizon=12, tau=4, runs=2, window=3, algorithm=algorithm, ask=ask, link=link, items=items
        )
        result = simulate(scenario)
        for array in (result.regret, result.error, result.lambda_min):
            assert np.isfinite(array).all(), scenario
        ratio = result.ratio[:, 4:][result.asked[:, 4:] >= 0]
        assert not np.isnan(ratio).any(), scenario
        # Only a catalogue that ends offers an item twice, and only then an item is compared with itself.
        assert np.isfinite(ratio).all() or items in ("wines", "digits"), scenario
        assert np.isnan(result.ratio[:, :4]).all()
        past = scenario.declared.asks_the_past
        assert (result.asked[:, 1:] >= 0).all() == past
        assert (result.asked < np.arange(12)).all()
        assert (result.questions[:, -1] == (11 if past else 12)).all()


# What the declarations say, against plain computations


def test_the_estimate_and_the_user_follow_the_new_link():
    run = trajectory(replace(SMALL, link="laplace", horizon=400, k=50, radius=2.0, d=3), 2)
    law = stats.laplace

    def equation(theta, t):
        return (law.cdf(run.z[1:t] @ theta) - run.outcome[1:t]) @ run.z[1:t] + 1e-3 * theta

    for t in (5, 20, 100, 399):
        estimate = optimize.root(equation, run.estimate[t], args=(t,), tol=1e-12).x
        np.testing.assert_allclose(run.estimate[t], estimate, atol=2e-5 * (1 + np.linalg.norm(estimate)))
    p = law.cdf(run.z[1:] @ run.theta)
    assert abs((run.outcome[1:] - p).sum()) < 4 * np.sqrt((p * (1 - p)).sum())  # a false alarm in 1 of 15,000
    assert Theory(run.scenario).kappa == pytest.approx(law.pdf(8.0))


@pytest.mark.parametrize("algorithm", ["roam", "mixed"])
@pytest.mark.parametrize("k", [20, 60])
def test_the_new_rule_is_asked_after_exploration(algorithm, k):
    result = simulate(replace(SMALL, ask="oldest", k=k, algorithm=algorithm))
    expected = [-1, *range(4), *(max(0, t - 4) for t in range(5, 30))]
    np.testing.assert_array_equal(result.asked, np.tile(expected, (3, 1)))


@pytest.mark.parametrize("link", [*LINKS, "laplace"])
@pytest.mark.parametrize("ask", [*ASK_RULES, "oldest"])
def test_the_new_algorithm_pays_for_both_and_asks_the_past(ask, link):
    scenario = replace(SMALL, algorithm="mixed", ask=ask, link=link, k=60, horizon=60)
    result = simulate(scenario)
    run = result.trajectory(2)
    y = run.x[np.maximum(run.asked, 0)]
    np.testing.assert_array_equal(run.y[1:], y[1:])
    assert np.isnan(run.y[0]).all()
    regret = (run.best - (run.x + y) / 2) @ run.theta
    np.testing.assert_allclose(run.regret, np.cumsum(regret), atol=1e-9)
    np.testing.assert_allclose(run.best @ run.theta, (run.contexts @ run.theta).max(1), atol=1e-6)
    skipping = simulate(replace(scenario, skip_below=1000.0, c1=7.0))
    np.testing.assert_array_equal(skipping.regret, result.regret)
    np.testing.assert_array_equal(skipping.asked, result.asked)


def test_a_past_item_may_be_better_than_all_on_offer():
    """Then a round of an algorithm that pays for both has less than no regret, and that is not taken for rounding."""
    steps = np.diff(simulate(replace(SMALL, algorithm="mixed", k=2, items="ball", horizon=200)).regret, axis=1)
    assert (steps < -0.01).any()


def test_who_pays_for_both_pays_for_a_question_only_if_it_is_asked(monkeypatch):
    monkeypatch.setitem(ALGORITHMS, "mixed", replace(MIXED, uses=("ask", "skip_below")))
    run = trajectory(replace(SMALL, algorithm="mixed", horizon=60, skip_below=0.5))
    silent = run.asked < 0
    assert 5 < silent.sum() < 55
    paid = np.where(silent[:, None], run.x, (run.x + np.nan_to_num(run.y)) / 2)
    np.testing.assert_allclose(run.regret, np.cumsum(np.vecdot(run.best - paid, run.theta)), atol=1e-9)


@pytest.mark.parametrize(
    "changes",
    [{"two_items_matter": True, "uses": ()}, {"uses": ("ask",)}, {"uses": ("skip_below",)}, {"uses": ("questions",)}],
    ids=str,
)
def test_an_algorithm_that_contradicts_itself_is_refused(changes):
    with pytest.raises(ValueError, match="CoLSTIM: an algorithm that takes y from the offer"):
        replace(ALGORITHMS["colstim"], **changes)


def test_who_pays_for_y_asks_one_question_per_item():
    with pytest.raises(ValueError, match="Mixed: an algorithm that pays for y"):
        replace(MIXED, uses=("ask", "questions"))


def test_an_ask_rule_that_knows_nothing_of_several_questions_asks_one():
    plain, several = (simulate(replace(SMALL, ask="oldest", questions=m)) for m in (1, 3))
    for array in ("regret", "error", "ratio", "asked", "questions"):
        np.testing.assert_allclose(getattr(plain, array), getattr(several, array), rtol=1e-9)
    assert (several.also_asked == -1).all()


# Items that are no image of a sphere


def offers_of(scenario: Scenario) -> set[type]:
    """How the items of a scenario are drawn."""
    seen = set()
    run_batch(scenario, 0, lambda r: seen.add(type(r.offer)))
    return seen


@pytest.mark.parametrize("ask", [*ASK_RULES, "oldest"])
def test_only_what_allows_the_shortcut_takes_it(ask):
    scenario = replace(SMALL, ask=ask, k=1000, horizon=8)
    for algorithm, items in product(ALGORITHMS, ITEM_LAWS):
        allowed = algorithm == "roam" and items in ("sphere", "ball")
        found = offers_of(replace(scenario, algorithm=algorithm, items=items))
        assert found == {ExtremeItems if allowed else AllItems}, (algorithm, items)
    assert offers_of(replace(scenario, k=20)) == {AllItems}


def test_the_shortcut_cannot_be_forced_on_a_law_without_it():
    with pytest.raises(TypeError):
        ExtremeItems(ItemLaw(3, "cube"), 100, np.eye(3), np.random.default_rng(0))


@pytest.mark.parametrize("every_item", [False, True])
@pytest.mark.parametrize("k", [20, 200])
@pytest.mark.parametrize("algorithm", [*ALGORITHMS, "mixed"])
def test_the_items_of_a_cube_come_from_the_cube(algorithm, k, every_item):
    """Every coordinate uniform between the faces: Kolmogorov-Smirnov at level 1e-4."""
    scenario = replace(SMALL, d=3, k=k, algorithm=algorithm, items="cube", radius=2.0, flatness=0.3)
    run = trajectory(scenario, 1, every_item)
    faces = np.array([2, 2, 0.6]) / np.sqrt(3)
    in_units = run.contexts.reshape(-1, 3) / faces
    assert np.abs(in_units).max() <= 1 + 1e-6
    assert np.linalg.norm(in_units, axis=1).max() > 1.2, (
        "no item lies near a corner, outside the ball between the faces"
    )
    assert stats.kstest(in_units.ravel(), "uniform", args=(-1, 2)).pvalue > 1e-4
    assert np.linalg.norm(run.contexts, axis=2).max() <= 2 * (1 + 1e-6)
    for t in range(scenario.horizon):
        assert (run.contexts[t] == run.x[t]).all(1).any()
        np.testing.assert_array_equal(run.best[t], run.contexts[t][(run.contexts[t] @ run.theta).argmax()])


@pytest.mark.parametrize("k", [20, 200])
def test_exploration_in_a_cube_costs_what_it_costs_by_hand(k):
    """Regret of six random picks, drawn by hand: two-sample Kolmogorov-Smirnov at level 1e-4. A ball is noticed."""
    scenario = Scenario(d=3, k=k, horizon=6, tau=6, runs=400, items="cube")
    rng = np.random.default_rng(3)
    theta = rng.normal(size=(400, 1, 3))
    theta /= np.linalg.norm(theta, axis=2, keepdims=True)
    utility = np.vecdot(rng.uniform(-1, 1, (6, 400, k, 3)) / np.sqrt(3), theta)
    by_hand = (utility.max(2) - utility[:, :, 0]).sum(0)
    assert stats.ks_2samp(simulate(scenario).regret[:, -1], by_hand).pvalue > 1e-4
    for items in ("sphere", "ball"):
        assert stats.ks_2samp(simulate(replace(scenario, items=items)).regret[:, -1], by_hand).pvalue < 1e-4


def test_richness_and_exploration_work_in_a_cube():
    """V after six rounds by hand, |difference of means| < 4 standard errors: a false alarm in 1 of 15,000."""
    scenario = Scenario(d=3, k=60, horizon=20, tau=6, runs=27, items="cube", ridge=0.1)
    explored = finish(Exploration(scenario, (6, 12)).play(1))
    x = np.random.default_rng(4).uniform(-1, 1, (2000, 6, 3)) / np.sqrt(3)
    z = np.diff(x, axis=1)
    by_hand = np.linalg.eigvalsh(0.1 * np.eye(3) + z.swapaxes(1, 2) @ z)[:, 0]
    for ours in (explored.lambda_min[:, 0], simulate(replace(scenario, runs=200)).lambda_min):
        error = np.sqrt(ours.var() / len(ours) + by_hand.var() / len(by_hand))
        assert abs(ours.mean() - by_hand.mean()) < 4 * error
    rich = finish(Enrichment(scenario, (8, 21)).play(1))
    assert (rich.beta[:, 1] <= rich.beta[:, 0]).all()
    assert np.isfinite(rich.beta[:, 1]).all()


def test_the_sigma_of_a_cube_is_the_second_moment_of_a_difference():
    """Each entry within 5 standard errors; the theory reads it."""
    law = ItemLaw(3, "cube", radius=1.7, flatness=0.3)
    x, other = (law.draw(np.random.default_rng(seed), 1, 100_000)[0].T.astype(float) for seed in (1, 2))
    products = (x - other)[:, :, None] * (x - other)[:, None, :]
    assert (np.abs(products.mean(0) - law.sigma) <= 5 * products.std(0) / np.sqrt(len(x))).all()
    assert law.draw(np.random.default_rng(0), 2, 5).dtype == np.float32
    assert law.lambda_min == pytest.approx(2 * 0.51**2 / 9)
    np.testing.assert_array_equal(law.scale, [1.7, 1.7, 1.7 * 0.3])
    assert Theory(Scenario(d=3, items="cube")).beta == pytest.approx(8 / np.sqrt(2 / 9))
