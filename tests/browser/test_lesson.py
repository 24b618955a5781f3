"""The page "A lesson" in a real browser: a curve by hand and by keyboard, an item by click, the handout on paper."""

import re

from playwright.sync_api import expect

from pages.bank.handout import handout
from pages.bank.questions import BANK
from tests.browser.conftest import AT_REST, fits_every_screen

SHEETS = re.compile(rb"/Type\s*/Page[^s]")
DOTS = ".roam-chart .scatterlayer .trace:first-child .points path"


def values(page) -> list[int]:
    """The curve as it is drawn."""
    return page.evaluate("document.querySelector('.roam-hand').hand.values")


def test_a_curve_is_drawn_by_hand_committed_and_drawn_into_the_plot(visit):
    page = visit("/lesson?question=draw", width=390)
    drawing = page.get_by_role("application", name=re.compile("Your regret curve: empty"))
    commit = page.get_by_role("button", name="Commit")
    expect(commit).to_be_disabled()
    drawing.scroll_into_view_if_needed()
    box = drawing.bounding_box()
    left, right, top, bottom = box["x"] + 58, box["x"] + box["width"] - 22, box["y"] + 34, box["y"] + box["height"] - 46
    page.mouse.move(left, bottom)
    page.mouse.down()
    page.mouse.move(left + 0.3 * (right - left), bottom + 0.3 * (top - bottom), steps=4)
    page.mouse.up()
    by_mouse = values(page)
    assert by_mouse[0] == 0
    assert all(abs(value - 100 * place) <= 15 for place, value in enumerate(by_mouse[:4]))
    assert len(set(by_mouse[3:])) == 1, "what was not drawn yet stays as high as the pointer was"
    expect(commit).to_be_enabled()
    drawing = page.get_by_role("application", name=re.compile("Your regret curve: round 0: 0"))
    drawing.press("ArrowRight")
    drawing.press("ArrowRight")
    drawing.press("PageUp")
    expect(page.locator(".roam-hand p")).to_have_text(re.compile(r"Round 500: 4\d\d"))
    by_keyboard = values(page)
    assert by_keyboard[5] == by_mouse[5] + 100
    assert by_keyboard[:5] + by_keyboard[6:] == by_mouse[:5] + by_mouse[6:]
    commit.click()  # at once: what is committed is what is drawn, not what the page knew
    page.wait_for_url(re.compile(r"answers=draw-" + r"\.".join(map(str, by_keyboard))))
    expect(page.get_by_text("Why.")).to_be_visible()
    plotted = "[...document.querySelector('.roam-chart').data].find(trace => trace.name === 'you predicted')?.y"
    assert page.evaluate(plotted) == by_keyboard
    page.reload()  # tomorrow, on another machine
    expect(page.get_by_text("Why.")).to_be_visible()
    fits_every_screen(page, "lesson-draw")


def test_a_curve_is_drawn_by_finger_and_the_page_stays_where_it_is(visit):
    page = visit("/lesson?question=draw", width=390)
    drawing = page.get_by_role("application", name=re.compile("Your regret curve: empty"))
    drawing.scroll_into_view_if_needed()
    box = drawing.bounding_box()
    left, right, top, bottom = box["x"] + 58, box["x"] + box["width"] - 22, box["y"] + 34, box["y"] + box["height"] - 46
    screen = page.context.new_cdp_session(page)
    screen.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def finger(kind: str, share: float | None = None) -> None:
        at = {} if share is None else {"x": left + share * (right - left), "y": bottom + share * (top - bottom)}
        screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at] if at else []})

    scrolled = "document.querySelector('[data-testid=stMain]').scrollTop"
    before = page.evaluate(scrolled)
    finger("touchStart", 0.0)
    for share in (0.1, 0.2, 0.3, 0.4, 0.5, 0.58):  # it is lifted a little before round 600
        finger("touchMove", share)
    finger("touchEnd")
    screen.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    screen.detach()
    drawn = values(page)
    assert all(abs(value - 100 * place) <= 35 for place, value in enumerate(drawn[:7]))
    assert len(set(drawn[6:])) == 1
    assert drawn[6] > drawn[5]
    assert page.evaluate(scrolled) == before
    expect(page.get_by_role("button", name="Commit")).to_be_enabled()


def test_a_curve_is_drawn_by_keyboard_and_never_falls_by_itself(visit):
    page = visit("/lesson?question=draw")
    drawing = page.get_by_role("application", name=re.compile("Your regret curve: empty"))
    for key in ("ArrowRight", "PageUp", "ArrowRight", "PageUp", "ArrowUp", "ArrowLeft", "PageUp"):
        drawing.press(key)
        drawing = page.get_by_role("application", name=re.compile("Your regret curve"))
    expect(page.get_by_role("button", name="Commit")).to_be_enabled()
    assert values(page) == [0, 200, *[210] * 9], "what comes later follows until something is said of it"


def test_on_a_phone_one_need_not_scroll_to_answer(visit):
    page = visit("/lesson?question=previous", width=390)
    expect(page.locator(".roam-chart .plotly")).to_be_visible()
    slider, picture = (page.locator(what).bounding_box() for what in ("[data-testid=stSlider]", ".roam-chart"))
    assert slider["y"] + slider["height"] < picture["y"]
    assert page.get_by_role("button", name="Commit").bounding_box()["y"] < 800
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_function(
        "document.querySelector('.roam-chart').getBoundingClientRect().right"
        " < document.querySelector('[data-testid=stSlider]').getBoundingClientRect().left"
    )


