"""The theory page in a browser: formulas, chain and bars are drawn, change in place, and fit the screen."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import AT_REST, fits_every_screen, on_the_first_screen

SMALL = "horizon=120&tau=20&k=50&runs=8"
CHART = "document.querySelectorAll('.roam-chart')[{}]"


def theory(query: str = SMALL) -> str:
    return f"/theory?{query}"


def settled(page, runs: int = 48):
    """Wait until every run is complete and the five charts are drawn; the address changes before they do."""
    page.wait_for_function(AT_REST)
    expect(page.get_by_text(f"{runs} of {runs} runs")).to_be_visible()
    page.wait_for_function(
        "[...document.querySelectorAll('.roam-chart')].filter(chart => chart.data?.length).length === 5"
    )
    return page


def lengths(page) -> list[float]:
    """The four bars."""
    return page.evaluate(CHART.format(1) + ".data[0].x")


def formula(page) -> str:
    """The theorem with its numbers."""
    return page.locator(".katex-display annotation").filter(has_text="underbrace").text_content()


def test_the_theorem_the_chain_and_the_bars_are_drawn(visit):
    page = settled(visit(theory()))
    assert formula(page)
    assert page.locator(".katex-error").count() == 0
    assert page.locator(".roam-chart").nth(0).locator(".scatterlayer .trace").count() == 10
    assert page.locator(".roam-chart").nth(1).locator(".barlayer .point").count() == 4
    assert len(lengths(page)) == 4
    for index in range(5):
        assert len(page.locator(".roam-chart").nth(index).get_attribute("aria-label")) > 30


def test_the_picture_comes_first_and_nothing_one_turns_to_is_hidden_behind_the_controls(visit):
    page = settled(visit(theory(SMALL + "&radius=0.3")))
    on_the_first_screen(page)
    row = "document.querySelector('.st-key-main_row').parentElement.getBoundingClientRect()"
    assert page.evaluate(row + ".height") <= 72  # a tenth of the screen
    turn = "node.scrollIntoView({block: 'start'}); return [node.getBoundingClientRect().top, "
    for target in ("h3", ".roam-chart", "summary"):
        for number in range(page.locator(target).count()):
            top, bottom = page.evaluate(
                "([target, number]) => { const node = document.querySelectorAll(target)[number];"
                f" {turn}{row}.bottom]; }}",
                [target, number],
            )
            assert top >= bottom > 60, (target, number)
    expect(page.get_by_text("Feature dimension (d)")).to_be_in_viewport()  # the controls stay in sight


def test_a_slider_changes_formula_and_bars_in_place(visit):
    page = settled(visit(theory()))
    before, numbers = lengths(page), formula(page)
    page.evaluate(CHART.format(1) + ".mark = 'the same node'")
    page.get_by_role("slider").first.press("ArrowRight")
    page.wait_for_url(re.compile("d=6"))
    page.wait_for_function(
        f"old => JSON.stringify({CHART.format(1)}.data[0].x) !== old", arg=str(before).replace(" ", "")
    )
    assert page.evaluate(CHART.format(1) + ".mark") == "the same node"
    assert formula(page) != numbers


def test_a_link_with_delta_restores_the_view(visit):
    page = settled(visit(theory(SMALL + "&delta=0.01&d=3")))
    page.get_by_role("button", name="New seed").click()
    page.wait_for_url(re.compile("seed="))
    settled(page)
    assert "delta=0.01" in page.url
    other = settled(visit("/" + page.url.split("/", 3)[3]))
    assert (lengths(other), formula(other)) == (lengths(page), formula(page))


def test_what_was_stopped_goes_on_with_the_same_seed(visit):
    page = visit(theory("horizon=1000&k=500&runs=300&seed=11"))
    page.wait_for_function(CHART.format(2) + "?.data?.length > 2")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile(r"Stopped: \d+ of 1800 runs"))).to_be_visible()
    page.get_by_role("button", name="Same seed again").click()
    expect(page.get_by_text("Stopped")).to_be_hidden()
    expect(page.get_by_role("button", name="Stop")).to_be_enabled()


def test_files_can_be_taken_along_while_the_page_is_drawn_again_and_again(visit):
    page = visit(theory("horizon=1000&k=500&runs=300&seed=12"))
    page.wait_for_function(CHART.format(2) + "?.data?.length > 2")
    page.get_by_text("Take it along").click()
    for label in ("Chain (CSV)", "The five terms of the proof (HTML)"):
        with page.expect_download() as download:
            page.get_by_role("button", name=label).click()
        assert download.value.path().stat().st_size > 10_000
    expect(page.get_by_role("button", name="Stop")).to_be_enabled()  # it is still computing


def test_what_follows_the_runs_beside_the_theorem_is_replaced_and_does_not_pile_up(visit):
    page = visit(theory("horizon=1000&k=500&runs=1000&seed=13"))  # more than a busy machine computes meanwhile
    counted = page.locator("p").filter(has_text=re.compile("runs? say"))
    seen = set()
    for _ in range(3):
        expect(counted).to_have_count(1)
        seen.add(counted.text_content())
        page.wait_for_function(
            "old => ![...document.querySelectorAll('p')].some(p => p.textContent === old)", arg=counted.text_content()
        )
    expect(counted).to_have_count(1)
    assert len(seen) == 3
    expect(page.locator("table")).to_have_count(1)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped")).to_be_visible()


def test_the_page_fits_every_screen(visit):
    fits_every_screen(settled(visit(theory())), "theory")
