"""Beat ROAM on screen: a phone to ask with, and the projector with everybody's ellipse and the board."""

from collections.abc import Sequence

import streamlit as st

from pages import watching
from pages.classroom import beat, beat_figures, who
from pages.classroom.beat import FIRST, ROUNDS, RULES, End, Luck, Turn
from pages.classroom.door import door
from pages.classroom.membership import ME, ROOM
from pages.classroom.results import Told
from pages.classroom.rooms import Answer, Refused
from pages.classroom.stage import REVEALED
from pages.components.chart import chart
from pages.parameters import Kept
from pages.words import literal

EVERY = 2.0  # seconds between two looks at where everybody is
LISTED = 25  # players in the table
CHOSEN = Kept("class.item", ("", 0, 0))  # vote, round and item that was clicked and not asked about yet
ABOUT = (
    f"Everybody has the same user, whose taste nobody knows, and the same luck. After {FIRST} random rounds you choose "
    f"the questions of {ROUNDS}: the star is new, the user compares it with a past item of your choice. Learn the most."
)
HINT = (
    "The arrow is the estimate: items that lie further along it should please the user more. The dashed ellipse is "
    "long where least is known. Choose a dot that lies from the star along its long side, and whose answer you cannot "
    "guess."
)
ELLIPSES = "An ellipse is where the taste may be, judged by the answers of one player. Good questions make it small."
BITS = "A **bit** halves the area in which the taste may lie."
WHY = (
    "ROAM looks for what was asked least. This user's preferences are strong, so that many such answers could be "
    "guessed, and they tell little. The informative rule looks for answers that are open as well."
)
DONE = "You have asked all your questions. The board is shown when the lecturer ends the game."
WORKING = "ROAM plays the same game with a hundred other answers of the same user …"


def seed() -> int:
    """The game on screen."""
    return beat.seed_of(ROOM.value, who.stage().turn)


def asked_by(text: str) -> tuple[int, ...]:
    """What a player chose, nothing if it cannot be read."""
    try:
        return beat.parse(text)
    except ValueError:
        return ()


def players() -> list[tuple[Answer, Turn]]:
    """Where everybody is who has asked at least once."""
    kept = door().rooms.answers(ROOM.value, who.stage().vote)
    return [(one, beat.turn(seed(), asked_by(one.text))) for one in kept]


def called(one: Answer) -> str:
    """What a player is called."""
    return one.name or f"number {one.number}"


# A phone


def phone() -> Sequence:
    """The question to choose, or how it ended."""
    now, own = who.stage(), door().rooms.own(ROOM.value, who.person().number, who.stage().vote)
    mine = beat.turn(seed(), asked_by(own))
    st.subheader("Beat ROAM", anchor=False)
    if now.state == REVEALED:
        st.markdown(_own_end(mine))
    elif mine.end:
        st.markdown(DONE)
    else:
        _to_ask(mine)
    return ()


def _to_ask(mine: Turn) -> None:
    vote = who.stage().vote
    st.markdown(ABOUT if mine.round == 1 else _told(mine))
    choice = CHOSEN.value[2] if CHOSEN.value[:2] == (vote, mine.round) else None
    st.button(
        f"Ask about item {choice}" if choice else "Choose a dot to ask about",
        key="class ask",
        type="primary",
        disabled=choice is None,
        on_click=ask,
        args=(vote, mine.asked, choice),
    )
    alt = f"Round {mine.round} of {ROUNDS}: {len(mine.past)} past items on a circle and a new one."
    clicked = chart(beat_figures.items(mine, choice), key="class_items", alt=alt, height=400, clicks=True)
    st.caption(HINT)
    item = _item(clicked, len(mine.past))
    if item and item != choice:
        CHOSEN.set((vote, mine.round, item))
        st.rerun()


def _item(clicked: dict | None, most: int) -> int | None:
    """The item that was clicked, if what the browser says is one."""
    about = clicked.get("about") if isinstance(clicked, dict) else None
    return about if type(about) is int and 1 <= about <= most else None


def ask(vote: str, before: tuple[int, ...], item: int) -> None:
    """Ask, unless this phone or another has already."""
    text = beat.format((*before, item))
    who.do(door().rooms.answer, ROOM.value, ME.value, vote, text, after=beat.format(before))


def _told(mine: Turn) -> str:
    preferred = "the new item" if mine.preferred else f"item {mine.asked[-1]}"
    return f"**Round {mine.round} of {ROUNDS}.** The user preferred {preferred}. The estimate has moved."


