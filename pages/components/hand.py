"""The component in which a curve over the rounds is drawn by hand: by mouse, by touch, by keyboard."""

import zlib

import streamlit as st

from pages.bank.commitments import Curve
from pages.components.component import declare
from pages.palette import ROLES

SCRIPTS = ("root.js", "elements.js", "report.js", "hand.js")
STYLES = ("hand.css",)
_component = declare("roam_hand", scripts=SCRIPTS, styles=STYLES)


def hand(commitment: Curve, *, key: str, drawn: tuple[int, ...] | None = None) -> tuple[int, ...] | None:
    """Let somebody draw a curve, from `drawn` on; returns what was drawn, None as long as that is nothing."""
    given = {"rounds": list(commitment.rounds), "top": commitment.top, "label": commitment.label}
    values = None if drawn is None else list(drawn)
    stamp = zlib.crc32(f"{given} {values}".encode())
    data = {**given, "values": values, "stamp": stamp, "colour": ROLES["yours"]}
    _component(key=key, data=data, on_values_change=lambda: None)
    return _read(commitment, (st.session_state.get(key) or {}).get("values")) or drawn


def _read(commitment: Curve, values: object) -> tuple[int, ...] | None:
    """What the browser sent, if it is a curve."""
    try:
        return commitment.parse(".".join(str(value) for value in values))
    except (TypeError, ValueError):
        return None
