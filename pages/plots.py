"""Plots that several pages have, drawn on the page."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages import figures
from pages.components.chart import Figure, chart
from pages.figures import Series
from pages.take_along import Drawn
from roam_core.result import CURVES

MOST_KEPT = 200  # figures, some 30 kB each: a class that looks at the same link has each drawn once

_kept: OrderedDict[tuple, Figure] = OrderedDict()
_keeping = threading.Lock()


def curves_once(series: Sequence[Series], curve: str, options: dict[str, Any]) -> Figure:
    """The figure of `figures.curves`, made once for everybody: as many runs of a scenario are always the same."""
    shown = [(type(one.result), one.result.scenario, one.result.runs, one.label, one.slot) for one in series]
    key = (curve, repr(options), *shown)
    with _keeping:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    made = Figure(figures.curves(series, curve, **options))
    with _keeping:
        _kept[key] = made
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return made


def three_plots(
    series: Sequence[Series],
    words: Callable[[str], str],
    *,
    key: str,
    height: int,
    options: Callable[[str], dict[str, Any]] = lambda curve: {},
) -> Drawn:
    """Regret, error and critical ratio side by side; returns each figure with its words.

    `words` and `options` (of `figures.curves`) are functions of the curve.
    """
    drawn = {}
    for column, curve in zip(st.columns(3), CURVES, strict=True):
        figure, said = curves_once(series, curve, options(curve)), words(curve)
        with column:
            chart(figure, key=f"{key}_{curve}", alt=said, height=height)
        drawn[figures.TITLES[curve]] = (figure, said)
    return drawn


def side_by_side(drawn: Drawn, *, key: str, height: int) -> None:
    """Figures in columns, in their order."""
    for column, (title, (figure, said)) in zip(st.columns(len(drawn)), drawn.items(), strict=True):
        with column:
            chart(figure, key=f"{key}_{title}", alt=said, height=height)
