"""Scenarios that are kept for comparison."""

import streamlit as st

from pages import parameters
from pages.scenario_controls import current, differences, nearest_keepable
from pages.words import label, shortened
from roam_core import KNOBS, Scenario

MOST_PINS = 5


class PinsParameter:
    """The pinned scenarios in the link: pin=d=5,tau=50 for each."""

    def read(self) -> None:
        """Take the pins from the link, in a new session; complain of whatever is no good."""
        if "pins" not in st.session_state:
            st.session_state.pins = parsed(st.query_params.get_all("pin"))

    def written(self) -> dict[str, list[str]]:
        """What the link must say."""
        return {"pin": [short(pin) for pin in pins()]} if pins() else {}


def pins() -> list[Scenario]:
    """The pinned scenarios."""
    return st.session_state.pins


def short(scenario: Scenario) -> str:
    """A scenario as one line of text for the link."""
    return ",".join(f"{name}={text}" for name, text in differences(scenario).items()) or "defaults"


def parsed(texts: list[str]) -> list[Scenario]:
    """The scenarios that a link asks to pin."""
    found = []
    for text in texts[:MOST_PINS]:
        parts = [part.partition("=") for part in text[: parameters.MOST_CHARACTERS].split(",") if part != "defaults"]
        pinned, wrong = nearest_keepable({name: value for name, _, value in parts if name in KNOBS})
        if len(text) > parameters.MOST_CHARACTERS or any(name not in KNOBS for name, _, _ in parts):
            wrong = [f"{shortened(text)} is not like d=5,tau=50. Used instead: what can be read of it.", *wrong]
        for sentence in wrong:
            parameters.complain(f"In a pinned curve: {sentence}".removesuffix("."))
        if pinned not in found:
            found.append(pinned)
    if len(texts) > MOST_PINS:
        parameters.complain(f"{len(texts)} pinned curves are more than {MOST_PINS}", f"the first {MOST_PINS}")
    return found


def pin() -> None:
    """Keep the current scenario for comparison."""
    if current() not in pins() and len(pins()) < MOST_PINS:
        st.session_state.pins = [*pins(), current()]


def unpin(scenario: Scenario) -> None:
    """Stop comparing with this scenario."""
    st.session_state.pins = [pinned for pinned in pins() if pinned != scenario]


def put_pins(scenarios: list[Scenario]) -> None:
    """Compare with these scenarios and no others."""
    st.session_state.pins = scenarios[:MOST_PINS]


def pins_row() -> None:
    """One button a pin, which takes it away."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="scroll_pins"):
        for pinned in pins():
            what = label(pinned, [current(), *pins()])
            st.button(f"Unpin {what}", key=f"unpin {short(pinned)}", on_click=unpin, args=(pinned,))
        if pins():
            st.button("Unpin all", on_click=put_pins, args=([],))
