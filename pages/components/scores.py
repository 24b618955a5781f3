"""The component that shows a table of rules and worlds, coloured by who pays less; it fills while one watches."""

import zlib
from typing import Any

from pages.components.component import declare
from pages.palette import PALETTE

BETTER, WORSE = PALETTE[0], PALETTE[1]
SCRIPTS = ("root.js", "elements.js", "scores.js")
STYLES = ("scores.css",)
_component = declare("roam_scores", scripts=SCRIPTS, styles=STYLES)


def scores(table: dict[str, Any], *, key: str, alt: str) -> None:
    """Draw a table from `pages.ask_better.figures.rules_and_worlds`."""
    stamp = zlib.crc32(f"{alt} {table}".encode())
    _component(key=key, data={**table, "alt": alt, "stamp": stamp, "better": BETTER, "worse": WORSE})
