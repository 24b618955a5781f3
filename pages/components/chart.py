"""One chart for every page: a component that hands a figure to Plotly.react.

Plotly.react changes the plot in place, so nothing flickers while results stream in, and zoom and hidden legend entries
stay as they are. Colours of text and grid follow Streamlit's theme by CSS, also when it changes.
"""

import json
import zlib
from pathlib import Path

import plotly

from pages.components.component import declare

SCRIPT = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
ROUTE = "/assets/plotly.min.js"

SCRIPTS = ("root.js", "chart.js")
STYLES = ("chart.css",)
_component = declare("roam_chart", scripts=SCRIPTS, styles=STYLES)


def chart(figure: dict, *, key: str, alt: str, height: int = 380) -> None:
    """Draw a figure (a dict with `data` and `layout`); `alt` says in one sentence what it shows."""
    data = {"figure": figure, "alt": alt, "height": height, "name": key, "source": ROUTE.lstrip("/")}
    stamp = zlib.crc32(json.dumps(data).encode())
    _component(key=key, data={**data, "stamp": stamp}, height=height)
