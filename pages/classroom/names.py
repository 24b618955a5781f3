"""What people in a room call themselves, and codes as they are typed. No Streamlit here."""

import re
import unicodedata

LONGEST = 20  # characters of a nickname
# Letters and digits that cannot be taken for one another: no 0 O, 1 I L, 2 Z, 5 S, 8 B.
ALPHABET = "ACDEFGHJKMNPQRTUVWXY34679"
LENGTH = 6
BLANK = "\u034f\u115f\u1160\u2800\u3164\uffa0\U0001d159"  # letters and marks that nobody sees


def nickname(text: str) -> str:
    """A nickname as it is kept: one line of visible text, cut to its length; it may be empty.

    Nothing in it turns the text around or hides in it, and no letter carries more than two marks.

    >>> nickname("  Ada \\u202e\\n Lovelace, Countess of L. ")
    'Ada Lovelace, Counte'
    """
    plain = unicodedata.normalize("NFC", text[: 50 * LONGEST])
    spaced = "".join(" " if c.isspace() or c in BLANK else c for c in plain)
    visible = "".join(c for c in spaced if not unicodedata.category(c).startswith("C"))
    tame, marks = "", 3  # a mark that is first stands on nothing
    for c in visible:
        marks = marks + 1 if unicodedata.category(c).startswith("M") else 3 if c == " " else 0
        tame += c if marks <= 2 or c == " " else ""
    return " ".join(tame.split())[:LONGEST].strip()


def code(text: str) -> str:
    """A code as it was meant: capital letters, without spaces and hyphens; empty if it cannot be one.

    >>> code(" ach-47k ")
    'ACH47K'
    """
    plain = re.sub(r"[\s-]", "", text[:40]).upper()
    return plain if len(plain) == LENGTH and set(plain) <= set(ALPHABET) else ""
