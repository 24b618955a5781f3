"""The component that shows two items and asks which one is liked better. It answers to clicks, taps and keys."""

import base64
from collections.abc import Callable
from typing import Any

from pages.components.component import declare
from pages.palette import ROLES

KEY = "duel"
SCRIPTS = ("root.js", "elements.js", "keyboard.js", "duel.js")
STYLES = ("buttons.css", "duel.css")
_component = declare("roam_duel", scripts=SCRIPTS, styles=STYLES)


def source(svg: str) -> str:
    """A drawing as the address of an image: nothing in it can run, and no name in it can meet another's."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def duel(question: dict[str, Any], *, on_answer_change: Callable) -> None:
    """Show a question. The answer comes back with the question's `stamp`, so that none is taken for another's."""
    _component(key=KEY, data={**question, "colours": ROLES}, on_answer_change=on_answer_change)
