"""What came of a room: the answers by question and vote, and all of them as a file. No Streamlit here."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from pages.bank import commitments
from pages.bank.question import Question, Truth
from pages.bank.questions import BANK
from pages.classroom.rooms import Answer
from pages.classroom.stage import said_vote

VOTES = {1: "first vote", 2: "second vote"}
COLUMNS = ("room", "order", "what", "question", "vote", "person", "nickname", "answer", "in words", "what came out",
           "came near")  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for the beginning of a formula


class Told(NamedTuple):
    """What a row of the file says of an answer to something that is not in the bank."""

    what: str
    words: Callable[[str], str]  # of the answer as it is kept
    came: Callable[[int, str], str] = lambda _seed, _text: ""  # of a game and an answer: what came out


def predicted(question: Question, kept: Iterable[Answer]) -> dict[str, list[commitments.Answer]]:
    """The answers to a question by vote; what cannot be read is left out."""
    found: dict[str, list[commitments.Answer]] = {}
    for one in kept:
        try:
            answer = question.parse(one.text)
        except ValueError:
            continue
        found.setdefault(VOTES[said_vote(one.vote)[2]], []).append(answer)
    return {name: found[name] for name in VOTES.values() if name in found}


def tally(question: Question, votes: Mapping[str, Sequence[commitments.Answer]], truth: Truth) -> str:
    """How many came near in each vote."""
    choice = question.commitment.kind == "choice"
    parts = [
        f"{name}: **{sum(question.near(answer, truth) for answer in answers)} of {len(answers)}** "
        f"{'right' if choice else 'came near'}"
        for name, answers in votes.items()
    ]
    if not parts:
        return "Nobody has answered."
    said = "; ".join(parts)
    return f"{said[:1].upper()}{said[1:]}{'' if choice else f': {question.nearness(truth)}'}."


def asked_in(votes: Iterable[str]) -> dict[int, str]:
    """What was asked in a room, by turn."""
    return dict(sorted({said_vote(vote)[:2] for vote in votes}))


def as_csv(
    code: str,
    kept: Sequence[Answer],
    truths: Mapping[str, Truth],
    games: Mapping[str, Told],
    seed: Callable[[int], int],
) -> str:
    """Every answer of a room as a row; `seed` is of the game of a turn.

    A nickname is text: a spreadsheet must not take it for a formula.
    """
    seed, text = cache(seed), io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in sorted(kept, key=lambda one: (*said_vote(one.vote), one.number)):
        turn, what, ballot = said_vote(one.vote)
        name = f"'{one.name}" if one.name.startswith(FORMULA) else one.name
        row = [code, turn, *_told(what, one.text, truths, games, lambda turn=turn: seed(turn))]
        writer.writerow([*row[:4], ballot, one.number, name, one.text, *row[4:]])
    return text.getvalue()


def _told(
    what: str, text: str, truths: Mapping[str, Truth], games: Mapping[str, Told], seed: Callable[[], int]
) -> list[str]:
    """What, question, words, what came out, whether it came near."""
    if what in games:
        told = games[what]
        return [told.what, "", told.words(text), told.came(seed(), text), ""]
    if what not in BANK:
        return [what, "", "", "", ""]
    question, truth = BANK[what], truths.get(what)
    try:
        answer = question.parse(text)
    except ValueError:
        return ["predict", question.title, "", "", ""]
    came = [question.truth_words(truth), "yes" if question.near(answer, truth) else "no"] if truth else ["", ""]
    return ["predict", question.title, question.words(answer), *came]
