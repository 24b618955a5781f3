"""What a page shows and its link repeats, each thing declared once.

From the declaration follow: reading it from the link, complaining of what is no good there, keeping it in the session,
writing it to the browser's address, and the widget that shows and changes it.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from pages.words import literal, shortened

MOST_COMPLAINTS = 6
MOST_CHARACTERS = 400  # of a link's parameter that are read


@dataclass(frozen=True)
class Kept:
    """Something that a visitor's session remembers; `key` begins with the name of the page it belongs to.

    What belongs to the scenario on screen (`of_scenario`) is forgotten when another one is put there; it is None then.
    """

    key: str
    default: Any = None
    of_scenario: bool = False

    @property
    def _session_key(self) -> str:
        return f"{OF_SCENARIO}{self.key}" if self.of_scenario else self.key

    @property
    def value(self) -> Any:
        """What is remembered."""
        return st.session_state.get(self._session_key, self.default)

    def set(self, value: Any) -> None:
        """Remember something else."""
        st.session_state[self._session_key] = value


OF_SCENARIO = "of scenario: "


def forget_what_belongs_to_the_scenario() -> None:
    """Another scenario comes on screen."""
    for key in st.session_state:
        if str(key).startswith(OF_SCENARIO):
            st.session_state[key] = None


@dataclass(frozen=True)
class Parameter(Kept):
    """A parameter of a page's link. Its name there is what follows the dot in `key`."""

    otherwise: str = ""  # what is used instead of something that is no good, in words; else the nearest value is named
    private: bool = False  # in the browser's own address only, in no link that is shown
    personal: bool = False  # the visitor's, not the view's: the browser's Back does not take it away
    quoted: bool = True  # whether a complaint repeats what the link says

    @property
    def name(self) -> str:
        """What it is called in the link."""
        return self.key.partition(".")[2]

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        raise NotImplementedError

    def parse(self, text: str) -> Any:
        """The value that `text` stands for, or a ValueError."""
        raise NotImplementedError

    def nearest(self, text: str) -> Any:
        """The value to use instead of a text that is no good."""
        return self.default

    def format(self, value: Any) -> str:
        """The text that `parse` takes back to `value`."""
        return str(value)

    def read(self) -> None:
        """Take the value from the link, in a session that has none yet; complain if it is no good."""
        if self._session_key in st.session_state:
            return
        value, said = self.default, st.query_params.get(self.name)
        if said is not None:
            try:
                value = self.parse(said)
            except (ValueError, OverflowError):
                value = self.nearest(said)
                instead = self.otherwise or self.format(value)
                what = f"{self.name} = {shortened(said)}" if self.quoted else f"What the link says of {self.name}"
                complain(f"{what} is not {self.allowed}", instead)
        self.set(value)

    def forget(self) -> None:
        """Take the value from the link again when it is read next."""
        st.session_state.pop(self._session_key, None)

    def written(self) -> dict[str, str]:
        """What the link must say."""
        return {} if self.value == self.default else {self.name: self.format(self.value)}

    def widget(self, make: Callable, label: str, *arguments: Any, **options: Any) -> None:
        """A widget of Streamlit's, such as st.checkbox, that shows the value and changes it."""
        make(label, *arguments, key=self._session_key, persist_state="session", **options)


@dataclass(frozen=True)
class Flag(Parameter):
    """On or off."""

    default: bool = False
    otherwise: str = "without it"
    allowed = "1"

    def parse(self, text: str) -> bool:
        if text != "1":
            raise ValueError
        return True

    def format(self, value: bool) -> str:
        return "1"


@dataclass(frozen=True)
class Choice(Parameter):
    """One of some values, or None if that is the default.

    A link that does not name it means the default, also where a visitor without any link sees another one first.
    """

    values: Iterable[Any] = ()
    first: Any = None  # what is shown to a visitor without any link, if it is not the default
    formerly: Mapping[str, str] = field(default_factory=dict)  # what old links say -> what they would say now

    def read(self) -> None:
        if self.first is not None and self._session_key not in st.session_state and not st.query_params:
            self.set(self.first)
        super().read()

    @property
    def allowed(self) -> str:
        return "one of " + ", ".join(map(self.format, self.values))

    def parse(self, text: str) -> Any:
        said = self.formerly.get(text, text)
        for value in self.values:
            if self.format(value) == said:
                return value
        raise ValueError

    def format(self, value: Any) -> str:
        return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Number(Parameter):
    """A number between two limits, each a number or a function that gives it."""

    low: float | Callable[[], float] = -math.inf
    high: float | Callable[[], float] = math.inf
    whole: bool = False

    @property
    def limits(self) -> tuple[float, float]:
        """The limits as they are now."""
        low, high = (limit() if callable(limit) else limit for limit in (self.low, self.high))
        return low, high

    @property
    def allowed(self) -> str:
        low, high = self.limits
        return f"a {'whole ' * self.whole}number from {low} to {high}"

    def parse(self, text: str) -> float:
        number, (low, high) = float(text), self.limits
        if not low <= number <= high or (self.whole and number != int(number)):
            raise ValueError
        return int(number) if self.whole else number

    def nearest(self, text: str) -> Any:
        try:
            number, (low, high) = float(text), self.limits
        except ValueError:
            return self.default
        number = min(max(number, low), high)
        return self.default if math.isnan(number) else int(number) if self.whole else number

    def format(self, value: float | None) -> str:
        return "the usual one" if value is None else f"{value:g}"


