"""The page "Class" in a real browser: a lecturer and three phones, from the room to the file; a hostile student."""

import csv
import re

import pytest
from playwright.sync_api import expect

from pages.bank.questions import BANK
from tests.browser.conftest import AT_REST, fits_every_screen

MARKUP = "<img src=x onerror=1"  # as long as a nickname may be
# A press that comes too soon after a question is no answer to it: duel.js.
NOT_TOO_SOON = "performance.now() - document.querySelector('.roam-duel').duel.since > 200"
CHART = "[...document.querySelectorAll('.roam-chart')].map(node => (node.data ?? []).map(trace => trace.name))"


def press(page, name: str) -> None:
    """Press a button."""
    page.get_by_role("button", name=name, exact=True).first.click()


def sideways(page) -> bool:
    """Whether a page scrolls sideways."""
    return page.evaluate(
        "(() => { const main = document.querySelector('[data-testid=stMain]');"
        " return main.scrollWidth > main.clientWidth + 1; })()"
    )


def join(page, name: str) -> None:
    """Type a nickname and press Enter."""
    field = page.get_by_role("textbox", name="Nickname")
    field.fill(name)
    field.press("Enter")
    expect(page.get_by_text("You are in room")).to_be_visible()


def vote(page, times: int) -> None:
    """Move the slider so many steps to the right by keyboard, and commit by keyboard."""
    thumb = page.get_by_role("slider")
    for _ in range(times):
        thumb.press("ArrowRight")
    expect(page.get_by_text(f"Your prediction: {float(thumb.input_value()):g}")).to_be_visible()
    page.wait_for_function(AT_REST)
    page.get_by_role("button", name=re.compile("Commit|Change my answer")).press("Enter")
    expect(page.get_by_text("Your answer is kept")).to_be_visible()


@pytest.fixture
def desk(visit):
    """A lecturer who has opened a room; the page, and the room's code."""
    page = visit("/class", width=1920)
    press(page, "Open a room")
    code = page.locator(".class-code")
    expect(code).to_be_visible()
    page.wait_for_function("document.querySelector('.class-way img').naturalWidth > 0")  # the QR code is drawn
    return page, code.inner_text()


