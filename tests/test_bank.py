"""The bank of questions: the runs decide as the explanations say, and no text from anywhere does harm."""

import html
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages import registry
from pages.bank import figures
from pages.bank.handout import handout, notes
from pages.bank.plans import LECTURE, in_a_room, on_paper
from pages.bank.question import Bars, Race, Scene
from pages.bank.questions import BANK, FACTORS, PICTURE
from roam_core import KNOBS, Scenario, simulate
from roam_core.engine import batch_sizes, finish
from roam_core.theory import Theory

ROOT = Path(__file__).parents[1]
many = settings(max_examples=100, deadline=None, derandomize=True, database=None)
by_key = pytest.mark.parametrize("key", BANK)
# An answer of each kind for every question.
ANSWERS = {
    key: {
        "choice": lambda c: next(iter(c.options)),
        "number": lambda c: float(c.low + c.step),
        "curve": lambda c: tuple(range(len(c.rounds))),
        "item": lambda c: 3,
    }[question.commitment.kind](question.commitment)
    for key, question in BANK.items()
}


@cache
def result(runs):
    """What came of some runs, played once for all tests."""
    if isinstance(runs, Scenario):
        return simulate(runs)
    sizes = batch_sizes(runs.scenario)
    return runs.join([finish(runs.play(index)) for index in range(len(sizes))], 1.0)


def decided(key: str):
    """The results that decide a question, and the truth."""
    results = [result(runs) for runs in BANK[key].runs]
    assert BANK[key].ready(results)
    assert BANK[key].complete(results)
    return results, BANK[key].truth(results)


# What came out, and what is said of it. Each bound is several standard errors away: band is two of them.


def clear(value: float, band: float, low: float = -np.inf, high: float = np.inf) -> bool:
    """Whether a value lies between two limits, more than two bands (four standard errors) from each."""
    return low < value - 2 * band and value + 2 * band < high


def test_a_random_film_costs_nearly_what_the_best_is_worth():
    _, truth = decided("film")
    assert clear(truth.value, truth.band, 0.9, 1.05)


def test_late_rounds_cost_little_and_most_is_paid_early():
    (learned,), truth = decided("learn")
    assert clear(truth.value, truth.band, 0, 10)
    assert learned.mean("regret")[499] > 0.75 * learned.mean("regret")[-1]


def test_a_hundred_random_rounds_are_too_many_and_none_are_a_risk():
    results, truth = decided("rounds")
    none, some, long = (one.regret[:, -1] for one in results)
    assert "tau100" not in truth.right
    assert clear((long - some).mean(), 2 * (long - some).std() / len(some) ** 0.5, 0)
    assert none.std() > 1.3 * some.std()


def test_the_regret_of_a_long_exploration_has_a_corner():
    (long,), truth = decided("draw")
    steps = np.diff(truth.value)
    assert (steps[:3] > 85).all()
    assert (steps[3:] < 15).all()
    assert long.mean("regret")[299] / long.mean("regret")[-1] > 0.8


def test_the_lazy_question_costs_more():
    _, truth = decided("previous")
    assert clear(truth.value, truth.band, 1.2)


def test_nearly_all_questions_are_about_the_first_items():
    _, truth = decided("share")
    assert clear(truth.value, truth.band, 95)


def test_the_papers_question_tells_less_than_the_best_because_its_answer_is_known():
    _, truth = decided("item")
    now = figures.one_round(PICTURE)
    assert truth.values[truth.value - 1] == max(truth.values) == 1
    assert now.papers_share < 0.5
    known = np.abs(now.chance - 0.5)
    assert known[now.papers] > 0.49
    assert now.variables["width"][now.papers] == now.variables["width"].max()
    assert known[now.informative] < known[now.papers]
    assert now.history[now.papers, 1] < now.x[1] - 3


def test_half_of_the_questions_can_be_left_out():
    results, truth = decided("fewer")
    assert clear(truth.value, truth.band, high=20)
    assert 500 < results[1].questions[:, -1].mean() < 600, "nearly half are left out"
    assert results[0].questions[:, -1].mean() == 999


def test_three_answers_are_far_from_a_third_of_the_regret():
    (one, _), truth = decided("several")
    assert clear(truth.value, truth.band, 5, 60)
    assert 0.4 < one.mean("regret")[49] / one.mean("regret")[-1] < 0.6


def test_regret_grows_with_the_features_roughly_in_proportion():
    _, truth = decided("features")
    assert clear(truth.value, truth.band, 1.5, 3)


def test_a_larger_offer_costs_more_but_not_a_thousand_times():
    _, truth = decided("offer")
    assert truth.right == ("thousands",)
    assert 1.3 < truth.values[1] / truth.values[0] < 3


