"""One chart for every page: a component that hands a figure to Plotly.react.

Plotly.react changes the plot in place, so nothing flickers while results stream in, and zoom and hidden legend entries
stay as they are. Colours of text and grid follow Streamlit's theme by CSS, also when it changes.
"""

import json
import zlib
from functools import cached_property
from pathlib import Path

import plotly

from pages.components.component import declare

SCRIPT = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
ROUTE = "/assets/plotly.min.js"

SCRIPTS = ("root.js", "elements.js", "chart.js")
STYLES = ("chart.css",)
_component = declare("roam_chart", scripts=SCRIPTS, styles=STYLES)


class Figure(dict):
    """A figure that many visitors look at: its text is made once. Nobody may change it."""

    @cached_property
    def text(self) -> str:
        """The figure as the browser gets it."""
        return json.dumps(self)


def chart(figure: dict, *, key: str, alt: str, height: int = 380, clicks: bool = False) -> dict | None:
    """Draw a figure (a dict with `data` and `layout`); `alt` says in one sentence what it shows.

    Returns the point that was clicked just now, if `clicks` are asked for: `x`, `y` and what it is `about`, its
    customdata. The points of a trace whose `meta` is "choose" can be chosen by keyboard too.
    """
    text = figure.text if isinstance(figure, Figure) else json.dumps(figure)
    data = {"figure": text, "alt": alt, "height": height, "name": key, "source": ROUTE.lstrip("/"), "clicks": clicks}
    stamp = zlib.crc32(f"{height} {alt} {text}".encode())
    listening = {"on_clicked_change": lambda: None} if clicks else {}
    found = _component(key=key, data={**data, "stamp": stamp}, height=height, **listening)
    return found.clicked if clicks else None
