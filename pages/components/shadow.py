"""The component that shows a history in the plane with its worst shadow, and lets people change it by hand."""

import json
import zlib
from collections.abc import Callable

from pages.components.component import declare
from pages.palette import ROLES

SCRIPTS = (
    *("root.js", "elements.js", "vectors.js", "panel.js", "report.js"),
    *("richness.js", "history.js", "editing.js", "history_panel.js", "richness_scale.js", "shadow.js"),
)
STYLES = ("buttons.css", "shadow.css")
_component = declare("roam_shadow", scripts=SCRIPTS, styles=STYLES)

Points = list[list[float]]


def shadow(
    own: Points,
    points: Points,
    ratios: list[float],
    *,
    radius: float,
    outline: list[float],
    bound: float,
    token: str,
    key: str,
    on_points_change: Callable,
) -> None:
    """Draw the history `points`; `own` is the run's. What is on screen gives way only to another run or `token`."""
    run = {"own": own, "ratios": ratios, "radius": radius, "outline": outline, "bound": bound}
    stamp = zlib.crc32(json.dumps([run, token]).encode())
    _component(
        key=key, data={**run, "points": points, "stamp": stamp, "colours": ROLES}, on_points_change=on_points_change
    )