def _own_end(mine: Turn) -> str:
    if not mine.end:
        return f"The game is over. You asked {len(mine.asked)} of {ROUNDS} questions, so you are not on the board."
    luck = known_luck()
    roam, (low, high) = luck.rules["most_uncertain"], luck.spread
    ahead = round(mine.end.told - roam.told, 2)
    said = "You asked better than ROAM" if ahead > 0 else "ROAM asked better" if ahead < 0 else "You asked like ROAM"
    return (
        f"**{said}.** Your questions told **{mine.end.told:.2f}** bits, ROAM's {roam.told:.2f}. {BITS}\n\n"
        f"Error of your estimate: **{mine.end.error:.2f}**, ROAM's {roam.error:.2f}. There is luck in that: had the "
        f"user answered otherwise, ROAM's would lie between {low.error:.2f} and {high.error:.2f} (90% of games).\n\n"
        f"Regret of your {ROUNDS} rounds: **{mine.end.regret:.2f}**, ROAM's {roam.regret:.2f}."
    )


def known_luck() -> Luck:
    """What the rules come to, and ROAM with other answers; computed once for all."""
    return watching.compute(WORKING, beat.luck, seed())


# The projector and the lecturer


def shown() -> Sequence:
    """Everybody's ellipse, and at the end the board."""
    st.subheader("Beat ROAM", anchor=False)
    if who.stage().state != REVEALED:
        with st.container(key="class_question"):
            st.markdown(f"{ABOUT} {ELLIPSES}")
        _watch()
    else:
        _board()
    return ()


@st.fragment(run_every=EVERY)
def _watch() -> None:
    """The ellipses as they are now."""
    try:
        found, of = [turn for _, turn in players()], door().rooms.count(ROOM.value)
    except Refused:
        return
    done = sum(turn.end is not None for turn in found)
    middle = sorted(len(turn.asked) for turn in found)[len(found) // 2] if found else 0
    said = f"**{len(found)} of {of}** play, **{done}** asked all {ROUNDS} questions."
    with st.container(key="class_count"):
        st.markdown(said)
    figure = beat_figures.ellipses(found, rules_turn(middle), rules_turn(0))
    chart(figure, key="class_ellipses", alt=f"{said} ROAM's ellipse is that after {middle} questions.", height=560)


def rules_turn(rounds: int) -> Turn:
    """Where ROAM is after so many rounds of this game."""
    return beat.turn(seed(), beat.rule_asks(seed())[:rounds])


def _board() -> None:
    found = [(called(one), turn) for one, turn in players()]
    ends = [(name, turn.end) for name, turn in found if turn.end]
    luck = known_luck()
    left, right = st.columns([3, 2], gap="large")
    with left:
        said = verdict([end for _, end in ends], luck)
        chart(beat_figures.board(ends, luck), key="class_board", alt=said, height=620)
    with right, st.container(key="class_said"):
        st.markdown(said)
        st.markdown(table(ends, luck))
        st.markdown(f"**Why.** {WHY}")
    alt = "The players' last ellipses, ROAM's, and the user's taste."
    turns = [turn for _, turn in found if turn.end]
    figure = beat_figures.ellipses(turns, rules_turn(ROUNDS), rules_turn(0), beat.truth(seed()))
    chart(figure, key="class_ellipses", alt=alt, height=520)


def verdict(ends: Sequence[End], luck: Luck) -> str:
    """Who asked better than ROAM, who ended nearer to the taste, and how much of that is luck."""
    low, high = luck.spread
    roam = luck.rules["most_uncertain"]
    spread = (
        f"There is luck in that: had the same user answered otherwise, ROAM would end with an error of {low.error:.2f} "
        f"to {high.error:.2f} and a regret of {low.regret:.2f} to {high.regret:.2f} (90% of {beat.ANSWERS} games)."
    )
    if not ends:
        return f"Nobody has asked all {ROUNDS} questions. {BITS} ROAM's error is {roam.error:.2f}. {spread}"
    asked = sum(end.told > roam.told for end in ends)
    nearer = sum(end.error < roam.error for end in ends)
    return (
        f"**{asked} of {len(ends)}** asked better questions than ROAM. {BITS} **{nearer} of {len(ends)}** ended with a "
        f"smaller error. {spread}"
    )


def table(ends: Sequence[tuple[str, End]], luck: Luck) -> str:
    """The best players and the rules by what their questions told, as Markdown."""
    rows = [(literal(name), end) for name, end in ends]
    rows += [(f"**{RULES[rule]}**", end) for rule, end in luck.rules.items()]
    rows.sort(key=lambda row: -row[1].told)
    lines = ["| | bits | error | regret |", "|---|---|---|---|"]
    for place, (name, end) in enumerate(rows, start=1):
        if place <= LISTED or name.startswith("**"):
            lines.append(f"| {place}. {name} | {end.told:.2f} | {end.error:.2f} | {end.regret:.2f} |")
    return "\n".join(lines)


def told(text: str) -> str:
    """A kept answer in words, for the file."""
    return f"asked about the items of rounds {', '.join(map(str, asked_by(text)))}"


TOLD = Told("beat ROAM", told)
