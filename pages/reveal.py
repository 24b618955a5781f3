"""Predict before you see: with `predict=1` in the link, notices and verdicts wait until somebody asks for them.

Pages say what to notice and what came of it with `say_notice` and `say_verdict`, which keep quiet meanwhile. Another
scenario hides everything again.
"""

import zlib
from contextlib import suppress
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitDuplicateElementKey

from pages.parameters import Flag, Kept

PREDICT = Flag("page.predict")
_asked_for = Kept("page.revealed", of_scenario=True)


def hidden() -> bool:
    """Whether notices and verdicts are kept back."""
    return PREDICT.value and not _asked_for.value


def conceal() -> None:
    """Keep them back again: something else is on screen."""
    _asked_for.set(None)


def reveal_button() -> None:
    """The button that shows them; nothing where they are not hidden."""
    if hidden():
        st.button("Show what came of it", key="reveal", type="primary", on_click=_asked_for.set, args=(True,))


def say_notice(text: str) -> None:
    """What to notice about what is on screen, unless it is kept back; empty text says nothing."""
    say_verdict(f"**Notice.** {text}" if text else "")


def say_verdict(text: str) -> None:
    """What came of it, as Markdown, unless it is kept back."""
    said = "" if hidden() else text
    with _place(said):
        if said:
            st.markdown(said)


def _place(said: str) -> Any:
    """Where it is said: by its key a presenter finds it. Also if it is empty: what follows keeps its place."""
    if said:
        with suppress(StreamlitDuplicateElementKey):  # the page says the same twice: once is enough for a presenter
            return st.container(key=f"said {zlib.crc32(said.encode())}")
    return st.container()
