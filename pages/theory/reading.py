"""Longer reading on the page "Theory, measured": the theorem as stated, slips in the proof, kappa and Sigma."""

import math

import numpy as np

from pages.words import spoken, typeset
from roam_core.items import ItemLaw
from roam_core.links import LINKS
from roam_core.theory import HYPOTHESES, Theory, potential, printed_lemma, repaired_lemma

DISPLAY = "$$\n{}\n$$"  # a formula on lines of its own
# How 1 / kappa grows with r; for a link that is not here, numbers must do.
GROWTH = {
    "logistic": r"For the logistic link ${1/\kappa = e^{4r} + 2 + e^{-4r}}$: it grows like $e^{4r}$.",
    "probit": r"For the probit link ${1/\kappa = \sqrt{2\pi}\,e^{8r^2}}$: in the end it grows faster than $e^{4r}$.",
    "cauchit": r"For the cauchit link, whose user at times answers against a strong preference, "
    r"${1/\kappa = \pi(1 + 16r^2)}$: it grows like $r^2$, not exponentially.",
}


def as_stated(theory: Theory) -> str:
    """Theorem 1 as the paper has it, next to earlier work, and where the extra factor comes from."""
    s = theory.scenario
    rate = theory.rate(s.horizon) if s.horizon > s.d * theory.delta else math.nan
    bound = float(theory.bound(s.horizon))
    here = (
        f"With the numbers on screen the inside of $O(\\cdot)$ is ${{{typeset(rate)}}}$. The bound with the proof's "
        f"constants is ${{{typeset(bound / rate)}}}$ times that."
    )
    return "\n\n".join(
        [
            r"**The paper** states the rate and hides the constants. Explore for "
            r"${\tau = O(r^2/\lambda_{\min}(\Sigma))\,\log(d/\delta)}$ rounds. Then, with probability at least "
            r"${1 - 3\delta}$,",
            DISPLAY.format(
                r"R_T = O\Big(\frac{r}{\kappa\sqrt{\lambda_{\min}(\Sigma)}}\;d\sqrt T\,\log\frac{T}{d\delta}\Big)"
            ),
            *([here] if math.isfinite(rate) and math.isfinite(bound) else []),
            r"**Earlier work** has ${O(\kappa^{-1}d\sqrt T\log(T/d\delta))}$, for ${r = 1}$. That is for generalised "
            "linear bandits (Li et al. 2017) and for duelling bandits in which both items are fresh (Saha 2021, Bengs "
            "et al. 2022).",
            r"**The new factor** is $1/\sqrt{\lambda_{\min}(\Sigma)}$. " + about_sigma(theory),
            r"The factor comes from step (iv), through $\beta$. The past item $y_t$ must differ from $x_t$ where "
            "$x^*_t$ does, but the history was made before $x_t$ was known.",
            r"**If $y_t$ came from the items on offer,** ${\beta = 1}$ would do. The best item $x^*_t$ is one of them. "
            "The most uncertain of them is at least as far from $x_t$ in $V_t^{-1}$ as $x^*_t$ is.",
        ]
    )


def slips() -> str:
    """What is wrong in the proof, and what we would put there."""
    norms, printed, repaired = (
        potential(np.eye(2), 2 * np.eye(2)),
        printed_lemma(2, 1, 2, 2),
        repaired_lemma(2, 1, 2, 2),
    )
    return "\n\n".join(
        [
            r"¹ **The lemma behind the square root** bounds the sum of $\lVert x_t - y_t\rVert$ in $V_t^{-1}$. (The "
            r"paper states it for ${x^*_t - x_t}$.) As printed it is false. Take ${d = 2}$, ${r = 1}$, ${\tau = 2}$, "
            r"${V_{\tau+1} = I}$ and the probes $2e_1$ and $2e_2$. "
            f"Their norms add up to {norms:g}. The lemma allows {printed:.2f}.",
            r"The argument is for probes of norm at most 1 in $V_t^{-1}$, and ${\lambda_{\min}(V_{\tau+1}) \ge 1}$ "
            r"gives only $2r$. It is right with ${\lambda_{\min}(V_{\tau+1}) \ge 4r^2}$ (and at least 1) and with "
            r"${4r^2(\tau + T)}$ under the logarithm, because later probes have length up to $2r$ too. "
            f"For the two probes that allows {repaired:.2f}.",
            "² **Step (iv).** Its proof says that the difference of two items has length at most $r$. It is $2r$. The "
            "constant $C$ becomes four times as large; nothing else changes.",
            r"**That $\lambda_{\min}(V_{\tau+1})$ is at least 1** is proved apart from that. There the paper has "
            r"$\sqrt{\lVert\Sigma^{-1/2}\rVert}$ where $\lVert\Sigma^{-1/2}\rVert$ is meant. The result is right.",
            r"**Step (iii).** The logarithm in $\alpha_T$ has no $r$ in it, though probes have length up to $2r$.",
        ]
    )


