"""The page "Class" without a browser: lecturer and students in one room, from its opening to the file."""

import csv
import io
import json
import re
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from unittest.mock import Mock, patch

import pytest
import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

from pages.bank.questions import BANK
from pages.classroom import beat, beating, lecturer, results, stage, tastes, who
from pages.classroom import door as doors
from pages.classroom.database import Refused
from pages.classroom.rooms import Answer, Rooms
from pages.classroom.stage import PREDICT, REVEALED, Stage
from tests.test_pages import drawn, open_page, page_hashes, registry, says


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Every test has rooms of its own."""
    monkeypatch.setenv("ROAM_ROOMS", str(tmp_path / "rooms"))
    yield
    doors.door().rooms.close()
    doors._door.cache_clear()


def rooms():
    return doors.door().rooms


def lecture():
    """A lecturer who has opened a room: the page, the code, the key."""
    app = open_page("classroom", {})
    app.button(key="open room").click().run()
    assert not app.exception
    return app, app.query_params["room"], app.query_params["key"]


def student(code: str, name: str = ""):
    """A student who has joined with the link."""
    app = open_page("classroom", {"room": code})
    assert says(app, f"Join room {code}") or app.subheader[0].value == f"Join room {code}"
    app.text_input(key="class_name").set_value(name)
    join(app)
    return app


def join(app):
    next(button for button in app.button if button.label == "Join").click().run()
    assert not app.exception


def put(app, question: str):
    """The lecturer puts a question."""
    box = next(box for box in app.selectbox if box.label == "Question")
    box.set_value(question).run()
    app.button(key="put question").click().run()
    assert not app.exception


def press(app, key: str):
    app.button(key=key).click().run()
    assert not app.exception
    return app


def look(app):
    """The phone asks for news."""
    app.run()
    assert not app.exception
    return app


def test_a_vote_from_the_question_to_the_file():
    desk, code, _key = lecture()
    assert says(desk, "Nobody is here yet")
    phones = [student(code, name) for name in ("Ada", "<b>Bob</b>", "")]
    wall = open_page("classroom", {"room": code, "screen": "1"})
    assert says(look(desk), "3 people are here")
    assert says(desk, r"\<b\>Bob\</b\>")
    put(desk, "bound")
    for phone, choice in zip(phones, ("ten", "tenthousand", None), strict=True):
        look(phone)
        assert phone.subheader[0].value == BANK["bound"].title
        commit = next(button for button in phone.button if button.label == "Commit")
        assert commit.disabled
        if choice:
            phone.radio[0].set_value(choice).run()
            next(button for button in phone.button if button.label == "Commit").click().run()
            assert says(phone, "Your answer is kept")
    for shown in (look(desk), look(wall)):
        assert says(shown, "**2 of 3** have answered.")
        assert drawn(shown) == [], "what was answered shows before it may"
        assert not says(shown, "**about 10 times**")
    assert not [button for button in wall.button if button.label in ("Close the vote", "Reveal", "End it now")]
    press(desk, "close vote")
    assert says(look(phones[0]), "You answered: **about 10 times**.")
    assert says(look(phones[2]), "You have not answered.")
    assert drawn(look(wall)) == []
    press(desk, "show answers")
    counts = {t["name"]: dict(zip(t["x"], t["y"], strict=True)) for t in drawn(look(wall))[0]["data"]}
    assert sorted(counts["first vote"].values()) == sorted([0] * (len(BANK["bound"].commitment.options) - 2) + [1, 1])
    press(desk, "vote again")
    for phone in phones:
        look(phone)
        assert says(phone, "Vote again.")
        phone.radio[0].set_value("tenthousand").run()
        next(button for button in phone.button if button.label == "Commit").click().run()
    press(desk, "close vote")
    press(desk, "reveal vote")
    assert says(desk, "First vote: **1 of 2** right; second vote: **3 of 3** right.")
    assert says(desk, "**Why.**")
    assert says(desk, "**Ask the class.**") == bool(BANK["bound"].ask)
    groups = {trace["name"] for trace in drawn(desk)[0]["data"]}
    assert {"first vote", "second vote", "what came out"} <= groups
    assert says(look(wall), "**Why.**")
    assert not says(wall, "**Ask the class.**")
    assert says(look(phones[0]), "That is what came out.")
    kept = rooms().answers(code)
    file = list(csv.DictReader(io.StringIO(results.as_csv(code, kept, lecturer_known(kept), {}, int))))
    assert [(row["vote"], row["person"], row["answer"], row["came near"]) for row in file] == [
        ("1", "1", "ten", "no"), ("1", "2", "tenthousand", "yes"),
        *(("2", number, "tenthousand", "yes") for number in "123"),
    ]  # fmt: skip
    assert file[1]["nickname"] == "<b>Bob</b>"
    assert "1. How good is the theorem's promise (question 15) (HTML)" in drawn_files(desk)


def lecturer_known(kept):
    """What came out of the questions, without a page."""
    found = {}
    for what in results.asked_in(one.vote for one in kept).values():
        came = [snapshot.result for snapshot in lecturer.watching.board().peek(list(BANK[what].runs))]
        found[what] = BANK[what].truth(came)
    return found


def drawn_files(app) -> list[str]:
    """The files that are offered."""
    found = [e.proto for e in app.get("bidi_component") if e.proto.component_name == "roam_downloads"]
    return json.loads(found[0].json)["labels"]


@pytest.mark.parametrize("key", ["film", "draw", "item"])
def test_every_kind_of_commitment_goes_through(key, monkeypatch, at_a_glance):
    desk, code, _secret = lecture()
    phone = student(code)
    put(desk, key)
    asked = BANK[key]
    answer = {"film": "0.5", "draw": ".".join(["9"] * 11), "item": "12"}[key]
    if key == "draw":
        monkeypatch.setattr("pages.committing.hand", lambda commitment, **_: commitment.parse(answer))
    if key == "item":
        phone.session_state["class.chosen"] = ("class_item_1.item.1", 12)
    look(phone)
    if key == "film":
        phone.slider[0].set_value(0.5).run()
    next(button for button in phone.button if button.label == "Commit").click().run()
    assert [one.text for one in rooms().answers(code)] == [answer]
    for button in ("close vote", "show answers"):
        press(desk, button)
    assert drawn(desk)[0]["data"]
    look(phone)
    press(desk, "reveal vote")
    look(phone)
    assert says(phone, asked.words(asked.parse(answer)))


def test_the_lecturers_key_is_in_no_link_that_is_shown():
    desk, code, key = lecture()
    texts = [str(element.value) for kind in ("markdown", "text", "caption") for element in desk.get(kind)]
    shown = [element.proto.body for element in desk.get("html")] + texts
    shown += [element.proto.url for element in desk.get("link_button")]
    assert any("screen=1" in text for text in shown), "the projector's page"
    assert not any(key in text for text in shown)
    in_code = [block.value for block in desk.code]
    assert sum(key in text for text in in_code) == 1, "only below, in the expander"
    assert any(f"room={code}" in text and key not in text for text in in_code)


def test_nobody_without_the_key_has_a_button_or_an_answer():
    desk, code, key = lecture()
    phone = student(code)
    put(desk, "bound")
    look(phone)
    rooms().answer(code, phone.query_params["me"], "1.bound.1", "ten")
    _other, _, other_key = lecture()
    for link in ({"key": other_key}, {"key": "A" * 24}, {"key": "x"}, {"me": key}, {"me": "A" * 16}, {}):
        app = open_page("classroom", {"room": code, **link})
        assert app.subheader[0].value == f"Join room {code}"
        assert not any(button.key == "close vote" for button in app.button)
        assert key not in str([element.value for element in app.markdown])
        assert drawn(app) == []
        assert not says(app, "about 10 times")


@pytest.mark.parametrize("code", ["ACDEFG", "nonsense", "<b>", "0" * 500])
def test_a_room_that_is_not_there_is_said_in_plain_words(code):
    app = open_page("classroom", {"room": code})
    assert [heading.value for heading in app.subheader] == ["Join a room", "Open a room"]
    told = " ".join(warning.value for warning in app.warning)
    assert "<b>" not in told
    said = told.replace("\\", "")
    assert "There is no room with this code" in said or "is not the code of a room" in said


def test_a_code_is_typed_as_people_type():
    _, code, _ = lecture()
    app = open_page("classroom", {})
    app.text_input(key="class_code").set_value(f"{code[:3].lower()} {code[3:]}")
    app.text_input(key="class_name").set_value("  Ada\u202e ")
    join(app)
    assert app.subheader[0].value == f"You are in room {code}"
    assert says(app, "You are **Ada**.")
    assert set(app.query_params) == {"room", "me"}
    again = open_page("classroom", dict(app.query_params))
    assert says(again, "You are **Ada**."), "the link of a phone brings the same person back"
    assert rooms().count(code) == 1


def test_a_secret_link_with_a_slip_is_not_printed():
    _, code, key = lecture()
    app = open_page("classroom", {"room": code, "key": f"{key}."})
    assert "What the link says of key is not what this page gave you" in app.warning[0].value
    assert key not in str([element.value for element in app.warning])


def test_the_projector_comes_in_while_others_try_wrong_codes(monkeypatch):
    _desk, code, _ = lecture()
    monkeypatch.setattr(doors.door()._all_wrong, "most", 0)
    out = open_page("classroom", {"room": code, "screen": "1"})
    assert "Too many wrong codes" in out.warning[0].value
    ticket = rooms().ticket(code)
    wall = open_page("classroom", {"room": code, "screen": "1", "ticket": ticket})
    assert says(wall, "Nobody is here yet")
    monkeypatch.setattr(doors.door()._all_wrong, "most", 3000)
    assert says(look(out), "Nobody is here yet"), "it may be tried again later"


def test_wrong_codes_are_counted_and_the_page_says_so():
    app = open_page("classroom", {})
    for _ in range(doors.WRONG_OF_ONE + 1):
        app.text_input(key="class_code").set_value("ACDEFG")
        join(app)
    assert "Too many wrong codes" in app.warning[0].value


def test_a_vote_that_has_closed_takes_no_answer():
    desk, code, key = lecture()
    phone = student(code)
    put(desk, "bound")
    look(phone).radio[0].set_value("ten").run()
    now = rooms().room(code)
    rooms().put(code, key, stage.read(now.stage).go("closed").text())  # while the phone shows the open vote
    next(button for button in phone.button if button.label == "Commit").click().run()
    assert "This vote is closed" in phone.warning[0].value
    assert rooms().answers(code) == []


def test_the_lecturer_removes_a_name_shuts_the_door_and_ends_the_room():
    desk, code, _key = lecture()
    phone = student(code, "rude")
    look(desk)
    press(desk, "take name")
    assert rooms().people(code)[0].name == ""
    assert says(look(phone), "You are number 1.")
    press(desk, "door")
    late = open_page("classroom", {"room": code})
    join(late)
    assert "lets nobody new" in late.warning[0].value
    press(desk, "end room")
    assert [heading.value for heading in desk.subheader] == ["Join a room", "Open a room"]
    assert "key" not in desk.query_params
    look(phone)
    assert phone.subheader[0].value == "Join a room"
    assert "This room has ended" in phone.warning[0].value


def test_a_reloaded_page_is_still_in_the_room(at_a_glance):
    """Wherever one is: every page's address says who one is in which room, and no link that is shown does."""
    desk, code, key = lecture()
    phone = student(code, "Ada")
    for app, button in ((desk, "class push"), (phone, "class go")):
        app._page_hash = open_hash("setting")
        look(app)
        assert app.query_params["room"] == code
        again = open_page("setting", dict(app.query_params))
        assert again.button(key=button)
    secrets = (key, phone.query_params["me"])
    assert not [block.value for block in desk.code if any(secret in block.value for secret in secrets)]


