"""The history that can be changed by hand, in a real browser."""

import math
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.history.page import in_ball
from roam_core.richness import richness
from tests.browser.conftest import fits_every_screen

SMALL = "d=2&horizon=60&k=50&runs=20&tau=12"
VIEW = "document.querySelector('.roam-shadow').shadow"


@pytest.fixture
def open_history(visit):
    """The page with a link's query, when its picture is drawn."""

    def open_page(query: str = "", width: int = 1280, scheme: str = "light"):
        page = visit(f"/rich-history?{SMALL}{query}", width, scheme)
        page.wait_for_function("document.querySelectorAll('.roam-shadow .past').length > 0")
        return page

    return open_page


def at(page, point) -> tuple[float, float]:
    """Where a point of the item space (with radius 1) is on screen."""
    box = page.locator(".roam-shadow .space").bounding_box()
    unit = min(box["width"], box["height"]) / 2 / 1.16
    return box["x"] + box["width"] / 2 + point[0] * unit, box["y"] + box["height"] / 2 - point[1] * unit


def points(page) -> np.ndarray:
    return np.array(page.evaluate(f"{VIEW}.history.points"))


def rho(page) -> float:
    return page.evaluate(f"{VIEW}.found.worst.ratio") or math.inf  # JSON has no infinity


def visit_run(open_history):
    """A small run, when the page has drawn all of it."""
    page = open_history()
    expect(page.get_by_text(re.compile("20 of 20 runs"))).to_be_visible()
    return page


def put(page, items) -> None:
    page.evaluate(f"points => {{ {VIEW}.history.points = points; {VIEW}.draw(); }}", np.asarray(items).tolist())


def said(page) -> tuple[str, str]:
    """The number and the words beside the picture."""
    return page.locator(".roam-shadow b").inner_text(), page.locator(".roam-shadow .words").inner_text()


def percent(share: float) -> str:
    return f"{100 * share:.2g}%"


def test_number_and_sentence_are_those_of_the_core(open_history):
    page = open_history()
    rng = np.random.default_rng(0)
    for n in (3, 4, 7, 30):
        items = rng.standard_normal((n, 2)) * [1, 0.4]
        items /= np.maximum(np.linalg.norm(items, axis=1), 1)[:, None]
        put(page, items)
        found = richness(items, 1.0)
        np.testing.assert_allclose(rho(page), found.beta, rtol=1e-9)
        number, words = said(page)
        assert number == percent(1 / found.beta)
        reach, mistake = (found.high - found.low) / 2, 1 + (found.high + found.low) / 2
        assert f"that mistake can be {mistake:.3g} long, and the best question reaches {reach:.3g}: {number}" in words
        symbols = page.locator(".roam-shadow details p").text_content()
        assert f"(r + m) / w = {mistake:.3g} / {reach:.3g} = {found.beta:.3g}" in symbols
        assert ("it is β-rich" in symbols) == (found.beta <= 8)
    for flat in ([], [[0.5, 0.5]], [[0.1, 0.2], [0.3, -0.4]], [[-0.5, -0.5], [0, 0], [0.25, 0.25], [0.5, 0.5]]):
        put(page, flat)
        assert not page.evaluate(f"Number.isFinite({VIEW}.found.worst.ratio)")
        assert said(page)[0] == "0%"
        assert not re.search("NaN|undefined", page.locator(".roam-shadow").inner_html())


OFF_CENTRE = [[-0.2, 0.5], [-0.2, -0.5], [0.86, 0.5], [0.86, -0.5]]


def in_the_ball(seed: int) -> np.ndarray:
    items = np.random.default_rng(seed).uniform(-1, 1, (12, 2))
    return items / np.maximum(np.linalg.norm(items, axis=1, keepdims=True), 1)


