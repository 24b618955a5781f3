"""The scenario on screen: its widgets, its presets and its link.

The scenario lives in the session; widgets show it and change it, the link repeats it. Every widget is made from the
field's own declaration.
"""

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from pages.parts.presets import Preset
from roam_core import KNOBS, Scenario
from roam_core.scenario import nearest_scenario

MAIN = ("d", "tau", "k", "link")
MOST_PINS = 5
MOST_SWEPT = 8
MOST_VALUES = 1_000_000  # runs x rounds of a scenario: what a server with many visitors can keep of a curve
MOST_PROBLEMS = 6
LONGEST = 400  # characters of a link's parameter that are read
SIZES = (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
WORDS = {
    "most_uncertain": "the most uncertain", "previous": "the previous item", "random": "any past item",
    "recent": "most uncertain of last w", "roam": "ROAM", "colstim": "CoLSTIM",
}  # fmt: skip


def current() -> Scenario:
    """The scenario on screen. In a new session it comes from the link."""
    if "scenario" not in st.session_state:
        strings = {name: text for name, text in st.query_params.items() if name in KNOBS}
        st.session_state.scenario, st.session_state.problems = _nearest(strings)
        repeated = [name for name in st.query_params if name != "pin" and len(st.query_params.get_all(name)) > 1]
        for name in repeated[:MOST_PROBLEMS]:
            complain(f"{shortened(name)} is in the link more than once", "the last one")
        st.session_state.pins = _pins_of(st.query_params.get_all("pin"))
        st.session_state.sweep = ""
        if "sweep" in st.query_params:
            set_sweep(st.query_params["sweep"])
    return st.session_state.scenario


def pins() -> list[Scenario]:
    """Scenarios kept for comparison."""
    current()
    return st.session_state.pins


def show(scenario: Scenario) -> None:
    """Put a scenario on screen."""
    st.session_state.scenario = scenario
    st.session_state.problems = []
    st.session_state.pop("stopped", None)


def write_link(extra: dict[str, str] | None = None) -> None:
    """Bring the browser's address in line with what is on screen; `extra` is what only this page has to say."""
    wanted = _parameters() | (extra or {})
    now = {name: st.query_params.get_all(name) for name in st.query_params}
    if now != {name: value if isinstance(value, list) else [value] for name, value in wanted.items()}:
        st.query_params.from_dict(wanted)


def _parameters() -> dict[str, str | list[str]]:
    extras = {"pin": [short(pin) for pin in pins()], "sweep": st.session_state.sweep}
    return {name: value for name, value in extras.items() if value} | _differences(current())


def link(extra: dict[str, str] | None = None) -> str:
    """What follows the question mark in the address of this view."""
    return urlencode(_parameters() | (extra or {}), doseq=True)


def problems() -> None:
    """Say plainly what was wrong with the link or the last change."""
    current()
    found = list(dict.fromkeys(st.session_state.problems))
    with st.container():  # also if it is empty: what follows keeps its place
        for problem in found[:MOST_PROBLEMS]:
            st.warning(literal(problem))
        if len(found) > MOST_PROBLEMS:
            st.warning(f"The link has {len(found) - MOST_PROBLEMS} more mistakes like these.")


def complain(what: str, instead: Any) -> None:
    """Remember to say that something in the link is no good, and what is used instead."""
    st.session_state.problems = [*st.session_state.problems, f"{what}. Used instead: {instead}."]


def shortened(text: str) -> str:
    """Text of a visitor in quotes, cut to a length that can be shown."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def literal(text: str) -> str:
    """Text in which no character is markup.

    Streamlit looks for links and icons after it has taken the backslashes away, so those are broken up as well, by a
    character that has no width.
    """
    apart = re.sub(r":(?=\S)|@|www", lambda found: found[0] + "\u2060", " ".join(text.split()))
    return "".join("\\" + c if c in r"\`*_{}[]()#+-.!|~:$<>&" else c for c in apart)


def _differences(scenario: Scenario, base: Scenario | None = None) -> dict[str, str]:
    """The fields that differ from the defaults (or from `base`), as text."""
    base = base or Scenario()
    return {
        f.name: KNOBS[f.name].format(getattr(scenario, f.name))
        for f in fields(Scenario)
        if getattr(scenario, f.name) != getattr(base, f.name)
    }


def short(scenario: Scenario) -> str:
    """A scenario as one line of text for the link."""
    return ",".join(f"{name}={text}" for name, text in _differences(scenario).items()) or "defaults"


def _pins_of(texts: list[str]) -> list[Scenario]:
    found = []
    for text in texts[:MOST_PINS]:
        parts = [part.partition("=") for part in text[:LONGEST].split(",") if part != "defaults"]
        pin, wrong = _nearest({name: value for name, _, value in parts if name in KNOBS})
        if len(text) > LONGEST or any(name not in KNOBS for name, _, _ in parts):
            wrong = [f"{shortened(text)} is not like d=5,tau=50. Used instead: what can be read of it.", *wrong]
        st.session_state.problems += [f"In a pinned curve: {problem}" for problem in wrong]
        if pin not in found:
            found.append(pin)
    if len(texts) > MOST_PINS:
        complain(f"{len(texts)} pinned curves are more than {MOST_PINS}", f"the first {MOST_PINS}")
    return found


def _nearest(strings: dict[str, str]) -> tuple[Scenario, list[str]]:
    """The scenario that a link asks for, or the nearest one that this server shows, and what had to be changed."""
    scenario, wrong = nearest_scenario({name: text[:LONGEST] for name, text in strings.items()})
    try:
        return _keepable(scenario), wrong
    except ValueError as refusal:
        fewer = replace(scenario, runs=MOST_VALUES // scenario.horizon)
        return fewer, [*wrong, f"{refusal}. Used instead: runs = {fewer.runs}."]


def _keepable(scenario: Scenario) -> Scenario:
    """The scenario, if its curves are not too much to keep."""
    if scenario.runs * scenario.horizon > MOST_VALUES:
        raise ValueError(
            f"runs = {scenario.runs}, horizon = {scenario.horizon} is too much for a page: runs x horizon is at most "
            f"{MOST_VALUES:,}"
        )
    return scenario


def label(scenario: Scenario, others: list[Scenario]) -> str:
    """What sets a scenario apart from the others on screen, in as few words as possible."""
    differing = [n for n in KNOBS if len({getattr(s, n) for s in [scenario, *others]}) > 1]
    settled = scenario.resolved()
    parts = [f"{KNOBS[n].symbol} = {WORDS.get(str(getattr(settled, n)), getattr(settled, n))}" for n in differing]
    return ", ".join(parts) or "this scenario"


def _changed(name: str) -> None:
    scenario, value = st.session_state.scenario, st.session_state[f"w_{name}"]
    changes = {name: value}
    if name == "horizon" and scenario.tau is not None:
        changes["tau"] = min(scenario.tau, value)
    try:
        show(_keepable(replace(scenario, **changes)))
    except ValueError as refusal:
        st.session_state.problems = [f"{refusal}."]


def _toggle_tau() -> None:
    scenario = st.session_state.scenario
    show(replace(scenario, tau=None if st.session_state.w_tau_auto else scenario.resolved().tau))


def no_effect(name: str, scenario: Scenario) -> str:
    """Why a field has no effect in this scenario; empty if it has one."""
    if name in ("ask", "window", "skip_below") and scenario.algorithm != "roam":
        return "Only ROAM asks about the past."
    if name == "window" and scenario.ask != "recent":
        return "Only the ask rule 'most uncertain of last w' uses a window."
    if name in ("c1", "c2") and scenario.algorithm != "colstim":
        return "Only CoLSTIM uses it."
    return ""


def widget(name: str, shown: Scenario | None = None, steps: Iterable | None = None) -> None:
    """The widget for one field, made from its declaration.

    A page that cannot show every scenario says with `shown` what it shows, and with `steps` which values it offers.
    """
    knob, scenario = KNOBS[name], shown or current()
    settled = scenario.resolved()
    reason = no_effect(name, scenario)
    title = f"{knob.label.capitalize()} ({knob.symbol})" if knob.symbol != knob.label else knob.label.capitalize()
    key = f"w_{name}"
    named = knob.choices and knob.automatic  # a choice that may be left to the scenario
    value = getattr(scenario if named else settled, name)
    st.session_state[key] = value
    common = {
        "key": key,
        "help": knob.help,
        "on_change": _changed,
        "args": (name,),
        "disabled": bool(reason),
    }
    if knob.choices:
        options = [None, *knob.choices] if named else knob.choices
        st.selectbox(title, options, format_func=lambda choice: WORDS.get(choice, choice) or knob.automatic, **common)
    elif steps is not None:
        st.select_slider(title, sorted({*steps, value}), **common)
    elif name == "tau":
        high = min(scenario.horizon, max(300, settled.tau))
        st.slider(title, 0, max(high, 1), **common)
    elif name == "k":
        st.select_slider(title, sorted({*SIZES, value}), **common)
    elif name == "d":
        st.slider(title, knob.low, max(20, value), **common)
    elif knob.kind is int:
        st.number_input(title, knob.low, min(knob.high, 2**53 - 1), step=1, **common)
    else:
        st.number_input(title, float(knob.low), float(knob.high), step=None, format="%g", **common)
    if reason:
        st.caption(f"No effect now. {reason}")


def main_row() -> None:
    """The four main controls, side by side where there is room."""
    with st.container(key="main_row"):
        for column, name in zip(st.columns(len(MAIN)), MAIN, strict=True):
            with column:
                widget(name)


def more(without: Iterable[str] = ()) -> None:
    """All other controls but those that the page has elsewhere, and the choice of the automatic τ."""
    with st.popover("More controls", width="content"):
        rest = [name for name in KNOBS if name not in (*MAIN, *without)]
        st.session_state.w_tau_auto = current().tau is None
        st.checkbox("Choose τ automatically (10 d)", key="w_tau_auto", on_change=_toggle_tau)
        for start in range(0, len(rest), 2):
            for column, name in zip(st.columns(2), rest[start : start + 2], strict=False):
                with column:
                    widget(name)


def also_set(without: Iterable[str] = ()) -> None:
    """Say which controls that are not in sight differ from the paper's defaults."""
    changed = [name for name in _differences(current()) if name not in (*MAIN, *without, "seed")]
    values = {name: getattr(current(), name) for name in changed}
    if values:
        st.caption("Also set: " + ", ".join(f"{KNOBS[n].symbol} = {WORDS.get(str(v), v)}" for n, v in values.items()))


def things_to_try(
    presets: Iterable[Preset], on_screen: Callable[[Scenario], bool], put: Callable[[Scenario], None], key: str = "try"
) -> str:
    """One button a preset, the one on screen marked; returns what to notice about that one."""
    notice = ""
    for preset in presets:
        scenario = replace(Scenario(seed=current().seed), **preset.changes)
        chosen = on_screen(scenario)
        notice = preset.notice if chosen else notice
        kind = "primary" if chosen else "secondary"
        st.button(preset.name, key=f"{key} {preset.name}", type=kind, on_click=put, args=(scenario,))
    return notice


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
    for text in values.split(",") if name else []:
        try:
            found[text] = _keepable(replace(current(), **{name: KNOBS[name].parse(text)}))
        except ValueError:
            found[text] = None
    return found


def set_sweep(text: str) -> None:
    """Vary a field, as in tau=0,25,50; say what is wrong with the text if it is."""
    name, equals, values = text.replace(" ", "").partition("=")
    try:
        if name not in SWEEPS or not equals or len(text) > LONGEST:
            raise ValueError(f"{shortened(text)} is no sweep: it must look like tau=0,25,50")
        parsed = [KNOBS[name].parse(value) for value in values.split(",") if value]
        if not 2 <= len(parsed) <= MOST_SWEPT:
            raise ValueError(f"a sweep takes 2 to {MOST_SWEPT} values, not {len(parsed)}")
        st.session_state.sweep = f"{name}=" + ",".join(KNOBS[name].format(value) for value in parsed)
    except ValueError as refusal:
        st.session_state.problems = [*st.session_state.problems, f"{refusal}."]


SWEEPS = {
    "d": "2,4,6,8,10", "tau": "0,25,50,75,100", "k": "10,100,1000,10000", "link": ",".join(KNOBS["link"].choices),
    "radius": "0.3,1,3", "flatness": "0.1,0.3,1", "ask": ",".join(KNOBS["ask"].choices), "window": "5,20,50,200",
    "c1": "0.1,1,10", "c2": "0.1,1,10", "horizon": "250,500,1000", "items": ",".join(KNOBS["items"].choices),
    "algorithm": ",".join(KNOBS["algorithm"].choices), "skip_below": "0,0.05,0.1,0.2",
    "user_link": ",".join(KNOBS["user_link"].choices), "ridge": "0.001,0.1,1", "seed": "0,1,2", "runs": "10,100",
}  # fmt: skip


def sweep_row() -> None:
    """Choose a field and its values."""
    with st.expander(
        "Sweep: the same scenario with several values of one field", expanded=bool(st.session_state.sweep)
    ):
        left, middle, right = st.columns([2, 3, 2], vertical_alignment="bottom")
        swept, _, chosen = st.session_state.sweep.partition("=")
        first = list(SWEEPS).index(swept or "tau")
        name = left.selectbox(
            "Field", list(SWEEPS), first, format_func=lambda n: f"{KNOBS[n].label} ({KNOBS[n].symbol})"
        )
        default = chosen if name == swept else SWEEPS[name]
        values = middle.text_input("Values, with commas between", default, max_chars=200)
        with right.container(horizontal=True):
            st.button("Run the sweep", on_click=set_sweep, args=(f"{name}={values}",))
            st.button("End it", on_click=end_sweep, disabled=not st.session_state.sweep)


def end_sweep() -> None:
    """Vary no field."""
    st.session_state.sweep = ""


def new_seed() -> None:
    """Put the same scenario on screen with a fresh seed."""
    show(replace(current(), seed=random.randrange(KNOBS["seed"].high)))


def pin() -> None:
    """Keep the current scenario for comparison."""
    if current() not in pins() and len(pins()) < MOST_PINS:
        st.session_state.pins = [*pins(), current()]


def unpin(scenario: Scenario) -> None:
    """Stop comparing with this scenario."""
    st.session_state.pins = [pinned for pinned in pins() if pinned != scenario]


def unpin_all() -> None:
    """Stop comparing."""
    st.session_state.pins = []
