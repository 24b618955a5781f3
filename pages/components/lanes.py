"""The component that shows the same evenings in two lanes: what each has used, asked and paid so far."""

from typing import Any

from pages.components.component import declare
from pages.palette import REGRET, ROLES

SCRIPTS = ("root.js", "elements.js", "keyboard.js", "lane.js", "lanes.js")
STYLES = ("buttons.css", "lanes.css")
_component = declare("roam_lanes", scripts=SCRIPTS, styles=STYLES)


def lanes(story: dict[str, Any], *, key: str) -> None:
    """Draw a story from `pages.start.evenings`; the visitor plays it, steps through it and may guess how it ends."""
    _component(key=key, data={"story": story, "colours": {**ROLES, "regret": REGRET}})
