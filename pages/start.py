"""Start here: the problem, one round of the model, the algorithm next to a run of it, and where to go."""

from dataclasses import replace

import streamlit as st

from pages.parts import controls, figures
from pages.parts.chart import chart
from roam_core import KNOBS, Scenario, simulate

ROUND = (
    (
        ":material/movie: 1. Recommend",
        "From k fresh items, pick the one that looks best under the current estimate of your taste.",
    ),
    (
        ":material/payments: 2. Consume and pay",
        "You watch it. The regret is how much better the best of the k items would have been.",
    ),
    (
        ":material/compare_arrows: 3. Ask about the past",
        "Was it better than an item you watched before? That item costs nothing a second time.",
    ),
    (":material/school: 4. Learn", "Your answer is one more comparison. The estimate of your taste moves a little."),
)
SMALL = Scenario(d=3, tau=15, k=200, horizon=300, runs=20)
OBJECTS = (
    ("θ*", "taste", "The user's hidden taste, a vector of length 1."),
    ("θ̂ₜ", "estimate", "The estimate of the taste that round t starts from."),
    ("Xₜ", "context set", "The k fresh items on offer in round t."),
    ("xₜ, x*ₜ", "recommended and best item", "The item that is recommended, and the one that would have been best."),
    ("Hₜ, yₜ", "history, compared item", "All items consumed before, and the one of them that is asked about."),
    ("zₜ", "probing vector", "xₜ − yₜ, the direction of taste that the question probes."),
    ("Vₜ", "directions probed", "The sum of zzᵀ over past questions; its inverse says where the estimate is unsure."),
    ("critical ratio", "", "How far xₜ is from x*ₜ compared with how far it is from yₜ, both measured by Vₜ⁻¹."),
)
SYMBOLS = ("d", "tau", "k", "link", "horizon", "runs", "radius")
CARDS = (
    ("The paper's experiment", "A hundred users, a thousand rounds each. See the regret bend.", {}),
    (
        "What if it never explores?",
        "No random rounds at the start. Look at the band: a user's regret becomes a matter of luck.",
        {"tau": 0},
    ),
    (
        "What if it asks lazily?",
        "Always compare with the item just before, and see what that costs.",
        {"ask": "previous"},
    ),
)


@st.cache_data(show_spinner=False)
def small_run() -> dict:
    """The picture beside the algorithm."""
    return figures.curves([figures.Series(simulate(SMALL), "ROAM")], "regret")


def open_lab(changes: dict) -> None:
    """Set the controls for the lab."""
    controls.show(replace(Scenario(), **changes))


controls.current()
st.title("Regret once, ask many", anchor=False)
st.markdown(
    "After you watch a film, a recommender asks: *was it better than one you watched before?* "
    "Each answer tells it a little about your taste. A poor film costs you an evening, which we call **regret**. "
    "Being asked about it again costs nothing. So the algorithm here, **ROAM**, pays for an item once and asks about "
    "it many times."
)
st.subheader("One round", anchor=False)
for column, (title, text) in zip(st.columns(4), ROUND, strict=True):
    with column.container(border=True, height="stretch"):
        st.markdown(f"**{title}**")
        st.markdown(text)
st.caption(
    "Other methods compare two *fresh* items. Then you pay regret for both. Here only the new item costs something: "
    "the other one was paid for when you watched it."
)

left, right = st.columns(2, gap="large")
with left:
    st.subheader("The algorithm in four lines", anchor=False)
    st.markdown(
        r"""
1. For $\tau$ rounds, recommend at random and compare with the item before. This fills the history with variety.
2. Then recommend the item with the largest estimated utility $\langle x, \hat\theta_t\rangle$.
3. Ask about the past item $y$ that differs most where the estimate is least sure,
   the one with the largest $\lVert x_t-y\rVert_{V_t^{-1}}$.
4. Update the estimate $\hat\theta_t$ and the matrix $V_t$ of directions asked about. Go to 2.
"""
    )
    st.markdown("**Notice** in the plot: in the shaded rounds regret grows in a straight line. After that it bends.")
with right:
    chart(
        small_run(),
        key="chart_start",
        alt="Mean regret of 20 short runs: straight during exploration, then bending.",
        height=360,
    )

st.subheader("Try it", anchor=False)
for column, (title, text, changes) in zip(st.columns(3), CARDS, strict=True):
    with column.container(border=True, height="stretch"):
        st.markdown(f"**{title}**")
        st.markdown(text)
        if st.button("Open in the lab", key=f"card {title}", on_click=open_lab, args=(changes,)):
            st.switch_page("pages/lab.py")

with st.expander("The symbols"):
    rows = [
        f"| {KNOBS[n].symbol} | {KNOBS[n].label} | {KNOBS[n].help} | {KNOBS[n].format(KNOBS[n].default)} |"
        for n in SYMBOLS
    ]
    rows = [*(f"| {symbol} | {name} | {meaning} | |" for symbol, name, meaning in OBJECTS), *rows]
    st.markdown("\n".join(["| symbol | name | meaning | paper's default |", "|---|---|---|---|", *rows]))
