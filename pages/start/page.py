"""Start here: the problem, one round of the model, the algorithm next to a run of it, and where to go."""

from dataclasses import replace
from pathlib import Path

import streamlit as st

from pages import figures
from pages.components.chart import chart
from pages.components.drawing import declare_drawing
from pages.glossary import GLOSSARY, table
from pages.page import Page
from pages.registry import page, turn_to
from pages.scenario_controls import show
from roam_core import Scenario, simulate

SMALL = Scenario(d=3, tau=15, k=200, horizon=300, runs=20)
CARDS = (
    (
        "Watch one run",
        "Two features, so everything can be drawn. Press Play and see which past items are asked about.",
        "one_run",
        {"horizon": 200},
    ),
    (
        "What makes a history rich?",
        "Drag items about and see how wide a shadow they cast. That is what exploration is for.",
        "history",
        {"horizon": 200},
    ),
    ("The paper's experiment", "A hundred users, a thousand rounds each. See the regret bend.", "lab", {}),
    (
        "What if it never explores?",
        "No random rounds at the start. Look at the band: a user's regret becomes a matter of luck.",
        "lab",
        {"tau": 0},
    ),
    (
        "What if it asks lazily?",
        "Always compare with the item just before, and see what that costs.",
        "lab",
        {"ask": "previous"},
    ),
    (
        "How good is the bound?",
        "The theorem with today's numbers in it, and which step of its proof gives most away.",
        "theory",
        {},
    ),
    ("Do the paper's claims hold?", "Its three experiments at full size, and a verdict on each claim.", "paper", {}),
    (
        "Can a rival beat it?",
        "CoLSTIM compares two fresh items. Tune it as you like, and ask other questions too.",
        "rivals",
        {},
    ),
)
one_round = declare_drawing("roam_round", Path(__file__).parent / "round.html")


@st.cache_data(show_spinner=False)
def small_run() -> dict:
    """The picture beside the algorithm."""
    return figures.curves([figures.Series(simulate(SMALL), "ROAM")], "regret")


def set_controls(changes: dict) -> None:
    """Set the controls for the page a card leads to."""
    show(replace(Scenario(), **changes))


def content() -> None:
    """The page below its title."""
    st.markdown(
        "After you watch a film, a recommender asks: *was it better than one you watched before?* "
        "Each answer tells it a little about your taste. A poor film costs you an evening, which we call **regret**. "
        "Being asked about it again costs nothing. So the algorithm here, **ROAM**, pays for an item once and asks "
        "about it many times."
    )
    st.header("One round", anchor=False)
    one_round(key="one_round")
    st.caption(
        "Other methods compare two *fresh* items. Then you pay regret for both. Here only the new item costs "
        "something: the other one was paid for when you watched it."
    )
    if st.button("The two models side by side"):
        turn_to("setting")

    left, right = st.columns(2, gap="large")
    with left:
        st.header("The algorithm in four lines", anchor=False)
        st.markdown(
            r"""
1. For $\tau$ rounds, recommend at random and compare with the item before. This fills the history with variety.
2. Then recommend the item with the largest estimated utility $\langle x, \hat\theta_t\rangle$.
3. Ask about the past item $y$ that differs most where the estimate is least sure,
   the one with the largest $\lVert x_t-y\rVert_{V_t^{-1}}$.
4. Update the estimate $\hat\theta_t$ and the matrix $V_t$ of directions asked about. Go to 2.
"""
        )
        st.markdown(
            "**Notice** in the plot: in the shaded rounds regret grows in a straight line. After that it bends."
        )
    with right:
        chart(
            small_run(),
            key="chart_start",
            alt="Mean regret of 20 short runs: straight during exploration, then bending.",
            height=360,
        )

    st.header("Try it", anchor=False)
    for start in range(0, len(CARDS), 4):
        for column, (title, text, folder, changes) in zip(st.columns(4), CARDS[start : start + 4], strict=True):
            with column.container(border=True, height="stretch", vertical_alignment="distribute"):
                st.markdown(f"**{title}**\n\n{text}")
                if st.button(page(folder).opens, key=f"card {title}", on_click=set_controls, args=(changes,)):
                    turn_to(folder)

    with st.expander("The symbols"):
        st.markdown(table(tuple(GLOSSARY)))


PAGE = Page(
    "Start here",
    "",
    content,
    heading=st.title,
    headline="Regret once, ask many",
    teaser="The problem, one round of it, and the algorithm.",
    scenario=False,
)
