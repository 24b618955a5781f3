"""Follow me: who is in a room sees on every page what the room does, and goes along or has an offer to.

A student on the page "Class", or where the lecturer has led the class, is led on. Who has gone elsewhere stays there;
the projector goes along from everywhere.
"""

from html import escape
from pathlib import Path
from urllib.parse import parse_qs

import streamlit as st

from pages import registry, watching
from pages.called_again import called_again
from pages.classroom import who
from pages.classroom.membership import MEMBERSHIP
from pages.classroom.stage import FOLLOW, LOBBY
from pages.classroom.who import EVERY, LECTURER, SCREEN, STUDENT
from pages.page import Page
from pages.parameters import Kept
from pages.presenting import PRESENT
from pages.registry import at, in_navigation
from pages.words import literal

CLASS = "class"  # the address of the page "Class"
PROJECTOR = (Path(__file__).parent / "classroom" / "projector.css").read_text(encoding="utf-8")
_led = Kept("class.led")  # the turn that this visitor was led to; None in a new session
_place = Kept("class.place")  # where that was: path and what the link says


def attend(shown: Page) -> None:
    """At the beginning of a script: see what the room does, and go along."""
    who.look_again()
    if who.role() not in (STUDENT, SCREEN):
        return
    now, here = who.stage(), (shown.path, _query(shown))
    if shown.path == CLASS and now.kind != FOLLOW:
        _led.set(now.turn)
        _place.set(here)
    elif now.turn == _led.value and _place.value is None:
        _place.set(here)  # just arrived
    elif _led.value is None and now.kind == FOLLOW and now.link.partition("?")[0] == shown.path:
        _led.set(now.turn)  # reloaded where the class is
        _place.set(here)
    elif now.turn != _led.value and (who.role() == SCREEN or shown.path == CLASS or here == _place.value):
        go()


def go() -> None:
    """Go where the class is."""
    now = who.stage()
    _led.set(now.turn)
    path, _, query = now.link.partition("?") if now.kind == FOLLOW else (CLASS, "", "")
    folder = registry.folder_at(path)
    if folder is None:
        return
    _place.set(None)
    if path == CLASS:
        if who.role() == SCREEN:
            PRESENT.set(False)  # what it was to fill the wall with a picture
        registry.turn_to(folder)
    at(path).forget_link(MEMBERSHIP)
    shown = {"present": "1"} if who.role() == SCREEN and path != CLASS else {}  # one picture fills the wall
    room = {who.ROOM.name: who.ROOM.value}  # a link that says anything means the lecturer's view, not a first visit's
    st.switch_page(in_navigation(folder), query_params=parse_qs(query) | room | shown)


def bar(shown: Page) -> None:
    """Above every page, for who is in a room: the way to the class, and the lecturer's button."""
    if who.role() not in (STUDENT, SCREEN, LECTURER):
        if who.unread():
            _listen()  # until the room can be read
        return
    if who.role() == SCREEN:
        st.html(f"<style>{PROJECTOR}</style>")  # alone: then it comes after the page's own style
        st.html(_for_latecomers(shown))
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="class_bar"):
        # A phone calls once in two seconds: for news, or for figures that grow and then for news as well.
        grows = who.role() == STUDENT and shown.path == CLASS and watching.look(shown.wants()).unsettled
        who.PAGE_LISTENS.set(grows)
        if not grows:
            _listen()
        if who.role() == LECTURER:
            _lecturers(shown)
        elif who.role() == SCREEN:
            pass  # it goes along by itself
        elif who.stage().turn != _led.value:
            st.markdown("**The class has gone on.**", width="content")
            _button("Go along", "class go", go)
        elif shown.path != CLASS or who.stage().kind == FOLLOW:
            if who.stage().kind == FOLLOW and (shown.path, _query(shown)) == _place.value:
                st.markdown("The lecturer shows this page.", width="content")
            else:
                label = "Go to what the lecturer shows" if who.stage().kind == FOLLOW else "Back to the class"
                _button(label, "class go", go)


def _for_latecomers(shown: Page) -> str:
    """How to join, in a corner of the projector; the way in itself says it larger."""
    if who.stage().kind == LOBBY:
        return "<div></div>"
    base = shown.address.partition("?")[0]
    where = f"{base.removesuffix(shown.path)}{CLASS}".partition("//")[2]
    return f'<div class="class-late">Join: {escape(where)} <b>{escape(who.ROOM.value)}</b></div>'


def is_led(shown: Page) -> bool:
    """Whether somebody else turns the pages here: on the projector, and for a student on the page "Class"."""
    return who.role() == SCREEN or (who.role() == STUDENT and shown.path == CLASS)


def _button(label: str, key: str, act) -> None:
    """A button after which the visitor may be elsewhere: that is not for a callback to do."""
    if st.button(label, key=key):
        act()


def _lecturers(shown: Page) -> None:
    """Show the view on screen on all phones; from another page back to the room."""
    if shown.path == CLASS:
        return
    st.markdown(f"Room **{who.ROOM.value}**", width="content")
    now, link = who.stage(), f"{shown.path}?{_query(shown)}"
    same = now.kind == FOLLOW and now.link == link
    label = "Sent to all phones" if same else "Show this view on all phones"
    st.button(
        label, key="class push", type="primary", disabled=same, on_click=who.put, args=(now.begin(FOLLOW, link=link),)
    )
    _button("Back to the room", "class go", lambda: registry.turn_to(registry.folder_at(CLASS)))
    if who.PROBLEM.value:
        st.markdown(literal(who.PROBLEM.value))


def _listen() -> None:
    """Ask for news; whatever has changed, the whole page follows."""
    drawing = [True]  # the page itself, which needs no news

    @called_again(EVERY)
    def listen() -> None:
        if drawing:
            drawing.clear()
        elif who.has_news():
            st.rerun()

    listen()


def _query(shown: Page) -> str:
    """What the link of a page says of the view on screen."""
    return shown.slide.link.partition("?")[2]
