"""Who a visitor is in which room: what the address says of it, and what the session remembers."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import streamlit as st

from pages import watching
from pages.classroom.database import Refused
from pages.classroom.door import NO_SUCH, door
from pages.classroom.membership import KEY, ME, MEMBERSHIP, ON_WALL, ROOM, TICKET
from pages.classroom.rooms import Person, Room
from pages.classroom.stage import Stage, read
from pages.parameters import Kept

ENDED = "This room has ended."
EVERY = 2.0  # seconds between two looks for news, of whoever is in a room
NOBODY, GUEST, STUDENT, LECTURER, SCREEN = "nobody", "guest", "student", "lecturer", "screen"


_role = Kept("class.role", NOBODY)
_seen = Kept("class.seen")  # the room as it was when the script began
_drawn = Kept("class.drawn")  # the room that the whole page shows: a script may be ended before it has drawn all
_person = Kept("class.person")
_found = Kept("class.found", "")  # the code of a room that this visitor was in, or was let see
_refused = Kept("class.refused", ("", ""))  # a code that was not, and why
_unread = Kept("class.unread", False)  # whether the last look failed
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
    before = (_role.value, _seen.value)
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
        if _unread.value:
            PROBLEM.set("")
        _unread.set(False)
    except Refused as refused:
        PROBLEM.set(str(refused))
        _unread.set(True)
        if before[1] and before[1].code == code:  # it stays as it was seen last
            _role.set(before[0])
            _seen.set(before[1])
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
            door().find(code, watching.visitor(), TICKET.value)
            return True
        except Refused as refused:
            PROBLEM.set(str(refused))
            if str(refused) == NO_SUCH:  # else it may be tried again later
                _refused.set((code, str(refused)))
            return False
    PROBLEM.set(_refused.value[1])
    return False


def all_is_drawn() -> None:
    """At the end of a script: the page shows the room as it was seen."""
    _drawn.set(_seen.value)


def has_news() -> bool:
    """Whether the room shows something else by now than the page."""
    try:
        now = door().rooms.room(ROOM.value)
    except Refused:
        return False  # it could not be read: the next look may
    return now != _drawn.value or _unread.value


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
    do(door().rooms.put, ROOM.value, KEY.value, now.text(), now.may_answer, after=room().news if room() else None)


def open_room() -> None:
    """Open a room and become its lecturer."""
    if opened := do(door().open, watching.visitor()):
        ROOM.set(opened.code)
        KEY.set(opened.key)


def enter(text: str, name: str) -> None:
    """Become a student in the room with this code."""

    def come_in() -> tuple[str, str]:
        found = door().find(text, watching.visitor(), TICKET.value if ROOM.value else "")
        return found.code, door().join(found.code, name, watching.visitor())

    if entered := do(come_in):
        ROOM.set(entered[0])
        ME.set(entered[1])


def leave() -> None:
    """Be in no room any more."""
    for parameter in MEMBERSHIP:
        parameter.set(parameter.default)
    PROBLEM.set("")


@lru_cache(maxsize=1000)
def game_seed(code: str, turn: int) -> int:
    """What the game of a turn begins with: read from the file once."""
    return door().rooms.seed(code, turn)


def link_for_all() -> str:
    """The link that leads into the room."""
    return link_of(**way_in())


def way_in() -> dict[str, str]:
    """What a link says that leads into the room, also while too many wrong codes are tried."""
    return {"room": ROOM.value, "ticket": door().rooms.ticket(ROOM.value)}


def link_of(**said: str) -> str:
    """A link to this page that says so much and no more; for the page "Class" only."""
    base = (st.context.url or "").partition("?")[0]
    return f"{base}?{'&'.join(f'{name}={text}' for name, text in said.items())}"
