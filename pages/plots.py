"""Plots that several pages have, drawn on the page."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages import figures
from pages.components.chart import chart
from pages.figures import Series
from pages.take_along import Drawn
from roam_core.result import CURVES


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
        figure, said = figures.curves(series, curve, **options(curve)), words(curve)
        with column:
            chart(figure, key=f"{key}_{curve}", alt=said, height=height)
        drawn[figures.TITLES[curve]] = (figure, said)
    return drawn


def side_by_side(drawn: Drawn, *, key: str, height: int, captions: Callable[[str], None] = lambda words: None) -> None:
    """Figures in columns, in their order; `captions` writes their words below each."""
    for column, (title, (figure, said)) in zip(st.columns(len(drawn)), drawn.items(), strict=True):
        with column:
            chart(figure, key=f"{key}_{title}", alt=said, height=height)
            captions(said)
