"""The rooms of this server: who is in them, what is on screen, and every answer. No Streamlit here.

They are kept in SQLite with a write-ahead log, in one file that several threads and several servers may share. Whoever
calls `join` or `answer` has its result only after it was committed: what was acknowledged outlives the server. Where
the folder cannot be written to, rooms live in memory; `trouble` then says why.

What a room shows (`stage`) is any short text: the page knows what it means. `vote` names what may be answered now, and
is empty if nothing may. Keys and tokens are kept as hashes, so the file opens no room.
"""

import hashlib
import hmac
import re
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pages.classroom.names import ALPHABET, LENGTH, nickname

MOST_ROOMS, MOST_PEOPLE = 100, 500
DAYS = 8  # without use until a room ends: a lecture every week finds its room again
IDLE = 3600.0  # seconds after which a room that nobody joined gives way if there are too many
NOTED = 300.0  # seconds: use is written down no more often
LONGEST_ANSWER, LONGEST_STAGE = 300, 4000
FILE = "rooms.sqlite"
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
"""


class Refused(Exception):  # noqa: N818 (it is no error of the program)
    """What somebody asked for is not done, and nothing was changed; the message says why in plain words."""


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
        self.folder, self.clock = folder, clock
        self.trouble = "" if folder else "This server has no folder for rooms."
        self._connecting = threading.Lock()
        self._writing: _Connection | None = None
        self._reading: _Connection | None = None

    @property
    def kept(self) -> bool:
        """Whether rooms outlive the server."""
        return not self.trouble

    def close(self) -> None:
        """Let go of the file."""
        with self._connecting:
            for connection in {self._writing, self._reading} - {None}:
                connection.close()
            self._writing = self._reading = None

    # The lecturer

    def open(self) -> Opened:
        """A new room."""
        self._connect(create=True)
        key = secrets.token_urlsafe(18)
        with self._write() as sql:
            self._end_the_old(sql)
            code = _free_code(sql)
            row = (code, _hash(key), "", "", 0, 1, self.clock())
            sql.execute("INSERT INTO rooms VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        return Opened(code, key)

    def controls(self, code: str, key: str) -> bool:
        """Whether this is the lecturer's key of the room; looking counts as use."""
        found = self._rows("SELECT key, used FROM rooms WHERE code = ? AND used > ?", code, self._oldest)
        if not found or not hmac.compare_digest(found[0][0], _hash(key)):
            return False
        if found[0][1] < self.clock() - NOTED:
            with self._write() as sql:
                self._note_use(sql, code)
        return True

    def put(self, code: str, key: str, stage: str, vote: str = "") -> None:
        """Show something else in the room, and let `vote` be answered, which closes any other."""
        if len(stage) > LONGEST_STAGE or not re.fullmatch(r"[a-z0-9.]{0,60}", vote):
            raise Refused("That is too long to be shown.")
        with self._control(code, key) as sql:
            sql.execute("UPDATE rooms SET stage = ?, vote = ?, news = news + 1 WHERE code = ?", (stage, vote, code))

    def set_door(self, code: str, key: str, is_open: bool) -> None:
        """Let new people in, or nobody new any more."""
        with self._control(code, key) as sql:
            sql.execute("UPDATE rooms SET door = ?, news = news + 1 WHERE code = ?", (int(is_open), code))

    def take_name(self, code: str, key: str, number: int) -> None:
        """Somebody's nickname is removed; the person and the answers stay."""
        with self._control(code, key) as sql:
            sql.execute("UPDATE people SET name = '' WHERE code = ? AND number = ?", (code, number))

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

    def join(self, code: str, name: str) -> str:
        """A new person in the room; returns the token that says who it is from then on."""
        token = secrets.token_urlsafe(12)
        with self._write() as sql:
            found = sql.execute("SELECT door FROM rooms WHERE code = ? AND used > ?", (code, self._oldest)).fetchone()
            if not found:
                raise Refused(GONE)
            if not found[0]:
                raise Refused("The lecturer lets nobody new into this room at the moment.")
            many, last = sql.execute(
                "SELECT COUNT(*), COALESCE(MAX(number), 0) FROM people WHERE code = ?", (code,)
            ).fetchone()
            if many >= MOST_PEOPLE:
                raise Refused(f"This room is full: {MOST_PEOPLE} people are in it.")
            row = (code, last + 1, _hash(token), nickname(name))
            sql.execute("INSERT INTO people VALUES (?, ?, ?, ?)", row)
            self._note_use(sql, code)
        return token

    def person(self, code: str, token: str) -> Person | None:
        """Who has this token; None if nobody in this room has."""
        wanted = "SELECT number, name FROM people JOIN rooms USING (code) WHERE code = ? AND token = ? AND used > ?"
        found = self._rows(wanted, code, _hash(token), self._oldest)
        return Person(*found[0]) if found else None

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

    # What there is. Who may see it, the page decides.

    def people(self, code: str) -> list[Person]:
        """Everybody in the room, in the order in which they came."""
        return [Person(*row) for row in self._rows("SELECT number, name FROM people WHERE code = ? ORDER BY 1", code)]

    def count(self, code: str) -> int:
        """How many are in the room."""
        return self._rows("SELECT COUNT(*) FROM people WHERE code = ?", code, none=[(0,)])[0][0]

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

    # Inside

    @property
    def _oldest(self) -> float:
        return self.clock() - 86400 * DAYS

    def _note_use(self, sql: sqlite3.Connection, code: str) -> None:
        now = self.clock()
        sql.execute("UPDATE rooms SET used = ? WHERE code = ? AND used < ?", (now, code, now - NOTED))

    def _end_the_old(self, sql: sqlite3.Connection) -> None:
        """Make room for another one, or refuse."""
        sql.execute("DELETE FROM rooms WHERE used <= ?", (self._oldest,))
        many = sql.execute("SELECT COUNT(*) FROM rooms").fetchone()[0]
        if many < MOST_ROOMS:
            return
        given_up = sql.execute(
            "SELECT code FROM rooms WHERE used < ? AND code NOT IN (SELECT code FROM people) ORDER BY used LIMIT 1",
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

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        """A change: all of it is committed at the end, or nothing."""
        self._connect()
        if self._writing is None:
            raise Refused(GONE)
        try:
            with self._writing as sql:
                sql.execute("BEGIN IMMEDIATE")
                try:
                    yield sql
                    sql.execute("COMMIT")
                except BaseException:
                    if sql.in_transaction:
                        sql.execute("ROLLBACK")
                    raise
        except sqlite3.Error as problem:
            raise Refused(f"The server could not keep this ({problem}). Try again.") from problem

    def _rows(self, wanted: str, *values: object, none: list | None = None) -> list[tuple]:
        """The rows of a query; `none` as long as there is no room at all."""
        self._connect()
        if self._reading is None:
            return none or []
        try:
            with self._reading as sql:
                return sql.execute(wanted, values).fetchall()
        except sqlite3.Error as problem:
            raise Refused(f"The server could not read its rooms ({problem}). Try again.") from problem

    def _connect(self, create: bool = False) -> None:
        """Open the file if there is one; with `create` make it, or else go on in memory."""
        if self._writing or not (create or (self.folder and (self.folder / FILE).exists())):
            return
        with self._connecting:
            if self._writing:
                return
            if self.folder:
                try:
                    self.folder.mkdir(parents=True, exist_ok=True)
                    writing = _prepared(self.folder / FILE)
                    self._reading, self._writing = _Connection(self.folder / FILE), writing
                    return
                except (OSError, sqlite3.Error) as problem:
                    self.trouble = f"The folder for rooms cannot be written to ({problem})."
            self._reading = self._writing = _prepared(":memory:")


class _Connection:
    """A connection that threads take one after the other."""

    def __init__(self, file: Path | str):
        self._lock = threading.Lock()
        self._sql = sqlite3.connect(file, timeout=20.0, isolation_level=None, check_same_thread=False)

    def __enter__(self) -> sqlite3.Connection:
        self._lock.acquire()
        return self._sql

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def close(self) -> None:
        """Let go of the file."""
        with self as sql:
            sql.close()


def _prepared(file: Path | str) -> _Connection:
    """A connection that can write, to a file with all tables; an error where that cannot be."""
    connection = _Connection(file)
    try:
        with connection as sql:
            sql.execute("PRAGMA journal_mode = WAL")
            sql.execute("PRAGMA synchronous = FULL")  # what is committed is on the disk
            sql.execute("PRAGMA foreign_keys = ON")
            sql.executescript(SCHEMA)
            sql.execute("BEGIN IMMEDIATE")  # fails where the file cannot be written to
            sql.execute("ROLLBACK")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _hash(secret: str) -> bytes:
    """A key or token as it is kept; they are random and long, so one round is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def _free_code(sql: sqlite3.Connection) -> str:
    while True:
        code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
        if not sql.execute("SELECT 1 FROM rooms WHERE code = ?", (code,)).fetchone():
            return code
