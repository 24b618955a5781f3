"""What the lesson says, and the table at its end."""

import csv
import io
import math
from collections.abc import Sequence
from typing import NamedTuple

from pages.bank.commitments import Answer
from pages.bank.question import Question, Truth

ABOUT = (
    "Every evening (a **round**) a recommender picks an **item** for you, a film say. When you have seen it, you are "
    "asked a question: was it better than a certain one that you saw before? What you have seen is the **history**, "
    "and a question about it costs nothing. What tonight's film is worth less than the best one on offer is its "
    "**regret**. **ROAM** is an algorithm that chooses both, the film and the question."
)
HOW = (
    "Predict first, then let the simulation decide. It takes 20 to 30 minutes. The link of this page keeps your "
    "answers, so you can go on tomorrow on another machine."
)
FINISHED = "These are your predictions and what came out. A prediction that was far off is what you learnt today."
NOTHING = "You have answered no question yet. Begin with the first one."
COLUMNS = ("number", "question", "prediction", "what came out", "95% band", "came near")


class Row(NamedTuple):
    """A question with what was predicted and what came out; None where that is not known."""

    question: Question
    answer: Answer | None
    truth: Truth | None  # None also while there are too few runs

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
    if row.question.commitment.kind == "choice":
        if not row.near:
            return f"{said} What came out is another: **{row.question.truth_words(row.truth)}**."
        if row.answer != row.truth.value:
            return f"{said} The runs cannot tell that from what came out."
        return f"{said} That is what came out{', though not clearly' if len(row.truth.right) > 1 else ''}."
    if row.question.commitment.kind == "item":
        said = f"{said} It tells {_percent_below(row.truth.values[row.answer - 1])} of what the best one tells."
    return f"{said} {'That came near' if row.near else 'That was off'} (near is {row.question.nearness(row.truth)})."


def _percent_below(share: float) -> str:
    """A share in whole per cent, never more than it is: below a limit it is said to be below."""
    return f"{math.floor(100 * share + 1e-9)}%"


def tally(rows: Sequence[Row]) -> str:
    """How many predictions came near."""
    known = [row.near for row in rows if row.near is not None]
    answered = sum(row.answer is not None for row in rows)
    said = f"You answered {answered} of {len(rows)} questions."
    return f"{said} {sum(known)} of {len(known)} predictions came near." if known else said


def in_lines(rows: Sequence[Row]) -> str:
    """How many predictions came near, and each of them in a line."""
    said = [
        f"{number}. {row.question.title} You: {row.question.words(row.answer)}. What came out: "
        f"{row.question.truth_words(row.truth)} ({'came near' if row.near else 'off'})."
        for number, row in enumerate(rows, start=1)
        if row.answer is not None and row.truth is not None
    ]
    return "\n".join([tally(rows), *said])


def table(rows: Sequence[Row]) -> str:
    """The answered questions as Markdown."""
    lines = ["| | question | you | what came out | |", "|---|---|---|---|---|"]
    for number, row in enumerate(rows, start=1):
        if row.answer is None:
            continue
        came = row.question.truth_words(row.truth) if row.truth else "…"
        near = {None: "", True: "near", False: "off"}[row.near]
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
        measured = row.question.commitment.kind in ("number", "curve")  # a choice has no band
        band = "" if row.truth is None or not measured or not row.truth.band > 0 else f"{row.truth.band:.3g}"
        near = {None: "", True: "yes", False: "no"}[row.near]
        writer.writerow([number, row.question.title, mine, came, band, near])
    return text.getvalue()
