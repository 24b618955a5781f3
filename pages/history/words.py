"""What the page "Rich history" says: the steps, Definition 1, Lemma 3 on a history, and what the plots show."""

import math

import numpy as np

from pages.history.figures import is_exact, quantiles
from roam_core.enrichment import Explored, RichResult
from roam_core.richness import Pairs, Richness, richness_along

# Histories in units of the radius.
NARROW = [[-0.92, -0.05], [-0.5, 0.06], [-0.12, -0.05], [0.3, 0.05], [0.62, -0.06], [0.94, 0.04]]
DIVERSE = [*NARROW, [0.1, 0.95]]
RICH = [*DIVERSE, *([math.cos(a), math.sin(a)] for a in np.linspace(0.35, 6.0, 11))]
OFF_CENTRE = [[-0.2, 0.5], [0.86, -0.5], [-0.2, -0.5], [0.86, 0.5]]
STEPS = (
    (
        "1. A narrow history",
        "These items hardly differ from bottom to top. A question compares a fresh item with one of them. If the fresh "
        "item lies at their height too, no question about it tells much about taste from bottom to top.",
        NARROW,
    ),
    (
        "2. One more diverse item",
        "One item lies far above the others. A fresh item is far below it or far above the others. So some "
        "question always probes the direction that was missing.",
        DIVERSE,
    ),
    (
        "3. A rich history",
        "Items lie all around. Whatever the fresh item and whatever the direction, some past item is far from it "
        "in that direction.",
        RICH,
    ),
    (
        "4. Wide but off-centre",
        "The worst shadow is not the narrowest one. These items are a little wider than high, but they lie right of "
        "the centre. So x′, at the far left, is much farther from x than any past item is along v. Drag the two left "
        "items to the left: the shadow's middle moves to the centre, and ρ(H) falls.",
        OFF_CENTRE,
    ),
)

DEFINITION = r"""
**The question.** A fresh item $x$ was recommended. Another item $x'$ may have been better. To find out, we ask about
$x$ and a past item $y$ from the history $H$. Can some $y$ differ from $x$ as much as $x'$ does?

**What counts as much.** Lengths are measured by a positive definite matrix $A$: $\|z\|_A = \sqrt{z^\top A z}$. In a run
$A$ is $V_t^{-1}$: a difference is long where taste is uncertain.

**Definition 1 of the paper.** A history $H$ is *β-rich* if for any $x, x'$ with $\|x\| \le r$ and $\|x'\| \le r$, and
for any positive definite matrix $A$,

$$
\|x - x'\|_A \;\le\; \beta \, \max_{y \in H} \|x - y\|_A .
$$

The paper proves that $\beta = 8r/\sqrt{\lambda_{\min}(\Sigma)}$ does with high probability, after enough exploration. A
history's own value, the smallest $\beta$ that does for it, is called $\rho(H)$ here. Low is rich.

**An exact formula (ours, not the paper's).** Let $v$ be a direction, a vector of length 1. The numbers
$\langle y, v\rangle$, $y \in H$, span an interval: the history's shadow on a line along $v$. Let $m(v)$ be its middle
and $w(v)$ its half-width. Then

$$
\rho(H) \;=\; \sup_{\|v\| = 1} \frac{r + |m(v)|}{w(v)} .
$$

**Proof.**
1. Fix $x$ and $x'$. Let $K$ be the convex hull of all $\pm(x - y)$, $y \in H$, and $g$ the least number with
   $x - x' \in g K$. A norm is convex, so $\|x - x'\|_A \le g \max_y \|x - y\|_A$ for every $A$.
2. By duality, $g = \sup_v |\langle x - x', v\rangle| / \max_y |\langle x - y, v\rangle|$. That is the ratio for
   $A = v v^\top$, which $v v^\top + \varepsilon I$ approaches. So the worst $A$ has rank one (the idea is Elfving's).
3. Now fix $v$, and write $a = \langle x, v\rangle$. The numerator is at most $r + |a|$: put $x'$ at $\mp r v$, on the
   other side. The denominator is $w + |a - m|$.
4. With $s = |a - m|$ this is at most $(r + |m| + s)/(w + s)$, because $|a| \le |m| + s$. And that is at most
   $(r + |m|)/w$, because $w \le r$: no item is longer than $r$.
5. $x = m v$ attains this; it is allowed, because $|m| \le r$. Take the supremum over $v$.
"""

LEMMA = r"""
**Lemma 3 of the paper.** Let $\delta \in (0, 1)$. There is a universal constant $C$ such that after
$\tau = \frac{C r^2}{\lambda_{\min}(\Sigma)} \log(d/\delta)$ rounds of exploration the history $H_t$ is $\beta$-rich
with $\beta = 8r/\sqrt{\lambda_{\min}(\Sigma)}$ at every $t > \tau$, with probability at least $1 - \delta$.

Here $\Sigma = \mathbb{E}[(x - x')(x - x')^\top]$ for two random items. The proof has three steps. Below are its numbers
for the history on screen, in the plane.
"""

SLIP = (
    "A slip in the paper's proof: it says that a difference of two items has norm at most r. It is at most 2r. "
    "That changes the constant C only."
)


def number(value: float) -> str:
    """A number in three digits, or a word; what is only rounding is zero."""
    return "infinite" if math.isinf(value) else f"{value if abs(value) > 1e-9 else 0:.3g}"


def pairs_step(of: Pairs, own: bool) -> str:
    """Step 1 of the proof of Lemma 3, for the pairs of a history that is a run's own or not."""
    count = f"{len(of.z)} pairs" if len(of.z) > 1 else "one pair"
    if not own:
        return (
            f"Two by two the items make {count}. This history was put there by hand, so no chance is behind it, and "
            "step 3 promises nothing. The inequalities hold all the same."
        )
    return (
        f"Two by two the items make {count}. Items of the exploration phase are random, and no two pairs share one. So "
        r"the differences $z_i = x_{2i-1} - x_{2i}$ are independent, and $z_i z_i^\top$ is $\Sigma$ on average."
    )


