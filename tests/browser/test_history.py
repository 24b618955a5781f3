"""The history that can be changed by hand, in a real browser."""

import math
import re

import numpy as np
import pytest
from playwright.sync_api import expect

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


def put(page, items) -> None:
    page.evaluate(f"points => {{ {VIEW}.history.points = points; {VIEW}.draw(); }}", np.asarray(items).tolist())


def test_the_browser_computes_the_same_rho_as_the_core(open_history):
    page = open_history()
    rng = np.random.default_rng(0)
    for n in (3, 4, 7, 30):
        items = rng.standard_normal((n, 2)) * [1, 0.4]
        items /= np.maximum(np.linalg.norm(items, axis=1), 1)[:, None]
        put(page, items)
        np.testing.assert_allclose(rho(page), richness(items, 1.0).beta, rtol=1e-9)
    for flat in ([], [[0.5, 0.5]], [[0.1, 0.2], [0.3, -0.4]], [[-0.5, -0.5], [0, 0], [0.25, 0.25], [0.5, 0.5]]):
        put(page, flat)
        assert not page.evaluate(f"Number.isFinite({VIEW}.found.worst.ratio)")
        expect(page.locator(".roam-shadow .figures b").first).to_have_text("∞")
        assert "NaN" not in page.locator(".roam-shadow").inner_html()


OFF_CENTRE = [[-0.2, 0.5], [-0.2, -0.5], [0.86, 0.5], [0.86, -0.5]]


def in_the_ball(seed: int) -> np.ndarray:
    items = np.random.default_rng(seed).uniform(-1, 1, (12, 2))
    return items / np.maximum(np.linalg.norm(items, axis=1, keepdims=True), 1)


def test_worst_and_narrowest_shadow_are_those_of_a_search_over_every_direction(open_history):
    page = open_history()
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
        words = page.locator(".roam-shadow .words").inner_text()
        assert ("It is not the narrowest shadow" in words) == apart
        assert page.locator(".roam-shadow .space").get_by_text(re.compile("^narrowest: ratio")).is_visible() == apart
        differing += apart
    assert 2 <= differing <= 7  # both kinds were met


def test_a_history_that_is_wide_but_off_centre_can_be_dragged_to_the_centre(open_history):
    page = open_history()
    page.get_by_role("button", name="4. Wide but off-centre").click()
    page.wait_for_function(f"{VIEW}.history.points.length === 4")
    expect(page.get_by_text("The worst shadow is not the narrowest one.")).to_be_visible()
    assert rho(page) == pytest.approx(1.33 / 0.53)
    expect(page.locator(".roam-shadow .space").get_by_text("narrowest: ratio 2")).to_be_visible()
    for height in (0.5, -0.5):
        page.mouse.move(*at(page, (-0.2, height)))
        page.mouse.down()
        page.mouse.move(*at(page, (-0.8, height)), steps=3)
        page.mouse.up()
    assert rho(page) == pytest.approx(2, rel=0.05)
    expect(page.locator(".roam-shadow .words")).not_to_contain_text("not the narrowest")
    expect(page.get_by_text("The worst shadow is not the narrowest one.")).to_have_count(0)  # said of the step only


def test_what_the_run_met_is_shown_beside_its_own_history_only(open_history):
    page = open_history()
    dots = page.locator(".roam-shadow svg[role=img] circle")
    largest, scale = page.get_by_text("Run's largest ratio"), page.locator(".roam-shadow svg[role=img]")
    expect(largest).to_be_visible()
    assert dots.count() > 10
    page.mouse.click(*at(page, (0.1, 0.05)))
    expect(largest).to_be_hidden()
    expect(dots).to_have_count(0)
    expect(scale).not_to_have_attribute("aria-label", re.compile("critical"))
    page.wait_for_url(re.compile("points="))
    page.get_by_role("button", name="Back to the run's history").click()
    expect(largest).to_be_visible()
    assert dots.count() > 10
    page.wait_for_url(lambda address: "points=" not in address)


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
    page.get_by_role("button", name="1. A narrow history").click()
    expect(page.get_by_text("hardly differ from bottom to top")).to_be_visible()
    page.wait_for_url(re.compile("points=-920.-50_"))
    page.wait_for_function(f"{VIEW}.history.points.length === 6")
    other = visit("/" + page.url.split("/", 3)[3])
    other.wait_for_function("document.querySelectorAll('.roam-shadow .past').length === 6")
    np.testing.assert_allclose(points(other), points(page), atol=1e-3)


def test_a_slider_changes_the_picture_and_the_plots_stream(open_history):
    page = open_history()
    page.get_by_role("slider", name="Exploration rounds").press("ArrowRight")
    page.wait_for_function(f"{VIEW}.history.points.length === 13")
    expect(page.get_by_text(re.compile(r"260 of 260 runs|\d+ of 280 runs"))).to_be_visible()
    traces = "[...document.querySelectorAll('.roam-chart')].map(chart => chart.data?.length)"
    page.wait_for_function(f"JSON.stringify({traces}) === '[4,6]'")


def test_the_constant_is_in_the_link_and_survives_a_turn_to_another_page(open_history):
    page = open_history("&C=2")
    expect(page.get_by_text("with C = 2 and")).to_be_visible()
    page.get_by_role("slider", name="Constant C").press("ArrowRight")
    page.wait_for_url(re.compile("C=4"))
    expect(page.get_by_text("with C = 4 and")).to_be_visible()
    page.get_by_role("link", name="Start here").first.click()
    expect(page.get_by_role("heading", name="Regret once, ask many")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("with C = 4 and")).to_be_visible()
    page.wait_for_url(re.compile("C=4"))


def test_the_page_fits_every_screen(open_history):
    page = open_history()
    page.get_by_text("Take it along").wait_for()
    fits_every_screen(page, "rich-history")
