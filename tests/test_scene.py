"""The picture of a run shows exactly the run: geometry, numbers and words."""

import base64
import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from pages.one_run import figures
from pages.one_run.luck import Users
from pages.one_run.scene import CLEAR, DRAWN, LARGEST_K, MOST_ROUNDS, endings, in_plane, opening, play, scene
from pages.words import spoken
from roam_core import Scenario
from roam_core.policies import ASK_RULES, compared_rules

SHOWN = in_plane(Scenario(horizon=80, tau=10, k=300, seed=5))
RUN = play(SHOWN)
SCENE = scene(SHOWN)


def inside(point, centre, shape, scale=1.0) -> float:
    """How far out a point lies: 1 on the ellipse, less inside."""
    a, b, angle = np.array(shape) * [scale, scale, 1]
    dx, dy = np.subtract(point, centre)
    along, across = dx * np.cos(angle) + dy * np.sin(angle), dy * np.cos(angle) - dx * np.sin(angle)
    return np.hypot(along / a, across / b)


def test_all_history_lies_inside_the_ellipse_of_equal_uncertainty_and_y_on_it():
    for t in range(1, 80):
        out = [inside(SCENE["x"][i], SCENE["x"][t], SCENE["reach"][t]) for i in range(t)]
        assert max(out) == pytest.approx(1, rel=2e-3)  # the scene holds five digits
        if t >= SHOWN.tau:
            assert out[SCENE["asked"][t]] == pytest.approx(1, rel=2e-3)


def test_a_lazy_question_lies_inside():
    lazy = scene(replace(SHOWN, ask="previous"))
    t = 60
    assert inside(lazy["x"][lazy["asked"][t]], lazy["x"][t], lazy["reach"][t]) < 0.9


def test_each_ellipsoid_has_the_axes_of_its_matrix():
    H = [SHOWN.ridge * np.eye(2) for _ in range(81)]
    for t in range(81):
        for i in range(1, t):
            slope = np.exp(RUN.z[i] @ RUN.estimate[t]) / (1 + np.exp(RUN.z[i] @ RUN.estimate[t])) ** 2
            H[t] += slope * np.outer(RUN.z[i], RUN.z[i])
    for name, matrices in (("V", RUN.V), ("H", H)):
        drawn = SCENE["ellipsoids"][name]
        for t, M in enumerate(matrices):
            a, b, angle = drawn["axes"][t]
            np.testing.assert_allclose(np.array([a, b]) ** -2.0, np.linalg.eigvalsh(M), rtol=1e-3)
            longest = np.array([np.cos(angle), np.sin(angle)])
            np.testing.assert_allclose(M @ longest, longest / a**2, atol=2e-3 * np.abs(M).max())
            (p, q), (_, r) = M
            np.testing.assert_allclose(drawn["matrices"][t], [p, q, r], rtol=1e-8, atol=1e-12)
    assert SCENE["ellipsoids"]["V"]["size"] is None
    assert SCENE["ellipsoids"]["H"]["size"] ** 2 == pytest.approx(stats.chi2(2).ppf(0.95))


