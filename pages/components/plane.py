"""The component that draws a scene and lets people play, step, scrub and ask their own question. It only draws."""

import json
import zlib
from collections.abc import Callable
from typing import Any

from pages.components.component import declare
from pages.palette import ROLES

STAGE_TITLES = {"recommend": "Recommend", "ask": "Ask", "answer": "Answer", "learn": "Learn"}
STAGES = tuple(STAGE_TITLES)  # the parts of a round, as the link names them
PANEL_LAYERS = {  # what can be switched off in each panel: its name in the link, and on screen
    "items": {
        "contexts": "fresh Xₜ",
        "explored": "explored",
        "later": "later",
        "best": "best x*ₜ",
        "probe": "asked yₜ, probe zₜ",
        "reach": "equal uncertainty",
        "direction": "direction of θ̂ₜ",
    },
    "taste": {
        "truth": "taste θ*",
        "trail": "trail of θ̂",
        "belief": "ellipsoid of Vₜ",
        "axes": "its axes",
        "probes": "recent probes",
    },
}
LAYERS = PANEL_LAYERS["items"] | PANEL_LAYERS["taste"]
LEVELS = (1, 10)  # the c of the ellipsoid
LEVEL = 4

SCRIPTS = (
    *("root.js", "elements.js", "vectors.js", "panel.js", "report.js"),
    *("matrix.js", "state.js", "player.js", "item_space.js", "parameter_space.js", "swatches.js", "key.js"),
    *("transport.js", "keyboard.js", "your_turn.js", "curves.js", "plane.js"),
)
STYLES = ("buttons.css", "plane.css")
_component = declare("roam_plane", scripts=SCRIPTS, styles=STYLES)


def plane(picture: dict[str, Any], view: dict[str, Any], token: str, *, key: str, on_view_change: Callable) -> None:
    """Draw a scene. `view` (round, stage, c, hidden) is what to show when `token` is new; later the visitor decides."""
    declared = {"colours": ROLES, "layers": PANEL_LAYERS, "stages": STAGE_TITLES, "levels": LEVELS}
    stamp = zlib.crc32(json.dumps(picture).encode())
    data = {"scene": picture, "stamp": stamp, "view": view, "token": token, **declared}
    _component(key=key, data=data, on_view_change=on_view_change)
