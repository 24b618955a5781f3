"""Beat ROAM: one user, one luck, and questions by hand; the game agrees with the engine, and the figures with it."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.classroom import beat, beat_figures, beating
from pages.classroom.beat import FIRST, GAME, ROUNDS, End, Luck
from roam_core import Scenario, simulate, trajectory

SEED = 7


def test_who_asks_as_roam_does_ends_as_roam_does():
    asked = beat.rule_asks(SEED)
    assert len(asked) == ROUNDS
    mine = beat.turn(SEED, asked)
    found = beat.luck(SEED)
    assert mine.end == found.rules["most_uncertain"]
    run = trajectory(replace(GAME, seed=SEED), every_item=True)
    assert mine.end.error == pytest.approx(np.linalg.norm(run.theta - run.estimate[-1]), rel=1e-12)
    gaps = np.vecdot(run.best - run.x, run.theta)[FIRST : FIRST + ROUNDS]
    assert mine.end.regret == pytest.approx(gaps.sum(), rel=1e-9)
    assert beat.truth(SEED) == pytest.approx(tuple(run.theta))


def plain_information(z, taste):
    """What answers to the questions z tell about a taste, by the logistic link and a loop."""
    total = GAME.ridge * np.eye(2)
    for one in z:
        p = 1 / (1 + np.exp(-one @ taste))
        total = total + p * (1 - p) * np.outer(one, one)
    return total


def test_a_bit_halves_the_area_in_which_the_taste_may_lie():
    run = trajectory(replace(GAME, seed=SEED), every_item=True)
    areas = [np.pi / np.sqrt(np.linalg.det(plain_information(run.z[1:t], run.theta))) for t in (FIRST, FIRST + ROUNDS)]
    told = beat.luck(SEED).rules["most_uncertain"].told
    assert areas[0] / 2**told == pytest.approx(areas[1])


def test_better_rules_ask_better_in_most_games():
    """By what the questions told: informative before ROAM before random.

    Of 40 games at least 27: a rule that is no better has that with a chance of 2 in 100. A rule that is better in 82%
    of games, as ROAM is than random questions, has fewer with a chance of 1 in 100.
    """
    told = np.array([[end.told for end in rules_of(seed).values()] for seed in range(40)])
    paper, informative, luck = told.T
    assert (informative > paper).sum() >= 27
    assert (paper > luck).sum() >= 27
    assert (informative > luck).sum() >= 27


def rules_of(seed: int) -> dict:
    return {rule: beat._end(trajectory(replace(GAME, seed=seed, ask=rule), every_item=True)) for rule in beat.RULES}


@pytest.mark.parametrize("rule", beat.RULES)
def test_the_taste_lies_in_the_ellipse_in_most_rounds(rule):
    """Nine rounds of ten or more, whoever asks: with 60 games, whose rounds go together, between 86% and 99.5%."""
    inside = []
    for seed in range(60):
        taste = np.array(beat.truth(seed))
        run = trajectory(replace(GAME, seed=seed, ask=rule), every_item=True)
        asked = tuple(int(item) + 1 for item in run.asked[FIRST : FIRST + ROUNDS])
        for length in range(0, ROUNDS + 1, 3):
            now = beat.turn(seed, asked[:length])
            a, b, c = now.H
            x, y = taste - np.array(now.estimate)
            inside.append(a * x * x + 2 * b * x * y + c * y * y < beat_figures.LARGE**2)
    assert 0.86 < np.mean(inside) < 0.995


def test_at_the_end_a_bit_halves_an_ellipse_and_most_have_the_taste_inside():
    """Between 75% and 97% of 60 games."""
    inside = []
    for seed in range(60):
        start, end = beat.turn(seed, ()), beat.turn(seed, beat.rule_asks(seed))
        areas = [area(beat.outline(turn, points=720, at_taste=True)) for turn in (start, end)]
        assert areas[0] / areas[1] == pytest.approx(2**end.end.told, rel=1e-3)
        a, b, c = end.H_at_taste
        x, y = np.array(beat.truth(seed)) - np.array(end.estimate)
        inside.append(a * x * x + 2 * b * x * y + c * y * y < beat_figures.LARGE_AT_TASTE**2)
    assert 0.75 < np.mean(inside) < 0.97


def area(outline: np.ndarray) -> float:
    """Of what a closed line (n, 2) goes around."""
    x, y = (outline - outline.mean(0)).T
    return abs(float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))) / 2


def test_everybody_begins_alike_and_questions_make_the_difference():
    first = beat.turn(SEED, ())
    assert (first.round, len(first.past), first.preferred) == (1, FIRST, None)
    one, other = beat.turn(SEED, (1,)), beat.turn(SEED, (3,))
    assert one.past == other.past == (*first.past, first.new)
    assert one.H != other.H
    z = trajectory(replace(GAME, seed=SEED), every_item=True).z[1:FIRST]
    for now, item in ((one, 1), (other, 3)):
        asked = np.vstack([z, np.array(first.new) - np.array(first.past[item - 1])])
        expected = plain_information(asked, np.array(now.estimate))
        np.testing.assert_allclose(now.H, expected[[0, 0, 1], [0, 1, 1]], rtol=1e-9)


def test_other_answers_are_the_same_users_on_the_same_offer():
    run, again = (trajectory(replace(GAME, seed=SEED), every_item=True, luck=luck) for luck in (0, 5))
    np.testing.assert_array_equal(run.theta, again.theta)
    np.testing.assert_array_equal(run.contexts, again.contexts)
    np.testing.assert_array_equal(run.outcome[1:FIRST], again.outcome[1:FIRST])  # exploration is the class's own
    many = [trajectory(replace(GAME, seed=SEED), every_item=True, luck=luck).outcome[FIRST:] for luck in range(40)]
    assert len({tuple(row) for row in many}) > 10
    np.testing.assert_array_equal(trajectory(GAME, luck=0).outcome, trajectory(GAME).outcome)


def test_the_answers_of_another_luck_follow_the_users_link():
    """Of 400 answers to one question, the share lies within 4 standard deviations of F: error rate 6 in 100,000."""
    scenario = Scenario(d=2, tau=2, k=5, horizon=3, runs=1, radius=1.5, seed=3)
    runs = [trajectory(scenario, every_item=True, luck=luck) for luck in range(1, 401)]
    expected = 1 / (1 + np.exp(-runs[0].z[2] @ runs[0].theta))
    share = np.mean([run.outcome[2] for run in runs])
    assert abs(share - expected) < 4 * np.sqrt(expected * (1 - expected) / 400)
    assert simulate(scenario).regret.shape == (1, 3)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.text("0123456789. ", max_size=60) | st.lists(st.integers(0, 30).map(str), max_size=20).map(".".join))
def test_any_text_is_a_game_or_refused(text):
    try:
        asked = beat.parse(text)
    except ValueError:
        assert beating.asked_by(text) == ()
        return
    assert beat.format(asked) == text
    assert len(asked) <= ROUNDS
    assert all(1 <= item <= FIRST + place for place, item in enumerate(asked))


def test_the_ellipse_is_that_of_H_around_the_estimate():
    now = beat.turn(SEED, (1, 2, 3))
    a, b, c = now.H
    off = beat.outline(now, size=1.7) - np.array(now.estimate)
    values = a * off[:, 0] ** 2 + 2 * b * off[:, 0] * off[:, 1] + c * off[:, 1] ** 2
    np.testing.assert_allclose(values, 1.7**2, rtol=1e-9)


def test_the_figures_hold_what_they_are_given():
    now = beat.turn(SEED, (1, 2))
    figure = beat_figures.items(now, 4)
    past = next(trace for trace in figure["data"] if trace.get("meta") == "choose")
    assert sorted(past["customdata"]) == list(range(1, FIRST + 3))
    end = (figure["data"][-1]["x"][1], figure["data"][-1]["y"][1])
    assert end == pytest.approx(now.past[3]), "the question goes to where the item lies"
    start = beat.turn(SEED, ())
    everybody = beat_figures.ellipses([now] * 500, now, start)
    names = {trace["name"]: trace for trace in everybody["data"]}
    assert names["players"]["x"].count(None) == beat_figures.DRAWN
    assert f"{beat_figures.DRAWN} of 500 players" in everybody["layout"]["title"]["text"]
    for axis in "xy":
        low, high = everybody["layout"][f"{axis}axis"]["range"]
        parts = [part for trace in names.values() for part in trace[axis] if part is not None]
        assert low <= min(-1, *parts)
        assert max(1, *parts) <= high, "the plane has room for all ellipses and the unit circle"
    luck = Luck({rule: End(2.0, 0.3, 4.0) for rule in beat.RULES}, [End(2.0, 0.1 + n / 100, 3.0) for n in range(100)])
    final = beat_figures.ellipses([now], now, start, beat.truth(SEED))
    shown = next(trace for trace in final["data"] if trace["name"] == "ROAM")
    expected = beat.outline(now, size=beat_figures.LARGE_AT_TASTE, at_taste=True)
    np.testing.assert_allclose([shown["x"], shown["y"]], expected.T)
    board = beat_figures.board([("<b>Ada</b>", End(2.5, 0.2, 3.0)), ("Bob", End(1.0, 0.9, 5.0))], luck)
    assert board["data"][1]["text"] == ["&lt;b&gt;Ada&lt;/b&gt;", "Bob"]
    assert (board["data"][1]["x"], board["data"][1]["y"]) == ([2.5, 1.0], [0.2, 0.9])
    assert len(board["data"]) == 2 + len(beat.RULES)
    low, high = luck.spread
    (between,) = board["layout"]["shapes"]
    assert (between["y0"], between["y1"]) == (low.error, high.error), "where luck ends is in the picture"
    assert beat_figures.board([], luck)["data"][1]["x"] == []


def test_the_verdict_says_how_much_is_luck():
    luck = Luck({rule: End(2.0, 0.5, 4.0) for rule in beat.RULES}, [End(2.0, n / 100, 3.0) for n in range(101)])
    said = beating.verdict([End(2.5, 0.01, 1.0), End(1.0, 0.4, 1.0), End(0.5, 0.9, 1.0)], luck)
    assert "**1 of 3** asked questions that told more than ROAM's." in said
    assert beating.verdict([End(2.004, 0.4, 1.0)], luck).startswith("**0 of 1**"), "no more than is shown of it"
    assert "**2 of 3** ended with a smaller error" in said
    assert "an error of 0.05 to 0.95" in said
    assert "would tell 2.00 to 2.00 bits" in said
    assert beating.why(luck) == beating.DID_NOT_PAY
    ahead = luck.rules | {"informative": End(2.1, 0.5, 4.0)}
    assert beating.why(luck._replace(rules=ahead)) == beating.PAID
    assert beating.verdict([], luck).startswith("Nobody has asked all 15")
    first, rest = (part.splitlines() for part in beating.table([("A|b", End(2.1, 0.1, 1.0))] * 40, luck))
    assert first[2].startswith("| 1. A\\|b | 2.10 |")
    assert len(first) == 2 + beating.LISTED + len(beat.RULES)
    assert len(rest) == 2 + 40 - beating.LISTED
    assert rest[2].startswith(f"| {beating.LISTED + 1}. ")
    _, rest = beating.table([("A", End(2.1, 0.1, 1.0))] * 400, luck)
    assert rest.count("| A") + rest.count(". A |") == beating.MOST_LISTED
    assert f"And {400 - beating.LISTED - beating.MOST_LISTED} more" in rest
    assert beating.table([], luck)[1] == ""


def test_dots_that_would_cover_each_other_stand_off_the_circle():
    r = beat.GAME.radius
    alike = np.array([[0.0, r]] * 4 + [[r, 0.0]])
    drawn = beat_figures.apart(alike, np.array([0.0, r]))
    np.testing.assert_allclose(drawn[4], [r, 0], err_msg="where there is room an item stays on the circle")
    for seed in range(20):
        now = beat.turn(seed, beat.rule_asks(seed)[:14])
        alike, new = np.array(now.past), np.array(now.new)
        drawn = beat_figures.apart(alike, new)
        assert np.abs(drawn).max() <= beat_figures.REACH * r, "nothing is outside of the picture"
        assert np.linalg.norm(drawn, axis=1).min() >= 0.999 * r, "nor inside of the circle"
        gaps = [np.linalg.norm(one - other) for one, other in combinations([new, *drawn], 2)]
        assert min(gaps) >= 0.98 * beat_figures.RING * r
        assert np.linalg.norm(drawn - alike, axis=1).max() < 0.9 * r, "each is near its place"
        figure = beat_figures.items(now, 1)
        lines = next(trace for trace in figure["data"] if trace["name"] == "its place")
        moved = [tuple(item) for item, dot in zip(alike, drawn, strict=True) if not np.array_equal(item, dot)]
        assert list(zip(lines["x"], lines["y"], strict=True))[::3] == moved, "a line leads to each true place"


def test_names_on_the_board_stand_where_there_is_room():
    luck = Luck({rule: End(2.0, 0.3, 4.0) for rule in beat.RULES}, [End(2.0, 0.1 + n / 100, 3.0) for n in range(100)])
    ends = [("Ada", End(3.0, 1.0, 1.0)), ("Bob", End(2.99, 1.0, 1.0)), ("Eve", End(1.0, 0.2, 1.0))]
    players = beat_figures.board([*ends, ("Kim", End(2.98, 1.0, 1.0))], luck)["data"][1]
    assert players["text"] == ["Ada", "Bob", "Eve", "Kim"]
    assert players["textposition"] == ["top center", "bottom center", "top center", "middle right"]
    crowd = [(name, End(3.0, 1.0, 1.0)) for name in ("Ada", "Bob", "Eve", "Kim", "Lea")]
    players = beat_figures.board(crowd, luck)["data"][1]
    assert players["text"] == ["Ada", "Bob", "Eve", "Kim", ""], "about one place there is room for four"
    assert players["customdata"] == ["Ada", "Bob", "Eve", "Kim", "Lea"], "who is not named is under the pointer"


def test_error_and_regret_hang_on_luck_more_than_the_bits_do():
    """The spread of ROAM's games with other answers, beside their middle, in the median of eight games."""
    spreads = []
    for seed in range(8):
        low, middle, high = np.quantile(np.array(beat.luck(seed).others), [0.05, 0.5, 0.95], axis=0)
        spreads.append((high - low) / middle)
    told, error, regret = np.median(spreads, axis=0)
    assert told < error
    assert told < regret