@pytest.mark.parametrize(("key", "asked"), [("film", "**It costs …**"), ("item", "**Choose a dot"), ("draw", "**Draw")])
def test_the_projector_shows_what_is_asked_for(key, asked, at_a_glance):
    desk, code, _ = lecture()
    wall = open_page("classroom", {"room": code, "screen": "1"})
    put(desk, key)
    assert says(look(wall), asked)
    assert [trace["name"] for figure in drawn(wall) for trace in figure["data"] if "vote" in trace["name"]] == []
    assert bool(drawn(wall)) == (key == "item")
    assert [button.key for button in wall.button] == ["present"], "which projector.css hides with the heading"


def test_a_second_vote_begins_where_the_first_ended(at_a_glance):
    desk, code, _ = lecture()
    phone = student(code)
    put(desk, "film")
    look(phone).slider[0].set_value(0.5).run()
    next(button for button in phone.button if button.label == "Commit").click().run()
    for button in ("close vote", "vote again"):
        press(desk, button)
    look(phone)
    assert says(phone, "First you said: 0.5.")
    assert phone.slider[0].value == 0.5
    next(button for button in phone.button if button.label == "Commit").click().run()
    assert [(one.vote, one.text) for one in rooms().answers(code)] == [("1.film.1", "0.5"), ("1.film.2", "0.5")]


