"""What a visitor can take along from a page: data, stand-alone figures and the link."""

from collections.abc import Callable, Mapping

import streamlit as st

from pages.parts import controls, export

Drawn = Mapping[str, tuple[dict, str]]  # title -> figure and the words for it


def take_along(
    files: Mapping[str, tuple[str, str | Callable[[], str]]], drawn: Drawn, extra: dict[str, str] | None = None
) -> None:
    """Buttons for files (label -> name and content) and for each figure as HTML, then the link of this view."""
    with st.container(horizontal=True):
        for label, (name, content) in files.items():
            st.download_button(label, content, name, "text/plain")
        for title, (figure, words) in drawn.items():
            st.download_button(
                f"{title} (HTML)",
                lambda figure=figure, title=title, words=words: export.page(figure, title, words),
                f"{title.lower().replace(' ', '-')}.html",
                "text/html",
            )
    st.caption(
        "With a mouse, each plot's toolbar saves it as SVG or PNG. This link shows exactly this view, seed included:"
    )
    st.code(f"{st.context.url}?{controls.link(extra)}", language=None)
