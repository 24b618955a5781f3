"""A link as a QR code, so that a class can open it on its phones."""

import ipaddress
from functools import lru_cache
from urllib.parse import urlsplit

import segno

QUIET = 4  # modules of white around the code: what the standard asks for
TOO_LONG = "This link is too long for a QR code. Copy it instead, or present a view with fewer pins."
ONLY_HERE = (
    "This address works on this computer only: phones cannot open it. Start the dashboard on an address that they can "
    "reach; the README says how under “In class”."
)


@lru_cache(maxsize=64)  # a code takes up to half a second to make
def svg(link: str) -> str:
    """The code as a drawing in black on white, in both themes; nothing if the link is too long for any."""
    try:
        code = segno.make(link, error="l", micro=False)
    except segno.DataOverflowError:
        return ""
    return code.svg_inline(border=QUIET, dark="#000", light="#fff", omitsize=True)


def warning(link: str) -> str:
    """What is wrong with the code of this link, in words; nothing if a phone can open it."""
    if not svg(link):
        return TOO_LONG
    return ONLY_HERE if _only_here(urlsplit(link).hostname or "") else ""


def _only_here(host: str) -> bool:
    """Whether a name means the computer on which it is said."""
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return number.is_loopback or number.is_unspecified