def test_a_slider_that_was_moved_and_not_committed_says_nothing_in_the_next_vote(at_a_glance):
    desk, code, _ = lecture()
    phone = student(code)
    put(desk, "film")
    look(phone).slider[0].set_value(0.5).run()
    press(desk, "close vote")
    look(phone)
    press(desk, "vote again")
    look(phone)
    assert next(button for button in phone.button if button.label == "Commit").disabled
    assert not says(phone, "Your prediction:")


def test_a_slider_that_is_moved_when_the_class_has_gone_on_says_nothing(at_a_glance):
    _, code, key = lecture()
    phone = student(code)
    now = Stage()
    for kind, question in ((stage.BEAT, ""), (PREDICT, "learn"), (stage.FOLLOW, ""), (stage.LOBBY, "")):
        now = now.begin(PREDICT, question="film")
        rooms().put(code, key, now.text(), now.may_answer)
        slider = look(phone).slider[0]
        now = now.begin(kind, question=question, link="setting?" if kind == stage.FOLLOW else "")
        rooms().put(code, key, now.text(), now.may_answer)
        # The page has looked, and was not drawn yet when the slider is moved.
        phone.session_state["class.view"] = phone.session_state["class.view"]._replace(room=rooms().room(code))
        slider.set_value(0.5).run()
        assert not phone.exception
        assert not says(phone, "**Your prediction:**")
        phone._page_hash = open_hash("classroom")


