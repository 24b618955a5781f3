"""The component that presents: it puts one of the page's pictures on the whole screen and listens to a clicker."""

from collections.abc import Callable

import streamlit as st

from pages.components.component import declare

KEY = "presenter"
SCRIPTS = ("root.js", "elements.js", "report.js", "steps.js", "stage.js", "code.js", "presenter.js")
STYLES = ("buttons.css", "presenter.css")
_component = declare("roam_presenter", scripts=SCRIPTS, styles=STYLES)


def is_code_open() -> bool:
    """Whether the QR code is asked for."""
    return bool((st.session_state.get(KEY) or {}).get("code"))


def presenter(
    title: str, page: str, picture: int, code: dict[str, str], *, on_picture_change: Callable, on_left_change: Callable
) -> int:
    """Present picture number `picture` of the page on screen; returns which way to turn the page: -1, 0 or 1.

    `code` is the QR code with its link and what is wrong with it, empty as long as nobody asks for it.
    """
    said = _component(
        key=KEY,
        data={"title": title, "page": page, "picture": picture, "code": code},
        on_picture_change=on_picture_change,
        on_left_change=on_left_change,
        on_code_change=lambda: None,
        on_turn_change=lambda: None,
    )
    return said.turn if said.turn in (-1, 1) else 0
