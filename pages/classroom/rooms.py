"""The rooms of this server: who is in them, what is on screen, and every answer. No Streamlit here.

They are kept in one file that several threads and several servers may share (database.py). Whoever calls `join` or
`answer` has its result only after it was committed: what was acknowledged outlives the server. Where the folder cannot
be written to, rooms live in memory; `trouble` then says why.

What a room shows (`stage`) is any short text: the page knows what it means. `vote` names what may be answered now, and
is empty if nothing may. Keys and tokens are kept as hashes, so the file opens no room.
"""

import hashlib
import hmac
import re
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pages.classroom.database import Database, Refused
from pages.classroom.names import ALPHABET, LENGTH, nickname

MOST_ROOMS, MOST_PEOPLE = 100, 500
MOST_KEPT = 10 * MOST_PEOPLE  # people of a room, with those of former lectures who have answered something
HERE, LOOKED = 300.0, 100.0  # seconds for which somebody is still here; presence is written down no more often
DAYS = 8  # without use until a room ends: a lecture every week finds its room again
TICKET = 16  # letters of a ticket
IDLE = 6 * 3600.0  # seconds without use until a room without answers gives way if there are too many
NOTED = 300.0  # seconds: use is written down no more often
LONGEST_ANSWER, LONGEST_STAGE = 300, 4000
SEEDS = 2**31 - 1
ANSWERED = "SELECT number FROM answers WHERE code = ?"
NEWEST = "SELECT COALESCE((SELECT MAX(number) FROM people WHERE code = ?), 0)"
GONE = "This room is not open, or not any more."
SCHEMA = """
CREATE TABLE IF NOT EXISTS rooms (
    code TEXT PRIMARY KEY, key BLOB NOT NULL, stage TEXT NOT NULL, vote TEXT NOT NULL, news INTEGER NOT NULL,
    door INTEGER NOT NULL, used REAL NOT NULL);
CREATE TABLE IF NOT EXISTS people (
    code TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, number INTEGER NOT NULL, token BLOB NOT NULL,
    name TEXT NOT NULL, PRIMARY KEY (code, number), UNIQUE (code, token));
CREATE TABLE IF NOT EXISTS answers (
    code TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, vote TEXT NOT NULL, number INTEGER NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (code, vote, number));
CREATE TABLE IF NOT EXISTS presence (
    code TEXT NOT NULL, number INTEGER NOT NULL, seen REAL NOT NULL, PRIMARY KEY (code, number),
    FOREIGN KEY (code, number) REFERENCES people ON DELETE CASCADE);
"""


class Opened(NamedTuple):
    """A new room: the code that everybody may know, and the lecturer's key."""

    code: str
    key: str


@dataclass(frozen=True)
class Room:
    """A room as everybody in it may see it."""

    code: str
    stage: str
    vote: str  # what may be answered now
    news: int  # grows with every change of what is above
    door: bool  # whether new people may come in


class Person(NamedTuple):
    """Somebody in a room; the name may be empty."""

    number: int
    name: str


class Answer(NamedTuple):
    """What somebody answered."""

    number: int
    name: str
    vote: str
    text: str


