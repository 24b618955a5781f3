"""The answers that a visitor has given, as the link of the lesson has them: film-0.9_rounds-tau25."""

from dataclasses import dataclass
from typing import Any

from pages.bank.commitments import Answer
from pages.bank.questions import BANK
from pages.parameters import Parameter

MOST = 2000  # characters that are read

Answers = tuple[tuple[str, Answer], ...]  # key of the question and answer, in the order of the bank


@dataclass(frozen=True)
class AnswersParameter(Parameter):
    """Answers to questions of the bank, none of them twice."""

    default: Answers = ()
    personal: bool = True
    allowed = "a list of answers like film-0.9_rounds-tau25"

    def parse(self, text: str) -> Answers:
        if len(text) > MOST:
            raise ValueError
        return _in_order(_read(part) for part in text.split("_"))

    def nearest(self, text: str) -> Answers:
        """Those of the answers that can be read."""
        good = {}
        for part in text[:MOST].split("_"):
            try:
                key, answer = _read(part)
            except ValueError:
                continue
            good.setdefault(key, answer)
        return _in_order(good.items())

    def format(self, value: Answers) -> str:
        return "_".join(f"{key}-{BANK[key].format(answer)}" for key, answer in value) or "no answers"

    def of(self, key: str) -> Answer | None:
        """The answer to a question; None if there is none yet."""
        return dict(self.value).get(key)

    def commit(self, key: str, answer: Answer) -> None:
        """Answer a question."""
        self.set(_in_order({**dict(self.value), key: answer}.items()))

    def take_back(self, key: str) -> None:
        """Have no answer to a question any more."""
        self.set(tuple(one for one in self.value if one[0] != key))


def _read(part: str) -> tuple[str, Answer]:
    key, _, text = part.partition("-")
    if key not in BANK:
        raise ValueError(f"there is no question {key[:20]!r}")
    return key, BANK[key].parse(text)


def _in_order(pairs: Any) -> Answers:
    found = list(pairs)
    if len(dict(found)) != len(found):
        raise ValueError("a question is answered twice")
    return tuple(sorted(found, key=lambda pair: list(BANK).index(pair[0])))
