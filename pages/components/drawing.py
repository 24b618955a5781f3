"""Drawings that do not move: HTML with SVG in it, in the colours of the palette and of the theme.

In an SVG `<film name="goose" x="8" y="66" width="34"/>` stands for the poster of a film of `pages.films.STARS`.
"""

import re

import streamlit as st

from pages.components.component import joined
from pages.films import STARS
from pages.palette import REGRET, ROLES

STYLES = ("drawing.css",)
FILM = re.compile(r'<film name="(\w+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/>')


def declare_drawing(name: str, html: str):
    """The component that shows a drawing."""
    styles = joined(STYLES).replace("NEW", ROLES["new"]).replace("PAST", ROLES["asked"]).replace("REGRET", REGRET)
    return st.components.v2.component(name, html=with_films(html), css=styles, isolate_styles=False)


def with_films(html: str) -> str:
    """A drawing with its posters."""
    return FILM.sub(lambda film: STARS[film[1]].drawn(*map(float, film.groups()[1:])), html)
