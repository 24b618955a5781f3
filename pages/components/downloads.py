"""What a visitor can take along from a page: data, stand-alone figures and the link.

A click asks this page for the file, and the browser saves what the page answers. Streamlit's own button for files that
are made on request forgets them whenever the page is drawn again: a click at the wrong moment then does nothing.
"""

from collections.abc import Callable, Mapping

import streamlit as st

from pages.components.chart import ROUTE
from pages.components.component import declare
from pages.parts import controls, export

Drawn = Mapping[str, tuple[dict, str]]  # title -> figure and the words for it

SCRIPTS = ("root.js", "downloads.js")
STYLES = ("buttons.css", "downloads.css")
_component = declare("roam_downloads", scripts=SCRIPTS, styles=STYLES)


def take_along(
    files: Mapping[str, tuple[str, str | Callable[[], str]]], drawn: Drawn, extra: dict[str, str] | None = None
) -> None:
    """Buttons for files (label -> name and content) and for each figure as HTML, then the link of this view."""
    pages = {
        f"{title} (HTML)": (
            f"{title.lower().replace(' ', '-')}.html",
            lambda figure=figure, title=title, words=words: export.page(figure, title, words),
        )
        for title, (figure, words) in drawn.items()
    }
    offered = {**files, **pages}
    _component(
        key="take_along",
        data={
            "labels": list(offered),
            "ready": [_ready(number, *offered[label]) for number, label in _asked_for() if label in offered],
            "mark": export.SCRIPT_GOES_HERE,
            "source": ROUTE.lstrip("/"),
        },
        on_asked_change=lambda: None,
    )
    st.caption(
        "With a mouse, each plot's toolbar saves it as SVG or PNG. This link shows exactly this view, seed included:"
    )
    st.code(f"{st.context.url}?{controls.link(extra)}", language=None)


def _asked_for() -> list[tuple[str, str]]:
    """Clicks that were not answered yet: a number each, and the label of the button."""
    answered = st.session_state.setdefault("answered", [])
    asked = (st.session_state.get("take_along") or {}).get("asked") or []
    new = [(str(number), str(label)) for number, label in asked if str(number) not in answered]
    st.session_state.answered = [*answered, *(number for number, _ in new)][-50:]
    return new


def _ready(number: str, name: str, content: str | Callable[[], str]) -> dict[str, str]:
    return {"number": number, "name": name, "text": content() if callable(content) else content}