def triangle_step(of: Pairs, found: Richness) -> str:
    """Step 2 of the proof of Lemma 3, along the worst direction."""
    longest, w = of.along(found.v).max(), (found.high - found.low) / 2
    return (
        f"Along the worst direction $v$ (shaded: the shadow) the longest pair is {number(longest)} long. Wherever $x$ "
        f"is, one of its two items is at least half of that away from $x$: {number(longest / 2)}. So the half-width "
        rf"$w$ = {number(w)} cannot be less. The same holds in every norm $\|\cdot\|_A$."
    )


def concentration_step(of: Pairs, lambda_min: float) -> str:
    """Step 3 of the proof of Lemma 3, where lambda_min is that of Sigma."""
    here = (
        f"Here the mean is {number(of.least)} where it is smallest: enough."
        if of.least >= lambda_min / 4
        else f"Here the mean is only {number(of.least)} where it is smallest, so the proof does not reach β."
    )
    return (
        r"In every direction $v$ the longest pair is at least as long as the mean: $\max_i \langle z_i, v\rangle^2$ is "
        r"at least the mean of $\langle z_i, v\rangle^2$. With enough random pairs that mean is near the expected "
        r"$v^\top \Sigma v$. The proof needs a quarter of the smallest of these, $\lambda_{\min}(\Sigma)/4$ = "
        f"{number(lambda_min / 4)}. {here}"
    )


def together(of: Pairs, found: Richness, radius: float, beta: float) -> str:
    """The three steps put together, with the numbers of a history."""
    lead = (
        r"**Together.** Write $\hat\lambda$ for the smallest mean of step 3. Then "
        r"$\max_y \|x - y\|_A \ge \tfrac12 \max_i \|z_i\|_A \ge \tfrac12 \sqrt{\hat\lambda\,\lambda_{\max}(A)}$, while "
        r"$\|x - x'\|_A \le 2r\sqrt{\lambda_{\max}(A)}$. So $\rho(H) \le 4r/\sqrt{\hat\lambda}$, and that is at most "
        r"$\beta = 8r/\sqrt{\lambda_{\min}(\Sigma)}$ once $\hat\lambda \ge \lambda_{\min}(\Sigma)/4$. "
    )
    if not of.least:
        return lead + rf"Here $\hat\lambda = 0$, so the argument says nothing yet; $\rho(H)$ is {number(found.beta)}."
    return lead + (
        rf"Here $\rho(H)$ = {number(found.beta)}, $4r/\sqrt{{\hat\lambda}}$ = {number(of.bound(radius))}, "
        f"and β = {number(beta)}."
    )


def never_lost(history: np.ndarray, found: Richness, radius: float) -> str:
    """Why richness never goes away, with the numbers of a history."""
    lengths = [n for n in (3, len(history) // 2) if n < len(history)]
    before = richness_along(history, radius, [n + 1 for n in lengths])
    said = [f"of the first {n} items it is {number(rho)}" for n, rho in zip(lengths, before, strict=True) if n > 2]
    return (
        "**It never goes away.** A history only grows. One more item can only raise the maximum in Definition 1, so "
        "whatever β did before still does: ρ(H) never rises. "
        f"Here, {', '.join([*dict.fromkeys(said), f'of all {len(history)} it is {number(found.beta)}'])}."
    )


def over_time(result: RichResult) -> str:
    """What richness does along the runs, in words."""
    if not result.runs:
        return "No run is complete yet."
    s = result.scenario
    found = "" if is_exact(s) else " that the search finds"
    median = quantiles(result.beta)[1]
    at_tau, at_end = median[result.rounds.index(min(s.tau, s.horizon) + 1)], median[-1]
    if math.isinf(at_tau):
        start = f"When exploration ends, most histories are still flat: ρ(H) is infinite with τ = {s.tau}. "
        return start + f"At the end the median{found} is {number(at_end)}."
    gain = 1 - at_end / at_tau
    late = (
        f"The greedy rounds after that lower it by {gain:.0%}" if gain > 0.005 else "The greedy rounds do not lower it"
    )
    return f"When exploration ends the median ρ(H){found} is {at_tau:.3g}. {late}: at the end it is {number(at_end)}."


def trade_off(phase: Explored, results: list, bound: float) -> str:
    """How long to explore, in words."""
    if not phase.runs:
        return "No run is complete yet."
    enough = [n for n, share in zip(phase.lengths, (phase.beta <= bound).mean(0), strict=True) if share >= 0.95]
    probed = [n for n, share in zip(phase.lengths, (phase.lambda_min >= 1).mean(0), strict=True) if share >= 0.95]
    seen = "" if is_exact(phase.scenario) else "As far as the search can see, "
    say = [
        f"{seen}ρ(H) is at most β in at least 95% of runs from τ = {enough[0]} on." if enough
        else "ρ(H) is at most β in fewer than 95% of runs, however long they explore here.",
        f"λmin(V) ≥ 1 takes τ = {probed[0]}." if probed else "λmin(V) ≥ 1 is not reached in 95% of runs here.",
    ]  # fmt: skip
    if all(result.runs > 1 for result in results):
        best = min(results, key=lambda result: result.mean("regret")[-1])
        low, band = best.mean("regret")[-1], best.band("regret")[-1]
        say.append(f"Of the lengths tried, regret at T is lowest with τ = {best.scenario.tau}: {low:.3g} ± {band:.2g}.")
    return " ".join(say)
