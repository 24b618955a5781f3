"""The component with the buttons that ask the page for a file, and save what it answers."""

import streamlit as st

from pages.components.chart import ROUTE
from pages.components.component import declare

MOST_WAITING = 20  # clicks that are answered at once
MARK = "/* plotly.min.js */"  # the browser puts the plotting script where a file says this

SCRIPTS = ("root.js", "downloads.js")
STYLES = ("buttons.css", "downloads.css")
_component = declare("roam_downloads", scripts=SCRIPTS, styles=STYLES)


def asked_for() -> list[tuple[str, str]]:
    """The clicks that the browser waits for: a number each, and the label of the button."""
    asked = (st.session_state.get("take_along") or {}).get("asked")
    pairs = asked[:MOST_WAITING] if isinstance(asked, list) else []
    return [(str(pair[0]), str(pair[1])) for pair in pairs if isinstance(pair, list) and len(pair) == 2]


def offer(labels: list[str], ready: list[dict[str, str]]) -> None:
    """A button a label; `ready` are the answers: the click's number, the file's name and text."""
    data = {"labels": labels, "ready": ready, "mark": MARK, "source": ROUTE.lstrip("/")}
    _component(key="take_along", data=data, on_asked_change=lambda: None)
