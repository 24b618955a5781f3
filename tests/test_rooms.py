"""The store of rooms: nothing that was acknowledged is lost, nobody does what is not theirs, and it stays small."""

import re
import sqlite3
import subprocess
import sys
import threading
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.classroom import rooms as store
from pages.classroom.database import FILE, Refused
from pages.classroom.door import WRONG_OF_ALL, WRONG_OF_ONE, Door, folder
from pages.classroom.names import ALPHABET, LENGTH, LONGEST, code, nickname
from pages.classroom.rooms import DAYS, MOST_PEOPLE, MOST_ROOMS, Rooms
from pages.classroom.tries import Tries

ROOT = Path(__file__).parents[1]
DAY = 86400.0


class Clock:
    """A clock that is set by hand."""

    def __init__(self):
        self.now = 1e9

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["on disk", "in memory"])
def rooms(request, tmp_path, clock):
    found = Rooms(tmp_path / "rooms" if request.param == "on disk" else None, clock)
    yield found
    found.close()


def quick(rooms: Rooms) -> Rooms:
    """The same without waiting for the disk: for tests with hundreds of commits."""
    rooms._file._connect(create=True)
    with rooms._file._writing as sql:
        sql.execute("PRAGMA synchronous = OFF")
    return rooms


def test_a_room_from_beginning_to_end(rooms):
    assert rooms.room("ACDEFG") is None
    assert rooms.count("ACDEFG") == rooms.answered("ACDEFG", "x") == 0
    opened = rooms.open()
    assert len(opened.code) == LENGTH
    assert set(opened.code) <= set(ALPHABET)
    ada, bob = rooms.join(opened.code, "Ada"), rooms.join(opened.code, "")
    assert [tuple(person) for person in rooms.people(opened.code)] == [(1, "Ada"), (2, "")]
    with pytest.raises(Refused, match="closed"):
        rooms.answer(opened.code, ada, "film.1", "1")
    before = rooms.room(opened.code)
    rooms.put(opened.code, opened.key, "film", vote="film.1")
    now = rooms.room(opened.code)
    assert (now.stage, now.vote, now.door) == ("film", "film.1", True)
    assert now.news > before.news
    rooms.answer(opened.code, ada, "film.1", "0.5")
    rooms.answer(opened.code, ada, "film.1", "0.7")  # changed until it closes
    rooms.answer(opened.code, bob, "film.1", "1")
    assert rooms.answered(opened.code, "film.1") == 2
    assert rooms.own(opened.code, 1, "film.1") == "0.7"
    rooms.put(opened.code, opened.key, "film closed")
    with pytest.raises(Refused, match="closed"):
        rooms.answer(opened.code, bob, "film.1", "0")
    rooms.put(opened.code, opened.key, "film again", vote="film.2")
    with pytest.raises(Refused, match="closed"):
        rooms.answer(opened.code, bob, "film.1", "0")
    rooms.answer(opened.code, bob, "film.2", "0")
    assert [tuple(one) for one in rooms.answers(opened.code)] == [
        (1, "Ada", "film.1", "0.7"), (2, "", "film.1", "1"), (2, "", "film.2", "0")
    ]  # fmt: skip
    rooms.take_name(opened.code, opened.key, 1)
    assert rooms.person(opened.code, ada) == (1, "")
    rooms.set_door(opened.code, opened.key, False)
    with pytest.raises(Refused, match="nobody new"):
        rooms.join(opened.code, "late")
    rooms.end(opened.code, opened.key)
    assert rooms.room(opened.code) is rooms.person(opened.code, ada) is None
    assert rooms.answers(opened.code) == rooms.people(opened.code) == []


