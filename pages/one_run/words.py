"""What the page "One run in 2-D" says of the two ellipsoids."""

import math

from roam_core import Scenario
from roam_core.coverage import NOMINAL, Covered, nominal_size


def measured_coverage(covered: Covered, c: float) -> str:
    """How often the taste lies inside each ellipsoid."""
    s = covered.scenario.resolved()
    if s.tau >= s.horizon:
        return "**Is the taste inside?** Every round is exploration, so there is no round to count."
    if not covered.runs:
        return "**Is the taste inside?** The first runs are on their way."
    in_V, in_H = covered.coverage("V", c), covered.coverage("H", nominal_size(s.d))
    return (
        f"**Is the taste inside?** {covered.runs} runs with these controls, share of rounds after exploration:  \n"
        f"V, c = {c:g}: **{_percent(*in_V)}**  \n"
        f"H, nominal {NOMINAL:.0%}: **{_percent(*in_H)}**  \n"
        f"{_verdict(*in_H)}"
    )


def _percent(share: float, band: float) -> str:
    about = "" if math.isnan(band) else f"\u00a0±\u00a0{100 * band:.1f}"
    return f"{100 * share:.1f}{about}\u00a0%"


def _verdict(share: float, band: float) -> str:
    """Whether the ellipsoid of H holds the taste as often as its name says."""
    if abs(share - NOMINAL) <= (0 if math.isnan(band) else band):
        return f"{NOMINAL:.0%} is within the band of H."
    return f"So H holds it {'more' if share > NOMINAL else 'less'} often than its name says."


def of_the_probes() -> str:
    """What V is, and why its ellipsoid is no confidence set."""
    return (
        "V adds up the probes so far. It knows where questions point, not what their answers can tell. So the "
        "ellipsoid of V with a fixed size c is no confidence set: how often it holds the taste depends on the slope "
        "of the link, and so on the item norm (r). The paper's rule chooses its questions with V alone."
    )


def of_the_curvature(scenario: Scenario) -> str:
    """What H is, and when its nominal coverage is true."""
    s = scenario.resolved()
    quantile = nominal_size(s.d) ** 2
    said = (
        "H weighs each probe by the slope F′ of the link, at the estimate. An answer that is known beforehand has a "
        f"slope near 0 and counts for little. With c² = {quantile:.2f}, the {NOMINAL:.0%} quantile of the chi-square "
        f"law with {s.d} degrees of freedom, the ellipsoid of H is the usual {NOMINAL:.0%} confidence set of logistic "
        "regression. It is derived for many answers and no ridge. Here answers are few at first and the ridge is "
        f"{s.ridge:g}, so how often it holds the taste is measured, not promised."
    )
    if s.link != "logistic":
        said += (
            f" And it needs F′ = F (1 − F), which only the logistic link has. The {s.words('link')} link is assumed "
            f"here, so {NOMINAL:.0%} is a name only."
        )
    if s.user_link != s.link:
        said += " The user answers with another link than the one assumed, and H does not know that."
    return said