def test_a_lecture_from_the_room_to_the_file(visit, desk):
    page, code = desk
    phones = [visit(f"/class?room={code}", width=390) for _ in range(3)]
    for phone, name in zip(phones, ("Ada", MARKUP, ""), strict=True):
        join(phone, name)
        assert not sideways(phone)
    expect(page.get_by_text("3 people are here")).to_be_visible()
    expect(page.locator(".st-key-class_names")).to_have_text(f"Ada · {MARKUP}")
    assert page.locator(".st-key-class_names img").count() == 0, "a nickname is text"

    # Predict: two votes, and the reveal.
    press(page, "Predict")
    press(page, "Put this question")
    expect(page.get_by_text(BANK["film"].title).first).to_be_visible()
    for phone, times in zip(phones[:2], (1, 2), strict=True):
        expect(phone.get_by_role("button", name="Commit")).to_be_visible()
        vote(phone, times)
    vote(phones[1], 1)  # a double vote is a change
    expect(page.get_by_text("2 of 3 have answered")).to_be_visible()
    assert page.evaluate(CHART) == [], "what was answered shows before it may"
    press(page, "Close the vote")
    expect(phones[2].get_by_text("The vote is closed. You have not answered.")).to_be_visible()
    press(page, "Show the answers")
    page.wait_for_function(f"{CHART}.flat().includes('first vote')")
    press(page, "Vote again")
    expect(phones[2].get_by_text("Vote again.")).to_be_visible()
    vote(phones[2], 1)
    press(page, "Close the vote")
    press(page, "Reveal")
    for each in (page, *phones):
        expect(each.get_by_text("Why.")).to_be_visible()
    shown = {name for names in page.evaluate(CHART) for name in names}
    assert {"first vote", "second vote"} <= shown
    expect(phones[0].get_by_text("You predicted:")).to_be_visible()
    fits_every_screen(page, "class-revealed")
    page.set_viewport_size({"width": 1920, "height": 900})

    # Follow me: the view of another page, and one who goes elsewhere.
    page.get_by_role("button", name=re.compile("^Next:|Next: ")).click()
    press(page, "Show this view on all phones")
    for phone in phones:
        expect(phone.get_by_role("heading", name="The setting", exact=True).first).to_be_visible()
    phones[2].get_by_role("button", name=re.compile("Next: ")).click()
    expect(phones[2].get_by_role("button", name="Go to what the lecturer shows")).to_be_visible()
    press(page, "Back to the room")
    press(page, "Beat ROAM")
    expect(phones[2].get_by_text("The class has gone on.")).to_be_visible()
    press(phones[2], "Go along")

    # Beat ROAM, by keyboard.
    for phone in phones:
        expect(phone.get_by_role("button", name="Choose a dot to ask about")).to_be_visible()
    phone = phones[0]
    for number in (1, 2):
        picture = phone.locator(".roam-chart")
        phone.wait_for_function("document.querySelector('.roam-chart')?.data")
        phone.wait_for_function(AT_REST)
        picture.focus()
        picture.press("ArrowRight")
        picture.press("Enter")
        expect(phone.get_by_role("button", name=re.compile("Ask about item"))).to_be_enabled()
        phone.wait_for_function(AT_REST)
        phone.get_by_role("button", name=re.compile("Ask about item")).press("Enter")
        expect(phone.get_by_text(f"Round {number + 1} of 15.")).to_be_visible()
    assert not sideways(phone)
    expect(page.get_by_text("1 of 3 play")).to_be_visible()
    press(page, "End the game, show the board")
    expect(page.get_by_text("had the same user answered otherwise, ROAM would end")).to_be_visible()
    assert not sideways(page)

    # The class is the user, by keys.
    press(page, "The class is the user")
    for phone, keys in zip(phones, ("12", "2", "11"), strict=True):
        for number, key in enumerate(keys, start=1):
            expect(phone.get_by_text(f"Question {number} of 12")).to_be_visible()
            phone.wait_for_function(NOT_TOO_SOON)
            phone.keyboard.press(key)
        expect(phone.get_by_text(f"Question {len(keys) + 1} of 12")).to_be_visible()
    expect(page.get_by_text("3 of 3 answer")).to_be_visible()
    press(page, "End the questions, show the halves")
    expect(page.locator(".class-halves img")).to_have_count(8)

    # All answers, each once.
    page.get_by_text("The room: people, answers, your secret link").click()
    with page.expect_download() as download:
        press(page, "All answers (CSV)")
    rows = list(csv.DictReader(download.value.path().read_text(encoding="utf-8").splitlines()))
    assert [(row["what"], row["vote"], row["person"]) for row in rows] == [
        ("predict", "1", "1"), ("predict", "1", "2"), ("predict", "2", "3"), ("beat ROAM", "1", "1"),
        *(("the class is the user", "1", person) for person in "123"),
    ]  # fmt: skip
    scale = BANK["film"].commitment
    assert [float(row["answer"]) for row in rows[:3]] == pytest.approx([scale.low + n * scale.step for n in (1, 3, 1)])
    assert [row["nickname"] for row in rows[:3]] == ["Ada", MARKUP, ""]
    assert [row["answer"] for row in rows[4:]] == ["lr", "r", "ll"]


def test_a_strange_student_gets_nowhere(visit, desk):
    page, code = desk
    link = page.evaluate("location.href")
    phone = visit(f"/class?room={code}", width=390)
    join(phone, "Mallory")
    mine = phone.evaluate("new URL(location.href).searchParams.get('me')")
    key = re.search("key=([^&]+)", link)[1]
    assert key not in phone.content()
    other = visit("/class")
    press(other, "Open a room")
    expect(other.locator(".class-code")).not_to_have_text(code)
    elsewhere = other.locator(".class-code").inner_text()
    for stolen in (f"room={elsewhere}&me={mine}", f"room={code}&key={mine}", f"room={elsewhere}&key={key}"):
        stranger = visit(f"/class?{stolen}", width=390)
        expect(stranger.get_by_role("button", name="Join")).to_be_visible()
        expect(stranger.get_by_role("button", name="Predict")).to_have_count(0)
    again = visit(f"/class?room={code}&me={mine}", width=390)  # the phone is reloaded: the same person
    expect(again.get_by_text("You are Mallory.")).to_be_visible()
    expect(page.get_by_text("1 person is here")).to_be_visible()
    again.goto(link)  # next week, on another machine
    expect(again.get_by_text("1 person is here")).to_be_visible()