def test_only_the_key_controls_a_room(rooms):
    mine, other = rooms.open(), rooms.open()
    token = rooms.join(mine.code, "")
    for key in (other.key, token, "", mine.key[:-1], mine.key + "a", "\x00", "\ud800", "é" * 1000, mine.code):
        assert not rooms.controls(mine.code, key)
        for act in (
            lambda key=key: rooms.put(mine.code, key, "mine", "vote"),
            lambda key=key: rooms.set_door(mine.code, key, False),
            lambda key=key: rooms.take_name(mine.code, key, 1),
            lambda key=key: rooms.end(mine.code, key),
        ):
            with pytest.raises(Refused, match="not open"):
                act()
    assert rooms.room(mine.code).stage == ""
    assert rooms.controls(mine.code, mine.key)


def test_a_token_of_another_room_answers_nothing(rooms):
    mine, other = rooms.open(), rooms.open()
    stranger = rooms.join(other.code, "")
    for one in (mine, other):
        rooms.put(one.code, one.key, "", vote="film.1")
    for token in (stranger, "", mine.key, "1"):
        assert rooms.person(mine.code, token) is None
        with pytest.raises(Refused, match="not in this room"):
            rooms.answer(mine.code, token, "film.1", "1")
    assert rooms.answers(mine.code) == []


@pytest.mark.parametrize("text", ["", "x" * 301, "1;2", "<b>", "A", "é", "'; drop table rooms --", "\x00", "1\n", "1 "])
def test_what_is_no_answer_is_refused(rooms, text):
    opened = rooms.open()
    token = rooms.join(opened.code, "")
    rooms.put(opened.code, opened.key, "", vote="film.1")
    with pytest.raises(Refused, match="not an answer"):
        rooms.answer(opened.code, token, "film.1", text)
    for vote in ("", "film.2", "' or 1=1", "%"):
        with pytest.raises(Refused, match="closed"):
            rooms.answer(opened.code, token, vote, "1")
    assert rooms.answers(opened.code) == []


def test_two_that_go_on_from_the_same_answer_are_one(rooms):
    opened = rooms.open()
    token = rooms.join(opened.code, "")
    rooms.put(opened.code, opened.key, "", vote="beat")
    go, outcomes = threading.Barrier(8), []

    def ask(item: int) -> None:
        go.wait()
        try:
            rooms.answer(opened.code, token, "beat", str(item), after="")
            outcomes.append(item)
        except Refused:
            pass

    threads = [threading.Thread(target=ask, args=(item,)) for item in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 1
    assert rooms.own(opened.code, 1, "beat") == str(outcomes[0])
    rooms.answer(opened.code, token, "beat", f"{outcomes[0]}.4", after=str(outcomes[0]))
    with pytest.raises(Refused, match="another window"):
        rooms.answer(opened.code, token, "beat", f"{outcomes[0]}.5", after=str(outcomes[0]))


def test_many_threads_and_two_servers_lose_nothing_and_count_nothing_twice(tmp_path):
    one, other = quick(Rooms(tmp_path)), quick(Rooms(tmp_path))
    opened = one.open()
    one.put(opened.code, opened.key, "", vote="film.1")

    def person(number: int) -> None:
        mine = (one, other)[number % 2]
        token = mine.join(opened.code, f"n{number}")
        for text in ("1", "2", str(number)):
            mine.answer(opened.code, token, "film.1", text)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(person, range(60)))
    answers = other.answers(opened.code, "film.1")
    assert [(a.name, a.text) for a in answers] == [(a.name, a.name[1:]) for a in answers]
    assert sorted(int(a.text) for a in answers) == list(range(60))
    assert [p.number for p in one.people(opened.code)] == list(range(1, 61))
    one.close()
    other.close()


def test_a_vote_that_closes_while_people_answer_has_what_was_acknowledged_and_no_more(tmp_path):
    rooms = quick(Rooms(tmp_path))
    opened = rooms.open()
    tokens = [rooms.join(opened.code, "") for _ in range(12)]
    rooms.put(opened.code, opened.key, "", vote="film.1")
    begun, acknowledged = threading.Event(), {}

    def keep_answering(number: int) -> None:
        for text in range(1, 10_000):
            try:
                rooms.answer(opened.code, tokens[number], "film.1", str(text))
            except Refused:
                return
            acknowledged[number + 1] = str(text)
            begun.set()

    with ThreadPoolExecutor(12) as pool:
        done = [pool.submit(keep_answering, number) for number in range(12)]
        begun.wait(30)
        rooms.put(opened.code, opened.key, "closed")
        at_the_close = {a.number: a.text for a in rooms.answers(opened.code)}
        for one in done:
            one.result()
    assert {a.number: a.text for a in rooms.answers(opened.code)} == at_the_close == acknowledged
    rooms.close()


