"""What the page "Rich history" says: the steps, Definition 1, Lemma 3 on a history, and what the plot shows."""

import math
from typing import NamedTuple

import numpy as np

from pages.history.figures import quantiles
from pages.richness import is_exact
from roam_core import Scenario
from roam_core.enrichment import RichResult
from roam_core.richness import Pairs, Richness, richness_along
from roam_core.theory import Theory

# Histories in units of the radius.
NARROW = [[-0.92, -0.05], [-0.5, 0.06], [-0.12, -0.05], [0.3, 0.05], [0.62, -0.06], [0.94, 0.04]]
DIVERSE = [*NARROW, [0.1, 0.95]]
RICH = [*DIVERSE, *([math.cos(a), math.sin(a)] for a in np.linspace(0.35, 6.0, 11))]
OFF_CENTRE = [[-0.2, 0.5], [0.86, -0.5], [-0.2, -0.5], [0.86, 0.5]]


class Step(NamedTuple):
    """A step of the page: which layers of the picture it shows, of which history, and what to try there."""

    title: str
    shows: tuple[str, ...]
    points: list[list[float]] | None  # in units of the radius; None: those of a run
    said: str  # of that history only: it goes when the history is changed


WORST = ("shadow", "fresh", "other")
STEPS = {  # each but the last few adds one thing to the picture
    "past": Step("1. Past items", (), NARROW, "Drag an item upwards."),
    "direction": Step(
        "2. Direction v",
        WORST[:1],
        NARROW,
        "Before you drag the right-most item to the top: which way will the arrow turn, and will the shadow be wider?",
    ),
    "fresh": Step(
        "3. Fresh item x",
        WORST[:2],
        NARROW,
        "Why the middle? Anywhere else along v, one end of the shadow is farther away, and a question reaches farther.",
    ),
    "other": Step(
        "4. Better item x′",
        WORST,
        NARROW,
        "So if x was such a mistake, a question hardly tells. One more item would change that: where would you put it?",
    ),
    "diverse": Step("5. One more", WORST, DIVERSE, "Drag the item at the top down to the others, and up again."),
    "rich": Step(
        "6. All around",
        WORST,
        RICH,
        "Whatever the direction, some past item is far away. Remove items one by one: how few keep it above half?",
    ),
    "off_centre": Step(
        "7. Off-centre",
        (*WORST, "middle"),
        OFF_CENTRE,
        "The worst shadow need not be the narrowest. Drag the two left items to the left: its middle moves to the "
        "centre, and the mistake gets shorter.",
    ),
    "run": Step("8. A run", (*WORST, "paper"), None, ""),
}
FIRST, RUN = "past", "run"

DEFINITION = r"""
**The question.** A fresh item $x$ was recommended. Another item $x'$ may have been better. To find out, we ask about
$x$ and a past item $y$ from the history $H$. Can some $y$ differ from $x$ as much as $x'$ does?

**What counts as much.** Lengths are measured by a positive definite matrix $A$: $\|z\|_A = \sqrt{z^\top A z}$. In a run
$A$ is $V_t^{-1}$, where $V_t$ adds up $z z^\top$ over the questions so far ($z$ is the difference of the two items
compared). So a difference is long where little was asked: where taste is uncertain.

**Definition 1 of the paper.** A history $H$ is *β-rich* if for any $x, x'$ with $\|x\| \le r$ and $\|x'\| \le r$, and
for any positive definite matrix $A$,

$$
\|x - x'\|_A \;\le\; \beta \, \max_{y \in H} \|x - y\|_A .
$$

The paper proves that $\beta = 8r/\sqrt{\lambda_{\min}(\Sigma)}$ does with high probability, after enough exploration. A
history's own value, the smallest $\beta$ that does for it, is called $\rho(H)$ here. Low is rich; the page shows
$1/\rho(H)$, which is high where a history is rich. In $\beta$, $\Sigma$ is the mean of $(x - x')(x - x')^\top$ over two
random items, and $\lambda_{\min}(\Sigma)$ its smallest eigenvalue.

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


def percent(share: float) -> str:
    """A share as the picture says it, two digits of it."""
    return f"{100 * share:.2g}%" if share < 0.995 else "100%"


def about_run(tau: int) -> str:
    """Where the history of a run in the plane comes from."""
    if not tau:
        return "This run does not explore at all, so its history is still empty when it begins to choose."
    items = "one item" if tau == 1 else f"{tau} items"
    return f"One run in the plane: the {items} of its exploration, recommended at random."


def counted_on(plane: Scenario) -> str:
    """What the paper's proof counts on in the plane, and why it is not the same in every item space."""
    beta, usual = Theory(plane).beta, Theory(Scenario(d=2)).beta
    say = f"Dashed: the paper's proof counts on {beta_share(beta)} at least (1/β with β = {number(beta)})."
    if plane.radius != 1:
        say += " The radius r does not change β: items and mistakes grow with it alike."
    if math.isclose(beta, usual):
        return say
    return say + (
        f" On the round sphere it is {beta_share(usual)} (β = {number(usual)}): here two random items differ "
        f"{number(beta / usual)} times less where they differ least."
    )


def beta_share(beta: float) -> str:
    """1/β as a percentage, three digits of it."""
    return f"{100 / beta:.3g}%"


def over_time(result: RichResult) -> str:
    """How far questions reach along the runs, in words."""
    if not result.runs:
        return "No run is complete yet."
    s = result.scenario
    most = "" if is_exact(s) else "at most "
    median = 1 / quantiles(result.beta)[1]
    at_tau, at_end = median[result.rounds.index(min(s.tau, s.horizon) + 1)], median[-1]
    explored = f"after {s.tau} rounds of exploration" if s.tau else "without any exploration"
    start = f"In the median run the best question reaches {most}{percent(at_tau)} of the farthest mistake {explored}"
    if percent(at_end) == percent(at_tau):
        return f"{start}, and as much at the end: the rounds that choose the best-looking item hardly add to it."
    return f"{start}, and {most}{percent(at_end)} at the end."
