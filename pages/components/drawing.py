"""Drawings that do not move: an HTML file with SVG in it, in the colours of the palette and of the theme."""

from pathlib import Path

import streamlit as st

from pages.components.component import joined
from pages.palette import ROLES

STYLES = ("drawing.css",)


def declare_drawing(name: str, file: Path):
    """The component that shows the file."""
    styles = joined(STYLES).replace("NEW", ROLES["new"]).replace("PAST", ROLES["asked"])
    html = file.read_text(encoding="utf-8")
    return st.components.v2.component(name, html=html, css=styles, isolate_styles=False)
