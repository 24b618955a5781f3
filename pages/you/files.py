"""Files that a visitor saves and brings: answers, a picture, a table of one's own. None is written to a disk here."""

from pathlib import Path

import streamlit as st

from pages.components.downloads import asked_for, offer
from pages.components.duel import source
from pages.parameters import Kept
from pages.words import literal
from pages.you import review, words
from pages.you.keeping import MOST_BYTES, OWN, from_json, to_json
from pages.you.poster import poster
from pages.you.sitting import Settings, Sitting
from pages.you.visit import BROUGHT, PROBLEM, catalogue_of, put, remember
from roam_core.catalogues import read_csv

UPLOADS = Kept("you.uploads", 0)  # how many files were read: another number empties the fields for files


def below(now: Sitting | None) -> None:
    """Files to save and to bring, and what happens to them."""
    with st.expander("Save, go on, bring your own items"):
        st.markdown(words.PRIVATE)
        if now is not None:
            files = {"Save my answers": ("roam-answers.json", lambda: to_json(now))}
            if now.learnt:
                files["Save the picture"] = ("my-taste.svg", lambda: poster(now, review.weights(now)))
            ready = [
                {"number": number, "name": files[label][0], "text": files[label][1]()}
                for number, label in asked_for()
                if label in files
            ]
            offer(list(files), ready)
        left, right = st.columns(2, gap="large")
        with left:
            st.file_uploader(
                "Go on from saved answers",
                type="json",
                key=f"you_answers_{UPLOADS.value}",
                on_change=take_answers,
                max_upload_size=1,
            )
        with right:
            if now is not None:
                bring_table("table")
    with st.container():  # also if it is empty: what follows keeps its place
        if PROBLEM.value:
            st.error(literal(PROBLEM.value))
    if now is not None and now.now is None and now.learnt:
        with st.expander("The picture to save"):
            about = "A poster with the best and the worst five, the features and the score of the test."
            drawn = source(poster(now, review.weights(now)))
            st.html(f'<img class="you-poster" src="{drawn}" alt="{about}">')


def bring_table(key: str) -> None:
    """A field for a table of one's own."""
    st.file_uploader(
        "A table of your own (CSV)",
        type="csv",
        key=f"you_{key}_{UPLOADS.value}",
        on_change=take_table,
        args=(key,),
        max_upload_size=1,
    )
    st.caption(words.TABLE)


def take_table(key: str) -> None:
    """Read a visitor's table, or say what is wrong with it."""
    file = st.session_state[f"you_{key}_{UPLOADS.value}"]
    if file is None:
        return
    UPLOADS.set(UPLOADS.value + 1)
    try:
        BROUGHT.set(read_csv(file.getvalue(), Path(file.name).stem))
    except ValueError as problem:
        PROBLEM.set(f"This table cannot be used: {problem}.")
        return
    put(Settings(catalogue=OWN))


def take_answers() -> None:
    """Go on from a file with answers, or say what is wrong with it."""
    file = st.session_state[f"you_answers_{UPLOADS.value}"]
    if file is None:
        return
    UPLOADS.set(UPLOADS.value + 1)
    try:
        if file.size > MOST_BYTES:
            raise ValueError(f"it has {file.size:,} bytes, and such a file has at most {MOST_BYTES:,}")
        found = from_json(file.getvalue(), catalogue_of)
    except ValueError as problem:
        PROBLEM.set(f"This file cannot be gone on from: {problem}.")
        return
    put(found.settings)
    remember(found)
