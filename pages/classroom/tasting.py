"""The class is the user, on screen: a phone that asks, the cloud of tastes, and what divides the class."""

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

import numpy as np
import streamlit as st

from pages import export
from pages.called_again import called_again
from pages.classroom import tastes, who, words
from pages.classroom.database import Refused
from pages.classroom.door import door
from pages.classroom.figures import TALL
from pages.classroom.membership import ME, ROOM
from pages.classroom.results import Told
from pages.classroom.rooms import Answer
from pages.classroom.stage import REVEALED
from pages.classroom.tastes import FEATURES, FLOWERS, QUESTIONS, SIDES, Divided
from pages.classroom.who import EVERY
from pages.components.chart import chart
from pages.components.duel import KEY, duel, source
from pages.figures import base_layout
from pages.palette import PALETTE, ROLES

ABOUT = (
    f"Everybody answers the same {QUESTIONS} questions about flowers. From your answers ROAM estimates what you like: "
    "each of you is a dot."
)
DONE = "Thank you. You have answered all questions. The dot with a ring is you; the others are who has answered so far."
OVER = "The questions are over. The dot with a ring is you."
CHOSE = "In question {}, which divides the class most, you chose this flower: **{}**."
NOT_THERE = "The questions are over. You answered none, so none of the dots is you."
DIVIDES = (
    "**Question {} divides the class most:** no other one has a larger minority. Each half chose the same flower "
    "there; what ROAM recommends to it comes from all their answers."
)
FEW = 20  # dots: of more those that cover each other shine through
AGREED = "No question divides the class: nowhere have two people preferred different flowers."


def seed() -> int:
    """The questions of this room."""
    return who.game_seed(ROOM.value, who.stage().turn)


def answers() -> tuple[str, ...]:
    """What everybody said so far who has said anything."""
    kept = door().rooms.answers(ROOM.value, who.stage().vote)
    return tuple(text for one in kept if (text := readable(one.text)))


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
        found = tastes.divided(seed(), answers())
        st.markdown(_at_the_end(mine, found))
        _own_dot(mine, found)
    elif len(mine) == QUESTIONS:
        st.markdown(DONE)
        _own_dot(mine)
    else:
        duel(_on_screen(mine), on_answer_change=answered)
    return ()


def _at_the_end(mine: str, halves: Divided | None) -> str:
    if not mine:
        return NOT_THERE
    side = {"l": 0, "r": 1}.get(halves.side(mine)) if halves else None
    return OVER if side is None else f"{OVER} {CHOSE.format(halves.number, described(halves, side))}"


def described(halves: Divided, side: int) -> str:
    """The flower that a half chose, in words."""
    return tastes.embedding().describe(halves.pair[side])


def _own_dot(mine: str, halves: Divided | None = None) -> None:
    figure = cloud(seed(), answers(), mine, halves)
    chart(figure, key="class_cloud", alt="The tastes of the class as dots.", height=400)


def own() -> str:
    """What this student said so far."""
    return readable(door().rooms.own(ROOM.value, who.person().number, who.stage().vote))


def _stamp(mine: str) -> str:
    return f"{who.stage().vote} {len(mine)}"


def answered() -> None:
    """Take over an answer, if it is one to what is on screen."""
    said = st.session_state[KEY].answer
    side = SIDES.get(str(said.get("side"))) if isinstance(said, dict) else None
    if side:
        who.do(_keep, said.get("stamp"), side)


def _keep(stamp: object, side: str) -> None:
    mine = own()
    if stamp == _stamp(mine):
        door().rooms.answer(ROOM.value, ME.value, who.stage().vote, mine + side, after=mine)


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
        "neither": "Can't say",
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
        with st.container(key="class_cloud_grows"):
            _watch()
    return ()


@called_again(EVERY)
def _watch() -> None:
    _cloud()


def _cloud() -> None:
    try:
        found, of = answers(), door().rooms.count(ROOM.value, who.stage().vote)
    except Refused:
        return
    done = sum(len(text) == QUESTIONS for text in found)
    said = f"**{len(found)} of {of}** answer, **{done}** answered all {QUESTIONS} questions."
    with st.container(key="class_count"):
        st.markdown(said)
    divided = tastes.divided(seed(), found) if who.stage().state == REVEALED else None
    figure = cloud(seed(), found, halves=divided)
    chart(figure, key="class_cloud", alt=f"{said} The tastes as dots.", height=TALL)


