"""What the lesson says, and the table at its end."""

import csv
import io
from collections.abc import Sequence
from typing import NamedTuple

from pages.bank.commitments import Answer
from pages.bank.question import Question, Truth

ABOUT = (
    "Predict first, then let the simulation decide: that way one remembers. It takes 20 to 30 minutes. The link of "
    "this page keeps your answers, so you can go on tomorrow on another machine."
)
FINISHED = "These are your predictions and what came out. A prediction that was far off is what you learnt today."
NOTHING = "You have answered no question yet. Begin with the first one."
COLUMNS = ("number", "question", "prediction", "what came out", "95% band", "came near")


class Row(NamedTuple):
    """A question with what was predicted and what came out; None where that is not known."""

    question: Question
    answer: Answer | None
    truth: Truth | None  # None also while there are too few runs
    complete: bool = False

    @property
    def near(self) -> bool | None:
        """Whether the prediction came near."""
        if self.answer is None or self.truth is None:
            return None
        return self.question.near(self.answer, self.truth)


def verdict(row: Row) -> str:
    """What was predicted, and whether that came near; a prediction without a truth is only repeated."""
    said = f"**You predicted:** {row.question.words(row.answer)}."
    if row.near is None:
        return said
    if row.question.commitment.kind == "choice" and row.near:
        exact = row.answer == row.truth.value
        return f"{said} {'That is what came out.' if exact else 'The runs cannot tell that from what came out.'}"
    return f"{said} {'That came near' if row.near else 'That was off'} (near is {row.question.nearness(row.truth)})."


def tally(rows: Sequence[Row]) -> str:
    """How many predictions came near."""
    known = [row.near for row in rows if row.near is not None]
    answered = sum(row.answer is not None for row in rows)
    said = f"You answered {answered} of {len(rows)} questions."
    return f"{said} {sum(known)} of {len(known)} predictions came near." if known else said


def table(rows: Sequence[Row]) -> str:
    """The answered questions as Markdown."""
    lines = ["| | question | you | what came out | |", "|---|---|---|---|---|"]
    for number, row in enumerate(rows, start=1):
        if row.answer is None:
            continue
        came = row.question.truth_words(row.truth) if row.truth else "…"
        near = {None: "", True: "came near", False: "off"}[row.near]
        lines.append(f"| {number} | {row.question.title} | {row.question.words(row.answer)} | {came} | {near} |")
    return "\n".join(lines)


def as_csv(rows: Sequence[Row]) -> str:
    """All questions as a CSV file, with empty fields where nothing is known."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, row in enumerate(rows, start=1):
        mine = "" if row.answer is None else row.question.words(row.answer)
        came = "" if row.truth is None else row.question.truth_words(row.truth)
        band = "" if row.truth is None or not row.truth.band > 0 else f"{row.truth.band:.3g}"
        near = {None: "", True: "yes", False: "no"}[row.near]
        writer.writerow([number, row.question.title, mine, came, band, near])
    return text.getvalue()
