"""Predict: a question of the bank, a vote, another vote, and then the simulation decides."""

from collections.abc import Sequence

import streamlit as st

from pages import watching
from pages.bank import figures as bank
from pages.bank.commitments import Answer
from pages.bank.question import Question, Scene
from pages.bank.questions import BANK
from pages.board.works import Work
from pages.called_again import called_again
from pages.classroom import figures, results, who, words
from pages.classroom.database import Refused
from pages.classroom.door import door
from pages.classroom.figures import TALL
from pages.classroom.membership import ME, ROOM
from pages.classroom.stage import CLOSED, OPEN, REVEALED, SHOWN
from pages.classroom.who import EVERY, LECTURER, STUDENT
from pages.committing import HEIGHT, Committing, readable
from pages.components.chart import chart
from pages.lesson.words import Row, verdict
from pages.watching import Sight

COMMITTING = Committing("class", lambda: who.stage().vote)


def question() -> Question:
    """The question on screen."""
    return BANK[who.stage().question]


def wants() -> list[Work]:
    """What decides the question once it is revealed; before that the curves that are shown beside it."""
    asked = question()
    return list(asked.runs if who.stage().state == REVEALED else asked.before)


def kept() -> dict[str, list[Answer]]:
    """The answers of the class to the question on screen, by vote."""
    now, rooms = who.stage(), door().rooms
    ballots = range(1, now.ballot + 1)  # a page that is behind sees nothing of a vote that was opened meanwhile
    found = [one for ballot in ballots for one in rooms.answers(ROOM.value, now.vote_of(ballot))]
    return results.predicted(question(), found)


# The projector and the lecturer


def shown() -> Sequence:
    """The question, how many have answered, and a place for what they have, once that may be seen."""
    asked, now = question(), who.stage()
    st.subheader(asked.title, anchor=False)
    pictured = now.state in (SHOWN, REVEALED) or shown_before(asked)
    with st.container(key="class_question" if pictured else "class_alone"):
        st.markdown(asked.text)
        if not pictured:
            st.markdown(asked.commitment.asks)
            _count()
            return st.container(), st.container()
    left, right = st.columns([3, 2], gap="large")
    with right.container(key="class_said"):
        if now.state in (OPEN, CLOSED):
            st.markdown(asked.commitment.asks)
        if now.state != REVEALED:
            _count()
        said = st.container()
    return said, left.container()


def shown_before(asked: Question) -> bool:
    """Whether there is a picture already before one commits."""
    return isinstance(asked.plot, Scene) or bool(asked.before)


@called_again(EVERY)
def _count() -> None:
    """How many have answered, not what."""
    now = who.stage()
    try:
        done, of = (door().rooms.answered(ROOM.value, now.vote), door().rooms.count(ROOM.value, now.vote))
    except Refused:
        return
    which = "" if now.ballot == 1 else "Second vote: "
    closed = "" if now.state == OPEN else f" {words.CLOSED}"
    with st.container(key="class_count"):
        st.markdown(f"{which}{words.have_answered(done, of)}.{closed}")
    st.progress(min(done / of, 1.0) if of else 0.0)


def fill(sight: Sight, places: Sequence) -> None:
    """What may be seen by now."""
    if who.role() == STUDENT:
        fill_phone(sight, places)
        return
    said, picture = places
    asked, now = question(), who.stage()
    if now.state not in (SHOWN, REVEALED):
        if shown_before(asked):  # the phones have it too
            with picture:
                figure = bank.drawn(asked, sight.results, {})
                chart(figure, key=f"class_chart_{asked.key}", alt=bank.described(asked, None, {}), height=TALL)
                watching.say_what_is_wrong(sight)
        return
    votes = kept()
    found = [sight.of(runs) for runs in asked.runs] if now.state == REVEALED else []
    truth = asked.truth_so_far(found) if found else None
    with picture:
        if truth is None:
            figure, alt = figures.distribution(asked, votes), figures.said(asked, votes)
        else:
            figure, alt = bank.drawn(asked, found, votes, truth), bank.described(asked, truth, votes)
        chart(figure, key=f"class_chart_{asked.key}", alt=alt, height=TALL)
        if now.state == REVEALED and sight.running:
            watching.progress(sight)
        watching.say_what_is_wrong(sight)
    if now.state == REVEALED and not (truth is not None and asked.complete(found)):
        said.markdown(words.DECIDING)
    elif now.state == SHOWN and now.ballot == 1:
        said.markdown(words.DISCUSS)
    elif now.state == REVEALED:
        with said:
            st.markdown(f"**What came out.** {asked.outcome(truth)} {results.tally(asked, votes, truth)}")
            st.markdown(f"**Why.** {asked.explanation(truth)}")
            if asked.ask and who.role() == LECTURER:
                st.markdown(f"**Ask the class.** {asked.ask}")