def test_a_frame_shows_the_round_of_the_trajectory():
    assert len(SCENE["x"]) == len(SCENE["words"]) == len(SCENE["stages"]) == 80
    assert len(SCENE["estimate"]) == len(SCENE["ellipsoids"]["V"]["axes"]) == 81
    for name in ("x", "best"):
        np.testing.assert_allclose(SCENE[name], getattr(RUN, name)[:80], atol=1e-4)
    np.testing.assert_allclose(SCENE["estimate"], RUN.estimate, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(SCENE["theta"], RUN.theta, atol=1e-4)
    assert SCENE["asked"] == RUN.asked[:80].tolist()
    regret, error, ratio, eigenvalues = (curve["lines"] for curve in SCENE["curves"])
    np.testing.assert_allclose(regret[0], RUN.regret[:80], rtol=1e-4)
    np.testing.assert_allclose(error[0], RUN.error[:80], rtol=1e-4)
    assert ratio[0][:10] == [None] * 10
    np.testing.assert_allclose(ratio[0][10:], RUN.ratio[10:80], rtol=1e-4)
    np.testing.assert_allclose(np.transpose(eigenvalues), np.linalg.eigvalsh(RUN.V[:80]), rtol=1e-4)


def test_one_more_round_leaves_the_others_as_they_are():
    from roam_core import trajectory

    shorter = trajectory(SHOWN, every_item=True)
    np.testing.assert_array_equal(RUN.x[:80], shorter.x)
    np.testing.assert_array_equal(RUN.estimate[:80], shorter.estimate)


def test_the_items_on_offer_survive_packing():
    raw = np.frombuffer(base64.b64decode(SCENE["contexts"]["data"]), "<i2").reshape(80, DRAWN, 2)
    np.testing.assert_allclose(raw / 32767, RUN.contexts[:80, :DRAWN], atol=1e-4)


def test_words_tell_the_round():
    t = 40
    assert SCENE["words"][t].startswith("Round 41. Recommended item ")
    worth = f"worth {RUN.x[t] @ RUN.theta:.2f} to the user, the best was {RUN.best[t] @ RUN.theta:.2f}"
    assert worth in SCENE["words"][t]
    assert f"item {SCENE['names'][RUN.asked[t]]} of round {RUN.asked[t] + 1}" in SCENE["words"][t]
    assert ("prefers the new item" in SCENE["words"][t]) == bool(RUN.outcome[t])
    number = int(SCENE["words"][t].split("item ")[1].split(":")[0])
    np.testing.assert_allclose(RUN.contexts[t, number - 1], RUN.x[t])
    assert "no past item" in SCENE["words"][0]
    assert all(len(stages) == 4 and all(stages) for stages in SCENE["stages"])
    assert "drawn at random" in SCENE["stages"][3][0]
    assert "farthest along the estimate" in SCENE["stages"][t][0]
    assert "the longest possible" in SCENE["stages"][t][1]


def test_an_answer_that_does_harm_is_said_to_mislead_and_why():
    fallen, risen = 0, 0
    for t in range(1, 80):
        before, after, learn = RUN.error[t], RUN.error[t + 1], SCENE["stages"][t][3]
        if f"{before:.2f}" == f"{after:.2f}":
            assert "hardly moves" in learn
            assert "stays at" in SCENE["words"][t]
        elif after < before:
            fallen += 1
            assert f"its error falls from {before:.2f} to {after:.2f}" in learn
        else:
            risen += 1
            assert f"rises from {before:.2f} to {after:.2f}: a single answer can mislead" in learn
            assert "a single answer can mislead" in SCENE["words"][t]
            chance = 1 / (1 + np.exp(-(RUN.z[t] @ RUN.theta)))
            likely = chance if RUN.outcome[t] else 1 - chance
            assert ("a chance of only" in learn) == (likely < 0.5)
            assert f"{likely:.0%}" in learn
    assert min(fallen, risen) > 10


def test_the_picture_opens_where_the_first_answer_after_exploration_takes_a_fifth_off_the_error():
    fall = 1 - RUN.error[1:81] / RUN.error[:80]  # of rounds 1 to 80
    t = SCENE["opening"] - 1
    assert t >= SHOWN.tau
    assert fall[t] >= CLEAR
    assert (fall[SHOWN.tau : t] < CLEAR).all()
    calm = replace(RUN, error=1 + 0.01 * np.cos(np.arange(81)))  # no answer does much: the one that does most
    falls = 1 - calm.error[11:81] / calm.error[10:80]
    assert opening(calm, 80) == 11 + falls.argmax()
    assert scene(in_plane(Scenario(horizon=15, tau=15, k=20)))["opening"] == 15  # all is exploration
    assert scene(in_plane(Scenario(horizon=1, tau=0, k=20)))["opening"] == 1
    assert scene(in_plane(Scenario(horizon=2, tau=0, k=20)))["opening"] == 2  # round 1 asks nothing


def test_the_critical_ratio_is_the_mistake_divided_by_the_question_both_in_v_inverse():
    zero = 0
    for t in range(80):
        inverse = np.linalg.inv(RUN.V[t])
        gap = RUN.x[t] - RUN.best[t]
        mistake = np.sqrt(gap @ inverse @ gap)
        assert SCENE["mistake"][t] == pytest.approx(mistake, rel=1e-4, abs=1e-9)
        said = SCENE["ratios"][t]
        if t < SHOWN.tau:
            assert ("Nothing is asked" if t == 0 else "Exploration recommends at random") in said
            continue
        probe = RUN.x[t] - RUN.y[t]
        question = np.sqrt(probe @ inverse @ probe)
        assert SCENE["norm"][t] == pytest.approx(question, rel=1e-4)
        assert RUN.ratio[t] == pytest.approx(mistake / question, abs=1e-9)
        if mistake == 0:
            zero += 1
            assert "There is no mistake, so the critical ratio is 0." in said
        else:
            ratio, above, below = (spoken(value, 2) for value in (mistake / question, mistake, question))
            assert f"Critical ratio {ratio}: {above} from the new item to the best one, divided by {below} to" in said
            assert ("The question reaches farther" in said) == (mistake < question)
    assert zero  # of 70 rounds with 300 items: some recommend the best one


def test_a_lazy_question_may_reach_less_far_than_the_mistake():
    lazy = scene(in_plane(Scenario(horizon=60, tau=10, k=300, ask="previous")))
    assert any("The mistake reaches at least as far" in said for said in lazy["ratios"])


def test_items_have_letters():
    names = SCENE["names"]
    assert (names[0], names[25], names[26], names[51], names[52]) == ("A", "Z", "AA", "AZ", "BA")
    assert len(set(names)) == 80


def test_every_user_is_a_dot_and_the_run_on_screen_stands_among_the_first():
    rng = np.random.default_rng(0)
    groups = [Users(name, "", SHOWN, rng.gamma(2, 10, 100)) for name in ("this setting", "no exploration")]
    figure = figures.strips(groups, 12.5)
    json.dumps(figure, allow_nan=False)
    *dots, own = figure["data"]
    for place, (trace, group) in enumerate(zip(dots, groups, strict=True)):
        np.testing.assert_allclose(trace["y"], group.regrets, rtol=1e-4)
        assert np.abs(np.array(trace["x"]) - place).max() <= 0.31  # beside the others of its strip
        box, line = figure["layout"]["shapes"][2 * place : 2 * place + 2]
        ranked = np.sort(group.regrets)  # the tenth of 100 lies between numbers 10 and 11
        assert ranked[9] <= box["y0"] <= ranked[10]
        assert ranked[89] <= box["y1"] <= ranked[90]
        assert line["y0"] == line["y1"] == pytest.approx((ranked[49] + ranked[50]) / 2)
    assert (own["x"], own["y"]) == ([0], [12.5])
    assert figure["layout"]["xaxis"]["ticktext"] == ["this<br>setting", "no<br>exploration"]


def test_the_picture_stays_small():
    largest = in_plane(Scenario(horizon=10_000, k=2000, runs=1))
    assert (largest.horizon, largest.k) == (MOST_ROUNDS, LARGEST_K)
    picture = json.dumps(scene(largest), allow_nan=False)
    assert len(picture) < 6_000_000
    assert len(picture) < 1_500_000  # what it is today, with room to spare


@pytest.mark.parametrize("changes", [{"horizon": 1}, {"tau": 0, "horizon": 3}, {"tau": 20, "horizon": 20},
                                     {"flatness": 0.01, "items": "ball"}, {"radius": 10.0}, {"k": 2}])  # fmt: skip
@pytest.mark.parametrize("rule", ASK_RULES)
def test_odd_scenarios_have_a_picture_without_nan(changes, rule):
    shown = in_plane(replace(Scenario(horizon=30, k=20, ask=rule), **changes))
    picture = scene(shown)
    json.dumps(picture, allow_nan=False)
    said = json.dumps([picture["words"], picture["stages"], picture["ratios"]])
    assert "nan" not in said
    assert "inf" not in said


def test_endings_are_the_last_state_of_each_rule():
    ends = endings(SHOWN)
    assert list(ends) == compared_rules(SHOWN)
    for rule, end in ends.items():
        run = play(replace(SHOWN, ask=rule))
        assert end.times_asked.sum() == 79
        np.testing.assert_array_equal(end.estimate, run.estimate[80])
        np.testing.assert_allclose((1 / end.semi_axes) ** 2, np.linalg.eigvalsh(run.V[80]))
        wide = figures.parameter_range(ends.values(), 4)
        figure = figures.ending(end, SHOWN, 4, wide)
        json.dumps(figure, allow_nan=False)
        later, explored, ellipsoid, taste, estimate = figure["data"]
        assert len(explored["x"]) == 10
        assert len(later["x"]) == 70
        np.testing.assert_allclose([estimate["x"][0], estimate["y"][0]], end.estimate, rtol=1e-4)
        np.testing.assert_allclose([taste["x"][0], taste["y"][0]], run.theta, rtol=1e-4)
        v = np.column_stack([ellipsoid["x"], ellipsoid["y"]]) - end.estimate
        np.testing.assert_allclose(np.einsum("ni,ij,nj->n", v, run.V[80], v), 16, rtol=1e-2)
        assert figure["layout"]["xaxis2"]["range"] == [-wide, wide]
        assert max(np.abs(ellipsoid["x"]).max(), np.abs(ellipsoid["y"]).max()) <= wide or wide == figures.WIDEST
    lines = figures.rival_regrets(ends, {name: name for name in ends}, SHOWN.tau)
    assert [trace["name"] for trace in lines["data"]] == compared_rules(SHOWN)
    np.testing.assert_allclose(lines["data"][1]["y"], ends["previous"].regret, rtol=1e-4)
