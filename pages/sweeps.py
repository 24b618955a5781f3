"""A sweep: the scenario on screen with several values of one field."""

from dataclasses import replace

import streamlit as st

from pages import parameters
from pages.scenario_controls import current, keepable
from pages.words import shortened
from roam_core import KNOBS, Scenario
from roam_core.formulas import apart

MOST_SWEPT = 8


class SweepParameter:
    """The sweep in the link, as tau=0,25,50; empty if there is none."""

    def read(self) -> None:
        """Take the sweep from the link, in a new session; complain if it is no good."""
        if "sweep" not in st.session_state:
            st.session_state.sweep = ""
            if "sweep" in st.query_params:
                set_sweep(st.query_params["sweep"])

    def forget(self) -> None:
        """Take it from the link again when it is read next."""
        st.session_state.pop("sweep", None)

    def written(self) -> dict[str, str]:
        """What the link must say."""
        return {"sweep": st.session_state.sweep} if st.session_state.sweep else {}


def offered() -> dict[str, str]:
    """The fields that can be swept, each with the values to begin with."""
    return {name: ",".join(knob.compared) for name, knob in KNOBS.items() if knob.compared}


def sweep() -> tuple[str, list[Scenario]]:
    """The field that is varied and its scenarios; an empty name if none is."""
    name, found = st.session_state.sweep.partition("=")[0], _swept().values()
    return name, list(dict.fromkeys(scenario for scenario in found if scenario))


def unswept() -> str:
    """Values of the sweep that do not go with the scenario on screen, as τ beyond T."""
    return ", ".join(text for text, scenario in _swept().items() if not scenario)


def _swept() -> dict[str, Scenario | None]:
    """The scenario of each value of the sweep; None if there is no such scenario."""
    name, _, values = st.session_state.sweep.partition("=")
    found = {}
    for text in apart(values) if name else []:
        try:
            found[text] = keepable(replace(current(), **{name: KNOBS[name].parse(text)}))
        except ValueError:
            found[text] = None
    return found


def set_sweep(text: str) -> None:
    """Vary a field, as in tau=0,25,50; say what is wrong with the text if it is."""
    name, equals, values = text.replace(" ", "").partition("=")
    try:
        if name not in offered() or not equals or len(text) > parameters.MOST_CHARACTERS:
            raise ValueError(f"{shortened(text)} is no sweep: it must look like tau=0,25,50")
        parsed = [KNOBS[name].parse(value) for value in apart(values) if value]
        if not 2 <= len(parsed) <= MOST_SWEPT:
            raise ValueError(f"a sweep takes 2 to {MOST_SWEPT} values, not {len(parsed)}")
        st.session_state.sweep = f"{name}=" + ",".join(KNOBS[name].format(value) for value in parsed)
    except ValueError as refusal:
        parameters.complain(str(refusal))


def end_sweep() -> None:
    """Vary no field."""
    st.session_state.sweep = ""


def sweep_row() -> None:
    """Choose a field and its values."""
    with st.expander(
        "Sweep: the same scenario with several values of one field", expanded=bool(st.session_state.sweep)
    ):
        left, middle, right = st.columns([2, 3, 2], vertical_alignment="bottom")
        swept, _, chosen = st.session_state.sweep.partition("=")
        names = list(offered())
        name = left.selectbox(
            "Field",
            names,
            names.index(swept or "tau"),
            format_func=lambda name: f"{KNOBS[name].label} ({KNOBS[name].symbol})",
        )
        default = chosen if name == swept else offered()[name]
        values = middle.text_input("Values, with commas between", default, max_chars=200)
        with right.container(horizontal=True):
            st.button("Run the sweep", on_click=set_sweep, args=(f"{name}={values}",))
            st.button("End it", on_click=end_sweep, disabled=not st.session_state.sweep)
