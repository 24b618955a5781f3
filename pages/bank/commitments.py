"""What one commits to before the simulation decides: a choice, a number, a curve drawn by hand, an item of a picture.

A commitment reads an answer from text that nobody can trust (`parse`: the answer, or a ValueError in plain words). It
writes it for a link or a database (`format`: the text that `parse` takes back), says it (`words`), and tells whether it
came near the truth (`near`). Answers are plain: a name, a number, a tuple of whole numbers. No Streamlit here.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

LONGEST = 200  # characters of an answer that are read
MOST_TICKS = 5
Answer = str | float | int | tuple[int, ...]


@dataclass(frozen=True)
class Choice:
    """One of some options: the name it has in a link -> what it says."""

    options: Mapping[str, str]
    kind = "choice"

    @property
    def asks(self) -> str:
        """What one is asked for, as Markdown."""
        return "\n".join(f"- {words}" for words in self.options.values())

    def parse(self, text: str) -> str:
        """The name of the option."""
        if text not in self.options:
            raise ValueError(f"it is not one of {', '.join(self.options)}")
        return text

    def format(self, answer: str) -> str:
        return answer

    def words(self, answer: str) -> str:
        return self.options[answer]

    def near(self, answer: str, truth: Any) -> bool:
        """Whether it is what came out, or the runs cannot tell it from that."""
        return answer in truth.right

    def nearness(self, truth: Any) -> str:
        return "what came out, or what these runs cannot tell from it"


@dataclass(frozen=True)
class Number:
    """A number on a slider from `low` to `high`; `tolerance` is how far off still is near."""

    label: str
    low: float
    high: float
    step: float
    tolerance: float
    unit: str = "{}"  # how a value is said: "{} times"
    kind = "number"

    @property
    def asks(self) -> str:
        return f"**{self.label} {self.unit.format('…')}** (from {self.low:g} to {self.high:g})"

    @property
    def on_slider(self) -> str:
        """The label of the slider: on a phone its ends are not seen."""
        return f"{self.label} {self.unit.format('…')} ({self.low:g} to {self.high:g})"

    @property
    def format_on_slider(self) -> str:
        """How the slider writes a value: with the sign for per cent or times, if it is one of these."""
        return f"%g{self._sign.replace('%', '%%')}"

    @property
    def _sign(self) -> str:
        """The sign for per cent or times, if a value is one of these."""
        signs = {"%": "%", " times": "×"}
        return next((signs[mark] for mark in signs if self.unit.startswith(f"{{}}{mark}")), "")

    @property
    def ticks(self) -> dict[float, str]:
        """Some of the numbers from end to end, with what a scale says of them."""
        whole = self.high - self.low
        apart = next(size for size in (0.5, 1, 2, 5, 10, 20, 25, 50, 100, 1000) if whole / size <= MOST_TICKS)
        places = range(math.ceil(self.low / apart), math.floor(self.high / apart) + 1)
        return {place * apart: f"{place * apart:g}{self._sign}" for place in places}

    def parse(self, text: str) -> float:
        """The number, if the slider has it."""
        if not re.fullmatch(r"[0-9]{1,6}([.][0-9]{1,3})?", text, re.ASCII):
            raise ValueError("it is not a plain number")
        number = float(text)
        steps = (number - self.low) / self.step
        if not self.low <= number <= self.high or abs(steps - round(steps)) > 1e-6:
            raise ValueError(f"it is not a number from {self.low:g} to {self.high:g} in steps of {self.step:g}")
        return number

    def format(self, answer: float) -> str:
        return f"{answer:g}"

    def words(self, answer: float) -> str:
        return self.unit.format(f"{answer:g}")

    def near(self, answer: float, truth: Any) -> bool:
        """Whether it is within the tolerance, or within the truth's band if that is wider."""
        return abs(answer - truth.value) <= self._margin(truth)

    def nearness(self, truth: Any) -> str:
        """What near means, in words."""
        return f"within {self._margin(truth):.2g} of what came out"

    def _margin(self, truth: Any) -> float:
        return max(self.tolerance, 0 if math.isnan(truth.band) else truth.band)


@dataclass(frozen=True)
class Curve:
    """A curve drawn by hand: a whole number from 0 to `top` at each of some rounds."""

    label: str
    rounds: tuple[int, ...]
    top: int
    tolerance: float  # mean distance from the truth that still is near
    kind = "curve"
    asks = "**Draw it on your phone.**"

    def parse(self, text: str) -> tuple[int, ...]:
        """The values, which stand in the text with dots between."""
        if len(text) > LONGEST or not re.fullmatch(r"[0-9]{1,5}([.][0-9]{1,5})*", text, re.ASCII):
            raise ValueError("it is not a list of whole numbers with dots between")
        values = tuple(int(part) for part in text.split("."))
        if len(values) != len(self.rounds) or max(values) > self.top:
            raise ValueError(f"it is not {len(self.rounds)} numbers from 0 to {self.top}")
        return values

    def format(self, answer: tuple[int, ...]) -> str:
        return ".".join(str(value) for value in answer)

    def words(self, answer: tuple[int, ...]) -> str:
        middle = len(answer) // 2
        return f"{answer[middle]} in round {self.rounds[middle]}, {answer[-1]} in round {self.rounds[-1]}"

    def near(self, answer: tuple[int, ...], truth: Any) -> bool:
        """Whether it is near the truth on average."""
        off = [abs(mine - value) for mine, value in zip(answer, truth.value, strict=True)]
        return sum(off) / len(off) <= self.tolerance

    def nearness(self, truth: Any) -> str:
        return f"within {self.tolerance:g} of what came out, on average over the rounds"


@dataclass(frozen=True)
class Item:
    """One of the items of a picture, by its number from 1 on: the round in which it was consumed."""

    count: Callable[[], int]  # how many there are: the picture is not made before somebody asks
    good: float = 0.9  # share of the best item's score that still is near
    kind = "item"
    asks = "**Choose a dot on your phone.**"

    def parse(self, text: str) -> int:
        """The number of the item."""
        if not re.fullmatch(r"[1-9][0-9]{0,4}", text, re.ASCII) or int(text) > self.count():
            raise ValueError(f"it is not an item from 1 to {self.count()}")
        return int(text)

    def format(self, answer: int) -> str:
        return str(answer)

    def words(self, answer: int) -> str:
        return f"the item of round {answer}"

    def near(self, answer: int, truth: Any) -> bool:
        """Whether it scores nearly as high as the best one."""
        return truth.values[answer - 1] >= self.good

    def nearness(self, truth: Any) -> str:
        return f"an item that tells at least {self.good:.0%} of what the best one tells"


Commitment = Choice | Number | Curve | Item
