"""Who a visitor is in which room: what the address says of it, and what the session remembers."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages import watching
from pages.classroom.door import door
from pages.classroom.membership import KEY, ME, MEMBERSHIP, ON_WALL, ROOM
from pages.classroom.rooms import Person, Refused, Room
from pages.classroom.stage import Stage, read
from pages.parameters import Kept

ENDED = "This room has ended."
NOBODY, GUEST, STUDENT, LECTURER, SCREEN = "nobody", "guest", "student", "lecturer", "screen"


_role = Kept("class.role", NOBODY)
_seen = Kept("class.seen")  # the room as it was when the script began
_person = Kept("class.person")
_found = Kept("class.found", "")  # the code of a room that this visitor was in, or was let see
_refused = Kept("class.refused", ("", ""))  # a code that was not, and why
PROBLEM = Kept("class.problem", "")  # what could not be done, in words


def role() -> str:
    """Who the visitor is."""
    return _role.value


def room() -> Room | None:
    """The room that the visitor is in, as it was when the script began."""
    return _seen.value


def person() -> Person | None:
    """The student."""
    return _person.value


def stage() -> Stage:
    """What the room shows."""
    return read(room().stage) if room() else Stage()


def look_again() -> None:
    """See who the visitor is and what the room shows: once at the beginning of a script."""
    _seen.set(None)
    _role.set(NOBODY)
    if not (code := ROOM.value):
        return
    rooms = door().rooms
    try:
        if KEY.value and rooms.controls(code, KEY.value):
            _role.set(LECTURER)
        elif ME.value and (found := rooms.person(code, ME.value)):
            _role.set(STUDENT)
            _person.set(found)
        elif _let_in(code):
            _role.set(SCREEN if ON_WALL.value else GUEST)
        else:
            return
        _found.set(code)
        _seen.set(rooms.room(code))
    except Refused as refused:
        PROBLEM.set(str(refused))
    if room() is None:
        _role.set(NOBODY)


def _let_in(code: str) -> bool:
    """Whether the code is a room's; each is tried once only."""
    if _found.value == code:
        if door().rooms.room(code):
            return True
        PROBLEM.set(ENDED)
        return False
    if _refused.value[0] != code:
        try:
            door().find(code, watching.visitor())
            return True
        except Refused as refused:
            _refused.set((code, str(refused)))
    PROBLEM.set(_refused.value[1])
    return False


def has_news() -> bool:
    """Whether the room shows something else by now."""
    try:
        now = door().rooms.room(ROOM.value)
    except Refused:
        return False  # it could not be read: the next look may
    return now != room()


def do(act: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
    """Do something that may be refused: then the page says why."""
    PROBLEM.set("")
    try:
        return act(*arguments, **more)
    except Refused as refused:
        PROBLEM.set(str(refused))
        return None


def put(now: Stage) -> None:
    """As the lecturer: show something else in the room."""
    do(door().rooms.put, ROOM.value, KEY.value, now.text(), now.may_answer)


def open_room() -> None:
    """Open a room and become its lecturer."""
    if opened := do(door().open, watching.visitor()):
        ROOM.set(opened.code)
        KEY.set(opened.key)


def enter(text: str, name: str) -> None:
    """Become a student in the room with this code."""

    def come_in() -> tuple[str, str]:
        found = door().find(text, watching.visitor())
        return found.code, door().join(found.code, name, watching.visitor())

    if entered := do(come_in):
        ROOM.set(entered[0])
        ME.set(entered[1])


def leave() -> None:
    """Be in no room any more."""
    for parameter in MEMBERSHIP:
        parameter.set(parameter.default)
    PROBLEM.set("")


def link_of(**said: str) -> str:
    """A link to this page that says so much and no more; for the page "Class" only."""
    base = (st.context.url or "").partition("?")[0]
    return f"{base}?{'&'.join(f'{name}={text}' for name, text in said.items())}"