def test_the_rival_costs_more():
    _, truth = decided("rival")
    assert clear(truth.value, truth.band, 1.1)


def test_a_wrong_link_costs_a_little():
    _, truth = decided("wrong")
    assert clear(truth.value, truth.band, high=50)


def test_the_informative_rule_pays_where_utilities_are_large():
    _, truth = decided("fails")
    assert truth.right == ("huge",)
    assert clear(truth.values[2], truth.bands[2], high=0)
    assert all(abs(mean) < 2 * band for mean, band in zip(truth.values[:2], truth.bands[:2], strict=True))


def test_the_bound_is_thousands_of_times_the_regret():
    _, truth = decided("bound")
    measured, bound = truth.values
    assert 10**3.5 < bound / measured < 10**4.5
    assert truth.right == ("tenthousand",)
    scenario = BANK["bound"].runs[0]
    assert bound > 2 * scenario.radius * scenario.horizon, "it says nothing with these numbers"
    later = Theory(replace(scenario, horizon=4 * scenario.horizon)).bound(4 * scenario.horizon)
    assert bound < later < 4 * bound, "it grows more slowly than the rounds"


def test_the_confidence_step_gives_away_most():
    _, truth = decided("proof")
    assert truth.right == ("confidence",)
    assert all(value >= 1 for value in truth.values)


@by_key
def test_what_came_out_is_said_without_gaps(key):
    question, (_, truth) = BANK[key], decided(key)
    for text in (question.outcome(truth), question.explanation(truth), question.truth_words(truth)):
        assert not re.search(r"nan|inf\b|[{}]", text)
    assert question.near(truth.value, truth)


def test_the_truth_is_not_hard_coded():
    """With the second scenario's runs in the place of the first's the answer turns round."""
    results, truth = decided("previous")
    turned = BANK["previous"].truth(results[::-1])
    assert turned.value == pytest.approx(1 / truth.value, rel=1e-9)
    results, _ = decided("offer")
    assert BANK["offer"].truth(results[::-1]).value == "ten"


# The declarations


def test_the_bank_is_a_lesson():
    assert len(BANK) >= 12
    assert all(re.fullmatch("[a-z]+", key) and key == question.key for key, question in BANK.items())
    assert {question.commitment.kind for question in BANK.values()} == {"choice", "number", "curve", "item"}
    assert len({question.title for question in BANK.values()}) == len(BANK)
    assert all(question.text.count(". ") + question.text.count("? ") <= 2 for question in BANK.values())