def test_an_item_that_was_chosen_and_not_committed_is_nothing_in_the_next_vote(at_a_glance):
    desk, code, _ = lecture()
    phone = student(code)
    put(desk, "item")
    look(phone)
    phone.session_state["class.chosen"] = ("class_item_1.item.1", 12)
    assert says(look(phone), "**Your prediction:** the item of round 12")
    press(desk, "close vote")
    press(desk, "vote again")
    assert not says(look(phone), "Your prediction:")
    assert next(button for button in phone.button if button.label == "Commit").disabled
    put(desk, "film")
    look(phone).slider[0].set_value(0.5).run()
    put(desk, "film")  # the same once more, while the vote was open
    assert not says(look(phone), "Your prediction:")


def test_a_second_vote_about_an_item_begins_with_the_first_one(at_a_glance):
    desk, code, _ = lecture()
    phone = student(code)
    put(desk, "item")
    look(phone)
    rooms().answer(code, phone.query_params["me"], "1.item.1", "12")
    press(desk, "close vote")
    press(desk, "vote again")
    assert says(look(phone), "**Your prediction:** the item of round 12")
    next(button for button in phone.button if button.label == "Commit").click().run()
    assert [(one.vote, one.text) for one in rooms().answers(code)] == [("1.item.1", "12"), ("1.item.2", "12")]


