"""The page "You are the user" in a browser: a person with a known taste, by keyboard only, and a phone in one hand."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.components.duel import source
from pages.you.keeping import from_json
from pages.you.sitting import Settings
from roam_core.catalogues import CATALOGUES
from roam_core.links import LINKS
from roam_core.persons import angles
from tests.browser.conftest import AT_REST, fits_every_screen

DECIDED = Settings(d=2, radius=10.0, ask="informative", every=1)
FLOWERS = CATALOGUES["flowers"].embedding(DECIDED.d, DECIDED.radius)
TASTE = np.array([0.8, -0.6])  # blue, few petals
READY = "stamp => { const root = document.querySelector('.roam-duel'); return !root || root.dataset.stamp !== stamp; }"
LOOK = """() => {
  const root = document.querySelector(".roam-duel");
  const source = (side) => root.querySelector(`.${side} img`).getAttribute("src");
  return root && [root.dataset.stamp, source("left"), source("right")];
}"""


@pytest.fixture(scope="module")
def rows():
    """The row of each flower by its picture."""
    return {source(FLOWERS.draw(row)): row for row in range(len(FLOWERS.items))}


def answer(page, key: str, stamp: str) -> None:
    """Press a key as soon as it counts, and wait for the next question."""
    page.wait_for_function("performance.now() - document.querySelector('.roam-duel').duel.since > 210")
    page.keyboard.press(key)
    page.wait_for_function(READY, arg=stamp)


def test_twenty_questions_find_a_known_taste_and_predict_it(visit, rows):
    """A decided person who answers by the logistic link, with keys only and 15 tests.

    Of 400 simulated ones 1% had an estimate that was more than 27 degrees off after 20 answers. A coin has 12 or more
    hits of 15 in 1.8% of cases; of those persons 94% had.
    """
    page = visit("/you?features=2&decided=10&rule=informative&tests=1")
    page.locator(".roam-duel[data-stamp]").wait_for()
    rng = np.random.default_rng(1)
    answers = 0
    while page.locator(".roam-duel").count():
        stamp, left, right = page.evaluate(LOOK)
        key = "ArrowRight"  # on the first item any key goes on
        if right:
            z = FLOWERS.items[rows[left]] - FLOWERS.items[rows[right]]
            new = rng.random() < LINKS["logistic"].F(z @ TASTE)
            key = (("1", "ArrowLeft") if new else ("2", "ArrowRight"))[answers % 2]
        answer(page, key, stamp)
        answers += 1
    assert answers == 1 + 20 + 15
    expect(page.get_by_text("From 20 answers")).to_be_visible()
    page.get_by_text("Save, go on").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save my answers").click()
    sitting = from_json(saved.value.path().read_bytes(), CATALOGUES.get)
    assert sitting.settings == DECIDED
    assert angles(sitting.estimate, TASTE) < 27
    assert sitting.score.of == 15
    assert sitting.score.hits >= 12
    expect(page.get_by_text(f"{sitting.score.hits} of 15: a coin does that in")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the picture").click()
    assert saved.value.path().read_text(encoding="utf-8").count("<svg") == 11
    fits_every_screen(page, "you-end")


def test_a_phone_in_one_hand_and_nothing_jumps(visit):
    page = visit("/you", width=390)
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(reduced_motion="reduce")
    page.locator(".roam-duel[data-stamp]").wait_for()
    page.wait_for_function("document.querySelector('.roam-chart')?.data?.length > 0")
    where = """() => ["top", "left", "right", "neither", "said"].map((name) => {
      const { x, y, width, height } = document.querySelector(`.roam-duel .${name}`).getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    }).concat([[0, Math.round(document.querySelector(".you-strip").getBoundingClientRect().top), 0, 0]])"""
    places = []
    for tap in (1, 1, 2, 3, 1, 2, 1, 2, 1):
        page.wait_for_function(AT_REST)
        page.wait_for_function("performance.now() - document.querySelector('.roam-duel').duel.since > 210")
        places.append(page.evaluate(where))
        stamp = page.evaluate(LOOK)[0]
        x, y, width, height = places[-1][tap]
        page.mouse.click(x + width / 2, y + height / 2)
        page.wait_for_function(READY, arg=stamp)
    jumps = [(number, place) for number, place in enumerate(places) if place != places[0]]
    assert jumps == []
    below = [y + height for _, y, _, height in places[0][:-1]]
    assert max(below) <= 844, "pictures, buttons and what is said are above the fold"
    for _, _, width, height in places[0][1:4]:
        assert min(width, height) >= 44  # a thumb
    fits_every_screen(page, "you")
    page.emulate_media(reduced_motion="no-preference")


def test_the_keyboard_alone_is_enough_and_pictures_have_words(visit):
    page = visit("/you")
    page.locator(".roam-duel[data-stamp]").wait_for()
    one = page.locator(".roam-duel .left")
    one.focus()
    for _ in range(3):
        stamp = page.evaluate(LOOK)[0]
        page.wait_for_function("performance.now() - document.querySelector('.roam-duel').duel.since > 210")
        page.keyboard.press("Enter")
        page.wait_for_function(READY, arg=stamp)
    expect(one).to_be_focused()  # the next question is answered without looking for it
    page.keyboard.press("Tab")
    expect(page.locator(".roam-duel .right")).to_be_focused()
    name = page.get_by_role(
        "button", name=re.compile(r"^From round 3 \w+ (round |pointed )?petals, .* I like this better")
    )
    expect(name).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Can't say (key 0)")).to_be_focused()
    words = page.evaluate("[...document.querySelectorAll('.you-strip img, .you-five img')].map((image) => image.alt)")
    assert len(words) == 4 + 10
    assert all("petals" in alt for alt in words)
    stamp = page.evaluate(LOOK)[0]
    answer(page, "0", stamp)
    expect(page.locator(".roam-duel .top")).to_contain_text("Question 4 of 28")
    heard = page.locator(".roam-duel .heard")
    expect(heard).to_contain_text("New, at random:")
    expect(heard).to_contain_text("better than the one from round 4?")
