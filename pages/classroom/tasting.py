"""The class is the user, on screen: a phone that asks, the cloud of tastes, and what divides the class."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from pages.classroom import tastes, who, words
from pages.classroom.beat import seed_of
from pages.classroom.door import door
from pages.classroom.membership import ME, ROOM
from pages.classroom.results import Told
from pages.classroom.rooms import Refused
from pages.classroom.stage import REVEALED
from pages.classroom.tastes import FEATURES, FLOWERS, QUESTIONS, SIDES
from pages.components.chart import chart
from pages.components.duel import KEY, duel, source
from pages.figures import base_layout
from pages.palette import PALETTE, ROLES

EVERY = 2.0  # seconds between two looks at the answers
ABOUT = (
    f"Everybody answers the same {QUESTIONS} questions about flowers. From your answers ROAM estimates what you like: "
    "each of you is a dot."
)
DONE = "Thank you. You have answered all questions: look for your dot on the projector."
AGREED = "No question divides the class: wherever two have answered, all agree."


def seed() -> int:
    """The questions of this room."""
    return seed_of(ROOM.value, who.stage().turn)


def answers() -> list[str]:
    """What everybody said so far."""
    kept = door().rooms.answers(ROOM.value, who.stage().vote)
    return [readable(one.text) for one in kept]


def readable(text: str) -> str:
    """The answers of a person, none if they cannot be read."""
    try:
        return tastes.parse(text)
    except ValueError:
        return ""


# A phone


def phone() -> Sequence:
    """The next question."""
    st.subheader("The class is the user", anchor=False)
    mine = own()
    if who.stage().state == REVEALED:
        st.markdown(f"The questions are over. {words.ON_THE_WALL}")
    elif len(mine) == QUESTIONS:
        st.markdown(DONE)
    else:
        duel(_on_screen(mine), on_answer_change=answered)
    return ()


def own() -> str:
    """What this student said so far."""
    return readable(door().rooms.own(ROOM.value, who.person().number, who.stage().vote))


def _stamp(mine: str) -> str:
    return f"{who.stage().vote} {len(mine)}"


def answered() -> None:
    """Take over an answer, if it is one to what is on screen."""
    said, mine = st.session_state[KEY].answer, own()
    if not isinstance(said, dict) or said.get("stamp") != _stamp(mine) or said.get("side") not in SIDES:
        return
    text = mine + SIDES[said["side"]]
    who.do(door().rooms.answer, ROOM.value, ME.value, who.stage().vote, text, after=mine)


def _on_screen(mine: str) -> dict:
    left, right = tastes.pairs(seed())[len(mine)]
    question = "Which flower do you like better?"
    cards = [_card(left, "One", "← I like this better"), _card(right, "The other", "I like this better →")]
    return {
        "stamp": _stamp(mine),
        "count": f"Question {len(mine) + 1} of {QUESTIONS}",
        "share": len(mine) / QUESTIONS,
        "question": question,
        "left": cards[0],
        "right": cards[1],
        "neither": "Can't say (key 0)",
        "said": "",
        "heard": f"{question} {cards[0]['words']}, or {cards[1]['words']}?",
    }


def _card(row: int, whose: str, label: str) -> dict:
    return {"source": _picture(row), "words": tastes.embedding().describe(row), "whose": whose, "label": label}


def _picture(row: int) -> str:
    return source(tastes.embedding().draw(row))


# The projector and the lecturer


def shown() -> Sequence:
    """The cloud while it grows; at the end what divides the class."""
    st.subheader("The class is the user", anchor=False)
    if who.stage().state == REVEALED:
        left, right = st.columns([3, 2], gap="large")
        with left:
            _cloud()
        with right:
            _halves()
    else:
        with st.container(key="class_question"):
            st.markdown(ABOUT)
        _watch()
    return ()


@st.fragment(run_every=EVERY)
def _watch() -> None:
    _cloud()


def _cloud() -> None:
    try:
        found, of = [text for text in answers() if text], door().rooms.count(ROOM.value)
    except Refused:
        return
    done = sum(len(text) == QUESTIONS for text in found)
    said = f"**{len(found)} of {of}** answer, **{done}** answered all {QUESTIONS} questions."
    with st.container(key="class_count"):
        st.markdown(said)
    chart(cloud(seed(), found), key="class_cloud", alt=f"{said} The tastes as dots.", height=600)


def cloud(game: int, found: Sequence[str]) -> dict:
    """The estimated tastes as dots: the first two features across and up, the third as the dots' colour."""
    across, up, colour = FLOWERS.ends[:FEATURES]
    layout = base_layout("What each of you likes", f"{across[0]} ↔ {across[1]}", f"{up[0]} ↔ {up[1]}", "class cloud")
    weights = tastes.weights(tastes.estimates(game, found))
    reach = max(2.0, 1.15 * float(abs(weights[:, :2]).max(initial=0.0)))
    for axis in ("xaxis", "yaxis"):
        layout[axis] |= {"range": [-reach, reach], "zeroline": True, "showticklabels": False}
    layout["showlegend"] = True
    groups = (
        (weights[:, 2] < 0, colour[0], ROLES["asked"], "circle"),
        (weights[:, 2] >= 0, colour[1], PALETTE[0], "diamond"),
    )
    data = [
        {
            "type": "scatter", "mode": "markers", "name": f"likes {name}", "x": weights[which, 0].round(3).tolist(),
            "y": weights[which, 1].round(3).tolist(), "hoverinfo": "skip", "cliponaxis": False,
            "marker": {"color": shade, "size": 16, "symbol": symbol, "opacity": 0.75},
        }
        for which, name, shade, symbol in groups
    ]  # fmt: skip
    return {"data": data, "layout": layout}


def _halves() -> None:
    """The question that divides the class most, and what each half is recommended."""
    found = tastes.divided(seed(), answers())
    with st.container(key="class_said"):
        if found is None:
            st.markdown(AGREED)
            return
        st.markdown(f"**Question {found.number} divides the class most.**")
    columns = []
    for side in (0, 1):
        best = "".join(_image(row) for row in found.best[side])
        count = words.counted(found.counts[side], "person", "people")
        columns.append(
            f"<div><b>{count}</b>{_image(found.pair[side])}<p>ROAM recommends them</p><div>{best}</div></div>"
        )
    st.html(f'<div class="class-halves">{"".join(columns)}</div>')


def _image(row: int) -> str:
    said = escape(tastes.embedding().describe(row))
    return f'<img src="{_picture(row)}" alt="{said}" title="{said}">'


def told(text: str) -> str:
    """Kept answers in words, for the file."""
    names = {"l": "left", "r": "right", "n": "can't say"}
    return ", ".join(names[letter] for letter in readable(text))


TOLD = Told("the class is the user", told)