def test_a_server_that_cannot_keep_rooms_says_so(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("ROAM_ROOMS", str(tmp_path / "file"))
    desk, code, _ = lecture()
    assert "cannot keep rooms" in desk.warning[0].value
    assert says(student(code, "Ada"), "You are **Ada**.")
    doors.door().rooms.close()


def test_phones_are_led_to_a_view_and_who_went_elsewhere_has_an_offer(at_a_glance):
    _, code, key = lecture()
    phone, wanderer = student(code), student(code)
    wanderer._page_hash = open_hash("setting")
    look(wanderer)
    assert wanderer.button(key="class go").label == "Back to the class"
    now = Stage().begin("follow", link="theory?chance=0.3&tau=7")
    rooms().put(code, key, now.text())
    look(phone)
    assert on_screen(phone) == "Theory, measured"
    assert phone.session_state.scenario.tau == 7
    assert not any(button.key == "class go" and button.label == "Go along" for button in phone.button)
    look(wanderer)
    assert on_screen(wanderer) != "Theory, measured"
    assert says(wanderer, "**The class has gone on.**")
    press(wanderer, "class go")
    assert on_screen(wanderer) == "Theory, measured"
    phone._page_hash = wanderer._page_hash = open_hash("theory")  # a browser would name the page it shows
    look(phone)
    wanderer.session_state.scenario = replace(wanderer.session_state.scenario, tau=9)  # a slider is moved
    look(wanderer)
    rooms().put(code, key, now.begin(PREDICT, question="film").text(), "2.film.1")
    look(phone)
    assert on_screen(phone) == "Class", "who stayed with the class goes on with it"
    assert phone.subheader[0].value == BANK["film"].title
    look(wanderer)
    assert on_screen(wanderer) == "Theory, measured"
    assert says(wanderer, "**The class has gone on.**")


def on_screen(app) -> str:
    return app.header[0].value


def open_hash(folder: str) -> str:
    return page_hashes()[registry.page(folder).path]


def test_who_is_reloaded_while_the_class_is_elsewhere_follows_on(at_a_glance):
    _, code, key = lecture()
    phone = student(code)
    now = Stage().begin("follow", link="theory?tau=7")
    rooms().put(code, key, now.text())
    look(phone)
    again = open_page("theory", {**dict(phone.query_params)})
    wall = open_page("theory", {"room": code, "screen": "1", "tau": "7"})
    for app in (again, wall):
        assert not any(button.label == "Go along" for button in app.button), "it is where the class is"
    rooms().put(code, key, now.begin("follow", link="setting?").text())
    for app in (again, wall):
        assert on_screen(look(app)) == "The setting"


def test_a_control_that_is_moved_on_the_wall_does_not_keep_it_there(at_a_glance):
    _, code, key = lecture()
    wall = open_page("classroom", {"room": code, "screen": "1"})
    now = Stage().begin("follow", link="theory?tau=7")
    rooms().put(code, key, now.text())
    assert on_screen(look(wall)) == "Theory, measured"
    wall.session_state.scenario = replace(wall.session_state.scenario, tau=9)
    look(wall)
    rooms().put(code, key, now.begin("lobby").text())
    assert on_screen(look(wall)) == "Class"


def test_the_lecturer_pushes_the_view_of_any_page():
    desk, code, _key = lecture()
    desk._page_hash = open_hash("lab")
    look(desk)
    press(desk, "class push")
    now = stage.read(rooms().room(code).stage)
    assert (now.kind, now.link) == ("follow", "simulation-lab?")
    assert desk.button(key="class push").disabled


def test_phones_see_the_lecturers_view_also_where_a_first_visit_begins_with_another(at_a_glance):
    _, code, key = lecture()
    phone, wall = student(code), open_page("classroom", {"room": code, "screen": "1"})
    rooms().put(code, key, Stage().begin("follow", link="rivals?").text())  # the page's default is not its first view
    for app in (phone, wall):
        assert on_screen(look(app)) == "ROAM and its rivals"
        assert app.session_state["rivals.view"] == "rival"


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"kind": "predict"}', "nonsense", '{"kind": 3}'])
def test_a_stage_that_cannot_be_read_is_the_lobby(text):
    assert stage.read(text) == Stage()


def test_turns_go_on_after_a_stage_of_another_version():
    text = Stage(turn=7, kind=PREDICT, question="film").text().replace("film", "gone")
    assert stage.read(text) == Stage(turn=7), "else votes and games get names that were there before"


def test_a_stage_comes_back_and_only_an_open_one_may_be_answered():
    now = Stage().begin(PREDICT, question="film")
    assert stage.read(now.text()) == now
    assert now.may_answer == now.vote == "1.film.1"
    assert stage.said_vote(now.vote) == (1, "film", 1)
    assert now.go(REVEALED).may_answer == ""
    assert now.go("open", 2).may_answer == "1.film.2"


def test_the_file_has_no_formula():
    kept = [
        Answer(1, "=1+1", "1.film.1", "0.5"),
        Answer(2, "@x", "1.film.1", "nonsense"),
        Answer(3, "", "10.beat.1", "1.2"),
    ]
    games = {"beat": results.Told("beat ROAM", lambda text: f"{text} asked")}
    told = results.as_csv("ACDEFG", kept, {}, games, int)
    rows = list(csv.DictReader(io.StringIO(told)))
    assert [row["nickname"] for row in rows] == ["'=1+1", "'@x", ""]
    assert [row["in words"] for row in rows] == ["0.5", "", "1.2 asked"]
    assert [row["order"] for row in rows] == ["1", "1", "10"]
    assert re.fullmatch(r"[\w ,]+", told.splitlines()[0])


