"""The start page: ten evenings with the numbers of the algorithms, three steps and the rest, what it says."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from pages import registry
from pages.start.evenings import LANES, USERS, ten_evenings, typical
from pages.start.figures import link_picture
from pages.start.page import LESSON, REST, STEPS
from roam_core import Scenario, simulate, trajectory
from tests.test_pages import open_page, says


@pytest.fixture(scope="module")
def story():
    return ten_evenings()


@pytest.fixture(scope="module")
def results():
    return [simulate(replace(USERS, algorithm=lane.algorithm)) for lane in LANES]


@pytest.fixture(scope="module")
def runs(results):
    return [trajectory(result.scenario, typical(results), every_item=True) for result in results]


def paid(lane: dict) -> list[float]:
    return [evening["paid"] for evening in lane["evenings"]]


def test_the_lanes_pay_what_the_algorithms_pay(story, results):
    user = typical(results)
    for lane, result in zip(story["lanes"], results, strict=True):
        assert np.cumsum(paid(lane)) == pytest.approx(result.regret[user])


def test_the_user_is_the_most_typical_one(results):
    totals = [result.regret[:, -1] for result in results]
    away = [np.hypot(*(total[i] - np.median(total) for total in totals)) for i in range(USERS.runs)]
    assert min(away) == away[typical(results)]


def test_the_regret_of_an_evening_follows_from_its_films(story, runs):
    utility = runs[0].contexts.reshape(-1, USERS.d) @ runs[0].theta
    for evening, offer in enumerate(story["evenings"]):
        best = max(utility[film] for film in offer["offer"])
        assert utility[offer["best"]] == best
        for lane in story["lanes"]:
            told = lane["evenings"][evening]
            assert set(told["new"]) <= set(offer["offer"])
            assert told["paid"] == pytest.approx(np.mean([best - utility[film] for film in told["new"]]), abs=1e-6)


def test_both_lanes_have_the_same_offers_and_count_what_they_use(story, runs, results):
    concurrent, past = runs
    assert (concurrent.contexts == past.contexts).all()
    used = [[len(set(evening["new"])) for evening in lane["evenings"]] for lane in story["lanes"]]
    assert used == [[2] * 10, [1] * 10]  # no film stands against itself
    asked = [[evening["asks"] for evening in lane["evenings"]] for lane in story["lanes"]]
    for asks, result in zip(asked, results, strict=True):
        assert np.cumsum(asks).tolist() == result.questions[typical(results)].tolist()
    assert [evening["back"] for evening in story["lanes"][0]["evenings"]] == [None] * 10
    back = [-1 if evening["back"] is None else evening["back"] for evening in story["lanes"][1]["evenings"]]
    assert back == past.asked.tolist()


def test_the_words_of_an_evening_name_its_films_and_the_answer(story, runs):
    titles = [film["title"] for film in story["films"]]
    assert len(titles) == len(set(titles)) == USERS.k * USERS.horizon
    concurrent, past = (lane["evenings"] for lane in story["lanes"])
    for t in range(USERS.horizon):
        x, y = (titles[film] for film in concurrent[t]["new"])
        preferred = x if runs[0].outcome[t] else y
        assert concurrent[t]["words"].startswith(f"“{x}” and “{y}” are shown")
        assert f"You prefer “{preferred}”" in concurrent[t]["words"]
        assert ("at random" in concurrent[t]["words"]) == (t < USERS.tau) == ("at random" in past[t]["words"])
        assert f"You watch “{titles[past[t]['new'][0]]}”" in past[t]["words"]
        if t:
            back = past[t]["back"]
            old = titles[past[back]["new"][0]]
            answer = "Yes" if runs[1].outcome[t] else "No"
            assert past[t]["words"].endswith(f"better than “{old}” of evening {back + 1}? {answer}.")
    assert past[0]["words"].endswith("nothing is asked.")


def test_the_verdict_is_that_of_all_users(story, results):
    concurrent, past = (result.regret[:, -1] for result in results)
    assert story["less"] == int(past[typical(results)] < concurrent[typical(results)])
    assert f"it was {concurrent.mean():.1f} against {past.mean():.1f}" in story["verdict"]
    assert f"cheaper for {np.mean(past < concurrent):.0%}" in story["verdict"]


def test_the_taste_in_words_is_the_users(story, runs):
    loud, funny = runs[0].theta
    assert story["taste"] == f"{'loud' if loud > 0 else 'quiet'}, {'funny' if funny > 0 else 'serious'}"
    assert min(abs(loud), abs(funny)) > 0.3  # else one word would be too much


def test_the_picture_of_the_link_goes_through_one_half():
    points = re.search(r'class="new-line" d="M([^"]*)"', link_picture("logistic"))[1].split("L")
    x, y = np.array([[float(number) for number in point.split()] for point in points]).T
    assert (np.diff(y) < 0).all()
    assert y[20] == pytest.approx((y[0] + y[-1]) / 2, abs=0.1)
    assert x[20] == pytest.approx((x[0] + x[-1]) / 2, abs=0.1)


def shown_story(app) -> dict:
    """What the picture with the two lanes gets."""
    (proto,) = [e.proto for e in app.get("bidi_component") if e.proto.component_name == "roam_lanes"]
    return json.loads(proto.json)["story"]


def test_the_start_page_says_what_it_is_about(story):
    app = open_page("start", {})
    for said in ("**bandit**", "**duelling bandit**", "**regret**", "Recycling History", "**logistic regression**"):
        assert says(app, said), said
    assert shown_story(app) == story
    assert any(f"likes {story['taste']} films" in caption.value for caption in app.caption)


def test_what_came_of_it_waits_for_a_prediction(story):
    app = open_page("start", {"predict": "1"})
    assert not shown_story(app)["verdict"]
    assert not says(app, "**Notice.**")
    app.button(key="reveal").click().run()
    assert shown_story(app) == story
    assert says(app, "**Notice.**")


@pytest.mark.catalogue
@pytest.mark.parametrize(
    ("key", "trial"), [*(("step", trial) for trial in STEPS), *(("more", trial) for trial in REST), ("lesson", LESSON)]
)
def test_every_step_leads_to_its_page(key, trial, at_a_glance):
    app = open_page("start", {"radius": "3"})
    app.button(key=f"{key} {trial.name}").click().run()
    assert not app.exception
    assert [heading.value for heading in app.header] == [registry.page(trial.folder).title]
    assert app.session_state.scenario == Scenario(**trial.changes)


def test_the_steps_are_the_pages_that_come_next(at_a_glance):
    folders, path = [], ""
    for _ in STEPS:
        folders.append(registry.after(path))
        path = registry.page(folders[-1]).path
    assert folders == [trial.folder for trial in STEPS]
    assert [trial.name[:6] for trial in STEPS] == ["Step 1", "Step 2", "Step 3"]
