"""Who one is in which room, as the browser's address says it on every page: a page that is reloaded loses nobody.

All of it is private: in the browser's own address only, in no link that a page shows.
"""

import re
from dataclasses import dataclass

from pages.classroom import names
from pages.parameters import Flag, Parameter


@dataclass(frozen=True)
class Code(Parameter):
    """The code of a room, empty if there is none."""

    default: str = ""
    otherwise: str = "no room"
    private: bool = True
    personal: bool = True
    allowed = f"the code of a room: six of the letters and digits {names.ALPHABET}"

    def parse(self, text: str) -> str:
        if not (found := names.code(text)):
            raise ValueError
        return found


@dataclass(frozen=True)
class Secret(Parameter):
    """A key or a token: it stays in the browser's address and is shown nowhere."""

    default: str = ""
    otherwise: str = "none"
    private: bool = True
    personal: bool = True
    quoted: bool = False  # it may be right but for a full stop
    allowed = "what this page gave you"

    def parse(self, text: str) -> str:
        if not re.fullmatch(r"[\w-]{10,60}", text, re.ASCII):
            raise ValueError
        return text


ROOM, ME, KEY = Code("class.room"), Secret("class.me"), Secret("class.key")
TICKET = Secret("class.ticket")  # of the room's link: with it nobody is kept out by others' wrong codes
# The projector's page: what everybody may see, without any button.
ON_WALL = Flag("class.screen", private=True, personal=True)
MEMBERSHIP = (ROOM, ME, KEY, TICKET, ON_WALL)
