"""A part of a page that the browser calls for again and again.

A call that was on its way before the last page reached the browser says of every widget what it was before. Streamlit
takes that for a move. Nobody can move a control of the scenario by such a call, so these moves are forgotten.
"""

from collections.abc import Callable
from functools import wraps

import streamlit as st

from pages.scenario_controls import forget_moves


def called_again(every: float | None) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """A function that draws a part of the page, and again every so many seconds; with None only when it is used."""

    def decorate(part: Callable[[], None]) -> Callable[[], None]:
        @wraps(part)
        def draw() -> None:
            forget_moves()
            part()

        return st.fragment(run_every=every)(draw)

    return decorate
