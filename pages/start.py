"""Start here: the problem in a few sentences."""

import streamlit as st

st.title("Regret once, ask many")
st.markdown(
    """
After you watch a film, a recommender asks: was it better than one you watched *before*?
Each answer tells it a little about your taste. Watching a poor film costs you an evening, which we call **regret**.
Being asked about it again costs nothing. So the algorithm, ROAM, pays for an item once and asks about it many times.

One round goes like this:

1. **Recommend.** From $k$ fresh items, pick the one that looks best under the current estimate of your taste.
2. **Pay.** You consume it. The regret is how much better the best of the $k$ items would have been for you.
3. **Ask.** Compare it with the past item about which the answer is most uncertain.
4. **Learn.** Update the estimate from your answer.

In the first $\\tau$ rounds step 1 picks at random. That fills the history with different items. Only a *rich* history
has something worth asking about in every direction.
"""
)
st.markdown("To simulate it, run this in a terminal:")
st.code("python -m roam_core run --d 5 --tau 50", language="shell")
