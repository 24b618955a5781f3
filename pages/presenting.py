"""Presenting: one picture fills the screen, the page's steps are on the arrow keys and on a clicker.

`present=1` in the link says so, and `picture=2` which picture. What happens on screen is the component's affair. Here
is what the link says, the button that begins it, and the QR code with which a class opens the same view.
"""

from typing import NamedTuple

import streamlit as st

from pages import qr
from pages.components.presenter import KEY, is_code_open, presenter
from pages.parameters import Flag, Number
from pages.reveal import PREDICT

MOST_PICTURES = 30
PRESENT = Flag("page.present")
POPOVER = "presenting"
ABOUT = (
    "One picture fills the screen. Page Down goes to the next thing to try, as a clicker does, and Escape comes back "
    "here."
)


class Slide(NamedTuple):
    """What presenting needs to know of the page on screen."""

    title: str
    path: str
    picture: Number
    link: str  # for the class: of the page as it is when nobody presents


def picture_of(path: str) -> Number:
    """The number of the picture that a page presents. Each page has its own."""
    return Number(f"{path or 'start'}.picture", 1, low=1, high=MOST_PICTURES, whole=True)


def present_button(link: str) -> None:
    """A button beside the title: begin to present, predict first, and the link as a QR code."""
    with st.popover("Present", width="content", key=POPOVER, on_change="rerun") as opened:
        st.button("Present this page", key="present", type="primary", on_click=_begin, disabled=PRESENT.value)
        st.caption(ABOUT)
        if opened.open:  # the code takes its time
            about = "Notices and verdicts stay hidden until somebody asks for them."
            PREDICT.widget(st.toggle, "Predict first", help=about)
            _show_code(link)


def _begin() -> None:
    PRESENT.set(True)
    st.session_state[POPOVER] = False  # it would stand before the picture


def _show_code(link: str) -> None:
    if code := qr.svg(link):
        st.image(code, width=280, alt="QR code of this view")
    if problem := qr.warning(link):
        st.info(problem)
    st.code(link, language=None, wrap_lines=True)


def present(slide: Slide) -> int:
    """The picture on the whole screen, if the link says so; returns which way to turn the page: -1, 0 or 1."""
    with st.container(key="presenter_place"):  # also if it is empty: what follows keeps its place
        if not PRESENT.value:
            return 0
        return presenter(
            slide.title,
            slide.path,
            slide.picture.value,
            _code(slide.link) if is_code_open() else {},
            on_picture_change=lambda: slide.picture.set(_chosen()),
            on_left_change=lambda: _leave(slide.picture),
        )


def _code(link: str) -> dict[str, str]:
    return {"svg": qr.svg(link), "link": link, "warning": qr.warning(link)}


def _chosen() -> int:
    """The number of the picture that the visitor turned to."""
    said = st.session_state[KEY].picture
    return min(max(said, 1), MOST_PICTURES) if type(said) is int else 1


def _leave(picture: Number) -> None:
    PRESENT.set(False)
    picture.set(picture.default)
