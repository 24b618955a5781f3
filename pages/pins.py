"""Scenarios that are kept for comparison. A pinned curve keeps the colour it had when it was pinned."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count

import streamlit as st

from pages import parameters
from pages.parameters import Kept
from pages.scenario_controls import current, differences, nearest_keepable
from pages.words import label, shortened
from roam_core import KNOBS, Scenario
from roam_core.formulas import apart

MOST_PINS = 5
_own = Kept("pins.own", 0)  # the number of the colour of what is on screen and not pinned


class PinsParameter:
    """The pinned scenarios in the link: pin=d=5,tau=50 for each, as 2:d=5,tau=50 if its colour is not its place."""

    def read(self) -> None:
        """Take the pins from the link, in a new session; complain of whatever is no good."""
        if "pins" not in st.session_state:
            st.session_state.pins = parsed(st.query_params.get_all("pin"))

    def forget(self) -> None:
        """Take it from the link again when it is read next."""
        st.session_state.pop("pins", None)

    def written(self) -> dict[str, list[str]]:
        """What the link must say."""
        slots = st.session_state.pins.items()
        texts = [(f"{slot}:" if slot != place else "") + short(pin) for place, (pin, slot) in enumerate(slots)]
        return {"pin": texts} if texts else {}


def pins() -> list[Scenario]:
    """The pinned scenarios."""
    return list(st.session_state.pins)


def slot(scenario: Scenario) -> int:
    """The number of a curve's colour: its own if it is pinned; else the one before, if no pinned curve has it."""
    taken = st.session_state.pins
    if scenario in taken:
        return taken[scenario]
    if _own.value in taken.values():
        _own.set(_free(taken.values()))
    return _own.value


def slots(scenarios: Sequence[Scenario]) -> list[int]:
    """The numbers of the colours of some curves: what is on screen or pinned has its own, the others have free ones."""
    own = {**st.session_state.pins, current(): slot(current())}
    free = (number for number in count() if number not in own.values())
    return [own[scenario] if scenario in own else next(free) for scenario in scenarios]


def _free(taken: Iterable[int]) -> int:
    return min(set(range(MOST_PINS + 1)) - set(taken))


def short(scenario: Scenario) -> str:
    """A scenario as one line of text for the link."""
    return ",".join(f"{name}={text}" for name, text in differences(scenario).items()) or "defaults"


def parsed(texts: list[str]) -> dict[Scenario, int]:
    """The scenarios that a link asks to pin, each with the number of its colour."""
    found: dict[Scenario, int] = {}
    for text in texts[:MOST_PINS]:
        said, text = re.fullmatch(r"(?:([0-5]):)?(.*)", text, re.DOTALL).groups()
        parts = [part.partition("=") for part in apart(text[: parameters.MOST_CHARACTERS]) if part != "defaults"]
        pinned, wrong = nearest_keepable({name: value for name, _, value in parts if name in KNOBS})
        if len(text) > parameters.MOST_CHARACTERS or any(name not in KNOBS or not value for name, _, value in parts):
            wrong = [f"{shortened(text)} is not like d=5,tau=50. Used instead: what can be read of it.", *wrong]
        for sentence in wrong:
            parameters.complain(f"In a pinned curve: {sentence}".removesuffix("."))
        if pinned not in found:
            place = len(found) if said is None else int(said)
            found[pinned] = _free(found.values()) if place in found.values() else place
    if len(texts) > MOST_PINS:
        parameters.complain(f"{len(texts)} pinned curves are more than {MOST_PINS}", f"the first {MOST_PINS}")
    return found


def pin() -> None:
    """Keep the current scenario for comparison."""
    if current() not in pins() and len(pins()) < MOST_PINS:
        st.session_state.pins = {**st.session_state.pins, current(): slot(current())}


def pin_the_papers() -> None:
    """Compare with the paper's setting; if there are too many pinned curves, with one less of those."""
    if not papers_pinned():
        papers, others = Scenario(seed=current().seed), list(st.session_state.pins.items())[1 - MOST_PINS :]
        st.session_state.pins = {**dict(others), papers: slot(papers)}


def papers_pinned() -> bool:
    """Whether the paper's setting is pinned, with whatever seed."""
    return any(replace(pinned, seed=0) == Scenario() for pinned in pins())


def unpin(scenario: Scenario) -> None:
    """Stop comparing with this scenario."""
    st.session_state.pins = {pin: slot for pin, slot in st.session_state.pins.items() if pin != scenario}


def put_pins(scenarios: list[Scenario]) -> None:
    """Compare with these scenarios and no others."""
    st.session_state.pins = {scenario: slot for slot, scenario in enumerate(scenarios[:MOST_PINS])}


def pins_row() -> None:
    """One button a pin, which takes it away."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="scroll_pins"):
        for pinned in pins():
            what = label(pinned, [current(), *pins()])
            st.button(f"Unpin {what}", key=f"unpin {short(pinned)}", on_click=unpin, args=(pinned,))
        if pins():
            st.button("Unpin all", on_click=put_pins, args=([],))
