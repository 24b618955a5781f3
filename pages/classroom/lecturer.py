"""What only the lecturer of a room has: the buttons above, and below them people, files and the secret link."""

from collections.abc import Callable, Iterable
from functools import partial

import streamlit as st

from pages import export, watching
from pages.bank import figures as bank
from pages.bank.question import Question
from pages.bank.questions import BANK
from pages.classroom import beating, figures, results, tasting, who, words
from pages.classroom.door import door
from pages.classroom.membership import KEY, ROOM
from pages.classroom.rooms import Answer
from pages.classroom.stage import BEAT, CLOSED, FOLLOW, LOBBY, OPEN, PREDICT, REVEALED, SHOWN, TASTES, Stage
from pages.components.focus import focus
from pages.take_along import file_name, take_along
from pages.teaching import at_hand, teaching_files
from pages.words import literal

ENDING = {  # what the button says that ends a game, and what is shown then
    BEAT: ("End the game, show the taste", SHOWN),
    TASTES: ("End the questions, show the halves", REVEALED),
}
GAME_NAMES = {BEAT: "Beat ROAM", TASTES: "The class is the user"}
GAMES = {BEAT: beating.TOLD, TASTES: tasting.TOLD}
PICTURED = 40  # things that were asked: so many pictures are offered
PICTURES = {BEAT: beating.pictures, TASTES: tasting.pictures}
CHOSEN = "class_question_chosen"


def controls() -> None:
    """What the room shows next."""
    now = who.stage()
    if door().rooms.trouble:
        st.warning(literal(words.IN_MEMORY.format(door().rooms.trouble)))
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="scroll_class"):
        st.button("Way in", key="to lobby", disabled=now.kind == LOBBY, on_click=_begin, args=(LOBBY,))
        with st.popover("Predict", width="content", key="class_predict", on_change="rerun"):
            _choose(now)
        for kind, label in GAME_NAMES.items():
            on = now.kind == kind
            again = f"{label}, once more" if on and now.state != OPEN else label
            st.button(again, key=f"to {kind}", on_click=_begin, args=(kind,), disabled=on and now.state == OPEN)
        for label, key, next_stage, kind in _steps(now):
            st.button(label, key=key, type=kind, on_click=who.put, args=(next_stage,))
        st.link_button("Projector's page", who.link_of(**who.way_in(), screen="1"), help=words.PROJECTOR)
    st.caption(words.FOLLOW_ME)


def _begin(kind: str) -> None:
    who.put(who.stage().begin(kind))


def _choose(now: Stage) -> None:
    """A question of the bank."""
    keys = list(BANK)
    place = (keys.index(now.question) + 1) % len(keys) if now.question in keys else 0
    say = {key: f"{n}. {asked.title}" for n, (key, asked) in enumerate(BANK.items(), start=1)}
    st.selectbox("Question", keys, index=place, format_func=say.get, key=f"{CHOSEN} {now.turn}")
    st.markdown(BANK[st.session_state.get(f"{CHOSEN} {now.turn}") or keys[place]].text)
    st.button("Put this question", key="put question", type="primary", on_click=_put_question)
    focus("class_focus")


def _put_question() -> None:
    now = who.stage()
    chosen = st.session_state.get(f"{CHOSEN} {now.turn}")
    if chosen in BANK:
        who.put(now.begin(PREDICT, question=chosen))
        st.session_state["class_predict"] = False


def _steps(now: Stage) -> list[tuple[str, str, Stage, str]]:
    """How the vote on screen can go on: label, key, stage, kind of button; what usually comes next is first."""
    if now.kind in ENDING and now.state == OPEN:
        label, state = ENDING[now.kind]
        return [(label, "end game", now.go(state), "primary")]
    if now.kind == BEAT:
        board = ("Show the board", "show board", now.go(REVEALED), "primary")
        return [board] if now.state == SHOWN else [("Show the taste", "show taste", now.go(SHOWN), "secondary")]
    if now.kind == FOLLOW:
        return [("Call the phones back", "call back", now.begin(LOBBY), "primary")]
    if now.kind != PREDICT:
        return []
    if now.state == OPEN:
        return [("Close the vote", "close vote", now.go(CLOSED), "primary")]
    if now.state == REVEALED:
        after = list(BANK)[list(BANK).index(now.question) + 1 :][:1]
        return [("Next question", "next question", now.begin(PREDICT, question=key), "primary") for key in after]
    reveal = ("Reveal", "reveal vote", now.go(REVEALED), "primary" if now.ballot == 2 else "secondary")
    again = ("Vote again", "vote again", now.go(OPEN, 2), "primary" if now.state == SHOWN else "secondary")
    show = ("Show the answers", "show answers", now.go(SHOWN), "primary" if now.ballot == 1 else "secondary")
    if now.state == CLOSED:
        reopen = ("Open it again", "reopen vote", now.go(OPEN), "secondary")
        return [show, *([again] if now.ballot == 1 else []), reveal, reopen]
    if now.state == SHOWN:
        return [*([again] if now.ballot == 1 else []), reveal]
    return []


