"""What is kept as JSON may come back damaged, or from somebody who means harm: then there is a plain message."""

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

FORMAT = 1
MOST_CHARACTERS = 20_000_000  # 10,000 items with 50 features, and a little more
_WHOLE = re.compile("[0-9]{1,39}", re.ASCII)


def write(told: Mapping[str, Any]) -> str:
    """The text that `read` takes back."""
    return json.dumps({"roam": FORMAT, **told}, allow_nan=False, separators=(",", ":"))


def read(text: str, kinds: Mapping[str, type]) -> dict[str, Any]:
    """What a text from `write` tells; ValueError unless it has just these names, each with a value of its kind."""
    if not isinstance(text, str):
        raise ValueError(f"a text is wanted, not {type(text).__name__}")
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"the saved text is too long: {len(text)} characters, allowed are {MOST_CHARACTERS}")
    try:
        told = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise ValueError("the saved text is damaged: it cannot be read as JSON") from None
    if not isinstance(told, dict) or "roam" not in told:
        raise ValueError("this is no saved Roam")
    if told.pop("roam") != FORMAT:
        raise ValueError(f"the saved text has a format that is not known here; this is format {FORMAT}")
    for name, kind in kinds.items():
        if not isinstance(told.get(name), kind):
            raise ValueError(f"the saved text is damaged: {name!r} is missing or of the wrong kind")
    if len(told) > len(kinds):
        raise ValueError("the saved text is damaged: there is more in it than belongs there")
    return told


def _no_number(constant: str) -> NoReturn:
    raise ValueError(constant)


def state_of(rng: np.random.Generator) -> list[str | int]:
    """Where a generator of random numbers is; what never changes in it follows from its seed."""
    state = rng.bit_generator.state
    return [str(state["state"]["state"]), state["has_uint32"], state["uinteger"]]


def restore(rng: np.random.Generator, told: list[Any]) -> None:
    """Put a generator with the same seed where `state_of` says; ValueError if that is nowhere."""
    match told:
        case [str(where), int(half), int(rest)] if (
            _WHOLE.fullmatch(where)
            and int(where) < 2**128
            and type(half) is type(rest) is int
            and half in (0, 1)
            and 0 <= rest < 2**32
        ):
            state = rng.bit_generator.state
            state["state"]["state"] = int(where)
            rng.bit_generator.state = state | {"has_uint32": half, "uinteger": rest}
        case _:
            raise ValueError("the saved text is damaged: the state of its random numbers is none")
