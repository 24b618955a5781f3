"""What a room shows, as plain data that is kept as text. No Streamlit here."""

import json
import re
from dataclasses import asdict, dataclass, fields, replace

from pages.bank.questions import BANK

LOBBY, PREDICT, BEAT, TASTES, FOLLOW = KINDS = ("lobby", "predict", "beat", "tastes", "follow")
OPEN, CLOSED, SHOWN, REVEALED = STATES = ("open", "closed", "shown", "revealed")
VOTED = (PREDICT, BEAT, TASTES)  # what people answer


@dataclass(frozen=True)
class Stage:
    """What a room shows: a question of the bank, a game, a view of another page, or the way in."""

    kind: str = LOBBY
    turn: int = 0  # a number that grows with everything that is begun
    question: str = ""  # of the bank
    ballot: int = 1  # the first or the second vote
    state: str = OPEN
    link: str = ""  # of the view to follow, without the server's name

    def __post_init__(self):
        if self.kind not in KINDS or self.state not in STATES or (self.kind == PREDICT and self.question not in BANK):
            raise ValueError(f"there is no such stage: {self.kind} {self.question}")

    @property
    def vote(self) -> str:
        """What the store calls the vote on screen, open or not."""
        return self.vote_of(self.ballot)

    def vote_of(self, ballot: int) -> str:
        """What it calls the first or the second vote."""
        return f"{self.turn}.{self.question or self.kind}.{ballot}" if self.kind in VOTED else ""

    @property
    def may_answer(self) -> str:
        """The vote that may be answered now; empty if none."""
        return self.vote if self.state == OPEN else ""

    def begin(self, kind: str, **more: str) -> "Stage":
        """Something else."""
        return Stage(kind, self.turn + 1, **more)

    def go(self, state: str, ballot: int | None = None) -> "Stage":
        """The same, farther."""
        return replace(self, state=state, ballot=ballot or self.ballot)

    def text(self) -> str:
        """The text that `read` takes back."""
        return json.dumps(asdict(self))


def read(text: str) -> Stage:
    """The stage that a text stands for; the lobby if it is none, as in a new room or in one of another version.

    Turns go on from where they were, so that nothing in the room gets a name that was there before.
    """
    try:
        said = json.loads(text)
        return Stage(**{field.name: type(field.default)(said[field.name]) for field in fields(Stage)})
    except (ValueError, TypeError, KeyError, OverflowError):
        found = re.search(r'"turn": *([0-9]{1,9})\b', text)
        return Stage(turn=int(found[1]) if found else 0)


def said_vote(vote: str) -> tuple[int, str, int]:
    """The turn, the question or game, and the ballot that a vote's name stands for."""
    turn, what, ballot = vote.split(".")
    return int(turn), what, int(ballot)
