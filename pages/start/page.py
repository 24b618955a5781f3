"""Start here: the problem, one round as a picture, three steps to take, ten evenings in two lanes, the algorithm."""

from pathlib import Path

import streamlit as st

from pages import figures
from pages.components.chart import chart
from pages.components.drawing import declare_drawing
from pages.components.lanes import lanes
from pages.page import Page
from pages.reveal import hidden, say_notice
from pages.start.evenings import USERS, ten_evenings
from pages.start.figures import link_picture
from pages.start.words import ALGORITHM, BANDITS, IDEA, MODEL, PAPER, shown_in_the_lanes
from pages.trials import Trial, cards, small_cards
from roam_core import Scenario, simulate

SMALL = Scenario(d=3, tau=15, k=200, horizon=300, runs=20)
STEPS = (
    Trial(
        "Step 1. Watch one run",
        "Two features, so everything can be drawn. Press Play and see which past items are asked about.",
        "one_run",
        {"horizon": 200},
    ),
    Trial(
        "Step 2. See why it explores",
        "Drag the items of a history about. A rich one has a good question in every direction.",
        "history",
        {"horizon": 200},
    ),
    Trial("Step 3. Meet a hundred users", "The paper's experiment in the lab: a thousand rounds for each.", "lab"),
)
LESSON = Trial(
    "Take the lesson", "Sixteen questions: predict, then see the simulation decide. 20 to 30 minutes.", "lesson"
)
REST = (
    Trial(
        "What if it never explores?",
        "No random rounds instead of 50. The mean changes little, but some users fare much worse, others better.",
        "lab",
        {"tau": 0},
    ),
    Trial(
        "What if it asks lazily?",
        "Always compare with the item just before, and see what that costs.",
        "lab",
        {"ask": "previous"},
    ),
    Trial("Do the paper's claims hold?", "Its three experiments at full size, and a verdict on each claim.", "paper"),
    Trial(
        "Can a rival beat it?",
        "CoLSTIM compares two fresh items. Tune it as you like, and ask other questions too.",
        "rivals",
    ),
    Trial(
        "How good is the bound?",
        "The theorem with today's numbers in it, and which step of its proof gives most away.",
        "theory",
    ),
    Trial(
        "What is assumed, what is open?",
        "The two models in a table, the assumptions, related work, and where these pages differ from the paper.",
        "setting",
    ),
)
one_round = declare_drawing("roam_round", (Path(__file__).parent / "round.html").read_text(encoding="utf-8"))
link = declare_drawing("roam_link", link_picture(Scenario().link))


@st.cache_data(show_spinner=False)
def small_run() -> dict:
    """The picture beside the algorithm."""
    return figures.curves([figures.Series(simulate(SMALL), "ROAM")], "regret")


@st.cache_data(show_spinner=False)
def story() -> dict:
    """The picture with the two lanes."""
    return ten_evenings()


def two_lanes() -> None:
    """The same evenings, concurrent and history-constrained."""
    st.header("Why the past is free: ten evenings in two lanes", anchor=False)
    st.markdown(BANDITS)
    told = story()
    lanes({**told, "verdict": "" if hidden() else told["verdict"]}, key="lanes")
    st.caption(shown_in_the_lanes(USERS, told["taste"]))


def algorithm() -> None:
    """What ROAM does, next to what comes of it."""
    left, right = st.columns(2, gap="large")
    with left:
        st.header("What ROAM does", anchor=False)
        st.markdown(ALGORITHM)
        say_notice(
            "In the shaded rounds, while it explores, the mean regret grows in a straight line. After that it bends. "
            "The band says how surely the mean is known; single users differ more."
        )
    with right:
        chart(
            small_run(),
            key="chart_start",
            alt="Mean regret of 20 short runs: straight during exploration, then bending.",
            height=340,
        )


def content() -> None:
    """The page below its title."""
    st.markdown(IDEA)
    one_round(key="one_round")
    cards(STEPS, (3,), "step")
    small_cards((LESSON,), "lesson")
    two_lanes()
    algorithm()
    left, right = st.columns([2, 1], gap="large", vertical_alignment="center")
    with left:
        st.header("The model in one line", anchor=False)
        st.markdown(MODEL)
    with right:
        link(key="link")
    st.header("More to try", anchor=False)
    small_cards(REST, "more")
    st.markdown(PAPER)


SYMBOLS = (
    "bandit", "duelling", "ROAM", "CoLSTIM", "regret", "exploration", "rich_history", "logistic", "ridge", "band",
    "utility", "theta", "estimate", "x", "y", "history", "contexts", "k", "tau", "V", "norm", "link", "c1",
)  # fmt: skip
PAGE = Page(
    "Start here",
    "",
    content,
    heading=st.title,
    headline="Regret once, ask many",
    symbols=SYMBOLS,
    teaser="The problem, ten evenings of it, and three steps to take.",
    scenario=False,
)