def test_worst_and_narrowest_shadow_are_those_of_a_search_over_every_direction(open_history):
    page = open_history("&step=off_centre")
    angles = np.arange(180_000) * np.pi / 180_000
    v = np.column_stack([np.cos(angles), np.sin(angles)])
    differing = 0
    for items in (OFF_CENTRE, *map(in_the_ball, range(8))):
        put(page, items)
        along = np.asarray(items) @ v.T
        low, high = along.min(0), along.max(0)
        half, ratio = (high - low) / 2, (2 + np.abs(low + high)) / (high - low)
        worst, narrowest = int(ratio.argmax()), int(half.argmin())
        found = page.evaluate(f"{VIEW}.found")
        for shadow, i in ((found["worst"], worst), (found["narrowest"], narrowest)):
            assert abs(v[i] @ shadow["v"]) > 1 - 1e-8
            np.testing.assert_allclose([shadow["w"], shadow["ratio"]], [half[i], ratio[i]], rtol=1e-3)
        apart = abs(v[worst] @ v[narrowest]) < 1 - 1e-7
        assert found["differ"] == apart
        number, words = said(page)
        assert number == percent(1 / ratio[worst])
        assert (f"nearer the centre (cross): there it is {percent(1 / ratio[narrowest])}." in words) == apart
        assert page.locator(".roam-shadow .space").get_by_text("narrowest shadow").is_visible() == apart
        differing += apart
    assert 2 <= differing <= 7  # both kinds were met


def test_a_history_that_is_wide_but_off_centre_can_be_dragged_to_the_centre(open_history):
    page = open_history()
    page.get_by_role("button", name="7. Off-centre").click()
    page.wait_for_function(f"{VIEW}.step === 'off_centre'")
    assert rho(page) == pytest.approx(1.33 / 0.53)
    hint = page.get_by_text("The worst shadow need not be the narrowest.")
    expect(hint).to_be_visible()
    for height in (0.5, -0.5):
        page.mouse.move(*at(page, (-0.2, height)))
        page.mouse.down()
        page.mouse.move(*at(page, (-0.8, height)), steps=3)
        page.mouse.up()
    assert rho(page) == pytest.approx(2, rel=0.05)
    expect(page.locator(".roam-shadow .words")).not_to_contain_text("narrower")
    expect(hint).to_be_hidden()  # it was about the step's own history


def test_nothing_of_the_run_stays_when_its_history_is_changed(open_history):
    page = visit_run(open_history)
    notice = page.get_by_text("One run in the plane: the 12 items of its exploration")
    back = page.get_by_role("button", name="Back to the run's history")
    expect(notice).to_be_visible()
    before = said(page)
    page.mouse.move(*at(page, points(page)[0]))
    page.mouse.down()
    page.mouse.move(*at(page, (0, 0)), steps=3)  # while the button is down: nothing waits for the server
    expect(notice).to_be_hidden()
    now = said(page)
    assert now[0] == percent(1 / richness(in_ball(points(page), 1.0), 1.0).beta)
    page.mouse.up()
    page.wait_for_url(re.compile("points="))
    expect(notice).to_be_hidden()
    assert said(page) == now != before
    expect(page.get_by_text("critical")).to_have_count(0)
    back.click()
    expect(notice).to_be_visible()
    assert said(page) == before
    page.wait_for_url(lambda address: "points=" not in address)