WRITER = """
import sys
from pathlib import Path
from pages.classroom.rooms import Rooms
folder, code, *tokens = sys.argv[1:]
rooms = Rooms(Path(folder))
for text in range(1, 1_000_000):
    for number, token in enumerate(tokens, start=1):
        rooms.answer(code, token, "film.1", str(text))
        print(number, text, flush=True)
"""


@pytest.mark.fault
@pytest.mark.parametrize("acknowledged", [1, 7, 60])
def test_a_server_that_is_killed_in_mid_vote_has_lost_no_acknowledged_answer(tmp_path, acknowledged):
    rooms = Rooms(tmp_path)
    opened = rooms.open()
    tokens = [rooms.join(opened.code, "") for _ in range(3)]
    rooms.put(opened.code, opened.key, "", vote="film.1")
    rooms.close()
    command = [sys.executable, "-c", WRITER, str(tmp_path), opened.code, *tokens]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, encoding="utf-8") as writer:
        lines = [writer.stdout.readline() for _ in range(acknowledged)]
        writer.kill()
        lines += writer.stdout.read().splitlines()
    assert writer.returncode != 0
    told = dict(map(int, line.split()) for line in lines if re.fullmatch(r"\d+ \d+\n?", line))
    again = Rooms(tmp_path)
    kept = {a.number: int(a.text) for a in again.answers(opened.code, "film.1")}
    assert told
    assert set(told) <= set(kept)
    # An answer may have been committed without having been told, never the other way round.
    assert all(text <= kept[number] <= text + 1 for number, text in told.items())
    assert again.controls(opened.code, opened.key)
    again.answer(opened.code, tokens[0], "film.1", "1")
    again.close()


def test_there_are_at_most_so_many_rooms_and_people(tmp_path, clock):
    rooms = quick(Rooms(tmp_path, clock))
    opened = [rooms.open() for _ in range(MOST_ROOMS)]
    with pytest.raises(Refused, match=f"{MOST_ROOMS} rooms"):
        rooms.open()
    for one in opened[1:]:
        token = rooms.join(one.code, "")
        rooms.put(one.code, one.key, "", vote="1.film.1")
        rooms.answer(one.code, token, "1.film.1", "1")
    with pytest.raises(Refused, match="rooms"):
        rooms.open()
    rooms.join(opened[0].code, "")
    clock.now += store.IDLE + 1
    rooms.open()  # the one room without answers gives way, whoever has joined it
    assert rooms.room(opened[0].code) is None
    with pytest.raises(Refused, match="rooms"):
        rooms.open()
    code = opened[1].code
    tokens = [rooms.join(code, "") for _ in range(MOST_PEOPLE)]  # the one that is there was last seen long ago
    with pytest.raises(Refused, match=f"{MOST_PEOPLE} people"):
        rooms.join(code, "")
    assert rooms.count(code) == MOST_PEOPLE
    clock.now += store.HERE - 1
    assert rooms.person(code, tokens[7])
    clock.now += 2  # all others' phones are silent
    rooms.join(code, "late")
    assert rooms.count(code) == 2
    rooms.close()