def test_the_bank_needs_no_streamlit():
    script = (
        "import sys; from pages.bank import figures, handout, questions; "
        "sys.exit('streamlit' in sys.modules or 'plotly' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0


@by_key
def test_the_thing_to_try_is_on_a_page_that_understands_its_link(key):
    trial = BANK[key].trial
    shown = registry.at(trial.path)
    own = {parameter.name: parameter for parameter in shown.parameters}
    for name, text in trial.query.items():
        if name in KNOBS:
            KNOBS[name].parse(text)
        elif name not in ("pin", "sweep"):
            own[name].parse(text)
    assert parse_qs(trial.link.partition("?")[2]) == {name: [text] for name, text in trial.query.items()}


# Answers


@by_key
@many
@given(text=st.one_of(st.text(), st.from_regex(r"-?[0-9.]{1,60}", fullmatch=True), st.sampled_from(list(BANK))))
def test_any_text_is_an_answer_that_can_be_kept_or_is_refused(key, text):
    question = BANK[key]
    try:
        answer = question.parse(text)
    except ValueError:
        return
    written = question.format(answer)
    assert re.fullmatch("[a-z0-9.]+", written)
    assert question.parse(written) == answer
    assert question.words(answer)


@by_key
def test_an_answer_comes_back_from_its_text(key):
    question, answer = BANK[key], ANSWERS[key]
    assert question.parse(question.format(answer)) == answer


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("film", "0.95"), ("film", "2.1"), ("film", "-1"), ("film", "nan"), ("film", "1e0"), ("film", "１"),
        ("rounds", ""), ("rounds", "tau50"), ("draw", "1.2.3"), ("draw", ".".join(["1001"] * 11)),
        ("draw", "1." * 5000), ("item", "0"), ("item", "999"), ("item", "٣"), ("item", "<b>"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused_in_plain_words(key, text):
    with pytest.raises(ValueError, match=r"^it is not .{1,150}$"):
        BANK[key].parse(text)


# Figures


@by_key
def test_the_prediction_is_drawn_into_the_plot(key):
    question, answer, (results, truth) = BANK[key], ANSWERS[key], decided(key)
    without, own, votes = (
        figures.drawn(question, results, predicted, truth)
        for predicted in ({}, {figures.YOURS: [answer]}, {"first vote": [answer] * 3, "second vote": [answer] * 2})
    )
    assert len(own["data"]) == len(without["data"]) + 1
    assert len(votes["data"]) > len(without["data"])
    mark = own["data"][-1] if not isinstance(question.plot, Scene) else own["data"][2]
    expected = question.plot.path(results, answer) if isinstance(question.plot, Race) else (mark["x"], mark["y"])
    if isinstance(question.plot, Scene):
        expected = [[value] for value in figures.one_round(PICTURE).history[2]]
    if isinstance(question.plot, Bars):
        bars = own["data"][0]
        assert bars["type"] == "bar"
        assert bars["y"] == pytest.approx(truth.values, rel=1e-4)
        assert set(mark["x"]) <= set(bars["x"])
        if question.plot.height:
            high = {
                "learn": lambda: truth.values[0] * answer / 100,
                "share": lambda: answer,
                "bound": lambda: truth.values[0] * FACTORS[answer],
            }[key]()
            assert mark["y"] == pytest.approx([high], rel=1e-3), "a prediction is as high as it says"
    else:
        np.testing.assert_allclose([mark["x"], mark["y"]], expected, rtol=1e-3)
    assert question.words(answer) in figures.described(question, truth, {figures.YOURS: [answer]})


@by_key
def test_nothing_is_given_away_before_one_commits(key):
    question = BANK[key]
    shown = [result(runs) for runs in question.runs[: getattr(question.plot, "before", 0)]]
    figure = figures.drawn(question, shown, {})
    names = {trace["name"] for trace in figure["data"]}
    if isinstance(question.plot, Race):
        assert names == ({question.plot.labels[0], "upper", "lower"} if shown else set())
    elif isinstance(question.plot, Bars):
        assert names == set()
    else:
        assert names == {"past item", "new item x"}
    assert "not shown yet" in figures.described(question, None, {})


# Paper


@pytest.mark.parametrize("plan", [in_a_room(), on_paper()], ids=["in a room", "on paper"])
def test_a_lecture_fills_its_minutes(plan):
    assert plan[0].begin == 0
    assert plan[-1].end == LECTURE
    assert all(one.end == other.begin for one, other in pairwise(plan))
    assert all(part.end > part.begin for part in plan)
    assert all(part.what and part.how for part in plan)


def test_handout_and_notes_have_every_question_and_the_handout_no_answer():
    address = "http://example.org/lesson?<x>"
    truths = {key: decided(key)[1] for key in BANK}
    paper, empty, told = handout(address), notes(address, {}), notes(address, truths)
    for number, (key, question) in enumerate(BANK.items(), start=1):
        title = f"{number}. {question.title}".replace("'", "&#x27;")
        assert all(title in text for text in (paper, empty, told))
        assert question.why[:40].replace("'", "&#x27;") not in paper
        assert truths[key].facts.get("short", "no such words") not in paper
    for text in (empty, told):
        assert all(html.escape(part.how) in text for part in (*in_a_room(), *on_paper()))
    assert "downloaded again" in empty
    assert "downloaded again" not in told
    assert all("<x>" not in text and "&lt;x&gt;" in text for text in (paper, empty, told))


@pytest.mark.parametrize("key", [key for key, asked in BANK.items() if asked.commitment.kind == "number"])
def test_of_a_class_who_predicts_the_truth_is_on_its_line(key):
    results, truth = decided(key)
    asked, said = BANK[key], {"first vote": [truth.value] * 2, "second vote": [truth.value]}
    named = {t["name"]: t for t in figures.drawn(asked, results, said, truth)["data"] if t.get("xaxis") == "x2"}
    (height,) = set(named["what came out"]["y"])
    assert [*named["first vote"]["y"], *named["second vote"]["y"]] == pytest.approx([height] * 3)
    alone = figures.drawn(asked, results, {figures.YOURS: [truth.value]}, truth)
    assert "xaxis2" not in alone["layout"], "one's own prediction is in the plot itself"


def test_the_curves_that_a_class_drew_have_a_middle():
    results, truth = decided("draw")
    rounds = len(BANK["draw"].commitment.rounds)
    drawn = [(height,) * rounds for height in (10, 20, 30, 40, 200)]
    for answers, middles in ((drawn, [30]), (drawn[:2], [])):
        figure = figures.drawn(BANK["draw"], results, {"first vote": answers}, truth)
        thick = [trace for trace in figure["data"] if trace["name"] == "the middle of the first vote"]
        assert [set(trace["y"]) for trace in thick] == [{middle} for middle in middles]