def test_the_steps_show_one_thing_more_each_and_fit_a_projector_and_a_phone(open_history, visit):
    page = visit("/rich-history")
    expect(page.locator(".roam-shadow b")).to_have_text("6")
    marks = {"direction": "v", "fresh": "x", "other": "x′"}
    label = {mark: page.locator(".roam-shadow .space").get_by_text(mark, exact=True) for mark in marks.values()}
    for mark in label.values():
        expect(mark).to_be_hidden()
    for number, (step, mark) in enumerate(marks.items(), start=2):
        page.get_by_role("button", name=re.compile(rf"^{number}\.")).click()
        page.wait_for_url(re.compile(f"step={step}"))
        expect(label[mark]).to_be_visible()
        expect(page.locator(".roam-shadow .words")).to_contain_text(f"({mark}, the ")
    for width, height in ((1280, 720), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        for part in (".space", "b", ".words"):
            box = page.locator(f".roam-shadow {part}").bounding_box()
            assert box["y"] > 0
            assert box["y"] + box["height"] <= height


def test_lemma_3_follows_the_history(open_history):
    page = open_history("&lemma=1")
    expect(page.get_by_text("the items make 6 pairs.")).to_be_visible()
    page.mouse.click(*at(page, (0.1, 0.05)))
    page.mouse.click(*at(page, (-0.4, 0.05)))
    expect(page.get_by_text("the items make 7 pairs. This history was put there by hand")).to_be_visible()
    fits_every_screen(page, "rich-history-lemma")


def test_items_can_be_added_moved_and_removed(open_history):
    page = open_history()
    assert len(points(page)) == 12
    page.mouse.click(*at(page, (0.1, 0.05)))
    assert len(points(page)) == 13
    np.testing.assert_allclose(points(page)[-1], (0.1, 0.05), atol=0.01)
    x, y = at(page, (0.1, 0.05))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(*at(page, (-0.3, 0.4)), steps=5)
    np.testing.assert_allclose(points(page)[-1], (-0.3, 0.4), atol=0.01)  # it follows before the button is released
    page.mouse.move(*at(page, (-2, 0)), steps=5)
    page.mouse.up()
    assert np.linalg.norm(points(page)[-1]) == pytest.approx(1)  # no item leaves the ball
    page.mouse.dblclick(*at(page, points(page)[-1]))
    page.wait_for_function(f"{VIEW}.history.points.length === 12")
    back = page.get_by_role("button", name="Back to the run's history")
    expect(back).to_be_disabled()
    page.mouse.click(*at(page, (0.1, 0.05)))
    back.click()
    assert len(points(page)) == 12


def test_a_dragged_item_changes_rho_and_the_shadow_at_once(open_history):
    page = open_history("&points=900.0_0.100_-900.0_0.-100")
    before, strip = rho(page), page.evaluate(f"{VIEW}.drawing.worst.getAttribute('points')")
    page.mouse.move(*at(page, (0, 0.1)))
    page.mouse.down()
    page.mouse.move(*at(page, (0, 0.9)), steps=4)
    assert rho(page) < before / 2
    np.testing.assert_allclose(rho(page), richness(points(page), 1.0).beta, rtol=1e-9)
    assert page.evaluate(f"{VIEW}.drawing.worst.getAttribute('points')") != strip
    page.mouse.up()


def test_the_keyboard_can_do_it_too(open_history):
    page = open_history()
    page.locator(".roam-shadow .space").focus()
    page.keyboard.press("n")
    assert len(points(page)) == 13
    page.keyboard.press("ArrowUp")
    np.testing.assert_allclose(points(page)[-1], (0, 0.04))
    page.keyboard.press("Delete")
    assert len(points(page)) == 12
    page.keyboard.press("PageDown")
    assert page.evaluate(f"{VIEW}.history.selected") == 0


def test_the_link_restores_a_history_made_by_hand(open_history, visit):
    page = open_history()
    page.mouse.click(*at(page, (0.2, 0.3)))
    page.wait_for_url(re.compile("points="))
    page.get_by_role("button", name="4. Better item").click()
    page.wait_for_url(lambda address: "step=other" in address and "points=" not in address)
    page.wait_for_function(f"{VIEW}.history.points.length === 6")
    page.mouse.click(*at(page, (0.1, 0.8)))
    page.wait_for_url(lambda address: "step=other" in address and "points=" in address)
    other = visit("/" + page.url.split("/", 3)[3])
    other.wait_for_function("document.querySelectorAll('.roam-shadow .past').length === 7")
    np.testing.assert_allclose(points(other), points(page), atol=1e-3)
    assert said(other) == said(page)


def test_a_slider_changes_the_picture_and_the_plot_streams(open_history):
    page = open_history()
    page.get_by_role("slider", name="Exploration rounds").press("ArrowRight")
    page.wait_for_function(f"{VIEW}.history.points.length === 13")
    expect(page.get_by_text(re.compile(r"20 of 20 runs"))).to_be_visible()
    page.wait_for_function("document.querySelector('.roam-chart')?.data?.length === 4")
    expect(page.locator(".roam-shadow .paper")).to_contain_text("β = 8")
    page.get_by_role("slider", name="Flatness").press("ArrowLeft")
    expect(page.locator(".roam-shadow .paper")).to_contain_text("On the round sphere it is 12.5%")  # why it changed


def test_the_lab_says_how_long_to_explore_when_it_is_asked(open_history):
    page = open_history("&C=2")  # that was in this page's link once
    page.get_by_role("button", name="How long to explore? See the lab").click()
    expect(page.get_by_role("heading", name="How long to explore")).to_be_visible()
    page.wait_for_url(re.compile("simulation-lab.*explore=1"))
    page.wait_for_function("[...document.querySelectorAll('.roam-chart')].at(-1)?.data?.length === 6")
    page.get_by_role("slider", name="Constant C").press("ArrowRight")
    page.wait_for_url(re.compile("C=2"))
    expect(page.get_by_text("with C = 2 and")).to_be_visible()
    fits_every_screen(page, "lab-exploration")


def test_the_page_fits_every_screen(open_history):
    page = open_history()
    page.get_by_text("Take it along").wait_for()
    fits_every_screen(page, "rich-history")
