"""Colours can be told apart from what is behind them, in light and dark: WCAG 2.2, level AA."""

import re
import tomllib
from pathlib import Path

import pytest

from pages.palette import DASHES, PALETTE

ROOT = Path(__file__).parents[1]
THEME = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
PAGE = (ROOT / "pages/page.css").read_text(encoding="utf-8")
SCHEMES = ("light", "dark")
BEHIND = ("backgroundColor", "secondaryBackgroundColor")
GREY = "#888888"  # guides and bounds in the plots


def luminance(colour: str) -> float:
    """Relative luminance of an sRGB colour."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def over(colour: str, behind: str, opacity: float) -> str:
    """A colour as it looks over another one."""
    parts = [(int(colour[i : i + 2], 16), int(behind[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(opacity * a + (1 - opacity) * b):02X}" for a, b in parts)


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)  # the well-known grey that just fails
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.005)  # and the one that just passes


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("behind", BEHIND)
def test_text_is_readable(scheme, behind):
    colours = THEME[scheme]
    assert contrast(colours["textColor"], colours[behind]) >= 4.5
    assert contrast(colours["primaryColor"], colours[behind]) >= 4.5  # the value above a slider
    caption = float(re.search(r"stCaptionContainer.*opacity: ([\d.]+);", PAGE)[1])
    assert contrast(over(colours["textColor"], colours[behind], caption), colours[behind]) >= 4.5
    for name in ("plane", "shadow"):
        css = (ROOT / f"pages/components/{name}.css").read_text(encoding="utf-8")
        rules = re.findall(r"(.*)\{[^}]*opacity: ([\d.]+)", css)
        faint = [float(share) for rule, share in rules if "disabled" not in rule and "pressed" not in rule]
        assert contrast(over(colours["textColor"], colours[behind], min(faint, default=1)), colours[behind]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_button_in_the_primary_colour_is_readable(scheme):
    on_primary = dict(zip(SCHEMES, re.search(r"light-dark\((#\w{6}), (#\w{6})\)", PAGE).groups(), strict=True))
    assert contrast(on_primary[scheme], THEME[scheme]["primaryColor"]) >= 4.5
    # Our own buttons have the page's background as their text.
    assert contrast(THEME[scheme]["backgroundColor"], THEME[scheme]["primaryColor"]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("colour", [*PALETTE, GREY])
def test_every_series_can_be_seen(scheme, behind, colour):
    assert contrast(colour, THEME[scheme][behind]) >= 3


def test_series_differ_by_more_than_colour():
    assert len(set(DASHES)) == len(set(PALETTE)) == len(PALETTE)


def test_the_theory_page_repeats_the_themes_backgrounds():
    page = (ROOT / "pages/theory/page.py").read_text(encoding="utf-8")
    found = re.search(r"background: light-dark\((#\w{6}), (#\w{6})\)", page)
    assert list(found.groups()) == [THEME[scheme]["backgroundColor"] for scheme in SCHEMES]
