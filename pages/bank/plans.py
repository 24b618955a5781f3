"""Plans for a lecture of 45 minutes, made of the bank: one on paper, one with a room of the page "Class". No Streamlit.

A step is a question of the bank or something else that is done; its minutes are how long it takes.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from pages.bank.questions import BANK

LECTURE = 45  # minutes


class Part(NamedTuple):
    """A part of a lecture: from minute, to minute, what is done, how."""

    begin: int
    end: int
    what: str
    how: str


class Step(NamedTuple):
    """Something that takes some minutes."""

    minutes: int
    what: str
    how: str


def asked(key: str, minutes: int) -> Step:
    """A question of the bank."""
    return Step(minutes, f"Question {list(BANK).index(key) + 1}: {BANK[key].title}", BANK[key].ask)


def timed(steps: Sequence[Step], closing: str) -> list[Part]:
    """The steps one after the other; the closing takes what is left of the lecture."""
    ends = [*accumulate(step.minutes for step in steps), LECTURE]
    told = [(step.what, step.how) for step in steps] + [("Closing", closing)]
    return [Part(begin, end, *part) for begin, end, part in zip([0, *ends[:-1]], ends, told, strict=True)]


def on_paper() -> list[Part]:
    """For a class that has the handout and looks at the projector."""
    opening = Step(
        2,
        "Opening",
        "One round on the page “Start here”: recommend, ask about the past, learn. Hand out the sheets.",
    )
    steps = [asked(question.key, question.minutes) for question in BANK.values() if question.minutes]
    closing = "Who was surprised most, and by what? The other questions are for home: the link keeps the answers."
    return timed([opening, *steps], closing)


def in_a_room() -> list[Part]:
    """For a class that takes part on its phones."""
    steps = [
        Step(
            4, "Way in",
            "Open a room and put its projector's page on the wall: everybody scans the code. Meanwhile tell one round: "
            "recommend, ask about the past, learn.",
        ),
        asked("film", 3),
        asked("rounds", 6),
        asked("previous", 4),
        asked("item", 5),
        Step(
            9, "Beat ROAM",
            "The button is above the room. Six minutes for the fifteen questions, then the taste and the board. "
            "Whose questions told more than ROAM's, and who was lucky?",
        ),
        asked("fails", 4),
        Step(
            6, "The class is the user",
            "The button is above the room. Three minutes for the twelve questions. Who lies far out in the cloud? "
            "What does one half get recommended that the other would not like?",
        ),
    ]  # fmt: skip
    closing = (
        "What surprised you most? Save the answers (CSV). The page “A lesson” has all questions for home; the room "
        "is there again next week."
    )
    return timed(steps, closing)