def test_beat_roam_from_the_first_question_to_the_board():
    desk, code, _ = lecture()
    phones = [student(code, name) for name in ("Ada", "Bob")]
    press(desk, "to beat")
    seed = rooms().seed(code, 1)
    for phone, asked in zip(phones, (beat.rule_asks(seed), (1,) * 15), strict=True):
        for number, item in enumerate(asked, start=1):
            look(phone)
            assert phone.button(key="class ask").disabled
            phone.session_state["class.item"] = ("1.beat.1", number, item)
            phone.run()
            press(phone, "class ask")
            if phone is phones[1] and number == 4:
                break
    assert says(phones[0], "You have asked all your questions.")
    assert says(phones[1], "**Round 5 of 15.**")
    assert says(look(desk), "**2 of 2** play, **1** asked all 15 questions.")
    assert [trace["name"] for trace in drawn(desk)[0]["data"]] == ["before the first question", "players", "ROAM"]
    press(desk, "end game")
    assert says(desk, "**1 player** asked all 15 questions.")
    assert [trace["name"] for trace in drawn(desk)[0]["data"]][-1] == "the user's taste"
    press(desk, "show board")
    assert says(desk, "**0 of 1** asked questions that told more than ROAM's.")
    own = beat.turn(seed, beat.rule_asks(seed)).end
    assert says(look(phones[0]), f"**Your questions told as much as ROAM's:** **{own.told:.2f}** bits")
    assert says(look(phones[1]), "You asked 4 of 15 questions, so you are not on the board.")
    rooms_file = results.as_csv(code, rooms().answers(code), {}, lecturer.GAMES, lambda turn: rooms().seed(code, turn))
    assert "asked about the items of rounds 1, 1, 1, 1" in rooms_file
    came = [row["what came out"] for row in csv.DictReader(io.StringIO(rooms_file))]
    assert came == [f"{own.told:.3f} bits, error {own.error:.3f}, regret {own.regret:.3f}", ""]


def test_a_projector_that_is_behind_sees_nothing_of_a_vote_that_was_opened_meanwhile():
    desk, code, key = lecture()
    phone = student(code)
    put(desk, "bound")
    look(phone)
    rooms().answer(code, phone.query_params["me"], "1.bound.1", "ten")
    press(desk, "close vote")
    press(desk, "show answers")
    wall = open_page("classroom", {"room": code, "screen": "1"})
    behind = stage.read(rooms().room(code).stage)
    rooms().put(code, key, behind.go("open", 2).text(), "1.bound.2")
    rooms().answer(code, phone.query_params["me"], "1.bound.2", "hundred")
    with patch.object(who, "look_again"), patch.object(who, "has_news", return_value=False):  # it asks for no news
        assert [trace["name"] for trace in drawn(look(wall))[0]["data"]] == ["first vote"]


def test_rooms_that_cannot_be_read_throw_nobody_out():
    desk, code, _ = lecture()
    phone = student(code)
    press(desk, "to beat")
    look(phone)
    refuse = Mock(side_effect=Refused("The server could not read its rooms (disk I/O error). Try again."))
    reading = (
        "room",
        "person",
        "controls",
        "answers",
        "people",
        "own",
        "count",
        "answered",
        "ticket",
        "votes",
        "named",
    )
    with patch.multiple(rooms(), **dict.fromkeys(reading, refuse)):
        for app in (look(desk), look(phone)):
            assert any("could not read its rooms" in warning.value for warning in app.warning)
            assert not [button for button in app.button if button.label == "Open a room"], "still in the room"
    for app in (look(desk), look(phone)):
        assert not app.warning, "all is well again"
    assert says(phone, "**Round 1 of 15.**")


def test_a_phone_whose_page_was_left_half_drawn_is_drawn_anew(at_a_glance):
    desk, code, _ = lecture()
    phone = student(code)
    put(desk, "film")
    with patch.object(who, "all_is_drawn"):  # as if the script had been ended before
        look(phone)
    assert phone.session_state["class.view"].room != phone.session_state["class.drawn"]
    look(phone)
    assert phone.session_state["class.view"].room == phone.session_state["class.drawn"]


