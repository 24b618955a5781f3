"""Beat ROAM on screen: a phone to ask with, and the projector with everybody's ellipse and the board."""

from collections import Counter
from collections.abc import Callable, Sequence

import streamlit as st

from pages import export, watching
from pages.called_again import called_again
from pages.classroom import beat, beat_figures, who
from pages.classroom.beat import FIRST, ROUNDS, RULES, End, Luck, Turn
from pages.classroom.database import Refused
from pages.classroom.door import door
from pages.classroom.figures import TALL
from pages.classroom.membership import ME, ROOM
from pages.classroom.results import Told
from pages.classroom.rooms import Answer
from pages.classroom.stage import OPEN, REVEALED
from pages.classroom.who import EVERY
from pages.classroom.words import so_many
from pages.components.chart import chart
from pages.parameters import Kept
from pages.words import literal

LISTED, MOST_LISTED = 6, 60  # players in the table beside the plot, and with the one below
CHOSEN = Kept("class.item", ("", 0, 0))  # vote, round and item that was clicked and not asked about yet
ABOUT = (
    f"Everybody has the same user, whose taste nobody knows, and the same luck. After {FIRST} random rounds you choose "
    f"the questions of {ROUNDS}: the star is new, the user compares it with a past item of your choice. Learn the most."
)
PICTURE = (
    "The arrow is the estimate of the taste: items that lie further along it should please the user more. The dashed "
    "ellipse is long in the direction of which least is known; it shows the shape, not the size. All items lie on the "
    "circle: a dot beyond it was moved so that it covers no other, and a line leads to its place."
)
HINT = (
    "A question tells about the direction from the star to the item's place on the circle, and it tells much if you "
    "cannot guess the answer."
)
TASTE = (
    "The star is the taste that nobody knew. Now that it is known, the ellipses are drawn for it, and their sizes show "
    "what the questions told. Whose is small, and has the star inside?"
)
FIRST_ROUND = "Which past item should the user compare the star with?"
ELLIPSES = (
    "An ellipse is where the taste may be, judged by the answers of one player. Good questions make it small in the "
    "end; while the estimate still moves, it may also grow. The taste has length 1, so it lies somewhere on the thin "
    "circle."
)
BITS = "A **bit** halves the area of the ellipse."
MEASURES = (
    "**Error**: how far the estimate is from the taste, whose length is 1. **Regret**: what the items cost that were "
    "recommended meanwhile, by the estimates that each player's answers led to."
)
LUCK = "Error and regret hang on luck more than the bits do: with fifteen answers, who learnt more may end farther off."
PAID = (
    "ROAM looks for what was asked least. This user's preferences are strong, so that many such answers could be "
    f"guessed, and they tell little. The informative rule looks for answers that are open as well. {LUCK}"
)
DID_NOT_PAY = (
    "ROAM looks for what was asked least. The informative rule also looks for answers that are open, by its estimate. "
    f"In most games its questions tell more; in this one, with this user's answers, they did not. {LUCK}"
)
DONE = "You have asked all your questions. What came of it is shown when the lecturer ends the game."
WORKING = "ROAM plays the same game with a hundred other answers of the same user …"


def seed() -> int:
    """The game on screen."""
    return who.game_seed(ROOM.value, who.stage().turn)


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


def called(kept: Sequence[Answer]) -> list[str]:
    """What players are called: each by another name."""
    many = Counter(one.name for one in kept)
    return [
        f"number {one.number}" if not one.name else one.name if many[one.name] == 1 else f"{one.name} ({one.number})"
        for one in kept
    ]


# A phone


def phone() -> Sequence:
    """The question to choose, or how it ended."""
    now, own = who.stage(), door().rooms.own(ROOM.value, who.person().number, who.stage().vote)
    mine = beat.turn(seed(), asked_by(own))
    st.subheader("Beat ROAM", anchor=False)
    if now.state != OPEN:
        st.markdown(_own_end(mine))
        _own_ellipse(last_ellipses(seed(), [mine]))
    elif mine.end:
        st.markdown(DONE)
        _own_ellipse(beat_figures.ellipses([mine], rules_turn(seed(), ROUNDS), rules_turn(seed(), 0)))
    else:
        _to_ask(mine)
    return ()


