"""The component in which a curve over the rounds is drawn by hand: by mouse, by touch, by keyboard."""

import zlib

import streamlit as st

from pages.bank.commitments import Curve
from pages.components.component import declare
from pages.palette import ROLES

SCRIPTS = ("root.js", "elements.js", "report.js", "hand.js")
STYLES = ("hand.css",)
_component = declare("roam_hand", scripts=SCRIPTS, styles=STYLES)


def hand(commitment: Curve, *, key: str, start: tuple[int, ...] | None = None) -> tuple[int, ...] | None:
    """Let somebody draw a curve, from `start` on; returns what was drawn, None as long as that is nothing."""
    given = {"rounds": list(commitment.rounds), "top": commitment.top, "label": commitment.label}
    given["values"] = None if start is None else list(start)
    data = {**given, "stamp": zlib.crc32(f"{given}".encode()), "colour": ROLES["yours"]}
    _component(key=key, data=data, on_values_change=lambda: None)
    return drawn(commitment, key) or start


def drawn(commitment: Curve, key: str) -> tuple[int, ...] | None:
    """What was drawn so far, if the browser has sent a curve."""
    values = (st.session_state.get(key) or {}).get("values")
    try:
        return commitment.parse(".".join(str(value) for value in values))
    except (TypeError, ValueError):
        return None
