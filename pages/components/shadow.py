"""The component that shows a history in the plane with its worst shadow, and lets people change it by hand."""

import json
import zlib
from collections.abc import Callable, Sequence
from typing import Any

from pages.components.component import declare
from pages.palette import ROLES

SCRIPTS = (
    *("root.js", "elements.js", "vectors.js", "panel.js", "report.js"),
    *("richness.js", "history.js", "editing.js", "history_panel.js", "reach_words.js", "shadow.js"),
)
STYLES = ("buttons.css", "shadow.css")
_component = declare("roam_shadow", scripts=SCRIPTS, styles=STYLES)

Points = list[list[float]]


def shadow(
    own: Points,
    points: Points,
    *,
    step: str,
    shows: Sequence[str],
    space: dict[str, Any],
    about: dict[str, Any],
    token: str,
    key: str,
    on_points_change: Callable,
) -> None:
    """Draw the history `points` as it is at a step; `own` is what a button leads back to.

    What is on screen gives way only to another `own`, step, item space or `token`. `space` says where items lie:
    radius, outline, the paper's bound, and the least eigenvalue of Sigma. `about` is what the page says of `own`.
    """
    given = {"own": own, "step": step, "shows": list(shows), **space}
    stamp = zlib.crc32(json.dumps([given, token]).encode())
    data = {**given, **about, "points": points, "stamp": stamp, "colours": ROLES}
    _component(key=key, data=data, on_points_change=on_points_change)
