"""What happens to the rooms' file while people are in them: nothing is acknowledged that is not kept."""

import sqlite3
from contextlib import closing

import pytest

from pages.classroom import database, door
from pages.classroom.database import BUSY, FILE, OTHER, Refused
from pages.classroom.door import Door
from pages.classroom.rooms import DAYS, NOTED, Rooms

VOTE = "1.film.1"


@pytest.fixture
def rooms(tmp_path, monkeypatch):
    """Rooms that do not wait long."""
    monkeypatch.setattr(database, "WAIT", 0.05)
    monkeypatch.setattr(database, "TURN", 0.5)
    made = Rooms(tmp_path)
    yield made
    made.close()


@pytest.fixture
def room(rooms):
    """A room with a vote: what opening gave, and a student's token."""
    opened = rooms.open()
    token = rooms.join(opened.code, "Ada")
    rooms.put(opened.code, opened.key, "", vote=VOTE)
    return opened, token


def locked(folder):
    """Another program holds the file."""
    other = sqlite3.connect(folder / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return closing(other)


def test_a_file_that_is_taken_away_takes_no_more_answers(rooms, room, tmp_path):
    opened, token = room
    rooms.answer(opened.code, token, VOTE, "1")
    for file in tmp_path.iterdir():
        file.unlink()
    with pytest.raises(Refused):
        rooms.answer(opened.code, token, VOTE, "0.5")
    assert rooms.room(opened.code) is None
    again = rooms.open()  # a new file is made
    assert rooms.room(again.code)
    assert (tmp_path / FILE).exists()
    assert rooms.trouble == ""


def test_a_file_that_is_taken_away_while_an_answer_is_written_refuses_it(rooms, room, tmp_path, monkeypatch):
    opened, token = room
    connect, files = rooms._file._connect, list(tmp_path.iterdir())

    def connect_and_take_away(create: bool = False) -> None:
        connect(create)
        while files:
            files.pop().unlink()

    monkeypatch.setattr(rooms._file, "_connect", connect_and_take_away)
    with pytest.raises(Refused, match="taken away"):
        rooms.answer(opened.code, token, VOTE, "1")


@pytest.mark.parametrize("bytes_left", [0, 700])
def test_a_file_that_is_damaged_takes_no_more_answers(rooms, room, tmp_path, bytes_left):
    opened, token = room
    rooms.answer(opened.code, token, VOTE, "1")
    for name in (FILE, f"{FILE}-wal"):
        (tmp_path / name).write_bytes(b"nonsense" * (bytes_left // 8))
    with pytest.raises(Refused):
        rooms.answer(opened.code, token, VOTE, "0.5")


def test_a_file_that_is_locked_refuses_and_throws_nobody_out(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "WAIT", 0.05)
    now = [1e9]
    rooms = Rooms(tmp_path, clock=lambda: now[0])
    opened = rooms.open()
    token = rooms.join(opened.code, "")
    rooms.put(opened.code, opened.key, "", vote=VOTE)
    now[0] += 2 * NOTED  # so that a look would be written down
    with locked(tmp_path):
        with pytest.raises(Refused, match=BUSY):
            rooms.answer(opened.code, token, VOTE, "1")
        assert rooms.controls(opened.code, opened.key)
        assert rooms.person(opened.code, token)
    rooms.answer(opened.code, token, VOTE, "1")
    assert rooms.answered(opened.code, VOTE) == 1
    rooms.close()


def test_a_lock_at_the_start_is_no_reason_for_rooms_in_memory(rooms, room, tmp_path):
    opened, _ = room
    rooms.close()
    with sqlite3.connect(tmp_path / FILE) as other:
        other.execute("PRAGMA journal_mode = DELETE")  # as no other file is beside it, preparing needs the lock
    with locked(tmp_path):
        with pytest.raises(Refused, match=BUSY):
            rooms.room(opened.code)
        assert rooms.trouble == ""
    assert rooms.room(opened.code)


def test_a_file_of_another_version_is_left_alone(tmp_path):
    with closing(sqlite3.connect(tmp_path / FILE)) as other:
        other.execute("CREATE TABLE rooms (code TEXT, key TEXT)")
        other.execute("INSERT INTO rooms VALUES ('ACDEFG', 'x')")
        other.commit()
    rooms = Rooms(tmp_path)
    opened = rooms.open()
    assert OTHER in rooms.trouble
    assert rooms.controls(opened.code, opened.key)
    assert rooms.room("ACDEFG") is None
    rooms.close()
    with closing(sqlite3.connect(tmp_path / FILE)) as other:
        assert other.execute("SELECT * FROM rooms").fetchall() == [("ACDEFG", "x")]


def test_a_folder_whose_name_is_too_long_means_memory(tmp_path):
    rooms = Rooms(tmp_path / ("x" * 400))
    assert rooms.room("ACDEFG") is None
    assert rooms.room(rooms.open().code)
    assert rooms.trouble
    rooms.close()


def test_a_window_that_is_behind_does_not_rewind_the_room(rooms, room):
    opened, _ = room
    behind = rooms.room(opened.code).news
    rooms.put(opened.code, opened.key, "new", after=behind)
    with pytest.raises(Refused, match="another window"):
        rooms.put(opened.code, opened.key, "old", after=behind)
    assert rooms.room(opened.code).stage == "new"


def test_a_clock_that_was_ahead_keeps_no_room_for_ever(tmp_path):
    now = [1e9 + 365 * 86400]
    rooms = Rooms(tmp_path, clock=lambda: now[0])
    opened = rooms.open()
    now[0] = 1e9
    assert rooms.controls(opened.code, opened.key)  # looking writes the right time down
    now[0] += DAYS * 86400 + 1
    assert rooms.room(opened.code) is None
    rooms.close()


def test_who_has_the_rooms_link_is_not_kept_out_by_others_wrong_codes(rooms, room, monkeypatch):
    opened, _ = room
    monkeypatch.setattr(door, "WRONG_OF_ALL", 3)
    entrance, ticket = Door(rooms), rooms.ticket(opened.code)
    for number in range(3):
        with pytest.raises(Refused, match="no room"):
            entrance.find("AAAAAA", f"stranger {number}")
    with pytest.raises(Refused, match="Too many"):
        entrance.find(opened.code, "student")
    assert entrance.find(opened.code, "student", ticket).code == opened.code
    for forged in ("", "x", ticket[:-1], rooms.ticket("AAAAAA")):
        with pytest.raises(Refused):
            entrance.find(opened.code, "student", forged)
    assert opened.key not in ticket


def test_all_sessions_together_open_so_many_rooms_an_hour(rooms, monkeypatch):
    monkeypatch.setattr(door, "OPENED_BY_ALL", 2)
    entrance = Door(rooms)
    for number in range(2):
        entrance.open(f"session {number}")
    with pytest.raises(Refused, match="Too many rooms"):
        entrance.open("session 2")