def test_who_leaves_is_not_counted_and_comes_back_once(rooms):
    opened = rooms.open()
    rooms.put(opened.code, opened.key, "", vote="1.film.1")
    ada, bob = (rooms.join(opened.code, name) for name in ("Ada", "Bob"))
    rooms.answer(opened.code, ada, "1.film.1", "1")
    numbers = {person.name: person.number for person in rooms.people(opened.code)}
    rooms.leave(opened.code, bob)
    rooms.leave(opened.code, "nobody's")
    assert [person.name for person in rooms.people(opened.code)] == ["Ada"]
    rooms.leave(opened.code, ada)
    assert rooms.people(opened.code) == []
    assert [one.text for one in rooms.answers(opened.code)] == ["1"], "what was answered stays"
    assert rooms.count(opened.code, "1.film.1") == 1
    bob = rooms.person(opened.code, rooms.join(opened.code, "Bob"))
    assert bob.number not in numbers.values()
    assert [person.name for person in rooms.people(opened.code)] == ["Bob"]


def test_last_weeks_class_is_neither_counted_nor_in_the_way(rooms, clock, monkeypatch):
    monkeypatch.setattr(store, "MOST_PEOPLE", 10)
    monkeypatch.setattr(store, "MOST_KEPT", 30)
    opened = rooms.open()
    rooms.put(opened.code, opened.key, "", vote="1.film.1")
    tokens = [rooms.join(opened.code, f"n{number}") for number in range(10)]
    rooms.answer(opened.code, tokens[0], "1.film.1", "1")
    clock.now += 7 * DAY
    assert rooms.controls(opened.code, opened.key)
    assert rooms.people(opened.code) == []
    assert rooms.count(opened.code) == 0
    assert rooms.count(opened.code, "1.film.1") == 1, "who has answered counts, whoever is here"
    for _ in range(10):  # this week's
        rooms.join(opened.code, "")
    with pytest.raises(Refused, match="10 people"):
        rooms.join(opened.code, "")
    clock.now += store.HERE + 1
    assert rooms.person(opened.code, tokens[0]).name == "n0", "who comes back is the same person"
    assert [person.name for person in rooms.people(opened.code)] == ["n0"]
    assert len(rooms.named(opened.code)) == 10
    for _ in range(3):  # whoever left no trace makes room
        clock.now += store.HERE + 1
        for _ in range(10):
            rooms.join(opened.code, "")
    assert [person.name for person in rooms.named(opened.code)] == ["n0"]
    assert [(one.number, one.text) for one in rooms.answers(opened.code)] == [(1, "1")]


def test_a_name_that_is_removed_is_news(rooms):
    opened = rooms.open()
    rooms.join(opened.code, "rude")
    before = rooms.room(opened.code)
    rooms.take_name(opened.code, opened.key, 1)
    assert rooms.room(opened.code) != before, "it may be on screen"


def test_a_game_is_the_rooms_and_cannot_be_computed_from_its_code(tmp_path):
    rooms = Rooms(tmp_path)
    opened, other = rooms.open(), rooms.open()
    seeds = [rooms.seed(opened.code, turn) for turn in range(1, 50)]
    assert len(set(seeds)) == 49
    assert rooms.seed(other.code, 1) not in seeds
    rooms.close()
    again = Rooms(tmp_path)  # the server is started again
    assert [again.seed(opened.code, turn) for turn in range(1, 50)] == seeds
    again.end(opened.code, opened.key)
    with pytest.raises(Refused):
        again.seed(opened.code, 1)
    again.close()


def test_a_connection_that_another_thread_lets_go_of_refuses_in_words(tmp_path, monkeypatch):
    rooms = Rooms(tmp_path)
    opened = rooms.open()
    connect = rooms._file._connect

    def connect_and_lose(create: bool = False) -> None:
        connect(create)
        rooms._file._let_go()

    monkeypatch.setattr(rooms._file, "_connect", connect_and_lose)
    with pytest.raises(Refused):
        rooms.join(opened.code, "")
    assert rooms.room(opened.code) is None
    rooms.close()


def test_a_room_ends_after_days_without_use_and_use_keeps_it(rooms, clock):
    used, unused = rooms.open(), rooms.open()
    token = rooms.join(unused.code, "Ada")
    for _ in range(3):
        clock.now += 7 * DAY  # a lecture every week
        assert rooms.controls(used.code, used.key)
    assert rooms.room(used.code)
    assert rooms.room(unused.code) is rooms.person(unused.code, token) is None
    assert not rooms.controls(unused.code, unused.key)
    with pytest.raises(Refused, match="not open"):
        rooms.join(unused.code, "")
    assert rooms.answers(unused.code) == rooms.named(unused.code) == [], "it was deleted when another one was used"
    clock.now += DAYS * DAY + 1
    assert rooms.room(used.code) is None
    rooms.open()  # takes what has ended away
    assert rooms.answers(used.code) == rooms.named(used.code) == []


