"""The page "Class" in a real browser: a lecturer and three phones, from the room to the file; a hostile student."""

import asyncio
import csv
import re
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect
from streamlit.proto.WidgetStates_pb2 import WidgetState

from pages.bank.questions import BANK
from pages.components.downloads import MARK
from tests.browser.conftest import AT_REST, fits_every_screen
from tests.classroom_room import Lecturer, Phone
from tests.visitors import TRIGGER

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
    value = f"{float(thumb.input_value()):g}"
    expect(page.get_by_text(f"Your prediction: {value}")).to_be_visible()
    page.wait_for_function(AT_REST)
    page.get_by_role("button", name=re.compile("Commit|Change my answer")).press("Enter")
    expect(page.get_by_text(f"Your answer is kept: {value}.")).to_be_visible()


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
    for phone, name in zip(phones, ("Ada", MARKUP, MARK), strict=True):
        join(phone, name)
        assert not sideways(phone)
    expect(page.get_by_text("3 people are here")).to_be_visible()
    expect(page.locator(".st-key-class_names")).to_have_text(f"Ada · {MARKUP} · {MARK}")
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
    press(page, "End the game, show the taste")
    page.wait_for_function(f'{CHART}.flat().includes("the user\'s taste")')
    press(page, "Show the board")
    expect(page.get_by_text("had the same user answered otherwise")).to_be_visible()
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
    assert [row["nickname"] for row in rows[:3]] == ["Ada", MARKUP, MARK]
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


def forged(ids: dict[str, str]) -> list[list[WidgetState]]:
    """What somebody may send who knows every widget there is: a lecturer's buttons, values that no widget has."""
    slider, commit = ids["class_number_1.film.1"], WidgetState(id=ids["class commit 1.film.1"], trigger_value=True)
    buttons = ("close vote", "to beat", "to lobby", "put question", "door", "end room")
    found = [[WidgetState(id=ids[key], trigger_value=True)] for key in buttons]
    for value in (1e300, -1.0, float("nan"), float("inf"), 0.123):
        state = WidgetState(id=slider)
        state.double_array_value.data[:] = [value]
        found.append([state, commit])
    for text in ("999999", "<script>", "\u202e" * 5000):
        found.append([WidgetState(id=slider, string_value=text), commit])
    clicked = '[{"event": "clicked", "value": {"about": "<img src=x>"}}]'
    return [*found, [WidgetState(id=TRIGGER.format("class_items"), json_trigger_value=clicked)]]


async def attack(address: str, code: str, many: int) -> None:
    """Come in as a student and send so many forged messages; the server takes them all in and does not hang up."""
    other, mallory = Lecturer(address), Phone(address, 666)
    await other.open_room()
    await other.press("put question")
    await other.until(lambda: other.has("close vote"))
    await mallory.join(code)
    await mallory.until(lambda: mallory.has("class_number_1.film.1", "class commit 1.film.1"))
    for message in islice(cycle(forged(other.ids | mallory.ids)), many):
        await mallory.ask(*message)
    seen = mallory.expect(BANK["film"].title)
    await mallory.ask()
    await mallory.until(seen.is_set)  # all that was sent before has been taken in
    await other.close()
    await mallory.close()
    assert mallory.problem == ""


def test_ten_thousand_forged_messages_change_nothing(visit, desk, server):
    page, code = desk
    phone = visit(f"/class?room={code}", width=390)
    join(phone, "Ada")
    with ThreadPoolExecutor(1) as pool:  # this thread's loop is the browser's
        attacked = pool.submit(asyncio.run, attack(urlsplit(server).netloc, code, 10_000))
        expect(page.get_by_text("2 people are here")).to_be_visible()
        press(page, "Predict")
        press(page, "Put this question")
        expect(phone.get_by_role("button", name="Commit")).to_be_visible()
        vote(phone, 3)
        attacked.result()
    expect(page.get_by_text(re.compile("[12] of 2 ha(s|ve) answered"))).to_be_visible()
    vote(phone, 1)
    press(page, "Close the vote")
    page.get_by_text("The room: people, answers, your secret link").click()
    with page.expect_download() as download:
        press(page, "All answers (CSV)")
    rows = list(csv.DictReader(download.value.path().read_text(encoding="utf-8").splitlines()))
    scale = BANK["film"].commitment
    assert [(row["nickname"], row["vote"]) for row in rows] in ([("Ada", "1")], [("Ada", "1"), ("n666", "1")])
    assert float(rows[0]["answer"]) == pytest.approx(scale.low + 4 * scale.step)
    assert all(scale.low <= float(row["answer"]) <= scale.high for row in rows)
