"""What only the lecturer of a room has: the buttons above, and below them people, files and the secret link."""

import streamlit as st

from pages import watching
from pages.bank import figures as bank
from pages.bank.question import Truth
from pages.bank.questions import BANK
from pages.classroom import beating, figures, results, tasting, who, words
from pages.classroom.door import door
from pages.classroom.membership import KEY, ROOM
from pages.classroom.stage import BEAT, CLOSED, FOLLOW, LOBBY, OPEN, PREDICT, REVEALED, SHOWN, TASTES, Stage
from pages.take_along import take_along
from pages.words import literal

ENDING = {
    BEAT: "End the game, show the board",
    TASTES: "End the questions, show the halves",
}  # what the button says that ends a game
GAME_NAMES = {BEAT: "Beat ROAM", TASTES: "The class is the user"}
GAMES = {BEAT: beating.TOLD, TASTES: tasting.TOLD}
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
            again = f"{label}, once more" if on and now.state == REVEALED else label
            st.button(again, key=f"to {kind}", on_click=_begin, args=(kind,), disabled=on and now.state == OPEN)
        for label, key, next_stage, kind in _steps(now):
            st.button(label, key=key, type=kind, on_click=who.put, args=(next_stage,))
        st.link_button("Projector's page", who.link_of(room=ROOM.value, screen="1"), help=words.SECRET)
    st.caption(words.FOLLOW_ME)


def _begin(kind: str) -> None:
    who.put(who.stage().begin(kind))


def _choose(now: Stage) -> None:
    """A question of the bank."""
    keys = list(BANK)
    place = (keys.index(now.question) + 1) % len(keys) if now.question in keys else 0
    say = {key: f"{n}. {asked.title}" for n, (key, asked) in enumerate(BANK.items(), start=1)}
    st.selectbox("Question", keys, index=place, format_func=say.get, key=f"{CHOSEN} {now.turn}")
    st.button("Put this question", key="put question", type="primary", on_click=_put_question)


def _put_question() -> None:
    now = who.stage()
    chosen = st.session_state.get(f"{CHOSEN} {now.turn}")
    if chosen in BANK:
        who.put(now.begin(PREDICT, question=chosen))
        st.session_state["class_predict"] = False


def _steps(now: Stage) -> list[tuple[str, str, Stage, str]]:
    """How the vote on screen can go on: label, key, stage, kind of button; what usually comes next is first."""
    if now.kind in ENDING and now.state == OPEN:
        return [(ENDING[now.kind], "end game", now.go(REVEALED), "primary")]
    if now.kind == FOLLOW:
        return [("Call the phones back", "call back", now.begin(LOBBY), "primary")]
    if now.kind != PREDICT:
        return []
    if now.state == OPEN:
        return [("Close the vote", "close vote", now.go(CLOSED), "primary")]
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
    named = {person.number: person.name for person in door().rooms.people(ROOM.value) if person.name}
    if named:
        with st.popover("Remove a nickname", width="content"):
            say = {number: f"{number}: {literal(name)}" for number, name in named.items()}
            st.selectbox(
                "Nickname", list(named), format_func=lambda number: f"{number}: {named[number]}", key="nickname"
            )
            chosen = st.session_state.get("nickname")
            st.markdown(say.get(chosen, ""))
            act = (door().rooms.take_name, ROOM.value, KEY.value, chosen)
            st.button("Remove it", key="take name", on_click=who.do, args=act)


def _end() -> None:
    who.do(door().rooms.end, ROOM.value, KEY.value)
    who.leave()


def _files() -> None:
    """All answers as a file, and a picture of every question that was revealed or shown."""
    kept = door().rooms.answers(ROOM.value)
    files = {"All answers (CSV)": ("roam-class.csv", lambda: results.as_csv(ROOM.value, kept, known(kept), GAMES))}
    st.markdown(f"{words.counted(len(kept), 'answer', 'answers')} in this room so far.")
    take_along(files, _pictures(kept), who.link_of(room=ROOM.value), words.THIS_LINK)


def known(kept: list) -> dict[str, Truth]:
    """The truths of the questions that were asked, as far as they need no computing."""
    found = {}
    for what in results.asked_in(kept).values():
        if what in BANK:
            came = watching.recall(BANK[what].runs)
            if BANK[what].complete(came):
                found[what] = BANK[what].truth(came)
    return found


def _pictures(kept: list) -> dict[str, tuple[dict, str]]:
    """A figure of each question that was asked: with what came out where that is known."""
    drawn, truths = {}, known(kept)
    for turn, what in results.asked_in(kept).items():
        if what not in BANK or (turn == who.stage().turn and who.stage().state in (OPEN, CLOSED)):
            continue
        asked = BANK[what]
        votes = results.predicted(asked, [one for one in kept if one.vote.startswith(f"{turn}.")])
        if what in truths:
            figure = bank.drawn(asked, watching.recall(asked.runs), votes, truths[what])
            drawn[f"Question {turn}"] = (figure, bank.described(asked, truths[what], votes))
        else:
            drawn[f"Question {turn}"] = (figures.distribution(asked, votes), figures.said(asked, votes))
    return drawn
