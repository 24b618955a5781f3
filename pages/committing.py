"""How one commits to an answer of the bank on screen: a choice, a slider, a dot of a picture, a curve by hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.bank import figures
from pages.bank.commitments import Answer
from pages.bank.question import Question, Scene
from pages.components.chart import chart
from pages.components.hand import drawn, hand
from pages.parameters import Kept

PICTURE = "Tap or click a dot. With the keyboard: Tab to the picture, arrow keys, Enter."
BEFORE_DRAWING = "Draw the curve, then commit to it. Regret adds up: it never falls."
SLIDER = "Move the slider to your prediction."
HEIGHT = 440


@dataclass(frozen=True)
class Committing:
    """The widgets of one page, whose name begins their keys. What was said in one vote is nothing in the next."""

    name: str
    vote: Callable[[], str] = lambda: ""

    @property
    def chosen(self) -> Kept:
        """The item that was clicked in the picture and not committed to yet: key of the question, item."""
        return Kept(f"{self.name}.chosen")

    @property
    def moved(self) -> Kept:
        """The key of the slider that was moved, and where to: Streamlit forgets that on another page."""
        return Kept(f"{self.name}.moved")

    def key(self, asked: Question) -> str:
        """What the session calls the widget of a question."""
        return f"{self.name}_{asked.commitment.kind}_{self.vote() or asked.key}"

    def now(self, asked: Question) -> Answer | None:
        """What is chosen and not committed to yet; None if that is nothing, or no answer."""
        kind = asked.commitment.kind
        if kind == "curve":
            return drawn(asked.commitment, self.key(asked))
        if kind == "item":
            key, item = self.chosen.value or ("", None)
            return item if key == self.key(asked) else None
        if kind == "number":
            moved, value = self.moved.value or ("", None)
            known = moved == self.key(asked) and value is not None
            return readable(asked, asked.format(value)) if known else None
        chosen = st.session_state.get(self.key(asked))
        return None if chosen is None else readable(asked, asked.format(chosen))

    def by_hand(self, asked: Question, start: tuple[int, ...] | None = None) -> tuple[int, ...] | None:
        """A place to draw a curve, where the question wants one; what is drawn."""
        return hand(asked.commitment, key=self.key(asked), start=start)

    def widget(
        self, asked: Question, curve: tuple[int, ...] | None = None, start: Answer | None = None
    ) -> Answer | None:
        """What one says it with, or in words what the picture says; what is said, None if nothing yet.

        `start` is what was said before, where this is not the first time.
        """
        kind = asked.commitment.kind
        if kind == "choice":
            options = asked.commitment.options
            place = list(options).index(start) if start is not None else None
            return st.radio("Your prediction", list(options), index=place, format_func=options.get, key=self.key(asked))
        if kind == "number":
            return self._on_a_slider(asked, start)
        chosen, how = (curve, BEFORE_DRAWING) if kind == "curve" else (self._item(asked, start), PICTURE)
        st.markdown(how if chosen is None else f"**Your prediction:** {asked.words(chosen)}")
        return chosen

    def picture(self, asked: Question, results: Sequence[Any], start: Answer | None = None) -> None:
        """The picture before one has committed; a number is in it already."""
        if asked.commitment.kind == "curve":
            return
        predicted = {}
        chosen = {"number": self.now(asked), "item": self._item(asked, start)}.get(asked.commitment.kind)
        if chosen is not None:
            predicted = {figures.YOURS: [chosen]}
        scene = isinstance(asked.plot, Scene)
        figure = figures.drawn(asked, results, predicted)
        alt = figures.described(asked, None, predicted)
        clicked = chart(figure, key=f"chart_{asked.key}", alt=alt, height=HEIGHT, clicks=scene)
        said = clicked.get("about") if isinstance(clicked, dict) else None
        if (item := readable(asked, said)) is not None:
            self.chosen.set((self.key(asked), item))
            st.rerun()

    def _item(self, asked: Question, start: Answer | None) -> Answer | None:
        return start if (chosen := self.now(asked)) is None else chosen

    def _on_a_slider(self, asked: Question, start: float | None) -> float | None:
        """The slider says nothing before it was moved: where it happens to stand is nobody's prediction."""
        scale = asked.commitment
        low, high, step = map(float, (scale.low, scale.high, scale.step))
        if (chosen := self.now(asked)) is None and start is not None:
            chosen = start
            self.moved.set((self.key(asked), start))
        place, key = low if chosen is None else float(chosen), self.key(asked)
        shown = {"key": key, "format": scale.format_on_slider}
        st.slider(scale.on_slider, low, high, place, step, on_change=self._move, args=(key,), **shown)
        st.markdown(SLIDER if chosen is None else f"**Your prediction:** {asked.words(chosen)}")
        return chosen

    def _move(self, key: str) -> None:
        """It was moved, perhaps when the class had gone on to something else: then that is nothing there."""
        self.moved.set((key, st.session_state.get(key)))


def readable(asked: Question, said: object) -> Answer | None:
    """An answer from the browser, if it is one."""
    try:
        return asked.parse(str(said))
    except ValueError:
        return None