def test_every_step_begins_at_the_top(visit):
    page = visit("/lesson?question=film", width=390)
    commit = page.get_by_role("button", name="Commit")
    expect(commit).to_be_visible()
    page.get_by_role("slider").press("ArrowRight")
    expect(commit).to_be_enabled()
    page.wait_for_function(AT_REST)
    at_the_top = (
        "document.querySelector('[data-testid=stMain]').scrollTop === 0"
        " && document.activeElement === document.querySelector('[data-testid=stMain] h3')"
    )
    commit.click()
    page.wait_for_function(at_the_top)
    onward = page.get_by_role("button", name="Next question")
    expect(page.get_by_text("Why.")).to_be_visible()
    said, picture = page.get_by_text("You predicted:").bounding_box(), page.locator(".roam-chart").bounding_box()
    assert picture["y"] + picture["height"] < said["y"], "one sees it decide, then reads why"
    assert picture["y"] + picture["height"] < 844, "on a phone's first screen"
    onward.scroll_into_view_if_needed()
    page.wait_for_function(AT_REST)
    onward.click()
    expect(page.get_by_role("heading", name=BANK["learn"].title)).to_be_visible()
    page.wait_for_function(at_the_top)


def test_a_finger_scrolls_over_a_chart_and_taps_a_dot(visit, chromium, server):
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{server}/lesson?question=rounds&answers=rounds-tau25")
    expect(page.get_by_text("Why.")).to_be_visible()
    page.wait_for_function(AT_REST)
    screen, scrolled = context.new_cdp_session(page), "document.querySelector('[data-testid=stMain]').scrollTop"
    range_before = page.evaluate("document.querySelector('.roam-chart').layout.yaxis.range")

    def swipe(by: int) -> None:
        """A finger in the middle of the picture goes down, or up."""
        page.evaluate("document.querySelector('.roam-chart').scrollIntoView({ block: 'center' })")
        box = page.locator(".roam-chart").bounding_box()
        x, y, before = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, page.evaluate(scrolled)
        screen.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for step in range(1, 11):
            at = {"x": x, "y": y + by * step / 10}
            screen.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
        screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_function(f"{'' if by > 0 else '-1 * '}({before} - {scrolled}) > 20")

    for by in (80, -80, 80):
        swipe(by)
    assert page.evaluate("document.querySelector('.roam-chart').layout.yaxis.range") == range_before
    page.goto(f"{server}/lesson?question=item")
    expect(page.locator(DOTS).first).to_be_visible()
    page.wait_for_function(AT_REST)
    page.locator(DOTS).nth(3).scroll_into_view_if_needed()
    box = page.locator(DOTS).nth(3).bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_text(re.compile(r"Your prediction: the item of round \d+"))).to_be_visible()
    context.close()


def test_an_item_is_chosen_by_click_and_by_keyboard(visit):
    page = visit("/lesson?question=item")
    expect(page.locator(DOTS).first).to_be_visible()
    page.wait_for_function(AT_REST)
    box = page.locator(DOTS).nth(3).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    prediction = page.get_by_text(re.compile(r"Your prediction: the item of round \d+"))
    expect(prediction).to_be_visible()
    clicked = prediction.inner_text()
    page.wait_for_function(AT_REST)
    picture = page.locator(".roam-chart")
    picture.focus()
    picture.press("ArrowRight")
    picture.press("Enter")
    expect(prediction).not_to_have_text(clicked)
    page.wait_for_function(AT_REST)
    page.get_by_role("button", name="Commit").press("Enter")
    page.wait_for_url(re.compile(r"answers=item-\d+"))
    expect(page.get_by_text("Why.")).to_be_visible()
    fits_every_screen(page, "lesson-item")


def test_the_handout_prints_on_two_pages(chromium):
    page = chromium.new_page()
    try:
        page.set_content(handout("https://roam.example.org/lesson"))
        printed = page.pdf(prefer_css_page_size=True)
    finally:
        page.close()
    assert len(SHEETS.findall(printed)) == 2


def test_the_browsers_back_goes_through_the_questions_and_keeps_the_answers(visit):
    page = visit("/lesson?answers=learn-10")

    def shown(key: str) -> None:
        expect(page.get_by_role("heading", name=BANK[key].title)).to_be_visible()
        page.wait_for_function(AT_REST)

    shown("film")
    for key in ("learn", "rounds"):
        page.get_by_role("button", name=re.compile("^(Skip|Next)$")).click()
        shown(key)
    page.get_by_text("25 random rounds", exact=True).click()
    page.get_by_role("button", name="Commit").click()
    page.wait_for_url(re.compile("answers=learn-10_rounds-tau25"))
    expect(page.get_by_text("Why.")).to_be_visible()
    page.wait_for_function(AT_REST)
    page.go_back()
    page.wait_for_url(re.compile("answers=learn-10_rounds-tau25"))
    shown("rounds")
    for key in ("learn", "film"):
        page.go_back()
        shown(key)
    assert "answers=learn-10_rounds-tau25" in page.url
    page.go_forward()
    shown("learn")
    expect(page.get_by_text("You predicted:")).to_be_visible()