class Rooms:
    """All rooms. Every method may be called from any thread."""

    def __init__(self, folder: Path | None, clock: Callable[[], float] = time.time):
        self.clock = clock
        self._file = Database(folder, SCHEMA)
        self.close, self._write, self._rows = self._file.close, self._file.write, self._file.rows

    @property
    def trouble(self) -> str:
        """Why rooms do not outlive the server; empty if they do."""
        return self._file.trouble

    # The lecturer

    def open(self) -> Opened:
        """A new room."""
        key = secrets.token_urlsafe(18)
        with self._write(create=True) as sql:
            self._make_room_for_another(sql)
            code = _free_code(sql)
            row = (code, _hash(key), "", "", 0, 1, self.clock())
            sql.execute("INSERT INTO rooms VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        return Opened(code, key)

    def controls(self, code: str, key: str) -> bool:
        """Whether this is the lecturer's key of the room; looking counts as use."""
        found = self._rows("SELECT key, used FROM rooms WHERE code = ? AND used > ?", code, self._oldest)
        if not found or not hmac.compare_digest(found[0][0], _hash(key)):
            return False
        if not self.clock() - NOTED <= found[0][1] <= self.clock():
            with suppress(Refused), self._write() as sql:  # another look may write it down
                self._note_use(sql, code)
        return True

    def put(self, code: str, key: str, stage: str, vote: str = "", after: int | None = None) -> None:
        """Show something else in the room, and let `vote` be answered, which closes any other.

        With `after` only if the room's news are still these: of a lecturer's two windows one may be behind.
        """
        if len(stage) > LONGEST_STAGE or not re.fullmatch(r"[a-z0-9.]{0,60}", vote):
            raise Refused("That is too long to be shown.")
        with self._control(code, key) as sql:
            (news,) = sql.execute("SELECT news FROM rooms WHERE code = ?", (code,)).fetchone() or (after,)
            if after not in (None, news):
                raise Refused("This room has gone on in another window of yours.")
            sql.execute("UPDATE rooms SET stage = ?, vote = ?, news = news + 1 WHERE code = ?", (stage, vote, code))

    def set_door(self, code: str, key: str, is_open: bool) -> None:
        """Let new people in, or nobody new any more."""
        with self._control(code, key) as sql:
            sql.execute("UPDATE rooms SET door = ?, news = news + 1 WHERE code = ?", (int(is_open), code))

    def take_name(self, code: str, key: str, number: int) -> None:
        """Somebody's nickname is removed; the person and the answers stay."""
        with self._control(code, key) as sql:
            sql.execute("UPDATE people SET name = '' WHERE code = ? AND number = ?", (code, number))
            sql.execute("UPDATE rooms SET news = news + 1 WHERE code = ?", (code,))  # it may be on screen

    def end(self, code: str, key: str) -> None:
        """The room ends with all that is in it."""
        with self._control(code, key) as sql:
            sql.execute("DELETE FROM rooms WHERE code = ?", (code,))

    # Everybody

    def room(self, code: str) -> Room | None:
        """The room; None if there is none of that code."""
        columns = "code, stage, vote, news, door"
        found = self._rows(f"SELECT {columns} FROM rooms WHERE code = ? AND used > ?", code, self._oldest)
        return Room(*found[0][:4], bool(found[0][4])) if found else None

    def ticket(self, code: str) -> str:
        """What a link to the room may carry, so that whoever has it needs no try at the code; empty without a room."""
        found = self._rows("SELECT key FROM rooms WHERE code = ? AND used > ?", code, self._oldest)
        return _hash(f"ticket {code} {found[0][0].hex()}").hex()[:TICKET] if found else ""

    def join(self, code: str, name: str) -> str:
        """A new person in the room; returns the token that says who it is from then on."""
        token = secrets.token_urlsafe(12)
        with self._write() as sql:
            found = sql.execute("SELECT door FROM rooms WHERE code = ? AND used > ?", (code, self._oldest)).fetchone()
            if not found:
                raise Refused(GONE)
            if not found[0]:
                raise Refused("The lecturer lets nobody new into this room at the moment.")
            self._make_room(sql, code)
            (number,) = sql.execute(f"{NEWEST} + 1", (code,)).fetchone()
            sql.execute("INSERT INTO people VALUES (?, ?, ?, ?)", (code, number, _hash(token), nickname(name)))
            self._note_use(sql, code)
            self._note_presence(sql, code, number)
        return token

    def person(self, code: str, token: str) -> Person | None:
        """Who has this token; None if nobody in this room has."""
        found = self._rows(
            "SELECT number, name, COALESCE(seen, 0) FROM people JOIN rooms USING (code) "
            "LEFT JOIN presence USING (code, number) WHERE code = ? AND token = ? AND used > ?",
            code, _hash(token), self._oldest,
        )  # fmt: skip
        if not found:
            return None
        number, name, seen = found[0]
        if not self.clock() - LOOKED <= seen <= self.clock():
            with suppress(Refused), self._write() as sql:  # another look may write it down
                self._note_presence(sql, code, number)
        return Person(number, name)

    def leave(self, code: str, token: str) -> None:
        """Somebody goes: is not here any more, and forgotten if there is no answer."""
        with self._write() as sql:
            found = sql.execute(
                "SELECT number FROM people WHERE code = ? AND token = ?", (code, _hash(token))
            ).fetchone()
            if found:
                sql.execute("DELETE FROM presence WHERE code = ? AND number = ?", (code, *found))
                self._forget(sql, code, "number = ?", *found)

    def answer(self, code: str, token: str, vote: str, text: str, after: str | None = None) -> None:
        """Answer the vote that is open, in place of what this person answered before.

        With `after` only if that was it (empty: nothing): of two that go on from the same answer one is refused.
        """
        if not re.fullmatch(rf"[a-z0-9.]{{1,{LONGEST_ANSWER}}}", text):
            raise Refused("This is not an answer.")
        with self._write() as sql:
            found = sql.execute(
                "SELECT number, vote FROM people JOIN rooms USING (code) WHERE code = ? AND token = ? AND used > ?",
                (code, _hash(token), self._oldest),
            ).fetchone()
            if not found:
                raise Refused("You are not in this room.")
            number, open_now = found
            if not vote or vote != open_now:
                raise Refused("This vote is closed.")
            which = (code, vote, number)
            before = sql.execute(
                "SELECT text FROM answers WHERE code = ? AND vote = ? AND number = ?", which
            ).fetchone()
            if after is not None and (before[0] if before else "") != after:
                raise Refused("You have answered this in another window.")
            sql.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", (*which, text))
            self._note_use(sql, code)
            self._note_presence(sql, code, number)

    # What there is. Who may see it, the page decides.

    def people(self, code: str) -> list[Person]:
        """Who is in the room, in the order in which they came: who was seen lately, not last week's class."""
        wanted = (
            "SELECT number, name FROM people JOIN presence USING (code, number) "
            "WHERE code = ? AND seen > ? ORDER BY number"
        )
        return [Person(*row) for row in self._rows(wanted, code, self._lately)]

    def count(self, code: str, vote: str = "") -> int:
        """How many are in the room, or have answered this vote and gone."""
        wanted = (
            "SELECT COUNT(*) FROM (SELECT number FROM presence WHERE code = ? AND seen > ? "
            "UNION SELECT number FROM answers WHERE code = ? AND vote = ?)"
        )
        return self._rows(wanted, code, self._lately, code, vote, none=[(0,)])[0][0]

    def named(self, code: str) -> list[Person]:
        """Everybody with a nickname, also who has gone."""
        wanted = "SELECT number, name FROM people WHERE code = ? AND name != '' ORDER BY 1"
        return [Person(*row) for row in self._rows(wanted, code)]

    def votes(self, code: str) -> dict[str, int]:
        """The votes in which somebody has answered, and how many have."""
        return dict(self._rows("SELECT vote, COUNT(*) FROM answers WHERE code = ? GROUP BY vote", code))

    def seed(self, code: str, turn: int) -> int:
        """What a game of the room begins with: the same after a restart, and nobody can compute it from the code."""
        found = self._rows("SELECT key FROM rooms WHERE code = ?", code)
        if not found:
            raise Refused(GONE)
        return int.from_bytes(_hash(f"game {code} {turn} {found[0][0].hex()}")[:8]) % SEEDS

    def answered(self, code: str, vote: str) -> int:
        """How many have answered a vote."""
        wanted = "SELECT COUNT(*) FROM answers WHERE code = ? AND vote = ?"
        return self._rows(wanted, code, vote, none=[(0,)])[0][0]

    def own(self, code: str, number: int, vote: str) -> str:
        """What a person answered; empty if nothing."""
        wanted = "SELECT text FROM answers WHERE code = ? AND vote = ? AND number = ?"
        found = self._rows(wanted, code, vote, number)
        return found[0][0] if found else ""

    def answers(self, code: str, vote: str = "") -> list[Answer]:
        """The answers to a vote, or to all, in the order of votes and people."""
        wanted = (
            "SELECT number, name, vote, text FROM answers JOIN people USING (code, number) "
            "WHERE code = ? AND (vote = ? OR ? = '') ORDER BY vote, number"
        )
        return [Answer(*row) for row in self._rows(wanted, code, vote, vote)]

    def answers_of(self, code: str, turn: int) -> list[Answer]:
        """The answers to all votes whose names begin with this number."""
        wanted = (
            "SELECT number, name, vote, text FROM answers JOIN people USING (code, number) "
            "WHERE code = ? AND vote GLOB ? ORDER BY vote, number"
        )
        return [Answer(*row) for row in self._rows(wanted, code, f"{turn}.*")]

    # Inside

    @property
    def _oldest(self) -> float:
        return self.clock() - 86400 * DAYS

    @property
    def _lately(self) -> float:
        return self.clock() - HERE

    def _make_room(self, sql: sqlite3.Connection, code: str) -> None:
        """See that somebody else can come in: who left no trace is forgotten if people are too many. Or refuse."""

        def kept() -> int:
            return sql.execute("SELECT COUNT(*) FROM people WHERE code = ?", (code,)).fetchone()[0]

        def here() -> int:
            wanted = "SELECT COUNT(*) FROM presence WHERE code = ? AND seen > ?"
            return sql.execute(wanted, (code, self._lately)).fetchone()[0]

        if kept() < MOST_PEOPLE:
            return
        if here() >= MOST_PEOPLE:
            raise Refused(f"This room is full: {MOST_PEOPLE} people are in it.")
        if kept() >= MOST_KEPT:
            silent = "number NOT IN (SELECT number FROM presence WHERE code = ? AND seen > ?)"
            self._forget(sql, code, silent, code, self._lately)
        if kept() >= MOST_KEPT:
            raise Refused(f"This room is full: {MOST_KEPT} people have answered in it. Use a new one.")

    def _forget(self, sql: sqlite3.Connection, code: str, which: str, *values: object) -> None:
        """Forget who answered nothing; but the newest, so that no number is given twice."""
        nothing = f"number NOT IN ({ANSWERED}) AND number < ({NEWEST})"
        sql.execute(f"DELETE FROM people WHERE code = ? AND {nothing} AND {which}", (code, code, code, *values))

    def _note_presence(self, sql: sqlite3.Connection, code: str, number: int) -> None:
        sql.execute("INSERT OR REPLACE INTO presence VALUES (?, ?, ?)", (code, number, self.clock()))

    def _note_use(self, sql: sqlite3.Connection, code: str) -> None:
        now = self.clock()
        sql.execute(  # also if the clock was set back
            "UPDATE rooms SET used = ? WHERE code = ? AND NOT used BETWEEN ? AND ?", (now, code, now - NOTED, now)
        )
        self._end_the_old(sql)

    def _end_the_old(self, sql: sqlite3.Connection) -> None:
        """What was not used for days is deleted, whenever another room is used."""
        sql.execute("DELETE FROM rooms WHERE used <= ?", (self._oldest,))

    def _make_room_for_another(self, sql: sqlite3.Connection) -> None:
        """See that another room can be opened, or refuse."""
        sql.execute("UPDATE rooms SET used = ? WHERE used > ?", (self.clock(), self.clock()))  # the clock was set back
        self._end_the_old(sql)
        many = sql.execute("SELECT COUNT(*) FROM rooms").fetchone()[0]
        if many < MOST_ROOMS:
            return
        given_up = sql.execute(
            "SELECT code FROM rooms WHERE used < ? AND code NOT IN (SELECT code FROM answers) ORDER BY used LIMIT 1",
            (self.clock() - IDLE,),
        ).fetchone()
        if not given_up:
            raise Refused(f"This server has {MOST_ROOMS} rooms, as many as it may. One ends after {DAYS} days unused.")
        sql.execute("DELETE FROM rooms WHERE code = ?", given_up)

    @contextmanager
    def _control(self, code: str, key: str) -> Iterator[sqlite3.Connection]:
        """A change that only the lecturer may make."""
        if not self.controls(code, key):
            raise Refused(GONE)
        with self._write() as sql:
            yield sql
            self._note_use(sql, code)


def _hash(secret: str) -> bytes:
    """A key or token as it is kept; they are random and long, so one round is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def _free_code(sql: sqlite3.Connection) -> str:
    while True:
        code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
        if not sql.execute("SELECT 1 FROM rooms WHERE code = ?", (code,)).fetchone():
            return code