def test_a_folder_that_cannot_be_written_to_means_memory(tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    rooms = Rooms(tmp_path / "file" / "rooms")
    assert rooms.trouble == ""
    opened = rooms.open()
    assert "cannot be used" in rooms.trouble
    assert rooms.controls(opened.code, opened.key)
    assert rooms.join(opened.code, "Ada")
    rooms.close()
    (tmp_path / FILE).write_bytes(b"not a database at all" * 100)
    broken = Rooms(tmp_path)
    opened = broken.open()
    assert broken.trouble
    assert broken.room(opened.code)
    broken.close()
    assert (tmp_path / FILE).read_bytes().startswith(b"not a database"), "it is not ours to change"


def test_nothing_is_written_before_the_first_room(tmp_path):
    rooms = Rooms(tmp_path / "rooms")
    assert rooms.room("ACDEFG") is None
    assert not rooms.controls("ACDEFG", "key")
    with pytest.raises(Refused):
        rooms.join("ACDEFG", "Ada")
    assert list(tmp_path.iterdir()) == []
    rooms.close()


def test_a_disk_that_fails_acknowledges_nothing(tmp_path):
    rooms = Rooms(tmp_path)
    opened = rooms.open()
    token = rooms.join(opened.code, "")
    rooms.put(opened.code, opened.key, "", vote="film.1")
    with rooms._file._writing as sql:
        sql.execute("PRAGMA query_only = ON")
    with pytest.raises(Refused, match="could not keep this"):
        rooms.answer(opened.code, token, "film.1", "1")
    with rooms._file._writing as sql:
        sql.execute("PRAGMA query_only = OFF")
    assert rooms.answered(opened.code, "film.1") == 0
    rooms.answer(opened.code, token, "film.1", "1")
    assert rooms.answered(opened.code, "film.1") == 1
    rooms.close()


def test_the_file_holds_no_key_and_no_token(tmp_path):
    rooms = Rooms(tmp_path)
    opened = rooms.open()
    token = rooms.join(opened.code, "Ada")
    rooms.close()
    raw = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Ada" in raw
    assert opened.key.encode() not in raw
    assert token.encode() not in raw
    with sqlite3.connect(tmp_path / FILE) as sql:
        columns = {
            row[1] for table in ("rooms", "people", "answers") for row in sql.execute(f"PRAGMA table_info({table})")
        }
    sql.close()
    assert columns == {"code", "key", "stage", "vote", "news", "door", "used", "number", "token", "name", "text"}


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_any_nickname_is_one_short_line_of_visible_text(text):
    found = nickname(text)
    assert len(found) <= LONGEST
    assert found == " ".join(found.split())
    assert not any(unicodedata.category(c).startswith("C") for c in found)
    assert nickname(found) == found
    assert code(text) == "" or set(code(text)) <= set(ALPHABET)


@pytest.mark.parametrize("text", ["\ufe0f", "\u17b4", "\U000e0101", "\U0001d159", "\u200b\u0301", " \u0301 "])
def test_a_nickname_that_nobody_sees_is_none(text):
    assert nickname(text) == nickname(text * 5) == ""


def test_hostile_names_are_kept_as_text(rooms):
    opened = rooms.open()
    for name in (
        "<b>x</b>",
        "'); drop table people",
        "a" * 5000,
        "\u202egnp.exe",
        "e" + "\u0301" * 500,
        "\x00",
        "🙂" * 90,
    ):
        rooms.join(opened.code, name)
    names = [person.name for person in rooms.people(opened.code)]
    assert names[:2] == ["<b>x</b>", "'); drop table peopl"]
    assert names[2:4] == ["a" * LONGEST, "gnp.exe"]
    assert len(names[4]) <= 3
    assert names[5:] == ["", "🙂" * LONGEST]


def test_codes_cannot_be_guessed_in_an_hour(tmp_path):
    """A session has few tries, and all sessions together too few for the codes there are."""
    door = Door(Rooms(tmp_path))
    opened = door.open("lecturer")
    wrong = "".join("A" if c != "A" else "C" for c in opened.code)
    assert door.find(opened.code.lower()[:3] + " - " + opened.code[3:], "student").code == opened.code
    for _ in range(WRONG_OF_ONE):
        with pytest.raises(Refused, match="no room"):
            door.find(wrong, "guesser")
    with pytest.raises(Refused, match="Too many"):
        door.find(opened.code, "guesser")  # also the right one, else it would be no limit
    assert door.find(opened.code, "student")
    for number in range(WRONG_OF_ALL - WRONG_OF_ONE):
        with pytest.raises(Refused, match="no room"):
            door.find(wrong, f"session {number}")
    with pytest.raises(Refused, match="on this server"):
        door.find(opened.code, "student")
    chance = WRONG_OF_ALL * MOST_ROOMS / len(ALPHABET) ** LENGTH
    assert chance < 1 / 800
    door.rooms.close()


def test_ten_thousand_requests_of_hostile_students_change_nothing_and_fill_nothing(tmp_path):
    rooms = quick(Rooms(tmp_path))
    mine, other = rooms.open(), rooms.open()
    token, stranger = rooms.join(mine.code, "Ada"), rooms.join(other.code, "")
    rooms.put(mine.code, mine.key, "", vote="film.1")
    rooms.answer(mine.code, token, "film.1", "1")

    def attack(number: int) -> int:
        refused = 0
        for act in (
            lambda: rooms.answer(mine.code, stranger, "film.1", str(number)),
            lambda: rooms.answer(mine.code, token, "film.2", str(number)),
            lambda: rooms.answer(mine.code, token, "film.1", "<script>" * number),
            lambda: rooms.put(mine.code, token, f"mine {number}", "film.2"),
            lambda: rooms.answer(f"{number}", token, "film.1", "1"),
        ):
            try:
                act()
            except Refused:
                refused += 1
        return refused

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attack, range(2000))) == 10_000
    assert [tuple(one) for one in rooms.answers(mine.code)] == [(1, "Ada", "film.1", "1")]
    assert rooms.room(mine.code).stage == ""
    for text in range(2000):  # a vote that is changed all the time is one answer
        rooms.answer(mine.code, token, "film.1", str(text))
    assert rooms.answered(mine.code, "film.1") == 1
    rooms.close()
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 200_000


def test_tries_come_back_with_time_and_memory_is_bounded(clock):
    tries = Tries(2, 60, clock)
    for _ in range(3):
        tries.count("a")
    assert (tries.left("a"), tries.left("b")) == (0, 2)
    clock.now += 61
    assert tries.left("a") == 2
    for number in range(6000):
        tries.count(str(number))
    assert len(tries._when) == 5000


def test_a_session_opens_and_joins_a_few_rooms_only(tmp_path):
    door = Door(Rooms(tmp_path))
    opened = [door.open("one") for _ in range(5)]
    with pytest.raises(Refused, match="within an hour"):
        door.open("one")
    for one in opened:
        door.join(one.code, "", "one")
    with pytest.raises(Refused, match="too often"):
        door.join(opened[0].code, "", "one")
    door.rooms.close()


def test_the_folder_is_the_variables_or_the_users(monkeypatch, tmp_path):
    monkeypatch.setenv("ROAM_ROOMS", str(tmp_path))
    assert folder() == tmp_path
    monkeypatch.delenv("ROAM_ROOMS")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert folder() == tmp_path / ".roam-dashboard" / "rooms"

    def nobody():
        raise RuntimeError

    monkeypatch.setattr(Path, "home", nobody)
    assert folder() is None
