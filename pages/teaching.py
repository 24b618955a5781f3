"""What a lecturer takes along: the handout and the notes, with the numbers that this server has at hand."""

from collections.abc import Iterable

from pages import watching
from pages.bank.handout import handout, notes
from pages.bank.question import Truth
from pages.bank.questions import BANK
from pages.take_along import Content


def teaching_files(lesson: str) -> dict[str, tuple[str, Content]]:
    """The files by the names of their buttons; `lesson` is the address of the page "A lesson"."""
    return {
        "Handout, two pages (HTML)": ("roam-handout.html", lambda: handout(lesson)),
        "Lecturer's notes (HTML)": ("roam-lecturers-notes.html", lambda: notes(lesson, at_hand(BANK))),
    }


def at_hand(keys: Iterable[str]) -> dict[str, Truth]:
    """The truths of these questions that need no computing."""
    found = {key: watching.recall(BANK[key].runs) for key in keys}
    return {key: BANK[key].truth(results) for key, results in found.items() if BANK[key].complete(results)}


def missing() -> int:
    """How many questions have no numbers for the notes yet."""
    return sum(not asked.complete(watching.recall(asked.runs)) for asked in BANK.values())