def steps() -> str:
    """The four steps of the chain, a line each."""
    return "\n".join(
        [
            "- (i) Greedy choice: $x_t$ is the best item along the estimate, so regret comes from its error alone.",
            "- (ii) Cauchy–Schwarz: an inner product is at most the product of the two lengths.",
            r"- (iii) Confidence: measured by the questions so far ($V_t$), the estimate is off by $\alpha_t$ at most.",
            "- (iv) Rich history: it holds an item that differs from $x_t$ where it matters.²",
        ]
    )


def taken_for_granted(theory: Theory) -> str:
    """The hypotheses, those of the setting and those that are checked."""
    s = theory.scenario.resolved()
    C = s.tau * theory.lambda_min / (s.radius**2 * math.log(s.d / theory.delta))
    checked = [f"- {one.words}" for one in HYPOTHESES]
    return "\n".join(
        [
            r"Always so here: the items are independent draws from one law, no longer than $r$, and they differ in "
            r"every direction ($\Sigma$ has an inverse). The taste has length 1. The link is increasing, and "
            r"${F(u) + F(-u) = 1}$.",
            "",
            "Checked here, with the controls and the runs on screen:",
            "",
            *checked,
            "",
            "Cannot be checked: that exploration is long enough. The theorem wants the constant "
            r"${C = \tau\,\lambda_{\min}(\Sigma) / (r^2 \log\tfrac d\delta)}$ to be large enough, but gives no number. "
            f"Here it is {spoken(C)}. C = 1 would mean τ = {theory.prescribed_tau(1.0):,}.",
            "",
            "Never so here: the estimate and $V$ have no ridge. Ours have one, a small pull of the estimate towards "
            f"zero, λ = {s.ridge:g}.",
        ]
    )


def about_kappa(theory: Theory) -> str:
    """What kappa is, how fast it falls with r, and what the paper says about it."""
    link, radius = LINKS[theory.scenario.link], theory.scenario.radius
    values = []
    for r in (radius / 2, radius):
        cut_off = link.kappa(r) == link.kappa(1.01 * r)  # before the slope is too small for a number
        values.append(f"{'more than ' * cut_off}{spoken(1 / link.kappa(r))} at r = {r:g}")
    return "\n\n".join(
        [
            DISPLAY.format(
                r"\kappa = \inf_{\lVert z\rVert \le 2r,\ \lVert\theta - \theta^*\rVert \le 1} "
                r"F'(\langle z, \theta\rangle)"
            ),
            r"It is the smallest slope of the link that an answer can meet. A probe $z$ has length at most $2r$. A "
            r"$\theta$ within 1 of the taste has length at most 2. So ${\kappa = F'(4r)}$.",
            "Where the link is flat, an answer tells little about taste. The bound prepares for answers that are all "
            "like that: it divides by κ.",
            f"{GROWTH.get(theory.scenario.link, '')} Here 1/κ is {' and '.join(values)}.".strip(),
            r"**The paper's remark.** $1/\kappa$ can grow exponentially with $r$. That comes from the way of proving: "
            "one lower bound serves for all slopes. Newer work on generalised linear bandits handles the nonlinearity "
            "with more care and avoids it (Dong et al. 2019, Faury et al. 2020, Abeille et al. 2021). To do the same "
            "for duelling bandits is an open problem.",
        ]
    )


def about_sigma(theory: Theory) -> str:
    """What 1 / sqrt(lambda_min(Sigma)) is, here and in the paper."""
    d = theory.scenario.d
    sphere, ball = (1 / math.sqrt(ItemLaw(d, items).lambda_min) for items in ("sphere", "ball"))
    return (
        f"It is {spoken(1 / math.sqrt(theory.lambda_min))} here. The paper writes √d for the unit ball, "
        f"{spoken(math.sqrt(d))} with this d. Its own Σ gives √(d/2) = {spoken(sphere)} on the unit sphere and "
        f"√((d + 2)/2) = {spoken(ball)} in the unit ball."
    )
