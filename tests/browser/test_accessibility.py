"""The keyboard reaches every control in reading order, and axe-core finds nothing serious on any page."""

import re
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import AT_REST, drawn_anew

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
SMALL = "horizon=60&k=20&runs=4&d=2"
PAGES = {  # each with as much on it as a link can put there, and what must be drawn before it is looked at
    "start": ("/", 1),
    "one_run": (f"/one-run?{SMALL}&compare=1&round=nan", 8),
    "history": (f"/rich-history?{SMALL}&lemma=1", 4),
    "setting": ("/setting", 0),
    "experiments": (f"/experiments?{SMALL}", 1),
    "lab": (f"/simulation-lab?{SMALL}&pin=d%3D3,horizon%3D60,runs%3D4,k%3D20&sweep=tau%3D0,5&c1=x&explore=1", 7),
    "paper": ("/paper-figures?claim=7", 3),
    "rivals": (f"/rivals?{SMALL}&view=ask", 4),
    "ask_better": ("/ask-better?yours=3&ask=formula&formula=slope*gap", 1),
    "rules": (f"/ask-better?{SMALL}&view=rules", 0),
    "theory": (f"/theory?{SMALL}", 5),
    "you": ("/you?catalogue=colours&features=2&luck=x", 2),
    "lesson": ("/lesson?question=film&answers=film-1_nonsense", 1),
    "lesson_draw": ("/lesson?question=draw", 0),
}
DRAWN = "charts => [...document.querySelectorAll('.roam-chart')].filter(chart => chart.data?.length).length === charts"


def nothing_serious(page, name: str) -> None:
    """Axe sees all of a page, in a window as high as the page, in light and dark."""
    page.wait_for_function(AT_REST)
    window = page.viewport_size
    height = page.get_by_test_id("stMain").evaluate("node => node.scrollHeight")
    page.set_viewport_size({"width": window["width"], "height": min(height + 20, 8000)})
    page.evaluate(AXE)
    page.add_style_tag(content="* { transition: none !important; }")  # else colours are seen while they change
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # nor while something fades in
        drawn_anew(page)
        found = page.evaluate(
            """async () => { // but for the list of pages, which on a phone is Streamlit's own sidebar
              const ours = { include: [["body"]], exclude: [["[data-testid=stSidebar]"]] };
              const { violations } = await axe.run(ours, { resultTypes: ["violations"] });
              return violations.filter((one) => ["serious", "critical"].includes(one.impact)).flatMap((one) =>
                one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 200)} ${node.any[0]?.message}`));
            }"""
        )
        assert found == [], f"{name}, {scheme}"
    page.set_viewport_size(window)


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious_in_light_or_dark(visit, name):
    path, charts = PAGES[name]
    page = visit(path)
    page.wait_for_function(DRAWN, arg=charts)
    if name == "rules":
        page.get_by_role("button", name="Stop").wait_for()  # it has no chart to wait for
    if page.get_by_role("button", name="Stop").count():
        expect(page.get_by_role("button", name="Stop")).to_be_disabled()
    if name == "lesson":
        expect(page.get_by_text("Why.")).to_be_visible()
    if name == "start":
        page.keyboard.press("ArrowRight")  # the first of its evenings
        expect(page.locator(".roam-lanes .offer .best")).to_be_visible()
    if name == "one_run":
        expect(page.get_by_text("of 100 users:")).to_be_visible()
    nothing_serious(page, name)


def test_axe_finds_nothing_serious_in_a_room(visit):
    desk = visit("/class")
    desk.get_by_role("button", name="Open a room").click()
    expect(desk.locator(".class-code")).to_be_visible()
    phone = visit(f"/class?room={desk.locator('.class-code').inner_text()}", width=390)
    expect(phone.get_by_role("button", name="Join")).to_be_visible()
    nothing_serious(phone, "the way in on a phone")
    phone.get_by_role("button", name="Join").click()
    expect(desk.get_by_text("1 person is here")).to_be_visible()
    nothing_serious(desk, "the way in")
    desk.get_by_role("button", name="Predict", exact=True).click()
    desk.get_by_role("button", name="Put this question").click()
    expect(phone.get_by_role("slider")).to_be_visible()
    nothing_serious(phone, "a question on a phone")
    for step in ("Close the vote", "Reveal"):
        desk.get_by_role("button", name=step).click()
    for page in (desk, phone):
        expect(page.get_by_text("Why.")).to_be_visible()
        nothing_serious(page, "what came out")
    desk.get_by_role("button", name="Beat ROAM", exact=True).click()
    for page in (desk, phone):
        expect(page.get_by_role("heading", name="Beat ROAM")).to_be_visible()
        page.wait_for_function(DRAWN, arg=1)
        nothing_serious(page, "Beat ROAM")
    desk.get_by_role("button", name="The class is the user", exact=True).click()
    expect(phone.get_by_text("Question 1 of 12")).to_be_visible()
    nothing_serious(phone, "a question about flowers")


