"""The way into a room: its code for the class, the form on a phone; and where everybody is shown another page."""

from collections.abc import Sequence

import streamlit as st

from pages import qr
from pages.called_again import called_again
from pages.classroom import who, words
from pages.classroom.database import Refused
from pages.classroom.door import door
from pages.classroom.membership import ROOM
from pages.classroom.names import LONGEST
from pages.classroom.who import EVERY
from pages.components.duel import source
from pages.registry import at, folder_at
from pages.words import literal

MOST_NAMES = 60  # that are listed


def start() -> None:
    """For who is in no room: join one, or open one."""
    st.markdown(words.ABOUT)
    left, right = st.columns(2, gap="large")
    with left, st.container(border=True, key="class_join"):
        st.subheader("Join a room", anchor=False)
        _form(ask_code=True)
    with right, st.container(border=True, key="class_open"):
        st.subheader("Open a room", anchor=False)
        st.markdown(words.OPENING)
        st.button("Open a room", key="open room", on_click=who.open_room)


def join() -> None:
    """For who came with the link of a room."""
    with st.container(border=True, key="class_join"):
        st.subheader(f"Join room {ROOM.value}", anchor=False)
        if who.KEY.value:
            st.markdown(words.NOT_THE_KEY)
        elif who.ME.value:
            st.markdown(words.NOT_YOURS)
        _form(ask_code=False)
    st.button("Another room", key="another room", type="tertiary", on_click=who.leave)


def _form(ask_code: bool) -> None:
    with st.form("class_form", border=False):
        if ask_code:
            st.text_input("Code", key="class_code", max_chars=20, placeholder="as on the projector", value=ROOM.value)
        about = "So that the class sees who you are. Leave it empty to stay a number."
        st.text_input("Nickname (optional)", key="class_name", max_chars=LONGEST, help=about)
        st.form_submit_button("Join", type="primary", on_click=_enter, args=(ask_code,), key="class_enter")


def _enter(ask_code: bool) -> None:
    said = st.session_state.get("class_code") if ask_code else ROOM.value
    who.enter(str(said or ""), str(st.session_state.get("class_name") or ""))


def shown() -> Sequence:
    """The code, the link and the QR code, as large as they can be, and who is there."""
    link = who.link_for_all()
    if code := qr.svg(link):
        picture = f'<img src="{source(_alone(code))}" alt="QR code: {link}">'
        about = f'<div class="class-link">Scan it, or open<br><b>{link.partition("?")[0]}</b><br>and type</div>'
        big = f'<div class="class-code">{ROOM.value}</div>'
        st.html(f'<div class="class-way"><div>{picture}</div><div>{about}{big}</div></div>')
    if not who.room().door:
        st.info(words.DOOR)
    _present()
    if problem := qr.warning(link):
        st.info(problem)
    return ()


def _alone(svg: str) -> str:
    """A drawing for a page as one that stands alone."""
    return svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)


@called_again(EVERY)
def _present() -> None:
    """Who is there, and who has come meanwhile."""
    try:
        here = door().rooms.people(ROOM.value)
    except Refused:
        return
    with st.container(key="class_count"):
        st.markdown(f"**{words.people(len(here))}**")
    named = [literal(person.name) for person in here if person.name]
    with st.container(key="class_names"):
        others = len(here) - len(named[-MOST_NAMES:])
        st.markdown(" · ".join(named[-MOST_NAMES:]) + (f" and {others} more" if named and others else ""))


def phone() -> Sequence:
    """A student waits."""
    name = who.person().name
    st.subheader(f"You are in room {ROOM.value}", anchor=False)
    st.markdown(f"You are **{literal(name)}**." if name else f"You are number {who.person().number}.")
    st.markdown(words.WAITING)
    st.button("Leave the room", key="leave room", type="tertiary", on_click=who.leave)
    return ()


def shown_elsewhere() -> Sequence:
    """The lecturer shows another page."""
    st.subheader(f"The phones show: {_elsewhere()}", anchor=False)
    return ()


def phone_elsewhere() -> Sequence:
    """A student came back here while the lecturer shows another page; the bar above has the way there."""
    st.subheader(f"The lecturer shows: {_elsewhere()}", anchor=False)
    return ()


def _elsewhere() -> str:
    path = who.stage().link.partition("?")[0]
    return at(path).title if folder_at(path) else "another page"
