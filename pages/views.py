"""What pages with several views share: one view is on screen, chosen above the controls and named in the link."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import streamlit as st

from pages import export, watching
from pages.board.works import Work
from pages.parameters import Choice
from pages.presets import Preset, things_to_try
from pages.reveal import conceal
from pages.scenario_controls import MAIN, current, more, new_seed, show
from pages.take_along import Drawn, take_along
from roam_core import Result

MOST_FILES = 6


def choose_view(parameter: Choice, label: str, views: Mapping[str, Any]) -> None:
    """The titles of the views, the one on screen marked."""
    with st.container(key="scroll_views"):
        parameter.widget(
            st.segmented_control,
            label,
            list(views),
            format_func=lambda name: views[name].title,
            label_visibility="collapsed",
            required=True,
            on_change=conceal,
        )


def actions(
    presets: Iterable[Preset], without: Iterable[str], wants: Callable[[], list[Work]], key: str, **trying: Callable
) -> str:
    """Things to try, the controls that are not `without`, and other runs of the same; returns what to notice.

    `trying` are `on_screen` and `put` of `things_to_try`.
    """
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="scroll_actions"):
        notice = things_to_try(presets, key=f"try {key}", **trying)
        other_runs(without, wants)
    return notice


def other_runs(without: Iterable[str], wants: Callable[[], list[Work]], main: Iterable[str] = MAIN) -> None:
    """The controls that are neither `without` nor `main`, and other runs of the same."""

    def again() -> None:
        show(current())
        watching.again(wants())

    more((*main, *without))
    st.button("Same seed again", on_click=again)
    st.button("New seed", on_click=new_seed)


def place_of(name: str, views: Iterable[str]) -> Any:
    """A place for the view on screen.

    Each view has its own and empties the others: nothing of the last view stays while this one computes.
    """
    return {one: st.container() if one == name else st.empty() for one in views}[name]


def curves_to_take_along(results: list[Result], drawn: Drawn, address: str) -> None:
    """The first curves as files, the figures and the link."""
    known = [result for result in results if result.runs][:MOST_FILES]
    files = {f"Curve {n} (CSV)": (f"curve-{n}.csv", lambda r=r: export.csv(r)) for n, r in enumerate(known, start=1)}
    with st.expander("Take it along"):
        take_along(files, drawn, address)
