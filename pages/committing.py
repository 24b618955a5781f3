"""How one commits to an answer of the bank on screen: a choice, a slider, a dot of a picture, a curve by hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.bank import figures
from pages.bank.commitments import Answer
from pages.bank.question import Question, Scene
from pages.components.chart import chart
from pages.components.hand import hand
from pages.parameters import Kept

PICTURE = "Click a dot. With the keyboard: Tab to the picture, arrow keys, Enter."
HEIGHT = 440


@dataclass(frozen=True)
class Committing:
    """The widgets of one page, whose name begins their keys."""

    name: str

    @property
    def chosen(self) -> Kept:
        """The item that was clicked in the picture and not committed to yet: question, item."""
        return Kept(f"{self.name}.chosen")

    def widget(self, asked: Question) -> Answer | None:
        """What one says it with, unless that is the picture's affair; returns what is said, None if nothing yet."""
        return {"choice": self._one_of_some, "number": self._on_a_slider, "item": self._in_the_picture}[
            asked.commitment.kind
        ](asked)

    def by_hand(self, asked: Question, drawn: tuple[int, ...] | None = None) -> tuple[int, ...] | None:
        """A curve, where the question wants one."""
        return hand(asked.commitment, key=f"hand_{asked.key}", drawn=drawn)

    def picture(self, asked: Question, results: Sequence[Any]) -> None:
        """The picture before one has committed; a number is in it already."""
        if asked.commitment.kind == "curve":
            return
        predicted = {}
        if asked.commitment.kind == "number" and self.slider_key(asked) in st.session_state:
            predicted = {figures.YOURS: [st.session_state[self.slider_key(asked)]]}
        elif self.chosen.value and self.chosen.value[0] == asked.key:
            predicted = {figures.YOURS: [self.chosen.value[1]]}
        scene = isinstance(asked.plot, Scene)
        figure = figures.drawn(asked, results, predicted)
        alt = figures.described(asked, None, predicted)
        clicked = chart(figure, key=f"chart_{asked.key}", alt=alt, height=HEIGHT, clicks=scene)
        if clicked and (item := readable(asked, clicked.get("about"))) is not None:
            self.chosen.set((asked.key, item))
            st.rerun()

    def slider_key(self, asked: Question) -> str:
        """What the session calls the slider of a question."""
        return f"{self.name}_number_{asked.key}"

    def _one_of_some(self, asked: Question) -> str | None:
        options = asked.commitment.options
        key = f"{self.name}_choice_{asked.key}"
        return st.radio("Your prediction", list(options), index=None, format_func=options.get, key=key)

    def _on_a_slider(self, asked: Question) -> float:
        scale = asked.commitment
        middle = scale.low + scale.step * round((scale.high - scale.low) / scale.step / 2)
        low, high, start, step = map(float, (scale.low, scale.high, middle, scale.step))
        chosen = st.slider(scale.label, low, high, start, step, key=self.slider_key(asked), format="%g")
        st.markdown(f"**Your prediction:** {asked.words(chosen)}")
        return readable(asked, asked.format(chosen))

    def _in_the_picture(self, asked: Question) -> int | None:
        key, item = self.chosen.value or ("", None)
        if key != asked.key:
            st.markdown(PICTURE)
            return None
        st.markdown(f"**Your prediction:** {asked.words(item)}")
        return item


def readable(asked: Question, said: object) -> Answer | None:
    """An answer from the browser, if it is one."""
    try:
        return asked.parse(str(said))
    except ValueError:
        return None
