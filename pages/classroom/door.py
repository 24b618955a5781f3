"""The door of this server's rooms: how often one may knock. No Streamlit here.

A code has six characters of 25: 244 million. Somebody who tries all that the server allows in an hour finds one of a
hundred rooms with a chance of 1 in 800, and the only room of a server with 1 in 80,000.
"""

import hmac
import os
from functools import cache
from pathlib import Path

from pages.classroom.database import Refused
from pages.classroom.names import code as as_code
from pages.classroom.rooms import Opened, Room, Rooms
from pages.classroom.tries import Tries

VARIABLE = "ROAM_ROOMS"  # names the folder
WRONG_OF_ONE, WRONG_OF_ALL = 10, 3000  # wrong codes: of a session in ten minutes, of all in an hour
OPENED, JOINED = 5, 5  # rooms that a session may open and join in an hour
OPENED_BY_ALL = 30  # in an hour
NO_SUCH = "There is no room with this code. It has six letters and digits, as on the projector."
PATIENCE = "Too many wrong codes were tried{}. Wait a few minutes, or open the link of the QR code."


class NotLetIn(Refused):
    """A wrong code, or too many of them."""


class Door:
    """Where sessions come in; `session` is any name that tells one from another."""

    def __init__(self, rooms: Rooms):
        self.rooms = rooms
        self._wrong, self._all_wrong = Tries(WRONG_OF_ONE, 600), Tries(WRONG_OF_ALL, 3600)
        self._opened, self._joined = Tries(OPENED, 3600), Tries(JOINED, 3600)
        self._all_opened = Tries(OPENED_BY_ALL, 3600)

    def find(self, text: str, session: str, ticket: str = "") -> Room:
        """The room with this code. Who has the ticket of its link comes in also while too many codes are tried."""
        wanted = as_code(text)
        if ticket and hmac.compare_digest(self.rooms.ticket(wanted), ticket) and (found := self.rooms.room(wanted)):
            return found
        if self._wrong.left(session) <= 0:
            raise NotLetIn(PATIENCE.format(""))
        if self._all_wrong.left() <= 0:
            raise NotLetIn(PATIENCE.format(" on this server"))
        if found := self.rooms.room(wanted) if wanted else None:
            return found
        self._wrong.count(session)
        if wanted:  # what cannot be a code is no try
            self._all_wrong.count()
        raise NotLetIn(NO_SUCH)

    def open(self, session: str) -> Opened:
        """A new room."""
        if self._opened.left(session) <= 0:
            raise Refused(f"You have opened {OPENED} rooms within an hour. Use one of them.")
        if self._all_opened.left() <= 0:
            raise Refused("Too many rooms were opened on this server within an hour. Try again later.")
        opened = self.rooms.open()
        self._opened.count(session)
        self._all_opened.count()
        return opened

    def join(self, code: str, name: str, session: str) -> str:
        """A new person in a room that was found; returns the token."""
        if self._joined.left(session) <= 0:
            raise Refused("You have joined too often within an hour.")
        token = self.rooms.join(code, name)
        self._joined.count(session)
        return token


def folder() -> Path | None:
    """Where rooms are kept; None if there is no such place."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    try:
        return Path.home() / ".roam-dashboard" / "rooms"
    except RuntimeError:  # nobody's home
        return None


def door() -> Door:
    """The door of this server."""
    return _door(folder())


@cache
def _door(where: Path | None) -> Door:
    return Door(Rooms(where))
