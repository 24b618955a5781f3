"""Who a visitor is in which room: what the address says of it, and what the session remembers."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import streamlit as st

from pages import watching
from pages.classroom.database import Refused
from pages.classroom.door import NO_SUCH, NotLetIn, door
from pages.classroom.membership import KEY, ME, MEMBERSHIP, ON_WALL, ROOM, TICKET
from pages.classroom.rooms import Person, Room
from pages.classroom.stage import Stage, read
from pages.parameters import Kept

ENDED = "This room has ended."
EVERY = 2.0  # seconds between two looks for news, of whoever is in a room
NO_NEWS = -1  # outside of a room
NOBODY, GUEST, STUDENT, LECTURER, SCREEN = "nobody", "guest", "student", "lecturer", "screen"


class View(NamedTuple):
    """Who the visitor is, and the room as it was when the script began."""

    role: str = NOBODY
    room: Room | None = None
    person: Person | None = None
    unread: bool = False  # the rooms could not be read just now


# One value, set at once: a script may be ended by the next click whenever it touches the session, and that click must
# find what the page shows.
_view = Kept("class.view", View())
_drawn = Kept("class.drawn")  # the room that the whole page shows: a script may be ended before it has drawn all
_found = Kept("class.found", "")  # the code of a room that this visitor was in, or was let see
_refused = Kept("class.refused", ("", ""))  # a code that was not, and why
PAGE_LISTENS = Kept("class.page_listens", False)  # whether the calls for figures that grow are those for news as well
PROBLEM = Kept("class.problem", "")  # what could not be done, in words
_about = Kept("class.about")  # the room's news when that was said; None if it was not said yet


def role() -> str:
    """Who the visitor is."""
    return _view.value.role


def room() -> Room | None:
    """The room that the visitor is in, as it was when the script began."""
    return _view.value.room


def person() -> Person | None:
    """The student."""
    return _view.value.person


def unread() -> bool:
    """Whether the rooms could not be read when the script began."""
    return _view.value.unread


def stage() -> Stage:
    """What the room shows."""
    return read(room().stage) if room() else Stage()


def look_again() -> None:
    """See who the visitor is and what the room shows: once at the beginning of a script."""
    before = _view.value
    try:
        now = _look(ROOM.value, KEY.value, ME.value)
        if before.unread and _about.value is not None:
            PROBLEM.set("")
    except Refused as refused:
        PROBLEM.set(str(refused))
        here = before.room is not None and before.room.code == ROOM.value  # it stays as it was seen last
        now = before._replace(unread=True) if here else View(unread=True)
    _forget_what_is_over(now.room.news if now.room else NO_NEWS)
    _view.set(now)


def _forget_what_is_over(news: int) -> None:
    """What could not be done is said until the room goes on."""
    if news != NO_NEWS and _about.value not in (None, NO_NEWS, news):
        PROBLEM.set("")
    if not PROBLEM.value:
        _about.set(None)
    elif _about.value is None:
        _about.set(news)


def _look(code: str, key: str, me: str) -> View:
    """Who the visitor is that has this in the address, and the room."""
    rooms, person = door().rooms, None
    if not code:
        return View()
    if key and rooms.controls(code, key):
        role = LECTURER
    elif me and (person := rooms.person(code, me)):
        role = STUDENT
    elif _let_in(code):
        role = SCREEN if ON_WALL.value else GUEST
    else:
        return View()
    _found.set(code)
    found = rooms.room(code)
    return View(role, found, person) if found else View()


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
        except NotLetIn as refused:
            PROBLEM.set(str(refused))
            if str(refused) == NO_SUCH:  # else it may be tried again later
                _refused.set((code, str(refused)))
            return False
    PROBLEM.set(_refused.value[1])
    return False


def all_is_drawn() -> None:
    """At the end of a script: the page shows the room as it was seen."""
    _drawn.set(room())


def has_news() -> bool:
    """Whether the room shows something else by now than the page."""
    try:
        if role() == STUDENT:
            door().rooms.person(ROOM.value, ME.value)  # so that the room knows who is still here
        now = door().rooms.room(ROOM.value)
    except Refused:
        return False  # it could not be read: the next look may
    return now != _drawn.value or unread()


def do(act: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
    """Do something that may be refused: then the page says why."""
    PROBLEM.set("")
    _about.set(None)
    try:
        return act(*arguments, **more)
    except Refused as refused:
        PROBLEM.set(str(refused))
        return None


def put(now: Stage) -> None:
    """As the lecturer: show something else in the room, if it still shows what this page does."""
    if (shown := room()) is None:
        return

    def show() -> None:
        door().rooms.put(shown.code, KEY.value, now.text(), now.may_answer, after=shown.news)
        after = replace(shown, stage=now.text(), vote=now.may_answer, news=shown.news + 1)
        _view.set(_view.value._replace(room=after))  # also a click that comes before the next look knows of it

    do(show)


def open_room() -> None:
    """Open a room and become its lecturer."""
    if opened := do(door().open, watching.visitor()):
        ROOM.set(opened.code)
        KEY.set(opened.key)


def enter(text: str, name: str) -> None:
    """Become a student in the room with this code."""

    def come_in() -> tuple[str, str]:
        found = door().find(text, watching.visitor(), TICKET.value if ROOM.value else "")
        if ME.value and door().rooms.person(found.code, ME.value):  # the button was pressed twice
            return found.code, ME.value
        return found.code, door().join(found.code, name, watching.visitor())

    if entered := do(come_in):
        ROOM.set(entered[0])
        ME.set(entered[1])


def leave() -> None:
    """Be in no room any more."""
    if ROOM.value and ME.value:
        do(door().rooms.leave, ROOM.value, ME.value)
    for parameter in MEMBERSHIP:
        parameter.set(parameter.default)


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
