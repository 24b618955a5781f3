"""The scenario on screen and its widgets, each made from the field's own declaration.

The scenario lives in the session; widgets show it and change it, the link repeats it.
"""

import random
from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

import streamlit as st

from pages import parameters
from pages.words import listed, shortened
from roam_core import KNOBS, Scenario
from roam_core.scenario import nearest_scenario

MAIN = ("d", "tau", "k", "link")
MOST_VALUES = 1_000_000  # runs x rounds of a scenario: what a server with many visitors can keep of a curve
SIZES = (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
FLATNESSES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
RADII = (0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)


_moves = parameters.Kept("moves", {})  # field -> what its widget was moved to


class ScenarioParameter:
    """The scenario in the link: one parameter a field that differs from its default."""

    def read(self) -> None:
        """Take the scenario from the link, in a new session; complain of whatever is no good."""
        if "scenario" in st.session_state:
            return
        said = {name: text for name, text in st.query_params.items() if name in KNOBS}
        st.session_state.scenario, wrong = nearest_keepable(said)
        for sentence in wrong:
            parameters.complain(sentence.removesuffix("."))
        for name in parameters.said_more_than_once(st.query_params)[: parameters.MOST_COMPLAINTS]:
            parameters.complain(f"{shortened(name)} is in the link more than once", "the last one")

    def forget(self) -> None:
        """Take it from the link again when it is read next."""
        st.session_state.pop("scenario", None)

    def written(self) -> dict[str, str]:
        """What the link must say."""
        return differences(current())


def current() -> Scenario:
    """The scenario on screen."""
    return st.session_state.scenario


def show(scenario: Scenario) -> None:
    """Put a scenario on screen."""
    st.session_state.scenario = scenario
    forget_moves()
    parameters.no_complaints()
    parameters.forget_what_belongs_to_the_scenario()


def new_seed() -> None:
    """Put the same scenario on screen with a fresh seed."""
    show(replace(current(), seed=random.randrange(KNOBS["seed"].high)))


def differences(scenario: Scenario) -> dict[str, str]:
    """The fields that differ from the defaults, as text."""
    base = Scenario()
    return {
        field.name: KNOBS[field.name].format(getattr(scenario, field.name))
        for field in fields(Scenario)
        if getattr(scenario, field.name) != getattr(base, field.name)
    }


def nearest_keepable(strings: dict[str, str]) -> tuple[Scenario, list[str]]:
    """The scenario that a link asks for, or the nearest one that this server shows, and what had to be changed."""
    scenario, wrong = nearest_scenario({name: text[: parameters.MOST_CHARACTERS] for name, text in strings.items()})
    try:
        return keepable(scenario), wrong
    except ValueError as refusal:
        fewer = replace(scenario, runs=MOST_VALUES // scenario.horizon)
        return fewer, [*wrong, f"{refusal}. Used instead: runs = {fewer.runs}."]


def keepable(scenario: Scenario) -> Scenario:
    """The scenario, if its curves are not too much to keep."""
    if scenario.runs * scenario.horizon > MOST_VALUES:
        raise ValueError(
            f"runs = {scenario.runs}, horizon = {scenario.horizon} is too much for a page: runs x horizon is at most "
            f"{MOST_VALUES:,}"
        )
    return scenario


def take_over_moves() -> None:
    """At the beginning of the whole page's script: put on screen what the widgets were moved to.

    A callback only notes it, because it is also called when a part of the page is drawn again (called_again.py).
    """
    for name, value in dict(_moves.value).items():
        if name == "items":
            _put_items(value)
        elif name == "horizon" and current().tau is not None:
            _put({name: value, "tau": min(current().tau, value)})
        else:
            _put({name: value})
    forget_moves()


def forget_moves() -> None:
    """Nobody has moved a widget."""
    _moves.set({})


def _moved(name: str, shown: Any) -> None:
    value = st.session_state[f"w_{name}"]
    if value != shown:  # else a script that was cut short had set it: the browser repeats that with the next click
        _moves.set({**_moves.value, name: value})


def _toggled_tau(shown: bool) -> None:
    if st.session_state.w_tau_auto != shown:
        _moves.set({**_moves.value, "tau": current().resolved().tau if shown else None})


def _put_items(items: str) -> None:
    """Put other items on screen; with fewer features, and that is said, if they have not as many."""
    said = {**current().to_strings(), "items": items}
    scenario, wrong = nearest_keepable(said)
    show(scenario)
    for sentence in wrong:
        parameters.complain(sentence.removesuffix("."))


def _put(changes: dict[str, Any]) -> None:
    """Put the scenario on screen with some fields changed, or say why that cannot be."""
    try:
        show(keepable(replace(current(), **changes)))
    except ValueError as refusal:
        parameters.no_complaints()
        parameters.complain(str(refusal))


def widget(name: str, shown: Scenario | None = None, steps: Iterable | None = None) -> None:
    """The widget for one field.

    A page that cannot show every scenario says with `shown` what it shows, and with `steps` which values it offers.
    """
    knob, scenario = KNOBS[name], shown or current()
    settled, key = scenario.resolved(), f"w_{name}"
    title = f"{knob.label.capitalize()} ({knob.symbol})" if knob.symbol != knob.label else knob.label.capitalize()
    named = knob.choices and knob.automatic  # a choice that may be left to the scenario
    st.session_state[key] = value = getattr(scenario if named else settled, name)
    common = {"key": key, "help": knob.help, "on_change": _moved, "args": (name, value)}
    if knob.choices:
        st.selectbox(title, [None, *knob.choices] if named else knob.choices, format_func=knob.words, **common)
    elif knob.reader:
        st.text_input(title, max_chars=knob.high, **common)
    elif name == "k" or steps is not None:
        if name == "d":
            steps = [step for step in steps if step <= scenario.most_features]
        st.select_slider(title, sorted({*(SIZES if steps is None else steps), value}), **common)
    elif name == "tau":
        st.slider(title, 0, max(min(scenario.horizon, max(300, value)), 1), **common)
    elif name == "d":
        st.slider(title, knob.low, min(max(20, value), scenario.most_features), **common)
    elif knob.kind is int:
        st.number_input(title, knob.low, min(knob.high, 2**53 - 1), step=1, **common)
    else:
        st.number_input(title, float(knob.low), float(knob.high), step=None, format="%g", **common)


def main_row() -> None:
    """The four main controls, side by side where there is room."""
    with st.container(key="main_row"):
        for column, name in zip(st.columns(len(MAIN)), MAIN, strict=True):
            with column:
                widget(name)


def in_pairs(names: Iterable[str], shown: Scenario | None = None) -> None:
    """Widgets in two columns, of those fields that have an effect."""
    names = [name for name in names if not (shown or current()).no_effect(name)]
    for start in range(0, len(names), 2):
        for column, name in zip(st.columns(2), names[start : start + 2], strict=False):
            with column:
                widget(name, shown)


def more(without: Iterable[str] = MAIN) -> None:
    """All other controls with an effect, but those that the page has elsewhere, and the choice of the automatic τ."""
    with st.popover("More controls", width="content"):
        st.session_state.w_tau_auto = automatic = current().tau is None
        st.checkbox("Choose τ automatically (10 d)", key="w_tau_auto", on_change=_toggled_tau, args=(automatic,))
        in_pairs(name for name in KNOBS if name not in without)


def as_in_the_paper(*names: str) -> None:
    """Give some fields the paper's value again."""
    base = Scenario()
    if all(getattr(current(), name) == getattr(base, name) for name in names):
        return
    _put({name: getattr(base, name) for name in names})


def changes_row(fixed: Iterable[str] = ()) -> None:
    """What differs from the paper's setting, but for fields that the page fixes: a button each that takes it back."""
    changed = [name for name in differences(current()) if name not in (*fixed, "seed")]
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="scroll_changes", width="stretch"):
        for name in changed:
            said = KNOBS[name].words(getattr(Scenario(), name))
            st.button(
                f"{listed(current(), [name])}\u2002×",
                key=f"change {name}",
                help=f"{KNOBS[name].label.capitalize()}. Take it back to the paper's: {said}",
                on_click=as_in_the_paper,
                args=(name,),
            )
        if changed:
            st.button(
                "Back to the paper's setting", key="change all", type="tertiary", on_click=as_in_the_paper, args=changed
            )
