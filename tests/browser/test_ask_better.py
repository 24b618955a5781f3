"""The page "Ask better" in a real browser: the question by click and by keyboard, a formula, a table that fills."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import AT_REST, fits_every_screen

SMALL = "horizon=60&k=20&runs=30"
DOTS = ".roam-chart .scatterlayer .trace:first-child .points path"


def ready(page):
    """Wait until the round is drawn and the page's script has ended."""
    expect(page.locator(DOTS).first).to_be_visible()
    page.wait_for_function(AT_REST)
    return page


def test_the_question_is_answered_by_click_and_by_keyboard(visit):
    page = ready(visit("/ask-better"))
    expect(page.get_by_role("heading", name="Which of these past items would you ask about?")).to_be_visible()
    sizes = f"() => new Set([...document.querySelectorAll('{DOTS}')].map(d => d.getAttribute('d'))).size"
    assert page.evaluate(sizes) == 1
    box = page.locator(DOTS).nth(3).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url(re.compile(r"yours=\d+"))
    clicked = page.url
    expect(page.get_by_text("Your question tells").first).to_be_visible()
    page.wait_for_function(f"({sizes})() > 5")  # each as large as its score
    page.get_by_role("button", name="Ask me again").click()
    expect(page.get_by_role("heading", name="Which of these past items")).to_be_visible()
    picture = page.get_by_role("figure", name=re.compile("A round in the plane"))
    picture.focus()
    for _ in range(3):
        picture.press("ArrowRight")
    expect(page.get_by_role("status").filter(has_text="item of round")).to_have_count(1)
    expect(page.locator(".hoverlayer")).to_contain_text("item of round")
    picture.press("ArrowRight")
    picture.press("Enter")
    page.wait_for_url(clicked)  # the fourth dot again
    expect(page.get_by_text("Your question tells").first).to_be_visible()
    page.get_by_role("link", name="Start here").first.click()
    expect(page.get_by_role("heading", name="Regret once, ask many")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("Your question tells").first).to_be_visible()
    fits_every_screen(ready(page), "ask-better")


def test_a_formula_fills_its_column_and_a_wrong_one_is_told_where(visit):
    page = visit(f"/ask-better?view=rules&{SMALL}")
    column = page.locator(".roam-scores thead th").nth(2)
    expect(column).to_have_text("the most informative")
    field = page.get_by_test_id("stTextInputField")
    field.fill("slope * distance")
    field.press("Enter")
    page.wait_for_url(re.compile(r"formula=slope"))
    expect(column).to_have_text("“slope · distance”")
    expect(page.locator(".roam-scores td.waiting")).to_have_count(0)
    expect(page.get_by_text(re.compile("slope · distance” (beats|loses|or the paper)")).first).to_be_visible()
    field.fill("slope * wdith")
    field.press("Enter")
    expect(page.get_by_text("there is no such variable")).to_be_visible()
    expect(page.get_by_test_id("stCode").first).to_contain_text(re.compile(r"slope \* wdith\n {8}\^"))
    expect(column).to_have_text("“slope · distance”")  # the last good one stays
    page.get_by_role("button", name="The previous item").click()
    expect(page.get_by_text("there is no such variable")).to_be_hidden()
    expect(field).to_have_value("-age")
    expect(page.locator(".roam-scores th.chosen")).to_have_text("the previous item")
    expect(page.get_by_role("button", name="Stop")).to_be_disabled()
    fits_every_screen(page, "ask-better-rules")
