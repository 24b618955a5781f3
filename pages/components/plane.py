"""The component that draws a scene and lets people play, step, scrub and ask their own question. It only draws."""

import json
import zlib
from collections.abc import Callable
from typing import Any

from pages.components.component import declare
from pages.palette import ROLES
from roam_core.coverage import NOMINAL

STAGE_TITLES = {"recommend": "Recommend", "ask": "Ask", "answer": "Answer", "learn": "Learn"}
STAGES = tuple(STAGE_TITLES)  # the parts of a round, as the link names them
PANEL_LAYERS = {  # what can be switched off in each panel: its name in the link, and on screen
    "items": {
        "contexts": "fresh items (Xₜ)",
        "explored": "explored items",
        "later": "later items",
        "best": "best item (x*ₜ)",
        "probe": "asked item (yₜ), probe (zₜ)",
        "ratio": "mistake: from xₜ to x*ₜ",
        "names": "letters",
        "reach": "equal uncertainty",
        "direction": "direction of the estimate",
    },
    "taste": {
        "truth": "taste (θ*)",
        "trail": "trail of the estimate (θ̂ₜ)",
        "belief": "ellipsoid: what is left to know",
        "axes": "its axes",
        "probes": "recent probes",
    },
}
LAYERS = PANEL_LAYERS["items"] | PANEL_LAYERS["taste"]
ELLIPSOIDS = {  # the matrix it belongs to: its name in the link, on a button, and what it is
    "V": ("V: probes so far", "Vₜ adds up z zᵀ over the probes z so far"),
    "H": ("H: with the slope F′", "Hₜ weighs each z zᵀ by the slope F′(⟨z, θ̂⟩) of the link"),
}
LEVELS = (1, 10)  # the c of the ellipsoid of V
LEVEL = 4

SCRIPTS = (
    *("root.js", "elements.js", "vectors.js", "text_size.js", "panel.js", "labels.js", "report.js"),
    *("matrix.js", "state.js", "player.js", "item_space.js", "ratio.js", "parameter_space.js", "swatches.js", "key.js"),
    *("switch.js", "transport.js", "keyboard.js", "answer.js", "your_turn.js", "curves.js", "plane.js"),
)
STYLES = ("buttons.css", "plane.css", "your_turn.css")
_component = declare("roam_plane", scripts=SCRIPTS, styles=STYLES)


def plane(
    picture: dict[str, Any],
    view: dict[str, Any],
    token: str,
    *,
    key: str,
    on_view_change: Callable,
    on_yours_change: Callable,
) -> None:
    """Draw a scene. `view` is what to show when `token` is new; later the visitor decides.

    It has the round, the stage, the ellipsoid's matrix and c, and the layers that are hidden. The visitor's own
    questions come back as `yours`, written as in the link.
    """
    declared = {"colours": ROLES, "layers": PANEL_LAYERS, "stages": STAGE_TITLES, "levels": LEVELS}
    declared |= {"ellipsoids": ELLIPSOIDS, "nominal": f"{NOMINAL:.0%}"}
    stamp = zlib.crc32(json.dumps(picture).encode())
    data = {"scene": picture, "stamp": stamp, "view": view, "token": token, **declared}
    _component(key=key, data=data, on_view_change=on_view_change, on_yours_change=on_yours_change)
