"""How things are said on screen: numbers, scenarios, and text that came from a visitor."""

import math
import re
from collections.abc import Mapping

from roam_core import KNOBS, Result, Scenario

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def spoken(value: float, digits: int = 3) -> str:
    """A number for a sentence, never NaN or inf."""
    mantissa, power = _parts(value, digits)
    return f"{mantissa} × {ten(power)}" if power else mantissa


def typeset(value: float) -> str:
    """A number for KaTeX."""
    mantissa, power = _parts(value, 3)
    if not math.isfinite(value):
        return rf"\text{{{mantissa}}}"
    return rf"{mantissa} \times 10^{{{power}}}" if power else mantissa.replace(",", "{,}")


def ten(power: int) -> str:
    """A power of ten as text."""
    return f"10{str(power).translate(RAISED)}"


def counted(number: int) -> str:
    """A small whole number as a word."""
    return {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}.get(number, str(number))


def with_band(value: float, band: float) -> str:
    """A number and the half-width of its band as text, three and two digits of them, without powers of ten."""
    about = "" if math.isnan(band) else f" ± {_plain(band, 2)}"
    return f"{_plain(value, 3)}{about}"


def regret_at_end(result: Result) -> str:
    """Mean regret at T with its band."""
    return with_band(result.mean("regret")[-1], result.band("regret")[-1])


def another_scale(scenario: Scenario) -> str:
    """That this regret cannot be compared with the paper's: r scales every utility. Nothing at the paper's r."""
    usual = Scenario().radius
    return "" if scenario.radius == usual else f"Not comparable with regrets at r = {usual:g}."


def across_radii(results: Mapping[str, Result]) -> str:
    """Why some regrets cannot be compared as they are, and how they can: where r differs. Else nothing."""
    known = {name: result for name, result in results.items() if result.runs}
    if len({result.scenario.radius for result in known.values()}) < 2:
        return ""
    parts = [f"{r.mean('regret')[-1] / r.scenario.radius:.3g} ({name})" for name, r in known.items()]
    return (
        "Utilities scale with r, so regrets at different r are not comparable. "
        f"Divided by r, regret at T is {', '.join(parts)}."
    )


def label(scenario: Scenario, others: list[Scenario]) -> str:
    """What sets a scenario apart from the others on screen, in as few words as possible."""
    differing = [name for name in KNOBS if len({getattr(s, name) for s in [scenario, *others]}) > 1]
    return listed(scenario.resolved(), differing) or "this scenario"


def listed(scenario: Scenario, names: list[str]) -> str:
    """Some fields of a scenario, as in d = 5, τ = 50."""
    return ", ".join(f"{KNOBS[name].symbol} = {KNOBS[name].words(getattr(scenario, name))}" for name in names)


def shortened(text: str) -> str:
    """Text of a visitor in quotes, cut to a length that can be shown."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def literal(text: str) -> str:
    """Text in which no character is markup.

    Streamlit looks for links and icons after it has taken the backslashes away, so those are broken up as well, by a
    character that has no width.
    """
    apart = re.sub(r"(?i):(?=\S)|@|www", lambda found: found[0] + "\u2060", " ".join(text.split()))
    return "".join("\\" + c if c in r"\`*_{}[]()#+-.!|~:$<>&" else c for c in apart)


def _plain(value: float, digits: int) -> str:
    return f"{float(f'{value:.{digits}g}'):,.12g}"


def _parts(value: float, digits: int) -> tuple[str, int]:
    """The number as text and the power of ten that goes with it, 0 where none is needed."""
    if not math.isfinite(value):
        return ("none" if math.isnan(value) else "infinite"), 0
    rounded = float(f"{value:.{digits}g}")
    if rounded and not 1e-3 <= abs(rounded) < 1e7:
        mantissa, _, power = f"{rounded:.{digits - 1}e}".partition("e")
        return f"{float(mantissa):g}", int(power)
    return f"{rounded:,.0f}" if abs(rounded) >= 1000 else f"{rounded:g}", 0
