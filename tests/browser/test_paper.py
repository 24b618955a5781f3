"""The paper's figures and the rivals in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import AT_REST, drawn_anew, fits_every_screen, on_the_first_screen

SMALL = "horizon=100&k=50&runs=10"
BRIGHT = (
    "n => document.querySelectorAll('.roam-chart')[n].data"
    ".filter(t => !['upper', 'lower'].includes(t.name) && t.opacity === undefined).map(t => t.name)"
)


def settled(page, count: int):
    """Wait until so many charts are drawn."""
    ready = "n => [...document.querySelectorAll('.roam-chart')].filter(c => c.data?.length > 0).length === n"
    page.wait_for_function(ready, arg=count)
    return page


def test_a_claim_highlights_its_curves_and_the_link_restores_it(visit):
    page = settled(visit("/paper-figures"), 3)
    assert len(page.evaluate(BRIGHT, 0)) == 5
    card = page.locator(".st-key-claim_6 details")
    assert card.get_attribute("open") is None
    page.get_by_role("radio", name="A little exploration beats none: too close to call").click()
    page.wait_for_url(re.compile("claim=6"))
    expect(card).to_have_attribute("open", "")
    expect(page.get_by_text("Bright: the curves that this is about")).to_be_visible()
    page.wait_for_function("document.querySelectorAll('.roam-chart')[0].data.some(t => t.opacity !== undefined)")
    assert page.evaluate(BRIGHT, 0) == ["τ = 0", "τ = 25"]
    other = settled(visit("/" + page.url.split("/", 3)[3]), 3)
    assert other.evaluate(BRIGHT, 0) == ["τ = 0", "τ = 25"]
    other.locator(".st-key-claim_1 summary").click()
    other.get_by_role("button", name="Show the curves").click()
    other.wait_for_url(re.compile("claim=1"))
    expect(other.locator(".st-key-claim_6 details")).not_to_have_attribute("open", "")


def test_the_three_plots_are_complete_on_the_first_screen_of_a_projector(visit):
    on_the_first_screen(settled(visit("/paper-figures?claim=7&n=1000"), 3))


def test_a_thousand_runs_are_one_click_away_and_in_the_link(visit):
    page = settled(visit("/paper-figures?claim=6"), 3)
    band = "n => document.querySelectorAll('.roam-chart')[0].data.find(t => t.name === 'τ = 0').customdata.at(-1)"
    wide = page.evaluate(band)
    page.get_by_role("radio", name="1,000 runs").or_(page.get_by_role("button", name="1,000 runs")).first.click()
    page.wait_for_url(re.compile("n=1000"))
    expect(page.get_by_text("the mean of 1,000 users")).to_be_visible()
    page.wait_for_function(f"wide => ({band})() < wide / 2", arg=wide)
    assert page.evaluate(BRIGHT, 0) == ["τ = 0", "τ = 25"]


def test_run_it_yourself_opens_the_lab_with_the_sweep(visit):
    page = settled(visit("/paper-figures?experiment=exploration"), 3)
    page.get_by_role("button", name="Run it yourself").click()
    page.wait_for_url(re.compile(r"simulation-lab\?.*sweep=tau"))
    expect(page.get_by_role("heading", name="Simulation lab")).to_be_visible()


def test_the_rivals_views_turn_in_place(visit):
    page = settled(visit(f"/rivals?{SMALL}"), 4)
    for name, view, count in (("What to ask", "ask", 4), ("Asking less", "less", 2), ("A wrong link", "link", 3)):
        page.get_by_role("radio", name=name).or_(page.get_by_role("button", name=name)).first.click()
        page.wait_for_url(re.compile(f"view={view}"))
        settled(page, count)


def test_a_slider_of_the_rival_and_a_click_on_the_map_change_its_curve(visit):
    page = settled(visit(f"/rivals?{SMALL}"), 4)
    page.get_by_role("slider", name="Exploration weight of y").press("ArrowRight")
    page.wait_for_url(re.compile("c1=3"))
    page.wait_for_function("document.querySelectorAll('.roam-chart')[0].data.some(t => t.name.includes('c1 = 3'))")
    expect(page.get_by_role("button", name="Stop").first).to_be_disabled()  # nothing moves any more
    page.wait_for_function(AT_REST)
    drawn_anew(page)
    cells = page.locator(".roam-chart").nth(3).locator(".nsewdrag").first
    cells.scroll_into_view_if_needed()
    box = cells.bounding_box()
    page.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + 0.08 * box["height"])  # the last column of the top row
    page.wait_for_url(re.compile("c1=100.*c2=10"))
    page.wait_for_function("document.querySelectorAll('.roam-chart')[0].data.some(t => t.name.includes('c1 = 100'))")
    # The frame goes with it: column 3 and row 6, counted from 0.
    frame = "document.querySelectorAll('.roam-chart')[3].layout.shapes[0]"
    page.wait_for_function(f"{frame}.x0 === 2.5 && {frame}.y0 === 5.5")


@pytest.mark.parametrize(
    ("name", "path", "count"),
    [
        ("paper", "/paper-figures?claim=5", 3),
        ("slightly", "/paper-figures?claim=4&n=1000", 4),
        ("rivals", f"/rivals?{SMALL}&view=map", 4),
    ],
)
def test_the_pages_fit_every_screen(visit, name, path, count):
    fits_every_screen(settled(visit(path), count), name)