def test_a_lecturer_needs_no_mouse_to_put_a_question(visit):
    desk = visit("/class")
    desk.get_by_role("button", name="Open a room").press("Enter")
    expect(desk.locator(".class-code")).to_be_visible()
    desk.get_by_role("button", name="Predict", exact=True).press("Enter")
    expect(desk.get_by_role("combobox", name="Question")).to_be_focused()
    desk.keyboard.press("Tab")
    expect(desk.get_by_role("button", name="Put this question")).to_be_focused()
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("0 of 0 have answered")).to_be_visible()


# What has the focus, in words; nothing when it has gone round.
FOCUS = """() => {
  const node = document.activeElement, of = (id) => document.getElementById(id)?.innerText;
  if (node === document.body) return "";
  const label = node.getAttribute("aria-label") || of(node.getAttribute("aria-labelledby"));
  const words = label || node.innerText || node.labels?.[0]?.innerText || node.tagName;
  return words.replace(/\\s+/g, " ").trim().slice(0, 80);
}"""


def round_trip(page, most: int = 120) -> list[str]:
    """What Tab reaches one after the other, until it leaves the page."""
    page.locator("body").press("Tab")
    reached = [page.evaluate(FOCUS)]
    while reached[-1] and len(reached) < most:
        page.keyboard.press("Tab")
        reached.append(page.evaluate(FOCUS))
    assert reached.pop() == "", "the focus never leaves the page: something traps it"
    return reached


def in_order(reached: list[str], names: list[str]) -> None:
    """Each name is reached, after the one before it."""
    at = 0
    for name in names:
        assert name in reached[at:], f"{name!r} is not reached after {reached[:at][-1:]}: {reached}"
        at += reached[at:].index(name) + 1


def test_tab_goes_through_the_lab_in_reading_order(visit):
    page = visit(f"/simulation-lab?{SMALL}")
    page.wait_for_function(DRAWN, arg=4)
    expect(page.get_by_role("button", name="Stop")).to_be_disabled()
    reached = round_trip(page)
    controls = ["Feature dimension (d)", "Exploration rounds (τ)", "Context set size (k)", "Link function (F)"]
    actions = ["Same seed again", "New seed", "Pin this curve", "Spread of users", "Log axes", "√t guide", "Bound β"]
    in_order(reached, ["Skip to main content", "Start here", "Paper's defaults", "Noisy user", *controls, *actions])
    more = next(name for name in reached if name.startswith("More controls"))
    in_order(reached, [controls[-1], more, *actions, "Save as SVG", "Reset axes"])
    ends = [next(name for name in reached if part in name) for part in ("Take it along", "Sweep: the same")]
    in_order(reached, ["Save as SVG", *ends])
    backwards = []
    for _ in range(5):
        page.keyboard.press("Shift+Tab")
        backwards.append(page.evaluate(FOCUS))
    assert backwards == reached[::-1][:5]


def test_a_popover_opens_is_walked_and_closes_by_keyboard(visit):
    page = visit(f"/simulation-lab?{SMALL}")
    page.wait_for_function(DRAWN, arg=4)
    page.get_by_role("button", name="More controls").press("Enter")
    horizon = page.get_by_role("spinbutton", name=re.compile("Horizon"))
    expect(horizon).to_be_visible()
    # Streamlit puts what a popover holds at the end of the document, so Tab reaches it after the rest of the page.
    reached = [""]
    while not reached[-1].startswith("Horizon") and len(reached) < 120:
        page.keyboard.press("Tab")
        reached.append(page.evaluate(FOCUS))
    in_order(reached, ["Choose τ automatically (10 d)", reached[-1]])
    page.keyboard.press("Escape")
    expect(horizon).to_be_hidden()


def test_tab_goes_through_the_2d_page_in_reading_order(visit):
    page = visit(f"/one-run?{SMALL}&round=30")
    expect(page.locator(".roam-plane .now")).to_contain_text("Round")
    reached = round_trip(page)
    layers = ["fresh items (Xₜ)", "equal uncertainty", "taste (θ*)", "recent probes"]
    play = ["Play or pause (space)", "One step back (left arrow)", "One step forward (right arrow)", "Round"]
    stages = ["Rounds a second", "Whole round", "1. Recommend", "2. Ask", "3. Answer", "4. Learn"]
    controls = ["Exploration rounds (τ)", "Ask rule (y)", "More controls expand_more"]
    last = ["New seed", "Compare the five ask rules on this run"]
    own = ["Ask about the item of round"]
    before = ["The paper's rule", "A noisy user", "Size c of the ellipsoid"]
    in_order(reached, [*before, *play, *stages, *layers, *own, *controls, *last])


def test_the_history_is_changed_by_keyboard_and_lets_go_of_the_focus(visit):
    page = visit(f"/rich-history?{SMALL}")
    page.wait_for_function("document.querySelectorAll('.roam-shadow .past').length > 0")
    count = "document.querySelectorAll('.roam-shadow .past').length"
    before = page.evaluate(count)
    picture = page.get_by_role("application", name=re.compile("A history of"))
    picture.press("n")
    assert page.evaluate(count) == before + 1
    picture.press("ArrowRight")
    picture.press("Delete")
    assert page.evaluate(count) == before
    picture.press("Tab")
    assert not picture.evaluate("node => node === document.activeElement")