def click_meanwhile(app, key: str, method: str):
    """A button is pressed while the page looks who one is: in the middle of a method of the rooms."""
    original, clicked = getattr(Rooms, method), WidgetState(id=app.button(key=key).proto.id, trigger_value=True)
    waiting = [clicked]

    def slow(*arguments):
        context = get_script_run_ctx()
        if waiting and context is not None:
            states = WidgetStates(widgets=[waiting.pop()])
            hashed, query = context.page_script_hash, context.query_string
            again = RerunData(query_string=query, widget_states=states, page_script_hash=hashed)
            context.script_requests.request_rerun(again)
        return original(*arguments)

    with patch.object(Rooms, method, slow):
        look(app)
    assert not waiting


def test_a_click_while_the_page_looks_who_one_is_finds_what_the_page_shows():
    desk, code, key = lecture()
    put(desk, "film")
    put(desk, "bound")
    click_meanwhile(desk, "to beat", "controls")
    now = stage.read(rooms().room(code).stage)
    assert (now.kind, now.turn) == ("beat", 3), "turns go on"
    other = open_page("classroom", {"room": code, "key": key})
    press(desk, "end game")
    click_meanwhile(other, "to tastes", "controls")
    assert stage.read(rooms().room(code).stage).kind == "beat", "a window that is behind rewinds nothing"


def test_a_button_that_is_pressed_twice_makes_one_person():
    _, code, _ = lecture()
    app = open_page("classroom", {"room": code})
    with patch.object(who, "look_again"):  # the second press comes before the page has looked
        join(app)
        join(app)
    assert [person.number for person in rooms().people(code)] == [1]
    press(look(app), "leave room")
    assert rooms().people(code) == []


def test_what_was_refused_is_said_until_the_room_goes_on():
    desk, code, key = lecture()
    other = open_page("classroom", {"room": code, "key": key})
    put(desk, "film")
    press(other, "to beat")
    assert "another window" in other.warning[0].value
    assert "another window" in look(other).warning[0].value
    press(desk, "close vote")
    assert not look(other).warning
    press(desk, "show answers")
    press(other, "to beat")
    assert "another window" in other.warning[0].value
    press(desk, "end room")
    assert "This room has ended" in look(other).warning[0].value


def test_who_comes_while_the_rooms_cannot_be_read_gets_in_later(at_a_glance):
    _, code, key = lecture()
    me = student(code).query_params["me"]
    refuse = Mock(side_effect=Refused("The server is busy with its rooms. Try again in a moment."))
    ways_in = ({"me": me}, {"key": key}, {"screen": "1"})
    with patch.multiple(rooms(), room=refuse, person=refuse, controls=refuse, ticket=refuse), calls() as every:
        late = [open_page("classroom", {"room": code, **said}) for said in ways_in]
    assert every.count(who.EVERY) == len(late), "each tries again by itself"
    for app in late:
        assert "busy" in app.warning[0].value
        assert not app.subheader, "nobody is asked to join or open a room"
        assert not look(app).warning
    assert [who_is(app) for app in late] == [who.STUDENT, who.LECTURER, who.SCREEN]


@contextmanager
def calls():
    """How often browsers are to call for the parts of the pages that are drawn meanwhile, in seconds."""
    with patch.object(st, "fragment", wraps=st.fragment) as made:
        every: list[float] = []
        yield every
        every += [call.kwargs["run_every"] for call in made.call_args_list if call.kwargs["run_every"]]


def test_a_phone_calls_every_two_seconds_at_most(at_a_glance):
    _, code, key = lecture()
    phone = student(code)
    now = Stage()
    for kind, question in ((PREDICT, "film"), (PREDICT, "item"), (stage.BEAT, ""), (stage.TASTES, "")):
        now = now.begin(kind, question=question)
        for state in stage.STATES:
            rooms().put(code, key, now.go(state).text(), now.go(state).may_answer)
            with calls() as every:
                look(phone)
            assert every == [2.0]


def who_is(app) -> str:
    return app.session_state["class.view"].role


def test_a_lecturers_second_window_does_not_rewind_the_room():
    desk, code, key = lecture()
    other = open_page("classroom", {"room": code, "key": key})
    put(desk, "film")
    press(other, "to beat")  # its page is behind: it has not looked for news
    assert "another window" in other.warning[0].value
    assert stage.read(rooms().room(code).stage).question == "film"


