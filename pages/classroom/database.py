"""The file that rooms are kept in: SQLite with a write-ahead log, or memory where that cannot be. No Streamlit here.

Threads take turns, nobody waits long for another one, and what cannot be read back is not acknowledged. A file that was
taken away or replaced while the server runs is noticed: then its rooms are gone, and no answer is lost in silence.
"""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

FILE = "rooms.sqlite"
WAIT, TURN = 2.0, 10.0  # seconds for another server that shares the file, and for the other threads of this one
BUSY = "The server is busy with its rooms. Try again in a moment."
OTHER = "is of another version of this dashboard; move it away to begin a new one"


class Refused(Exception):  # noqa: N818 (it is no error of the program)
    """What somebody asked for is not done, and nothing was changed; the message says why in plain words."""


class Database:
    """Tables in a folder. `trouble` says why they are in memory, if they are."""

    def __init__(self, folder: Path | None, schema: str):
        self.folder, self.schema = folder, schema
        self.trouble = "" if folder else "This server has no folder for rooms."
        self._connecting = threading.Lock()
        self._writing: _Connection | None = None
        self._reading: _Connection | None = None
        self._opened: tuple | None = None  # which file that was

    def close(self) -> None:
        """Let go of the file."""
        with self._connecting:
            self._let_go()

    @contextmanager
    def write(self, create: bool = False) -> Iterator[sqlite3.Connection]:
        """A change: all of it is committed at the end, or nothing. With `create` the file is made if there is none."""
        self._connect(create)
        writing = self._writing  # another thread may let go of it meanwhile
        if writing is None:
            raise Refused("This room is not open, or not any more.")
        try:
            with writing as sql:
                sql.execute("BEGIN IMMEDIATE")
                try:
                    yield sql
                    sql.execute("COMMIT")
                except BaseException:
                    if sql.in_transaction:
                        sql.execute("ROLLBACK")
                    raise
        except sqlite3.Error as problem:
            raise Refused(_said("keep this", problem)) from problem
        try:
            self.rows("SELECT COUNT(*) FROM rooms")  # a file that was damaged meanwhile takes what nobody can read
        except Refused as refused:
            if not _busy(refused.__cause__):  # else it is kept
                raise
        if self._writing is not writing:
            raise Refused("The file with this server's rooms was taken away meanwhile.")

    def rows(self, wanted: str, *values: object, none: list | None = None) -> list[tuple]:
        """The rows of a query; `none` as long as there is no file."""
        self._connect()
        reading = self._reading
        if reading is None:
            return none or []
        try:
            with reading as sql:
                return sql.execute(wanted, values).fetchall()
        except sqlite3.Error as problem:
            raise Refused(_said("read its rooms", problem)) from problem

    def _connect(self, create: bool = False) -> None:
        """Open the file if there is one; with `create` make it, or else go on in memory."""
        if self._writing and (self.trouble or self._opened == self._there()):
            return
        with self._connecting:
            there = self._there()
            if self._writing:
                if self.trouble or self._opened == there:
                    return
                self._let_go()  # the file was taken away, or another one is in its place
            if not (create or there):
                return
            if self.folder and not self.trouble:
                try:
                    self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                    writing = _prepared(self.folder / FILE, self.schema)
                    self._reading, self._writing = _Connection(self.folder / FILE), writing
                    self._opened = self._there()
                    return
                except (OSError, sqlite3.Error) as problem:
                    if _busy(problem):
                        raise Refused(BUSY) from problem
                    self.trouble = f"The folder for rooms cannot be used ({FILE}: {problem})."
            self._reading = self._writing = _prepared(":memory:", self.schema)

    def _there(self) -> tuple | None:
        """Which file is there now, if any."""
        try:
            found = (self.folder / FILE).stat() if self.folder else None
        except OSError:
            return None
        return (found.st_dev, found.st_ino) if found else None

    def _let_go(self) -> None:
        for connection in {self._writing, self._reading} - {None}:
            with suppress(sqlite3.Error, Refused):
                connection.close()
        self._writing = self._reading = None


class _Connection:
    """A connection that threads take one after the other."""

    def __init__(self, file: Path | str):
        self._lock = threading.Lock()
        self._sql = sqlite3.connect(file, timeout=WAIT, isolation_level=None, check_same_thread=False)

    def __enter__(self) -> sqlite3.Connection:
        if not self._lock.acquire(timeout=TURN):
            raise Refused(BUSY)
        return self._sql

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def close(self) -> None:
        """Let go of the file."""
        with self as sql:
            sql.close()


def _prepared(file: Path | str, schema: str) -> _Connection:
    """A connection that can write, to a file with all tables; an error where that cannot be."""
    connection = _Connection(file)
    try:
        with connection as sql:
            sql.execute("PRAGMA journal_mode = WAL")
            sql.execute("PRAGMA synchronous = FULL")  # what is committed is on the disk
            sql.execute("PRAGMA foreign_keys = ON")
            sql.executescript(schema)
            sql.execute("BEGIN IMMEDIATE")  # fails where the file cannot be written to
            sql.execute("ROLLBACK")
            if _tables(sql) != _wanted(schema):
                raise sqlite3.DatabaseError(OTHER)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _tables(sql: sqlite3.Connection) -> dict[str, list[tuple]]:
    """The columns of every table: name and type."""
    names = [name for (name,) in sql.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {name: [row[1:3] for row in sql.execute(f"PRAGMA table_info({name})")] for name in names}


def _wanted(schema: str) -> dict[str, list[tuple]]:
    with _Connection(":memory:") as sql:
        sql.executescript(schema)
        try:
            return _tables(sql)
        finally:
            sql.close()


def _busy(problem: BaseException | None) -> bool:
    """Whether somebody else holds the file just now."""
    return isinstance(problem, sqlite3.OperationalError) and ("locked" in str(problem) or "busy" in str(problem))


def _said(what: str, problem: sqlite3.Error) -> str:
    return BUSY if _busy(problem) else f"The server could not {what} ({problem}). Try again."