@dataclass(frozen=True)
class Names(Parameter):
    """Some of a few names, in their own order."""

    default: tuple[str, ...] = ()
    values: Iterable[str] = ()

    @property
    def allowed(self) -> str:
        return "a list of " + ", ".join(self.values)

    def parse(self, text: str) -> tuple[str, ...]:
        if len(text) > MOST_CHARACTERS or not set(text.split(",")) <= set(self.values):
            raise ValueError
        return self.nearest(text)

    def nearest(self, text: str) -> tuple[str, ...]:
        said = text[:MOST_CHARACTERS].split(",")
        return tuple(name for name in self.values if name in said)

    def format(self, value: Sequence[str]) -> str:
        return ",".join(value) or "nothing"


@dataclass(frozen=True)
class Points(Parameter):
    """Points of the unit disc, at most `most`, in the link as x.y pairs in thousandths; None if there are none."""

    most: int = 100

    @property
    def allowed(self) -> str:
        return f"at most {self.most} points of the disc"

    def parse(self, text: str) -> list[list[float]]:
        if len(text) > 20 * self.most:
            raise ValueError
        pairs = [[int(part) / 1000 for part in pair.split(".")] for pair in text.split("_")]
        if len(pairs) > self.most or any(len(pair) != 2 or math.hypot(*pair) > 1.01 for pair in pairs):
            raise ValueError
        return [[x / max(1.0, math.hypot(x, y)), y / max(1.0, math.hypot(x, y))] for x, y in pairs]

    def format(self, value: list[list[float]]) -> str:
        return "_".join(".".join(f"{round(1000 * n)}" for n in point) for point in value)


@dataclass(frozen=True)
class Questions(Parameter):
    """Questions that a visitor chose: pairs (round, round of the item asked about) with rising rounds. None: no turn.

    In the link it is 25.3_26.11: in round 25 about the item of round 3, in the next about that of round 11. An item 0
    leaves the rounds up to this one to the rule.
    """

    last: Callable[[], int] = lambda: 0  # the last round that has a question

    @property
    def allowed(self) -> str:
        return f"like 25.3_26.11: rounds in order, {self.last()} the last, each with the round of an earlier item"

    def parse(self, text: str) -> tuple[tuple[int, int], ...]:
        last = self.last()
        if len(text) > last * len(f"{last}.{last}_"):
            raise ValueError
        pairs = tuple(self._pair(pair) for pair in text.split("_"))
        rounds = [0, *(t for t, _ in pairs), last + 1]
        if any(t >= later for t, later in pairwise(rounds)):
            raise ValueError
        return pairs

    @staticmethod
    def _pair(text: str) -> tuple[int, int]:
        if not re.fullmatch("[0-9]+[.][0-9]+", text):
            raise ValueError
        t, item = (int(number) for number in text.split("."))
        if item >= t:
            raise ValueError
        return t, item

    def format(self, value: Sequence[tuple[int, int]]) -> str:
        return "_".join(f"{t}.{item}" for t, item in value)


# What was wrong with the link, or with the last change

_complaints = Kept("complaints", ())


def complain(what: str, instead: Any = None) -> None:
    """Remember to say that something is no good, and what is used instead."""
    used = "" if instead is None else f" Used instead: {instead}."
    _complaints.set((*_complaints.value, f"{what}.{used}"))


def no_complaints() -> None:
    """Forget what was wrong."""
    _complaints.set(())


def say_complaints() -> None:
    """Say plainly what was wrong."""
    found = list(dict.fromkeys(_complaints.value))
    with st.container():  # also if it is empty: what follows keeps its place
        for complaint in found[:MOST_COMPLAINTS]:
            st.warning(literal(complaint))
        if len(found) > MOST_COMPLAINTS:
            st.warning(f"The link has {len(found) - MOST_COMPLAINTS} more mistakes like these.")


# The browser's address: what follows the question mark


def read_address(parameters: Iterable[Any]) -> None:
    """Take what the session does not know yet from the link."""
    for parameter in parameters:
        parameter.read()


def written(parameters: Iterable[Any]) -> dict[str, str | list[str]]:
    """Everything that the link of this view says."""
    return {name: text for parameter in parameters for name, text in parameter.written().items()}


def write_address(parameters: Iterable[Any]) -> None:
    """Bring the browser's address in line with what is on screen."""
    wanted = written(parameters)
    now = {name: st.query_params.get_all(name) for name in st.query_params}
    if now != {name: text if isinstance(text, list) else [text] for name, text in wanted.items()}:
        st.query_params.from_dict(wanted)


def address(parameters: Iterable[Any]) -> str:
    """The link that shows exactly this view, without what is private."""
    public = [parameter for parameter in parameters if not getattr(parameter, "private", False)]
    return f"{st.context.url}?{urlencode(written(public), doseq=True)}"


def said_more_than_once(names: Mapping[str, Any]) -> list[str]:
    """Parameters that the link repeats; of those the last one counts."""
    return [name for name in names if name != "pin" and len(st.query_params.get_all(name)) > 1]
