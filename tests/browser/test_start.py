"""The start page: ten evenings are stepped through by button and keyboard, also on a phone."""

import re

import pytest
from playwright.sync_api import expect

from pages.start.evenings import ten_evenings
from tests.browser.conftest import AT_REST, fits_every_screen

SCREEN = "node => { const box = node.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }"


@pytest.fixture(scope="module")
def story():
    return ten_evenings()


def counters(page) -> list[list[str]]:
    """Fresh films, questions and regret of each lane, as they are on screen."""
    lanes = page.locator(".roam-lanes .lane").all()
    return [lane.locator(".counters b").all_inner_texts() for lane in lanes]


def expected(story: dict, evening: int) -> list[list[str]]:
    over = [lane["evenings"][:evening] for lane in story["lanes"]]
    return [
        [
            str(sum(len(one["new"]) for one in lane)),
            str(sum(one["asks"] for one in lane)),
            f"{sum(one['paid'] for one in lane):.2f}",
        ]
        for lane in over
    ]


def test_ten_evenings_are_counted_and_end_with_a_verdict_on_the_guess(visit, story):
    page = visit("/")
    page.wait_for_function(AT_REST)
    words = page.locator(".roam-lanes .words")
    expect(words).to_have_count(2)  # the lanes are drawn
    assert counters(page) == expected(story, 0)
    page.get_by_role("button", name="Concurrent", exact=True).click()
    step = page.get_by_role("button", name=re.compile("Next evening"))
    for evening in range(1, 11):
        page.keyboard.press("ArrowRight") if evening % 2 else step.click()
        expect(page.locator(".roam-lanes .now")).to_have_text(f"Evening {evening} of 10")
        assert counters(page) == expected(story, evening)
        assert words.all_inner_texts() == [lane["evenings"][evening - 1]["words"] for lane in story["lanes"]]
        assert page.locator(".roam-lanes .past .compared").count() == (evening > 1)
    verdict = page.locator(".roam-lanes .verdict")
    expect(verdict).to_contain_text("It is the other lane." if story["less"] else "You guessed right.")
    expect(verdict).to_contain_text(story["verdict"])
    page.keyboard.press("ArrowLeft")
    expect(verdict).to_have_text("")
    fits_every_screen(page, "start")


def test_a_phone_plays_the_evenings_with_both_lanes_in_reach(visit, story):
    page = visit("/", width=390)
    page.wait_for_function(AT_REST)
    page.emulate_media(reduced_motion="reduce")
    play = page.locator(".roam-lanes .play")
    page.locator(".roam-lanes").evaluate("node => node.scrollIntoView()")
    assert play.evaluate(SCREEN)
    play.click()
    now = page.locator(".roam-lanes .now")
    expect(now).to_have_text("Evening 2 of 10")  # it goes on by itself
    play.click()
    expect(play).to_have_text("Play")
    assert counters(page) == expected(story, int(now.inner_text().split()[1]))  # on a slow machine a later one
    film = page.locator(".roam-lanes .tonight .film").first
    assert film.evaluate("node => getComputedStyle(node).animationName") == "none"
    page.emulate_media(reduced_motion="no-preference")


def test_the_first_screen_of_a_projector_has_the_idea_and_a_whole_picture(visit):
    page = visit("/")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.wait_for_function(AT_REST)
    for node in (page.get_by_role("heading", level=1), page.locator(".drawing").first):
        assert node.evaluate(SCREEN)
    for step in ("Open in 2-D", "Open Rich history", "Open in the lab"):
        assert page.get_by_role("button", name=step).first.evaluate(SCREEN)


def test_on_a_phone_the_list_of_pages_makes_way_for_the_page(visit):
    page = visit("/lesson", width=390)
    expect(page.get_by_role("button", name="Commit")).to_be_visible()
    page.get_by_test_id("stExpandSidebarButton").click()
    chosen = page.get_by_test_id("stSidebar").get_by_role("link", name="The setting")
    expect(chosen).to_be_visible()
    chosen.click()
    expect(page.get_by_role("heading", name="The setting", exact=True)).to_be_visible()
    expect(page.get_by_test_id("stSidebarCollapseButton")).to_be_hidden()
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
