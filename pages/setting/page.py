"""The setting: two ways to learn from comparisons, what is assumed, where we differ from the paper, what is open."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pages.components.drawing import declare_drawing
from pages.glossary import explained, in_order
from pages.page import Page
from pages.setting.words import AFTERWARDS, ANSWER, COMPARED, DIFFERENCES, QUESTION, RELATED, WHO_PAYS
from pages.trials import Trial, cards

models = declare_drawing("roam_models", (Path(__file__).parent / "models.html").read_text(encoding="utf-8"))


ASSUMPTIONS = (
    Trial(
        "Fresh items come from one law",
        "The k items (Xₜ) of each round are drawn independently from the same law (P), whatever happened before.",
        "lab",
        {"items": "ball"},
    ),
    Trial(
        "No item is longer than r",
        "The largest item norm (r) scales every utility. The bound pays dearly for a large one.",
        "theory",
        {"radius": 2.0},
    ),
    Trial(
        "Items differ in every direction",
        "The spread of the items (Σ) must be invertible. If items hardly differ along some axis, no question probes "
        "it.",
        "history",
        {"horizon": 200, "flatness": 0.1},
    ),
    Trial(
        "The link is known",
        "The algorithm knows how a difference in utility becomes a chance (F). What if it is wrong about that?",
        "rivals",
        view="link",
    ),
)
DISCUSSION = (
    Trial(
        "One user, one taste",
        "The taste (θ*) belongs to one user and never changes, and the features of an item are known. Here every run "
        "is another user: set the runs (n) to 1 and press New seed to meet one after the other.",
        "lab",
        {"runs": 1},
    ),
    Trial(
        "How far back to ask",
        "People remember the last film better than the hundredth before. But recent items resemble each other once the "
        "taste is known, so their comparison tells little. Let only the last w items be asked about.",
        "rivals",
        {"window": 10},
        view="ask",
    ),
    Trial(
        "How people choose",
        "The chance depends on the difference of two utilities only. Moods, anchors and pairs that cannot be "
        "compared are left out. Let the user answer otherwise than the algorithm thinks.",
        "rivals",
        {"link": "cauchit"},
        view="link",
    ),
    Trial(
        "What a question costs",
        "Comparisons are free in this model. Then one could ask after every film about every other. Give a question a "
        "cost, and ask only where the answer is uncertain.",
        "rivals",
        {"cost": 0.05},
        view="less",
    ),
    Trial(
        "A curved link",
        "The bound has 1/κ in it, which can grow exponentially with r. Newer work on generalised linear bandits avoids "
        "that. Whether it can be done for comparisons is open.",
        "theory",
        {"radius": 0.3},
    ),
)


def section(title: str, draw: Callable[[], None]) -> None:
    """A part of the page under its own heading."""
    st.subheader(title, anchor=False)
    draw()


def content() -> None:
    """The page below its title."""
    st.markdown(
        "A recommender that learns from comparisons is a *duelling bandit*: a bandit pays for what it tries. There are "
        "two kinds, which differ in where the second item comes from, and so in what a question costs. The start page "
        "plays ten evenings of both."
    )
    models(key="models")
    st.markdown(f"**What do you expect?** {QUESTION}")
    with st.expander("The trade-off"):
        st.markdown(ANSWER)
        st.markdown(COMPARED)
        st.markdown(WHO_PAYS)
    st.markdown(AFTERWARDS)
    section("What is assumed", lambda: cards(ASSUMPTIONS, (4,), "assume"))
    st.caption(
        "Besides: the taste (θ*) has length 1, and the order of the two items does not matter: F(u) + F(−u) = 1. All "
        "link functions here have that property."
    )
    section("What the paper leaves open", lambda: cards(DISCUSSION, (3, 2), "discuss"))
    with st.expander("Where these pages differ from the paper"):
        st.markdown(DIFFERENCES)
    with st.expander("Related work"):
        st.markdown(RELATED)
    with st.expander("All words and symbols"):
        st.markdown(explained(in_order()))


SYMBOLS = (
    "bandit", "duelling", "concurrent", "history_constrained", "ROAM", "CoLSTIM", "exploration", "rich_history",
    "greedy", "regret", "ratio", "ridge", "contexts", "x", "best", "y", "history", "theta", "estimate", "V", "Sigma",
    "lambda_min", "kappa", "d", "k", "link", "items", "radius", "window", "c1", "c2", "cost", "runs",
)  # fmt: skip
PAGE = Page(
    "The setting",
    "setting",
    content,
    opens="Open the setting",
    symbols=SYMBOLS,
    teaser="The two models in detail: what is assumed, what is open, related work, all words and symbols.",
    scenario=False,
)
