"""A lesson: the bank's questions in order. Commit, see the simulation decide, read why, try one thing."""

import streamlit as st

from pages import watching
from pages.bank import figures
from pages.bank.commitments import Answer
from pages.bank.question import Question, Scene
from pages.bank.questions import BANK
from pages.board.works import Work
from pages.committing import HEIGHT, Committing
from pages.components.arrival import arrival
from pages.components.chart import chart
from pages.lesson.answers import AnswersParameter
from pages.lesson.words import ABOUT, FINISHED, HOW, NOTHING, Row, as_csv, in_lines, table, tally, verdict
from pages.page import Page
from pages.parameters import Choice, Kept
from pages.reveal import hidden, say_verdict
from pages.take_along import take_along
from pages.teaching import missing, teaching_files
from pages.views import place_of
from pages.watching import Sight

KEYS = list(BANK)
END = "end"
ROW = 240  # pixels: the marks of all questions in a row
STEPS = [*KEYS, END]
ANSWERS = AnswersParameter("lesson.answers")
STEP = Choice("lesson.question", KEYS[0], values=STEPS)
COMMITTING = Committing("lesson")
PREPARING = Kept("lesson.preparing", False)  # whether all questions are computed, for the notes


def question() -> Question | None:
    """The question on screen; None at the end."""
    return BANK.get(STEP.value)


def answer() -> Answer | None:
    """The answer to the question on screen; None before one commits."""
    return ANSWERS.of(STEP.value)


def wants() -> list[Work]:
    """What decides the question, once one has committed; before that the curves that are shown beside it.

    For the lecturer's notes all questions, if somebody asks for their numbers.
    """
    rest = [runs for asked in BANK.values() for runs in asked.runs] if PREPARING.value else []
    if question() is None:
        answered = [runs for key, _ in ANSWERS.value for runs in BANK[key].runs]
        return list(dict.fromkeys([*answered, *rest]))
    return list(dict.fromkeys([*(question().runs if answer() is not None else question().before), *rest]))


# The way through


def controls() -> None:
    """Where one is in the lesson, and the way to any other question."""
    place = STEPS.index(STEP.value)
    fresh = place == 0 and answer() is None  # the beginning, before anything is drawn
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="scroll_lesson"):
        st.button("Back", on_click=STEP.set, args=(STEPS[max(0, place - 1)],), disabled=place == 0, key="lesson back")
        with st.popover("All questions", width="content"):
            for number, asked in enumerate(BANK.values(), start=1):
                done = " (answered)" if ANSWERS.of(asked.key) is not None else ""
                name = f"{number}. {asked.title}{done}"
                st.button(name, key=f"go {asked.key}", type="tertiary", on_click=STEP.set, args=(asked.key,))
            st.button("What you predicted", key="go end", type="tertiary", on_click=STEP.set, args=(END,))
        if question():
            label = "Skip" if answer() is None else "Next"
            st.button(label, key="lesson skip", on_click=STEP.set, args=(STEPS[place + 1],))
        if not fresh:
            with st.popover("What it is about", width="content"):
                st.markdown(ABOUT)
    said = f"Question {place + 1} of {len(KEYS)}" if question() else "The end"
    st.progress(len(ANSWERS.value) / len(KEYS), text=f"**{said}**, {len(ANSWERS.value)} answered")
    if fresh:
        st.markdown(f"{ABOUT} {HOW}")


def layout(sight: Sight) -> tuple:
    """The question with its commitment on the left, a place for what came out, and one for the picture."""
    with place_of(STEP.value, STEPS):
        if question() is None:
            places = (st.container(), st.container())
            if not ANSWERS.value:
                st.button("Begin", type="primary", key="lesson begin", on_click=STEP.set, args=(KEYS[0],))
        elif answer() is None:
            places = to_commit(question())
        else:
            places = committed(question())
        with st.expander("Take it along: your answers, a handout for a class, lecturer's notes"):
            files = st.container()
            prepare()
    arrival(f"{STEP.value} {answer() is not None}")
    return *places, files


def prepare() -> None:
    """A button for a lecturer: all numbers of the notes."""
    if PREPARING.value or not (lacking := missing()):
        return
    st.button("Compute the numbers for the notes", key="lesson prepare", on_click=PREPARING.set, args=(True,))
    st.caption(
        f"What came out is not at hand for {lacking} of the {len(BANK)} questions. It takes half a minute or more."
    )


def to_commit(asked: Question) -> tuple:
    """The question with its picture, and what one commits to it with: on a phone first, unless it is the picture."""
    with st.container(key="picture_first" if asked.commitment.kind in ("item", "curve") else "picture_last"):
        left, right = asked_above(asked)
    with left:
        picture = st.container()
        curve = COMMITTING.by_hand(asked) if asked.commitment.kind == "curve" else None
    with right:
        chosen = COMMITTING.widget(asked, curve)
        st.button(
            "Commit",
            type="primary",
            key=f"commit {asked.key}",
            disabled=chosen is None,
            on_click=commit,
            args=(asked,),
            help="Then the simulation runs, with your prediction in its plot.",
        )
    return right.container(), picture


