"""Class: a lecturer opens a room, students take part on their phones. Who one is decides what one sees."""

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from pages.board.works import Work
from pages.classroom import beating, lecturer, predict, tasting, way_in, who
from pages.classroom.database import Refused
from pages.classroom.stage import BEAT, FOLLOW, LOBBY, PREDICT, TASTES
from pages.classroom.who import EVERY, GUEST, LECTURER, NOBODY, PROBLEM, SCREEN, STUDENT
from pages.components.arrival import arrival
from pages.pace import REDRAW
from pages.page import Page
from pages.watching import Sight
from pages.words import literal

LEFT_OUT = {STUDENT: ".st-key-presenting { display: none; }", SCREEN: ".st-key-heading { display: none; }"}
STYLE = (Path(__file__).parent / "classroom.css").read_text(encoding="utf-8")


class Part(NamedTuple):
    """What a room can show: to the class and to the lecturer (`shown`), to a student (`phone`).

    `wants` is what it needs computed, `fill` draws it into the places that `shown` and `phone` have made.
    """

    shown: Callable[[], Sequence]
    phone: Callable[[], Sequence]
    wants: Callable[[], list[Work]] = list
    fill: Callable[[Sight, Sequence], None] = lambda sight, places: None


PARTS = {
    LOBBY: Part(way_in.shown, way_in.phone),
    FOLLOW: Part(way_in.shown_elsewhere, way_in.phone_elsewhere),
    BEAT: Part(beating.shown, beating.phone),
    TASTES: Part(tasting.shown, tasting.phone),
    PREDICT: Part(predict.shown, predict.phone, predict.wants, predict.fill),
}


def part() -> Part | None:
    """What is on screen; None outside of a room."""
    return None if who.role() in (NOBODY, GUEST) else PARTS[who.stage().kind]


def or_why_not(part_of_page: Callable) -> Callable:
    """A part of the page that says in plain words why it cannot be drawn, if the server's rooms cannot be read."""

    @wraps(part_of_page)
    def drawn(*arguments):
        try:
            return part_of_page(*arguments)
        except Refused as refused:
            st.warning(literal(str(refused)))
            return ()

    return drawn


def wants() -> list[Work]:
    """What decides the question on screen, once that is to be revealed."""
    return part().wants() if part() else []


@or_why_not
def controls() -> None:
    """Who one is, and as the lecturer the buttons."""
    st.html(f"<style>{STYLE}{LEFT_OUT.get(who.role(), '')}</style>")
    with st.container():  # also if it is empty: what follows keeps its place
        if PROBLEM.value:
            st.warning(literal(PROBLEM.value))
    if who.role() == LECTURER:
        lecturer.controls()
    elif who.role() == NOBODY and not who.unread():
        way_in.start()
    elif who.role() == GUEST:
        way_in.join()


@or_why_not
def layout(sight: Sight) -> Sequence:
    """What the room shows, and below it what only the lecturer has."""
    now = part()
    if now is None:
        return ()
    kind = (who.role() == STUDENT, who.stage().kind, who.stage().question, who.stage().state)
    with st.container(key=f"class_{zip_name(kind)}"):  # nothing of the last stage stays while this one computes
        places = now.phone() if who.role() == STUDENT else now.shown()
    if who.role() == LECTURER:
        lecturer.below()
    elif who.role() == STUDENT:
        arrival(f"{who.stage().turn} {who.stage().vote} {who.stage().state}")
    return places


def zip_name(kind: tuple) -> str:
    """A name for a container."""
    return "_".join(str(part).lower() for part in kind)


@or_why_not
def draw(sight: Sight, places: Sequence) -> None:
    """What follows the runs."""
    if part() and places:
        part().fill(sight, places)


SYMBOLS = ("regret", "exploration", "most_uncertain", "informative", "ROAM", "rich_history", "band", "tau", "d", "k")
PAGE = Page(
    "Class",
    "class",
    controls,
    wants=wants,
    layout=layout,
    figures=draw,
    opens="Open a room",
    symbols=SYMBOLS,
    teaser="Open a room for a class: predict together on phones, see the simulation decide, beat ROAM.",
    scenario=False,
    redraw=lambda: EVERY if who.role() == STUDENT else REDRAW,
    heeds=lambda: who.PAGE_LISTENS.value,
    has_news=who.has_news,
)