def cloud(game: int, found: tuple[str, ...], mine: str = "", halves: Divided | None = None) -> dict:
    """The estimated tastes as dots: the first two features across and up, the third or the `halves` as their colour.

    Whose answers are `mine` has a ring around the dot.
    """
    across, up, colour = FLOWERS.ends[:FEATURES]
    layout = base_layout("What each of you likes", f"{across[0]} ↔ {across[1]}", f"{up[0]} ↔ {up[1]}", "class cloud")
    weights = tastes.weights(tastes.estimates(game, found)).round(2)
    order = np.lexsort(weights.T)  # whose dot is whose, nobody can tell from this
    weights = weights[order]
    reach = max(2.0, 1.15 * float(abs(weights[:, :2]).max(initial=0.0)))
    for axis in ("xaxis", "yaxis"):
        layout[axis] |= {"range": [-reach, reach], "zeroline": True, "showticklabels": False}
    layout["showlegend"] = True
    groups = [
        (weights[:, 2] < 0, f"likes {colour[0]}", ROLES["asked"], "circle"),
        (weights[:, 2] > 0, f"likes {colour[1]}", PALETTE[0], "diamond"),
    ]
    if (even := weights[:, 2] == 0).any():
        groups.append((even, "either", "#888888", "square"))
    if halves:
        sides = np.array([halves.side(text) for text in found])[order]
        groups = [
            (sides == "l", f"chose {described(halves, 0)}", PALETTE[2], "circle"),  # no flower has these colours
            (sides == "r", f"chose {described(halves, 1)}", PALETTE[3], "diamond"),
            ((sides != "l") & (sides != "r"), "chose neither", "#888888", "square"),
        ]
        groups = [group for group in groups if group[0].any()]
    data = [
        {
            "type": "scatter", "mode": "markers", "name": name, "x": weights[which, 0].tolist(),
            "y": weights[which, 1].tolist(), "hoverinfo": "skip", "cliponaxis": False,
            "marker": {"color": shade, "size": 16, "symbol": symbol, "opacity": 1 if len(found) <= FEW else 0.75},
        }
        for which, name, shade, symbol in groups
    ]  # fmt: skip
    if mine:
        x, y, _ = tastes.weights(tastes.estimates(game, (mine,)))[0].round(2).tolist()
        ring = {"color": ROLES["yours"], "size": 28, "symbol": "circle-open", "line": {"width": 4}}
        data.append(
            {
                "type": "scatter", "mode": "markers", "name": "you", "x": [x], "y": [y],
                "marker": ring, "hoverinfo": "skip", "cliponaxis": False,
            }
        )  # fmt: skip
    return {"data": data, "layout": layout}


def _halves() -> None:
    """The question that divides the class most, and what each half is recommended."""
    found = tastes.divided(seed(), answers())
    with st.container(key="class_said"):
        st.markdown(DIVIDES.format(found.number) if found else AGREED)
    if found:
        st.html(halves(found))


def halves(found: Divided) -> str:
    """The two halves as HTML: the flower they chose, and what they are recommended."""
    columns = []
    for side in (0, 1):
        best = "".join(_image(row) for row in found.best[side])
        count = words.so_many(found.counts[side], "person", "people")
        columns.append(
            f"<div><b>{count}</b>{_image(found.pair[side])}<p>ROAM recommends them</p><div>{best}</div></div>"
        )
    return f'<div class="class-halves">{"".join(columns)}</div>'


def _image(row: int) -> str:
    said = escape(tastes.embedding().describe(row))
    return f'<img src="{_picture(row)}" alt="{said}" title="{said}">'


def told(text: str) -> str:
    """Kept answers in words, for the file."""
    names = {"l": "left", "r": "right", "n": "can't say"}
    return ", ".join(names[letter] for letter in readable(text))


def pictures(game: int, turn: int, kept: Callable[[], list[Answer]]) -> dict[str, Callable[[], str]]:
    """The cloud of a game and its halves, as HTML by title."""
    dots, sides = f"{turn}. The class is the user, the cloud", f"{turn}. The class is the user, the halves"

    def found() -> tuple[str, ...]:
        return tuple(text for one in kept() if (text := readable(one.text)))

    def draw_halves() -> str:
        divided = tastes.divided(game, found())
        said = DIVIDES.format(divided.number).replace("**", "") if divided else AGREED
        style = (Path(__file__).parent / "classroom.css").read_text(encoding="utf-8")
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(sides)}</title>'
            f"<style>body {{ font-family: sans-serif; max-width: 60rem; margin: 1rem auto; }} {style}</style></head>"
            f"<body><p>{escape(said)}</p>{halves(divided) if divided else ''}</body></html>"
        )

    def draw_cloud() -> str:
        return export.page(cloud(game, found(), halves=tastes.divided(game, found())), dots, ABOUT)

    return {dots: draw_cloud, sides: draw_halves}


TOLD = Told("the class is the user", told)