def _own_ellipse(figure: dict) -> None:
    """What the questions of one player came to, beside ROAM's."""
    figure["layout"]["title"]["text"] = "Where the taste may be: by you, by ROAM"
    next(trace for trace in figure["data"] if trace["name"] == "players")["name"] = "you"
    alt = "Your ellipse, ROAM's, and the one before the first question."
    chart(figure, key="class_ellipses", alt=alt, height=400)


def _to_ask(mine: Turn) -> None:
    vote = who.stage().vote
    with st.container(key="class_round"):
        st.markdown(f"**Round {mine.round} of {ROUNDS}.** {_told(mine) if mine.asked else FIRST_ROUND}")
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
    with st.expander("What is this?"):
        st.markdown(f"{ABOUT}\n\n{PICTURE}")
    with st.expander("A hint"):
        st.markdown(HINT)
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
    preferred = f"item {FIRST + len(mine.asked)}, the last star" if mine.preferred else f"item {mine.asked[-1]}"
    return f"The user preferred {preferred}. The estimate has moved."


def _own_end(mine: Turn) -> str:
    if not mine.end:
        return f"The game is over. You asked {len(mine.asked)} of {ROUNDS} questions, so you are not on the board."
    luck = known_luck(seed())
    roam, (low, high) = luck.rules["most_uncertain"], luck.spread
    if mine.end.told_more(roam):
        said = "Your questions told more than ROAM's"
    else:
        said = f"Your questions told {'less than' if roam.told_more(mine.end) else 'as much as'} ROAM's"
    return (
        f"**{said}:** **{mine.end.told:.2f}** bits, ROAM's {roam.told:.2f}. {BITS}\n\n"
        f"Error of your estimate: **{mine.end.error:.2f}**, ROAM's {roam.error:.2f}.\n\n"
        "There is luck in that: had the user answered otherwise, ROAM's questions would tell "
        f"{low.told:.2f} to {high.told:.2f} bits, and its error would be {low.error:.2f} to {high.error:.2f} "
        "(90% of games).\n\n"
        f"Regret of your {ROUNDS} rounds: **{mine.end.regret:.2f}**, ROAM's {roam.regret:.2f}."
    )


def known_luck(game: int) -> Luck:
    """What the rules come to, and ROAM with other answers; computed once for all."""
    return watching.compute(WORKING, beat.luck, game)


# The projector and the lecturer


def shown() -> Sequence:
    """Everybody's ellipse, and at the end the board."""
    st.subheader("Beat ROAM", anchor=False)
    if who.stage().state == OPEN:
        _watch()
    elif who.stage().state == REVEALED:
        _board()
    else:
        _taste()
    return ()


