"""The component that draws a scene and lets people play, step, scrub and ask their own question. It only draws."""

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts.figures import ROLES

STAGES = ("recommend", "ask", "answer", "learn")
LAYERS = {  # what can be switched off: its name in the link, and on screen
    "contexts": "fresh Xₜ",
    "explored": "explored",
    "later": "later",
    "best": "best x*ₜ",
    "probe": "asked yₜ, probe zₜ",
    "reach": "equal uncertainty",
    "direction": "direction of θ̂ₜ",
    "truth": "taste θ*",
    "trail": "trail of θ̂",
    "belief": "ellipsoid of Vₜ",
    "axes": "its axes",
    "probes": "recent probes",
}
LEVELS = (1, 10)  # the c of the ellipsoid
LEVEL = 4

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "roam_plane",
    css=(_HERE / "plane.css").read_text(encoding="utf-8"),
    js=(_HERE / "plane.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def plane(picture: dict[str, Any], view: dict[str, Any], token: str, *, key: str, on_view_change: Callable) -> None:
    """Draw a scene. `view` (round, stage, c, hidden) is what to show when `token` is new; later the visitor decides."""
    stamp = zlib.crc32(json.dumps(picture).encode())
    data = {"scene": picture, "stamp": stamp, "view": view, "token": token, "colours": ROLES, "layers": LAYERS}
    _component(key=key, data={**data, "levels": LEVELS}, on_view_change=on_view_change)
