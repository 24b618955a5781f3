"""Tables of things with features, and how one's own is read from a CSV file.

Whatever is wrong with a file is said in a ValueError with its place. What is too large is refused before it is read.
"""

import csv
import io
import re
from typing import NamedTuple

import numpy as np

MOST_BYTES, MOST_ROWS, MOST_COLUMNS, MOST_LETTERS = 10**6, 2000, 50, 80
MOST_LINES = 10 * MOST_ROWS
LARGEST = 1e100  # so that squares are numbers too
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_JOINERS = "\u200c\u200d"  # that some scripts and signs need


class Table(NamedTuple):
    """Things with features."""

    features: tuple[str, ...]
    ends: tuple[tuple[str, str], ...]  # what little and what much of each feature is called
    names: tuple[str, ...]
    values: np.ndarray  # (n, p)
    shares: np.ndarray | None = None  # (n, p) where a value lies from the least (0) to the most (1) of its feature

    @classmethod
    def of(cls, features: tuple[str, ...], names: tuple[str, ...], values: np.ndarray) -> "Table":
        """A table whose ends have the features' names."""
        values = np.array(values, dtype=float)
        low, width = values.min(0), np.ptp(values, axis=0)
        shares = (values - low) / np.where(width > 0, width, 1)
        for array in (values, shares):
            array.setflags(write=False)
        return cls(features, tuple((f"low {name}", f"high {name}") for name in features), names, values, shares)


def unusual(table: Table, row: int) -> list[int]:
    """The features in which an item is farthest from the mean, in standard deviations, the farthest first."""
    deviation = table.shares.std(0)
    far = np.abs(table.shares[row] - table.shares.mean(0)) / np.where(deviation > 0, deviation, 1)
    return np.argsort(-far, kind="stable").tolist()


def read_table(data: bytes) -> Table:
    """The table in a CSV file: the first row names the columns, every other one has a name and numbers.

    >>> read_table(b"name,sweet,sour\\nplum,1,2\\npear,3,1\\nlime,0,x")
    Traceback (most recent call last):
    ...
    ValueError: line 4, column 'sour': 'x' is not a number
    """
    rows = _rows(_text(data))
    line, header = next(rows, (0, []))
    if not header:
        raise ValueError("the file is empty: its first row must name the columns, the next ones are the items")
    features = _features(line, header)
    names, values, first_seen = [], [], {}
    for line, row in rows:
        if len(row) != len(header):
            raise ValueError(f"line {line} has {_many(len(row), 'field')}, but the first row has {len(header)}")
        if len(names) == MOST_ROWS:
            raise ValueError(f"line {line}: there are more than {MOST_ROWS:,} items, the most that is allowed")
        name = _label(row[0], f"line {line}, the name")
        if name in first_seen:
            raise ValueError(
                f"line {line}: the name {_quoted(name)} is already on line {first_seen[name]}. The first column holds "
                "the items' names, and each needs one of its own"
            )
        first_seen[name] = line
        names.append(name)
        values.append([_number(text, line, column) for text, column in zip(row[1:], features, strict=True)])
    if len(names) < 3:
        raise ValueError(f"there are {_many(len(names), 'item')}: at least 3 are needed")
    table = Table.of(features, tuple(names), np.array(values))
    constant = np.flatnonzero(np.ptp(table.values, axis=0) == 0)
    if constant.size:
        raise ValueError(
            f"column {_quoted(features[constant[0]])} has the same number in every row: it says nothing about a taste. "
            "Take it out"
        )
    return table


def plain(text: str) -> str:
    """The text on one line, without what cannot be shown."""
    return " ".join("".join(c if c.isprintable() or c in _JOINERS else " " for c in text).split())


def _text(data: bytes) -> str:
    if len(data) > MOST_BYTES:
        raise ValueError(f"the file has {len(data):,} bytes: at most {MOST_BYTES:,} (1 MB) are allowed")
    data = bytes(data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise ValueError(f"line {line} is not text in UTF-8: save the file as 'CSV UTF-8'") from None
    if "\0" in text:
        raise ValueError(f"line {text.count(chr(10), 0, text.index(chr(0))) + 1} has a zero byte: this is no CSV file")
    if text.count("\n") + text.count("\r") > MOST_LINES:
        raise ValueError(f"there are more than {MOST_ROWS:,} items, or a great many blank lines")
    return text


def _rows(text: str):
    """(line, fields) of every row that is not blank."""
    first = text.lstrip().partition("\n")[0]
    separator = "," if "," in first else next((s for s in ";\t" if s in first), ",")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as problem:
            why = "a quotation mark has no partner" if "end of data" in str(problem) else f"this is no CSV ({problem})"
            raise ValueError(f"the row that begins on line {line}: {why}") from None
        if any(field.strip() for field in row):
            yield line, row


def _features(line: int, header: list[str]) -> tuple[str, ...]:
    """The names of the number columns."""
    if len(header) - 1 > MOST_COLUMNS:
        raise ValueError(f"there are {len(header) - 1:,} number columns: at most {MOST_COLUMNS} are allowed")
    if len(header) < 3:
        raise ValueError(
            f"line {line}: there are {_many(max(len(header) - 1, 0), 'number column')} after the column of names, and "
            "at least 2 are needed. Columns are separated by commas"
        )
    found = [_label(text, f"line {line}, the name of column {i}") for i, text in enumerate(header[1:], 2)]
    for i, name in enumerate(found):
        if _NUMBER.fullmatch(name):
            raise ValueError(
                f"line {line}, column {i + 2}: {_quoted(name)} is a number, but the first row names the columns"
            )
        if name in found[:i]:
            raise ValueError(f"line {line}: two columns have the name {_quoted(name)}")
    return tuple(found)


def _label(text: str, place: str) -> str:
    """A name, if it can be shown."""
    name = plain(text)
    if not name:
        raise ValueError(f"{place} is empty")
    if len(name) > MOST_LETTERS:
        raise ValueError(f"{place} has {len(name):,} letters, at most {MOST_LETTERS} are allowed: {_quoted(name)}")
    if name[0] in "=+-@" and not _NUMBER.fullmatch(name):
        raise ValueError(f"{place} begins as a spreadsheet's formula does: {_quoted(name)}")
    return name


def _number(text: str, line: int, column: str) -> float:
    place, text = f"line {line}, column {_quoted(column)}", text.strip()
    if not text:
        raise ValueError(f"{place} is empty: every item needs every number")
    if len(text) <= MOST_LETTERS and _NUMBER.fullmatch(text):
        number = float(text)
        if abs(number) > LARGEST:
            raise ValueError(f"{place}: {_quoted(text)} is too large, at most {LARGEST:g} is allowed")
        return number
    if text[0] in "=+-@":
        raise ValueError(f"{place} has a formula, {_quoted(text)}: save the file with its values")
    if _NUMBER.fullmatch(text.replace(",", ".")):
        raise ValueError(f"{place}: {_quoted(text)} is not a number; write a point where the comma is")
    raise ValueError(f"{place}: {_quoted(text)} is not a number")


def _quoted(text: str) -> str:
    text = plain(text)
    return f"'{text if len(text) <= 30 else text[:29] + '…'}'"


def _many(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