def asked_above(asked: Question) -> list:
    """The question, and below it two columns: for its picture, and for what goes with that."""
    st.subheader(asked.title, anchor=False)
    st.markdown(asked.text)
    return st.columns([3, 2], gap="large")


def commit(asked: Question) -> None:
    """Commit to what is chosen now: it may have changed since the page was drawn."""
    if (chosen := COMMITTING.now(asked)) is not None:
        ANSWERS.commit(asked.key, chosen)
        COMMITTING.chosen.set(None)


def committed(asked: Question) -> tuple:
    """The question, what came out, why, and how to go on."""
    with st.container(key="picture_first"):  # on a phone it stands before the words: it shows one's prediction
        left, right = asked_above(asked)
    with right:
        said = st.container()
        with st.container(horizontal=True, gap="small"):
            after = STEPS[STEPS.index(asked.key) + 1]
            label = "Next question" if after != END else "What you predicted"
            st.button(label, type="primary", key="lesson next", on_click=STEP.set, args=(after,))
            st.button("Take my answer back", key="take back", on_click=ANSWERS.take_back, args=(asked.key,))
    return said, left.container()


# What follows the runs


def draw(sight: Sight, places: list) -> None:
    """The picture, and what it decides."""
    said, picture, files = places
    if question() is None:
        the_end(sight, said, picture, files)
        return
    if answer() is None:
        with picture:
            COMMITTING.picture(question(), sight.results[: len(question().before)])
    else:
        after_it(question(), sight, said, picture)
    with files:
        if PREPARING.value:
            watching.progress(sight)
        take_along(teaching_files(_plain_address()), {}, PAGE.address)


def after_it(asked: Question, sight: Sight, said, picture) -> None:
    """What came out with the prediction drawn in; once it is complete, why, and one thing to try."""
    results = [sight.of(runs) for runs in asked.runs]
    truth = asked.truth_so_far(results)
    row = Row(asked, answer(), truth)
    predicted = {figures.YOURS: [row.answer]}
    with picture:
        alt = figures.described(asked, truth, predicted)
        chart(figures.drawn(asked, results, predicted, truth), key=f"chart_{asked.key}", alt=alt, height=HEIGHT)
        with st.container(key="progress_row"):
            if not isinstance(asked.plot, Scene):  # which is one run
                watching.progress(sight)
        watching.say_what_is_wrong(sight)
    with said:
        done = truth is not None and asked.complete(results)
        say_verdict(verdict(row if done else row._replace(truth=None)))
        with st.container():  # also if it is empty: what follows keeps its place
            if not done:
                st.markdown("The simulation is deciding …")
            elif not hidden():
                st.markdown(f"**What came out.** {asked.outcome(truth)}")
                st.markdown(f"**Why.** {asked.explanation(truth)}")
                st.markdown(f"**Try it.** {asked.trial.text}")
                st.link_button("Open it there, in another tab", asked.trial.link)


def _plain_address() -> str:
    """The address of this page, without one's answers."""
    return PAGE.address.partition("?")[0]


def the_end(sight: Sight, said, picture, files) -> None:
    """All predictions beside what came out."""
    rows = [row_of(asked, sight) for asked in BANK.values()]
    figure = figures.summary([row.question.title for row in rows], [row.near for row in rows])
    with said:
        st.subheader("What you predicted and what came out", anchor=False)
        if not ANSWERS.value:
            st.markdown(NOTHING)
        else:
            st.markdown(FINISHED)
            say_verdict(tally(rows))
    pictures = {}
    with picture:
        if ANSWERS.value:
            chart(figure, key="chart_end", alt=tally(rows), height=ROW)
            taken = figure | {"layout": figure["layout"] | {"height": ROW}}
            pictures = {"Your predictions": (taken, in_lines(rows))}
            if sight.running:
                watching.progress(sight)
            watching.say_what_is_wrong(sight)
            with st.container(key="lesson_table"):
                st.markdown(table(rows))
    with files:
        mine = {"Your predictions (CSV)": ("roam-predictions.csv", lambda: as_csv(rows))} if ANSWERS.value else {}
        take_along(mine | teaching_files(_plain_address()), pictures, PAGE.address)


def row_of(asked: Question, sight: Sight) -> Row:
    """A question with the prediction and what came out, if it was answered and all its runs are there."""
    mine = ANSWERS.of(asked.key)
    if mine is None:
        return Row(asked, None, None)
    results = [sight.of(runs) for runs in asked.runs]
    return Row(asked, mine, asked.truth(results) if asked.complete(results) else None)


SYMBOLS = (
    "regret", "exploration", "most_uncertain", "informative", "ROAM", "CoLSTIM", "rich_history", "band", "tau", "d",
    "k", "horizon", "radius", "link",
)  # fmt: skip
PAGE = Page(
    "A lesson",
    "lesson",
    controls,
    parameters=(STEP, ANSWERS),
    wants=wants,
    layout=layout,
    figures=draw,
    opens="Take the lesson",
    symbols=SYMBOLS,
    teaser="Sixteen questions: predict, see the simulation decide, and learn from what surprised you.",
    scenario=False,
)
