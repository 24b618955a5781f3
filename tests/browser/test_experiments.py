"""The page "What the theory suggests" in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import fits_every_screen, on_the_first_screen
from tests.browser.test_paper import settled

SMALL = "horizon=100&k=50&runs=10"


@pytest.mark.parametrize(
    ("view", "charts"), [("items", 1), ("flat", 1), ("fresh&paid=1", 3), ("questions&cost=0.1", 2)]
)
def test_every_view_fits_every_screen(visit, view, charts):
    page = settled(visit(f"/experiments?{SMALL}&view={view}"), charts)
    expect(page.get_by_text("Measured.")).to_be_visible()
    on_the_first_screen(page)
    fits_every_screen(page, f"experiments-{view.partition('&')[0]}")


def test_a_guess_stands_beside_the_measurement_and_the_link_restores_the_view(visit):
    page = settled(visit(f"/experiments?{SMALL}"), 1)
    page.get_by_role("radio", name="More questions per item").click()
    page.wait_for_url(re.compile("view=questions"))
    settled(page, 2)
    page.get_by_role("radio", name="Nearly all").click()
    expect(page.get_by_text("You expected")).to_be_visible()
    other = settled(visit("/" + page.url.split("/", 3)[3]), 2)
    expect(other.get_by_text("Compared with one question")).to_be_visible()
    expect(other.get_by_text("You expected")).to_have_count(0)
