"""Named starting points, each a button: what differs from the paper's defaults, and what to notice."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pages.parameters import Flag
from pages.pins import papers_pinned, pin_the_papers
from pages.scenario_controls import current, show
from roam_core import Scenario


@dataclass(frozen=True)
class Preset:
    """A named starting point: what differs from the paper's defaults, and what to notice."""

    name: str
    notice: str
    changes: dict[str, Any] = field(default_factory=dict)
    beside: bool = False  # the notice compares with the paper's setting, which is pinned beside it
    shows: tuple[Flag, ...] = ()  # what the page must show for the notice to be seen

    def put(self, scenario: Scenario, put: Callable[[Scenario], None]) -> None:
        """Put it on screen, with what its notice is about."""
        if self.beside:
            pin_the_papers()  # while the last scenario is on screen: if it is the paper's, its curve keeps its colour
        put(scenario)
        for flag in self.shows:
            flag.set(True)

    @property
    def said(self) -> str:
        """What to notice, and how to see it if somebody came by a link that shows less."""
        complete = all(flag.value for flag in self.shows) and (papers_pinned() or not self.beside)
        return self.notice if complete else f"{self.notice} To see that here, press **{self.name}** once more."


def things_to_try(
    presets: Iterable[Preset],
    on_screen: Callable[[Scenario], bool] = lambda scenario: scenario == current(),
    put: Callable[[Scenario], None] = show,
    key: str = "try",
) -> str:
    """One button a preset, the one on screen marked; returns what to notice about that one."""
    notice = ""
    for preset in presets:
        scenario = replace(Scenario(seed=current().seed), **preset.changes)
        chosen = on_screen(scenario)
        notice = preset.said if chosen else notice
        kind = "primary" if chosen else "secondary"
        st.button(preset.name, key=f"{key} {preset.name}", type=kind, on_click=preset.put, args=(scenario, put))
    return notice
