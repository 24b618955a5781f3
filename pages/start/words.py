"""What the start page says at length."""

from roam_core import Scenario

IDEA = (
    "After you watch a film, a recommender asks: *was it better than one you watched before?* Each answer tells it a "
    "little about your taste. A poor film costs you an evening, which we call **regret**. Being asked about it again "
    "costs nothing. So the algorithm here, **ROAM**, pays for a film once and asks about it many times."
)
BANDITS = (
    "Who learns by trying is called a **bandit**, after the slot machine: every try is paid for. Who learns from "
    "comparisons is a **duelling bandit**. Earlier ones compare two *fresh* films. Such an evening costs the "
    "mean of the two, so the second film must look good as well. ROAM compares tonight's film with one from your "
    "*past*. That one was paid for when you watched it, so it need only be a good question."
)
ALGORITHM = r"""
1. **Explore.** For $\tau$ rounds, recommend at random and ask about the item before. This fills the history with
   variety.
2. **Recommend.** Then give the item with the largest estimated utility $\langle x, \hat\theta_t\rangle$.
3. **Ask** about the past item $y$ that differs most where the estimate is least sure: the one with the largest
   uncertainty $\lVert x_t-y\rVert_{V_t^{-1}}$.
4. **Learn.** Update the estimate $\hat\theta_t$ and the matrix $V_t$ of directions asked about. Go to 2.
"""
MODEL = (
    "An item is worth to you the inner product of your taste and its features (utility, "
    "$\\langle x, \\theta^*\\rangle$), and your answer is a coin: it falls on $x$ with probability $F(u)$, where "
    "$u = \\langle x - y, \\theta^*\\rangle$ says how much more $x$ is worth than $y$.\n\n"
    "With the logistic $F$ on the right the estimate is a **logistic regression** you know: of the answers on the "
    "differences $x - y$, without an intercept and with a small ridge. Its coefficients are the estimated taste "
    "$\\hat\\theta$."
)
PAPER = (
    "**The paper:** Suryanarayana Sankagiri, Jalal Etesami, Pouria Fatemi and Matthias Grossglauser, [*Recycling "
    "History: Efficient Recommendations from Contextual Dueling Bandits*](https://arxiv.org/abs/2508.18841). These "
    "pages simulate its model and its algorithm, ROAM (Regret Once, Ask Many), and check its claims."
)


def shown_in_the_lanes(scenario: Scenario, taste: str) -> str:
    """What the picture with the two lanes shows, and how it was made."""
    return (
        f"A film is drawn from its two features: rays say how loud it is, the mouth how funny. This user likes {taste} "
        f"films, which no algorithm is told. Each evening has {scenario.k} films on offer, the same for both lanes, "
        f"and on the first {scenario.tau} evenings picks are random. CoLSTIM (c1 = {scenario.c1:g}) plays the first "
        f"lane, ROAM the second, both with a ridge of {scenario.ridge:g}. The example was picked because it is easy to "
        "follow; other settings favour ROAM less or more. The regret of an evening is that of its film, or the mean of "
        "its two films, as the paper counts it (their sum would be twice that)."
    )
