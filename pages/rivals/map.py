"""Is there a setting of CoLSTIM that wins? Its regret over c1 and c2 as a map, with ROAM's level in it."""

from dataclasses import replace

import numpy as np
import streamlit as st

from pages.components.chart import chart
from pages.parameters import Flag
from pages.reveal import say_verdict
from pages.rivals import figures
from pages.scenario_controls import current, show
from pages.take_along import Drawn
from pages.watching import Sight
from pages.words import literal, with_band
from roam_core import Result, Scenario
from roam_core.paper import C1, C2, MAP_RUNS, Map, load, regret_map
from roam_core.result import moments

OWN_MAP = Flag("rivals.own", otherwise="the map that comes with the project")


def base() -> Scenario:
    """The scenario on screen as the map has it: a cell has its own c1 and c2, and not too many runs."""
    return replace(current(), runs=min(current().runs, MAP_RUNS))


def cells() -> list[Scenario]:
    """ROAM, then CoLSTIM with every pair of its parameters; nothing if the map comes with the project."""
    if not OWN_MAP.value:
        return []
    pairs = [replace(base(), algorithm="colstim", c1=c1, c2=c2) for c1 in C1 for c2 in C2]
    return [replace(base(), algorithm="roam"), *pairs]


def shipped_map() -> Map | None:
    """The map that comes with the project, if it is there."""
    try:
        return regret_map(load()["map"])
    except ValueError as missing:
        st.warning(f"The map that comes with the project cannot be shown. {literal(str(missing))}.")
        return None


def map_of(results: list[Result]) -> Map:
    """The map of the scenario on screen, as far as it is there."""
    first, *others = results
    table = np.array([moments(r.regret[:, -1]) if r.runs > 1 else (np.nan, np.nan) for r in others])
    regret, band = (table[:, i].reshape(len(C1), len(C2)) for i in (0, 1))
    return Map(C1, C2, regret, band, *(moments(first.regret[:, -1]) if first.runs > 1 else (np.nan, np.nan)))


def the_map(sight: Sight) -> Drawn:
    """The map, with the cell of the sliders marked; a click on a cell sets them."""
    st.markdown("#### Is there a setting that wins?")
    table = map_of([sight.of(scenario) for scenario in cells()]) if OWN_MAP.value else shipped_map()
    if table is None:
        return {}
    here = current().c1, current().c2
    figure, words = figures.regret_map(table, here), map_words(table)
    if not OWN_MAP.value and current() != Scenario(seed=current().seed, c1=current().c1, c2=current().c2):
        words = f"**In the paper's setting, not the one of the curves above:** {words}"
    left, right = st.columns([3, 2], vertical_alignment="center")
    with left:
        clicked = chart(figure, key="chart_rivals_map", alt=words, height=480, clicks=True)
    with right:
        say_verdict(words)
        st.caption(legend(table, here))
    if clicked:
        show(replace(current(), c1=float(clicked["y"]), c2=float(clicked["x"])))
        st.rerun()  # the sliders stand outside of what is drawn again by itself
    return {"Map": (figure, words)}


def legend(table: Map, here: tuple[float, float]) -> str:
    """What the map is of, and what its marks are."""
    c1, c2 = here
    own = (
        f"Mean over up to {base().runs} users in each cell, for the scenario on screen." if OWN_MAP.value
        else f"Mean over {MAP_RUNS} users in each cell, with the paper's setting whatever the controls say. "
        "Made by the command python -m roam_core paper."
    )  # fmt: skip
    if not OWN_MAP.value and current().radius != Scenario().radius:
        own += (
            f" Utilities scale with r: here r = 1, in the curves r = {current().radius:g}. Compare regret divided by r."
        )
    marked = (
        f"The frame is the cell of the sliders, c1 = {c1:g}, c2 = {c2:g}."
        if c1 in table.c1 and c2 in table.c2
        else f"The map has no cell for the sliders' c1 = {c1:g}, c2 = {c2:g}."
    )
    level = "An orange line, where there is one, runs where CoLSTIM's regret equals ROAM's."
    return f"{own} {marked} Click a cell to set the sliders. {level}"


def map_words(table: Map) -> str:
    """Whether any setting of CoLSTIM wins, in words."""
    if np.isnan(table.regret).all() or np.isnan(table.roam):
        return "No cell is complete yet."
    i, j = np.unravel_index(np.nanargmin(table.regret), table.regret.shape)
    gap, band = table.regret[i, j] - table.roam, float(np.hypot(table.band[i, j], table.roam_band))
    best = (
        f"CoLSTIM does best with c1 = {table.c1[i]:g}, c2 = {table.c2[j]:g}: "
        f"{with_band(table.regret[i, j], table.band[i, j])}. "
        f"ROAM has {with_band(table.roam, table.roam_band)}. "
    )
    if abs(gap) <= band:
        return best + "That is too close to call."
    return best + ("No setting here beats ROAM." if gap > 0 else f"So CoLSTIM can win here, by {-gap:.3g}.")
