"""A sitting as a file: its settings and answers, and going on from it. A file is never trusted."""

import json
import zlib
from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Any

from pages.you.sitting import SIDES, Settings, Sitting
from roam_core.catalogues import Catalogue

KIND, VERSION = "answers to ROAM", 1
MOST_BYTES = 100_000
MOST_ANSWERS = 200
OWN = "own"  # the catalogue that a visitor brings


def to_json(sitting: Sitting) -> str:
    """The file: what was answered, with the rows that were on screen, so that going on can be checked."""
    answers = [[one.question.left, one.question.right, one.side, one.friend] for one in sitting.answered]
    told = {"kind": KIND, "version": VERSION, "settings": asdict(sitting.settings), "items": mark(sitting.catalogue)}
    return json.dumps({**told, "stopped": sitting.stopped, "answers": answers}, indent=1) + "\n"


def mark(catalogue: Catalogue) -> int:
    """A number that tells a catalogue from another one with the same name."""
    return zlib.crc32(repr(catalogue.names).encode() + catalogue.values.tobytes())


def from_json(data: bytes, catalogue_of: Callable[[str], Catalogue | None]) -> Sitting:
    """The sitting that a file was made of; a ValueError says in plain words why there is none."""
    told = _read(data)
    settings = _settings(told["settings"])
    catalogue = catalogue_of(settings.catalogue)
    if catalogue is None:
        raise ValueError("the answers are about a table of your own: bring that CSV file first, then this one")
    if told["items"] != mark(catalogue):
        raise ValueError("the answers are about other items than those that are here now")
    if settings.d > catalogue.most_features:
        raise ValueError(f"it names {settings.d} features, and there are {catalogue.most_features}")
    sitting = Sitting(settings, catalogue)
    for number, answer in enumerate(_answers(told["answers"]), start=1):
        _give(sitting, number, *answer)
    sitting.stopped = told["stopped"] is True
    return sitting


def _read(data: bytes) -> dict[str, Any]:
    if len(data) > MOST_BYTES:
        raise ValueError(f"it has {len(data):,} bytes, and such a file has at most {MOST_BYTES:,}")
    try:
        told = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise ValueError("it is not a file that “Save my answers” has made") from None
    wanted = {"kind", "version", "settings", "items", "stopped", "answers"}
    if not isinstance(told, dict) or set(told) != wanted or told["kind"] != KIND:
        raise ValueError("it is not a file that “Save my answers” has made")
    if told["version"] != VERSION:
        raise ValueError("another version of this page has made it")
    return told


def _settings(told: Any) -> Settings:
    if not isinstance(told, dict) or set(told) != {one.name for one in fields(Settings)}:
        raise ValueError("its settings are not complete")
    return Settings(**told)


def _answers(told: Any) -> list[list]:
    if not isinstance(told, list) or len(told) > MOST_ANSWERS:
        raise ValueError(f"its answers are not a list of at most {MOST_ANSWERS}")
    for number, answer in enumerate(told, start=1):
        if not isinstance(answer, list) or len(answer) != 4 or answer[2] not in SIDES:
            raise ValueError(f"answer {number} is none")
        if not (answer[3] is None or answer[3] in SIDES):
            raise ValueError(f"what the friend predicted in answer {number} is not a side")
    return told


def _give(sitting: Sitting, number: int, left: Any, right: Any, side: str, friend: str | None) -> None:
    """Answer once more what is on screen, if it is what the file says."""
    now = sitting.now
    if now is None:
        raise ValueError(f"it has answer {number}, and the sitting ends before")
    if [left, right] != [now.left, now.right]:
        raise ValueError(f"answer {number} is about other items than this sitting shows: the file was changed")
    if sitting.asks_friend != (friend is not None):
        raise ValueError(f"answer {number} has a friend's prediction where there is none, or lacks it")
    if friend is not None:
        sitting.take(now.number, friend)
    sitting.take(now.number, side)