def test_the_pictures_of_games_are_files(monkeypatch):
    seed, games = 1, (stage.BEAT, stage.TASTES)
    asked = beat.format(beat.rule_asks(seed))
    monkeypatch.setattr(beating, "known_luck", beat.luck)  # without a page
    kept = {
        stage.BEAT: [Answer(1, "<b>Ada</b>", "1.beat.1", asked), Answer(2, "Bob", "1.beat.1", "1.1")],
        stage.TASTES: [Answer(1, "", "1.tastes.1", "lr"), Answer(2, "", "1.tastes.1", "rr")],
    }
    drawn = [lecturer.PICTURES[game](seed, 1, partial(kept.get, game)) for game in games]
    files = {title: draw() for game in drawn for title, draw in game.items()}
    assert list(files) == [
        "1. Beat ROAM, the board", "1. Beat ROAM, the ellipses",
        "1. The class is the user, the cloud", "1. The class is the user, the halves",
    ]  # fmt: skip
    board, ellipses, cloud, halves = files.values()
    assert "of 1** asked" not in board, "no Markdown in a file"
    assert "of 1 asked questions that told more than ROAM" in board
    assert "Ada" in board, "who played to the end is on the board"
    assert "Bob" not in board, "who did not is not"
    assert "<b>Ada" not in board, "a nickname is text"
    assert "the user's taste" in ellipses
    assert "What each of you likes" in cloud
    assert "Question 1 divides the class most" in halves
    assert halves.count("<img") == 8
    assert re.search("(?i)https?://", halves.replace("http://www.w3.org", "")) is None, "it needs no other host"


def test_a_question_is_asked_once_from_two_windows():
    desk, code, _ = lecture()
    phone = student(code)
    press(desk, "to beat")
    other = open_page("classroom", dict(phone.query_params))
    for window, item in ((look(phone), 2), (look(other), 3)):
        window.session_state["class.item"] = ("1.beat.1", 1, item)
        window.run()
    rooms().answer(code, phone.query_params["me"], "1.beat.1", "2", after="")
    press(other, "class ask")
    assert rooms().own(code, 1, "1.beat.1") == "2"
    assert "another window" in other.warning[0].value


def test_the_class_is_the_user():
    desk, code, key = lecture()
    phones = [student(code) for _ in range(2)]
    press(desk, "to tastes")
    for phone in phones:
        look(phone)
        asked = next(e.proto for e in phone.get("bidi_component") if e.proto.component_name == "roam_duel")
        assert json.loads(asked.json)["count"] == "Question 1 of 12"
    for phone, text in zip(phones, ("lrlrlrlrlrlr", "rrrrrr"), strict=True):
        rooms().answer(code, phone.query_params["me"], "1.tastes.1", text, after="")
    assert says(look(phones[0]), "You have answered all questions")
    assert says(look(desk), "**2 of 2** answer, **1** answered all 12 questions.")
    assert sum(len(trace["x"]) for trace in drawn(desk)[0]["data"]) == 2
    press(desk, "end game")
    assert says(desk, "**Question 1 divides the class most:** no other one has a larger minority.")
    assert any("class-halves" in element.proto.body for element in desk.get("html"))
    for phone, text in zip(phones, ("lrlrlrlrlrlr", "rrrrrr"), strict=True):
        assert says(look(phone), "The questions are over. The dot with a ring is you.")
        pair = [tastes.embedding().describe(row) for row in tastes.pairs(rooms().seed(code, 1))[0]]
        assert says(phone, f"you chose this flower: **{pair['lr'.index(text[0])]}**.")
        groups = [trace["name"] for trace in drawn(phone)[0]["data"]]
        assert groups == [*(f"chose {words}" for words in pair), "you"]
        ring = drawn(phone)[0]["data"][-1]
        weights = tastes.weights(tastes.estimates(rooms().seed(code, 1), (text,)))[0]
        assert (ring["name"], ring["x"], ring["y"]) == ("you", *([round(float(w), 2)] for w in weights[:2]))
    assert says(look(student(code)), "You answered none, so none of the dots is you.")
    rooms().put(code, key, stage.read(rooms().room(code).stage).begin("tastes").text(), "2.tastes.1")
    look(desk)
    press(desk, "end game")
    assert says(desk, "No question divides the class")
