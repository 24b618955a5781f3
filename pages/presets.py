"""Named starting points, each a button: what differs from the paper's defaults, and what to notice."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pages.scenario_controls import current, show
from roam_core import Scenario


@dataclass(frozen=True)
class Preset:
    """A named starting point: what differs from the paper's defaults, and what to notice."""

    name: str
    notice: str
    changes: dict[str, Any] = field(default_factory=dict)


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
        notice = preset.notice if chosen else notice
        kind = "primary" if chosen else "secondary"
        st.button(preset.name, key=f"{key} {preset.name}", type=kind, on_click=put, args=(scenario,))
    return notice