# A phone


def own(ballot: int) -> Answer | None:
    """What this student answered in a vote."""
    return readable(question(), door().rooms.own(ROOM.value, who.person().number, who.stage().vote_of(ballot)))


def phone() -> Sequence:
    """The question with what one commits to it, or what one has."""
    asked, now = question(), who.stage()
    if now.ballot == 2 and now.state == OPEN:
        before = own(1)
        st.markdown(f"**{words.AGAIN}**" + (f" First you said: {asked.words(before)}." if before is not None else ""))
    st.subheader(asked.title, anchor=False)
    st.markdown(asked.text)
    if now.state == OPEN:
        return _to_commit(asked)
    if now.state != REVEALED:
        mine = own(now.ballot)
        about = f"You answered: **{asked.words(mine)}**." if mine is not None else words.NONE_KEPT
        st.markdown(f"{words.CLOSED} {about} {words.ON_THE_WALL}")
    with st.container(key="picture_first"):
        picture = st.container()
    return st.container(), picture


def _to_commit(asked: Question) -> Sequence:
    """What one says it with stands first: a phone shows one below the other. What is chosen in a picture follows it."""
    now, mine, kind = who.stage(), own(who.stage().ballot), asked.commitment.kind
    with st.container(key="picture_first"):  # on a phone it is low, so that one need not scroll to answer
        first, second = st.columns([3, 2] if kind in ("item", "curve") else [2, 3], gap="large")
    answering, drawing = (second, first) if kind in ("item", "curve") else (first, second)
    with drawing:
        picture = st.container()
        curve = COMMITTING.by_hand(asked, mine or own(1)) if kind == "curve" else None
    with answering:
        chosen = COMMITTING.widget(asked, curve, mine if mine is not None else own(1))
        st.button(
            "Commit" if mine is None else "Change my answer",
            type="primary",
            key=f"class commit {now.vote}",
            disabled=chosen is None or chosen == mine,
            on_click=_commit,
            args=(asked, now.vote, chosen),
        )
        with st.container(key="class_kept"):
            if mine is not None:
                st.markdown(words.KEPT.format(asked.words(mine)))
    return answering.container(), picture


def _commit(asked: Question, vote: str, shown: Answer | None) -> None:
    """Commit to what is chosen now: it may have changed since the page was drawn."""
    chosen = COMMITTING.now(asked)
    chosen = shown if chosen is None else chosen
    if chosen is not None:
        who.do(door().rooms.answer, ROOM.value, ME.value, vote, asked.format(chosen))


def fill_phone(sight: Sight, places: Sequence) -> None:
    """The picture to predict in; once it is revealed, what came out beside one's own answer."""
    said, picture = places
    asked, now = question(), who.stage()
    with picture:
        if now.state == OPEN:
            if shown_before(asked) or asked.commitment.kind == "curve":  # else there is nothing in it yet
                mine = own(now.ballot)
                COMMITTING.picture(asked, sight.results, mine if mine is not None else own(1))
            return
        if now.state != REVEALED:
            return
        mine = {name: [answer] for ballot, name in results.VOTES.items() if (answer := own(ballot)) is not None}
        if list(mine) == [results.VOTES[1]]:
            mine = {bank.YOURS: mine[results.VOTES[1]]}
        elif list(mine) == [results.VOTES[2]]:
            mine = {results.VOTES[1]: [], **mine}  # so that the second vote has the colour that it has for all
        if isinstance(asked.plot, Scene) and mine:  # it counts the votes of many, and marks that of one
            mine = {bank.YOURS: list(mine.values())[-1]}
        found = [sight.of(runs) for runs in asked.runs]
        truth = asked.truth_so_far(found)
        alt = bank.described(asked, truth, mine)
        chart(bank.drawn(asked, found, mine, truth), key=f"chart_{asked.key}", alt=alt, height=HEIGHT)
        watching.say_what_is_wrong(sight)
    with said:
        done = truth is not None and asked.complete(found)
        last = list(mine.values())[-1][0] if mine else None
        if last is not None:
            st.markdown(verdict(Row(asked, last, truth if done else None)))
        st.markdown(f"**What came out.** {asked.outcome(truth)}" if done else words.DECIDING)
        if done:
            st.markdown(f"**Why.** {asked.explanation(truth)}")
