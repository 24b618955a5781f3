"""What a visitor can take along from a page: data, stand-alone figures and the link.

A click asks this page for the file, and the browser saves what the page answers. Streamlit's own button for files that
are made on request forgets them whenever the page is drawn again: a click at the wrong moment then does nothing.
"""

import re
from collections.abc import Callable, Mapping

import streamlit as st

from pages import export
from pages.components.downloads import asked_for, offer

Drawn = Mapping[str, tuple[dict, str]]  # title -> figure and the words for it
Content = str | Callable[[], str]


ABOUT = "With a mouse, each plot's toolbar saves it as SVG or PNG. This link shows exactly this view, seed included:"


def take_along(files: Mapping[str, tuple[str, Content]], drawn: Drawn, address: str, about: str = ABOUT) -> None:
    """Buttons for files (label -> name and content) and for each figure as HTML, then a link with words about it."""
    pages = {
        f"{title} (HTML)": (
            file_name(title),
            lambda figure=figure, title=title, words=words: export.page(figure, title, words),
        )
        for title, (figure, words) in drawn.items()
    }
    offered = {**files, **pages}
    offer(list(offered), [_ready(number, *offered[label]) for number, label in asked_for() if label in offered])
    st.caption(about)
    st.code(address, language=None)


def file_name(title: str) -> str:
    """What a figure's file is called."""
    return f"{re.sub('[^a-z0-9]+', '-', title.lower()).strip('-')}.html"


def _ready(number: str, name: str, content: Content) -> dict[str, str]:
    return {"number": number, "name": name, "text": content() if callable(content) else content}
