"""What the page "The setting" says at length."""

QUESTION = "In which of the two models can the algorithm ask the better question? In which one does it pay less for it?"
ANSWER = (
    "Both have an edge. With two fresh items the best item x* itself could be the second one, so there is always a "
    "question that reaches as far as the mistake: the critical ratio can be kept at 1. But the second item is paid "
    "for. With a past item the question is free, so it can be chosen to teach as much as possible. But the past was "
    "not made for today's item: it must be rich enough."
)
COMPARED = """
| | concurrent | history-constrained |
|---|---|---|
| shown | two fresh items, x and y | one fresh item, x |
| y comes from | the context set (Xₜ) | the history (Hₜ) |
| asked | which of the two do you pick? | was x better than y? |
| paid in a round | the mean regret of x and y | the regret of x |
| the answer rests on | what the items promise | two items that were consumed |
"""
WHO_PAYS = (
    "**Is that comparison fair?** The paper counts a unit of regret for every item recommended and for every "
    "comparison made. One can also cast both into one model. Let the context set stay the same for two steps, t and "
    "t + ½. CoLSTIM recommends x, then y, pays for both, and compares y with the item just before, x. ROAM "
    "recommends x twice, pays for it twice, and compares it with any suitable item of the past. Half of what each "
    "pays is what the plots show."
)
AFTERWARDS = (
    "**Why ask afterwards?** A choice between two posters is a guess about two films. Somebody who has seen both "
    "knows. A comparison also does without stars: it does not matter how strict the user is today, and two films "
    "with five stars can still be told apart."
)
DIFFERENCES = """
- **Items.** The paper says "the unit ball" and calls the set of vectors of length 1 by that name. Our default is the
  sphere; the solid ball is an option (law of the items, P).
- **Spread.** For the unit ball the paper gives 1/√λmin(Σ) = √d. With its own definition of Σ it is √(d/2) on the sphere
  and √((d+2)/2) in the ball.
- **Ridge.** Few comparisons can often be told apart without a mistake, and then no finite estimate exists. Ours has a
  small ridge (λ), and V starts from λ times the identity. The paper has a ridge without exploration only.
- **Round 1** has no past, so nothing is asked. The paper's pseudo-code compares with an item x₀ that does not exist.
- **CoLSTIM**'s own paper lets items share their noise with some probability. By its formula that never happens in the
  default scenario, so here every item always has its own.
"""
RELATED = """
- **Linear bandits** learn a taste from numbers such as ratings. **Generalised linear bandits** (Li, Lu and Zhou 2017)
  put a link function in between; the lemmas behind the bound here come from them.
- **Duelling bandits** (Yue and others 2012) learn from comparisons of K fixed items without features.
- **Contextual duelling bandits** (Saha 2021; Bengs, Saha and Hüllermeier 2022) join the two: features and
  comparisons, with two fresh items a round. **CoLSTIM** is the algorithm of the second paper and the rival on these
  pages.
- Their bound is of the order d√T log(T)/κ for items of length at most 1. ROAM's has the same rate, times 1/√λmin(Σ).
- **Context** has another meaning in some work on duelling bandits: there it is a state of the world that changes what
  is preferred, not a set of items with features.
- **No parameter to tune.** CoLSTIM has two numbers, c1 and c2, that trade learning for regret. After exploration ROAM
  has none: recommending is greedy, and asking is free.
"""