def below() -> None:
    """People, answers, the secret link."""
    with st.expander("The room: people, answers, your secret link"):
        left, right = st.columns(2, gap="large")
        with left:
            st.markdown(words.SECRET)
            st.code(who.link_of(room=ROOM.value, key=KEY.value), language=None, wrap_lines=True)
            _people()
            with st.popover("End this room", width="content"):
                st.markdown("All its answers are deleted. Save them first.")
                st.button("End it now", key="end room", on_click=_end)
        with right:
            _files()


def _people() -> None:
    is_open = who.room().door
    label = "Let nobody new in" if is_open else "Let people in again"
    st.button(label, key="door", on_click=who.do, args=(door().rooms.set_door, ROOM.value, KEY.value, not is_open))
    named = {person.number: person.name for person in door().rooms.named(ROOM.value)}
    if named:
        with st.popover("Remove a nickname", width="content"):
            st.selectbox(
                "Nickname", list(named), format_func=lambda number: f"{number}: {named[number]}", key="nickname"
            )
            chosen = st.session_state.get("nickname")
            act = (door().rooms.take_name, ROOM.value, KEY.value, chosen)
            st.button("Remove it", key="take name", on_click=who.do, args=act)


def _end() -> None:
    who.do(door().rooms.end, ROOM.value, KEY.value)
    who.leave()


def _files() -> None:
    """All answers as a file, and a picture of all that was revealed or shown; each is made when it is asked for."""
    votes = door().rooms.votes(ROOM.value)
    files: dict = {
        "All answers (CSV)": ("roam-class.csv", _csv),
        **teaching_files(f"{who.link_of().rpartition('/')[0]}/lesson"),
    }
    st.markdown(f"{words.so_many(sum(votes.values()), 'answer', 'answers')} in this room so far.")
    over = _over(votes)
    if len(over) > PICTURED:
        st.markdown(f"Pictures of the last {PICTURED} things that were asked; the CSV file has all.")
    for turn, what in list(over.items())[-PICTURED:]:
        for title, draw in _pictures(turn, what).items():
            files[f"{title} (HTML)"] = file_name(title), draw
    take_along(files, {}, who.link_for_all(), words.THIS_LINK)


def _csv() -> str:
    kept = door().rooms.answers(ROOM.value)
    asked = set(results.asked_in(one.vote for one in kept).values())
    return results.as_csv(ROOM.value, kept, at_hand(asked & set(BANK)), GAMES, partial(who.game_seed, ROOM.value))


def _over(votes: Iterable[str]) -> dict[int, str]:
    """What was asked in this room and need not be hidden any more, by turn."""
    now = who.stage()
    hidden = now.turn if now.state in (OPEN, CLOSED) else None
    return {turn: what for turn, what in results.asked_in(votes).items() if turn != hidden}


def _pictures(turn: int, what: str) -> dict[str, Callable[[], str]]:
    """The pictures of something that was asked as HTML, by title."""

    def kept() -> list[Answer]:
        return door().rooms.answers_of(ROOM.value, turn)

    if what in PICTURES:
        return PICTURES[what](who.game_seed(ROOM.value, turn), turn, kept)
    if what not in BANK:
        return {}
    title = f"{turn}. {BANK[what].title.rstrip('?')} (question {list(BANK).index(what) + 1})"
    return {title: lambda: export.page(*_picture(BANK[what], title, kept()))}


def _picture(asked: Question, title: str, kept: list[Answer]) -> tuple[dict, str, str]:
    """A question's figure, with what came out where that is known; its title, and words for it."""
    votes, truth = results.predicted(asked, kept), at_hand([asked.key]).get(asked.key)
    if truth is None:
        return figures.distribution(asked, votes), title, figures.said(asked, votes)
    drawn = bank.drawn(asked, watching.recall(asked.runs), votes, truth)
    return drawn, title, bank.described(asked, truth, votes)
