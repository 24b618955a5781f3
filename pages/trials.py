"""Things to try on other pages: what is said of each, and a button that leads there with the controls set."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pages.registry import page, turn_to
from pages.rivals.page import VIEW
from pages.scenario_controls import show
from roam_core import Scenario


@dataclass(frozen=True)
class Trial:
    """Something that is said, and where one can try it."""

    name: str
    text: str
    folder: str
    changes: dict[str, Any] = field(default_factory=dict)
    view: str = ""  # of the rivals' page

    def set_controls(self) -> None:
        """Set the controls of the page that it leads to."""
        show(replace(Scenario(), **self.changes))
        if self.view:
            VIEW.set(self.view)

    def button(self, label: str, key: str) -> None:
        """The button that leads there."""
        if st.button(label, key=f"{key} {self.name}", on_click=self.set_controls):
            turn_to(self.folder)


def cards(trials: Iterable[Trial], rows: Iterable[int], key: str) -> None:
    """So many in each row, each with a button that leads to where it can be tried."""
    left = iter(trials)
    for columns in rows:
        for column, trial in zip(st.columns(columns), left, strict=False):
            with column.container(border=True, height="stretch", vertical_alignment="distribute"):
                st.markdown(f"**{trial.name}**\n\n{trial.text}")
                trial.button(page(trial.folder).opens, key)


def small_cards(trials: Iterable[Trial], key: str) -> None:
    """One below the other, each a button with a line beside it."""
    for trial in trials:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            trial.button(trial.name, key)
            st.caption(trial.text, width="stretch")
