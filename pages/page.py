"""A page: its place in the navigation, what its link says, what it wants computed, how it is drawn; the one live loop.

From a slider to a curve: the widget's callback puts another scenario on screen; `Page.show` runs again, asks the board
for what the page wants, draws the controls, waits a moment for the first runs and draws the figures. As long as more
runs come in, only the figures are drawn again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages import watching
from pages.board.works import Work
from pages.called_again import called_again
from pages.classroom.membership import MEMBERSHIP, ROOM
from pages.glossary import glossary_button
from pages.pace import PACE, REDRAW
from pages.parameters import (
    Number,
    address,
    forget_what_belongs_to_the_scenario,
    read_address,
    say_complaints,
    write_address,
)
from pages.pins import PinsParameter
from pages.presenting import PRESENT, Slide, picture_of, present_button
from pages.reveal import PREDICT, reveal_button
from pages.scenario_controls import ScenarioParameter, changes_row, forget_moves, take_over_moves
from pages.sweeps import SweepParameter
from pages.turns import TURNS
from pages.watching import Sight

ANSWER = 3.0  # seconds until a button among the figures is heeded, or a drawing's pace: it ends no drawing that waits
SHARED = (
    ScenarioParameter(),
    PinsParameter(),
    SweepParameter(),
    PREDICT,
    PRESENT,
    *MEMBERSHIP,
)  # what the link of every page says


@dataclass(frozen=True)
class Page:
    """A page of the dashboard. Only title, path and controls are needed; a page with figures that are computed has all.

    `controls` draws what stands above the figures. `layout` makes places (containers) for the figures, and draws the
    widgets between them. `figures` fills the places with what there is; it alone is called again when there is more.
    """

    title: str
    path: str  # in the browser's address; empty for the page one comes to first
    controls: Callable[[], None]
    parameters: tuple[Any, ...] = ()  # of the link, besides those that all pages share
    wants: Callable[[], list[Work]] = list
    layout: Callable[[Sight], Sequence] = lambda sight: ()
    figures: Callable[[Sight, Sequence], None] | None = None
    heading: Callable = st.header
    headline: str = ""  # if it is not the title
    opens: str = ""  # what a button says that leads here
    symbols: tuple[str, ...] = ()  # and words that stand on the page: their names in the glossary
    teaser: str = ""  # what one finds here, for the page before this one to say at its end
    scenario: bool = True  # whether the scenario on screen matters here
    fixed: tuple[str, ...] = ()  # its fields that do not, because the page has its own value for them
    redraw: Callable[[], float] = lambda: REDRAW  # seconds at least between two drawings while results come in
    heeds: Callable[[], bool] = lambda: False  # whether a call for the next drawing is also one for news, ...
    has_news: Callable[[], bool] = lambda: False  # ... after which the whole page is drawn anew
    own: tuple[str, ...] = ()  # fields that its things to try set for this page only: the next one is without

    def read_link(self) -> None:
        """Take over what was moved, and from the link what the session does not know yet: before the page is shown.

        After the browser's Back or Forward the link is right, but for what is the visitor's own.
        """
        if get_script_run_ctx().is_history_navigation:
            self.forget_link([one for one in self.link_parameters if getattr(one, "personal", False)])
        take_over_moves()
        read_address(self.link_parameters)

    def forget_link(self, but: Sequence[Any]) -> None:
        """Take from the link again what it says of this page, `but` for some of it, when it is read next."""
        for parameter in self.link_parameters:
            if parameter not in but:
                parameter.forget()
        forget_what_belongs_to_the_scenario()
        forget_moves()

    def show(self) -> None:
        """Draw the page, and its figures again as long as there is more to come."""
        watching.look(self.wants())  # the workers begin while the controls are being drawn
        # The first page's address stays plain, so that the browser's Back leads away from it.
        if self.path or PRESENT.value or PRESENT.name in st.query_params or ROOM.value:
            write_address(self.link_parameters)
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="heading"
        ):
            self.heading(self.headline or self.title, anchor=False, width="content")
            if self.scenario:
                changes_row(self.fixed)
            with st.container(horizontal=True, gap="small", vertical_alignment="center", width="content"):
                reveal_button()
                present_button(self.slide.link)
                glossary_button(self.symbols)
        say_complaints()
        self.controls()
        if self.figures:
            self._watch()

    @property
    def address(self) -> str:
        """The link that shows exactly this view."""
        return address(self.link_parameters)

    @property
    def slide(self) -> Slide:
        """What presenting needs to know."""
        shown = [one for one in self.link_parameters if one not in (PRESENT, self._picture)]
        return Slide(self.headline or self.title, self.path, self._picture, address(shown))

    @property
    def _picture(self) -> Number:
        return picture_of(self.path)

    @property
    def link_parameters(self) -> tuple[Any, ...]:
        """All that its link says."""
        return *SHARED, self._picture, *self.parameters

    def _watch(self) -> None:
        """The live loop: draw what is there, wait for more, draw again."""
        wanted = self.wants()
        sight = first_sight(wanted)
        places, state, at_hand = self.layout(sight), _state(sight), [sight]
        del sight  # the session keeps what `draw` holds on to, and must not keep results

        # While results come in, the browser calls for the next drawing. A drawing waits for news after it is on screen:
        # what a script has not drawn again yet is pale.
        @called_again(self.redraw() if any(state) or self.heeds() else None)
        def draw() -> None:
            called = not at_hand
            if self.wants() != wanted:
                st.rerun()  # something among the figures was pressed
            if called and self.heeds() and (self.has_news() or not any(state)):
                st.rerun()
            now = watching.look(wanted) if called else at_hand.pop()
            if _state(now) != state:
                st.rerun()  # the last drawing is one of the whole page
            with watching.leaving(wanted), TURNS.turn(), PACE.drawing():
                self.figures(now, _rooms(places))
            if called and any(state):
                pace = PACE.seconds(watching.crowd())
                watching.wait(wanted, now.stage, pace, max(ANSWER, 2 * pace))

        draw()


def _rooms(places: Sequence) -> list:
    """A container in each place, which is kept also if it stays empty."""
    try:
        return [place.container() for place in places]
    except StreamlitAPIException:  # the places are gone: the page that was to have them was left off half drawn
        st.rerun()


def _state(sight: Sight) -> tuple[bool, bool]:
    """What the page around the figures depends on: whether more runs come in, and whether workers are missing."""
    return sight.running, bool(sight.trouble)


def first_sight(wanted: list[Work]) -> Sight:
    """What is drawn first. If there is no run yet, it is on its way, and one drawing is better than two."""
    sight = watching.look(wanted)
    if sight.running and not sight.runs[0]:
        return watching.wait(wanted, sight.stage, most=watching.PATIENCE)
    return sight


def progress_row(sight: Sight) -> Any:
    """A thin line with a button that stops; returns the place for the progress beside it."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="progress_row"):
        place = st.container()
        watching.stop_button(sight.wanted, sight.running)
    return place


def say_progress(place: Any, sight: Sight, main: int | None = None) -> None:
    """How far the first `main` results are, in its place; what is wrong, here."""
    with place:
        watching.progress(sight, main)
    watching.say_what_is_wrong(sight)