@called_again(EVERY)
def _watch() -> None:
    """The ellipses as they are now."""
    try:
        found, of = [turn for _, turn in players()], door().rooms.count(ROOM.value, who.stage().vote)
    except Refused:
        return
    done = sum(turn.end is not None for turn in found)
    middle = sorted(len(turn.asked) for turn in found)[len(found) // 2] if found else 0
    said = f"**{len(found)} of {of}** play, **{done}** asked all {ROUNDS} questions."
    left, right = st.columns([3, 2], gap="large")
    with left:
        figure = beat_figures.ellipses(found, rules_turn(seed(), middle), rules_turn(seed(), 0))
        alt = f"{said} ROAM's ellipse is that after {middle} questions."
        chart(figure, key="class_ellipses", alt=alt, height=TALL)
    with right, st.container(key="class_question"):
        with st.container(key="class_count"):
            st.markdown(said)
        st.markdown(f"{ABOUT}\n\n{ELLIPSES}")


def rules_turn(game: int, rounds: int) -> Turn:
    """Where ROAM is after so many rounds of a game."""
    return beat.turn(game, beat.rule_asks(game)[:rounds])


def last_ellipses(game: int, turns: Sequence[Turn]) -> dict:
    """The ellipses of a game at its end, with the taste."""
    return beat_figures.ellipses(turns, rules_turn(game, ROUNDS), rules_turn(game, 0), beat.truth(game))


def _board() -> None:
    found = players()
    names = called([one for one, _ in found])
    ends = [(name, turn.end) for name, (_, turn) in zip(names, found, strict=True) if turn.end]
    luck = known_luck(seed())
    first, rest = table(ends, luck)
    left, right = st.columns([3, 2], gap="large")
    with left:
        said = verdict([end for _, end in ends], luck)
        chart(beat_figures.board(ends, luck), key="class_board", alt=said, height=TALL)
    with right, st.container(key="class_board_said"):
        st.markdown(said)
        st.markdown(first)
        st.markdown(MEASURES)
        st.markdown(f"**Why.** {why(luck)}")
    st.markdown(rest)


def _taste() -> None:
    """Everybody's ellipse at the end, and the taste that nobody knew."""
    turns = [turn for _, turn in players() if turn.end]
    left, right = st.columns([3, 2], gap="large")
    with left:
        alt = "The players' last ellipses, ROAM's, and the user's taste."
        chart(last_ellipses(seed(), turns), key="class_ellipses", alt=alt, height=TALL)
    with right, st.container(key="class_question"):
        st.markdown(f"**{so_many(len(turns), 'player', 'players')}** asked all {ROUNDS} questions. {TASTE}")


def verdict(ends: Sequence[End], luck: Luck) -> str:
    """Whose questions told more than ROAM's, who ended nearer to the taste, and how much of that is luck."""
    low, high = luck.spread
    roam = luck.rules["most_uncertain"]
    spread = (
        f"There is luck in that: had the same user answered otherwise, ROAM's questions would tell {low.told:.2f} to "
        f"{high.told:.2f} bits, and it would end with an error of {low.error:.2f} to {high.error:.2f} and a regret of "
        f"{low.regret:.2f} to {high.regret:.2f} (90% of {beat.ANSWERS} games, each measure by itself)."
    )
    if not ends:
        return f"Nobody has asked all {ROUNDS} questions. {BITS} ROAM's error is {roam.error:.2f}. {spread}"
    asked = sum(end.told_more(roam) for end in ends)
    nearer = sum(end.error < roam.error for end in ends)
    return (
        f"**{asked} of {len(ends)}** asked questions that told more than ROAM's. {BITS} **{nearer} of {len(ends)}** "
        f"ended with a smaller error. {spread}"
    )


def why(luck: Luck) -> str:
    """Why the informative rule came out as it did."""
    ahead = luck.rules["informative"].told_more(luck.rules["most_uncertain"])
    return PAID if ahead else DID_NOT_PAY


def table(ends: Sequence[tuple[str, End]], luck: Luck) -> tuple[str, str]:
    """Players and rules by what their questions told, as Markdown: the best with all rules, then the others."""
    rows = [(literal(name), end) for name, end in ends]
    rows += [(f"**{RULES[rule]}**", end) for rule, end in luck.rules.items()]
    rows.sort(key=lambda row: -row[1].told)
    first, rest = [], []
    for place, (name, end) in enumerate(rows, start=1):
        line = f"| {place}. {name} | {end.told:.2f} | {end.error:.2f} | {end.regret:.2f} |"
        (first if place <= LISTED or name.startswith("**") else rest).append(line)
    head = ["| | bits | error | regret |", "|---|---|---|---|"]
    more = f"\n\nAnd {len(rest) - MOST_LISTED} more: the file has them." if len(rest) > MOST_LISTED else ""
    return "\n".join([*head, *first]), "\n".join([*head, *rest[:MOST_LISTED]]) + more if rest else ""


def told(text: str) -> str:
    """A kept answer in words, for the file."""
    return f"asked about the items of rounds {', '.join(map(str, asked_by(text)))}"


def came(game: int, text: str) -> str:
    """What a game came to, for the file; nothing if it was not played to its end."""
    end = beat.turn(game, asked_by(text)).end
    return f"{end.told:.3f} bits, error {end.error:.3f}, regret {end.regret:.3f}" if end else ""


def pictures(game: int, turn: int, kept: Callable[[], list[Answer]]) -> dict[str, Callable[[], str]]:
    """What is shown of a game at its end, as HTML by title."""
    board, ellipses = f"{turn}. Beat ROAM, the board", f"{turn}. Beat ROAM, the ellipses"

    def at_the_end() -> list[tuple[str, Turn]]:
        found = kept()
        turns = [beat.turn(game, asked_by(one.text)) for one in found]
        return [(name, at) for name, at in zip(called(found), turns, strict=True) if at.end]

    def draw_board() -> str:
        luck, ends = known_luck(game), [(name, at.end) for name, at in at_the_end()]
        said = verdict([end for _, end in ends], luck).replace("**", "")
        return export.page(beat_figures.board(ends, luck), board, said)

    def draw_ellipses() -> str:
        return export.page(last_ellipses(game, [at for _, at in at_the_end()]), ellipses, TASTE)

    return {board: draw_board, ellipses: draw_ellipses}


TOLD = Told("beat ROAM", told, came)
