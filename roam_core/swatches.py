"""The catalogue of colours: hue, lightness and saturation."""

from roam_core.features import Range
from roam_core.paints import hue_name, paint
from roam_core.tables import Table

RANGES = (
    Range("hue", ("yellow", "blue")),
    Range("lightness", ("dark", "light")),
    Range("saturation", ("greyish", "vivid")),
)


def describe(table: Table, row: int) -> str:
    """A colour in words.

    >>> describe(Table((), (), (), [[0.4, 0.9, 0.9]]), 0)
    'light vivid red'
    """
    hue, lightness, saturation = table.values[row]
    words = (_third(lightness, "dark", "", "light"), _third(saturation, "greyish", "", "vivid"), hue_name(hue))
    return " ".join(word for word in words if word)


def picture(table: Table, row: int) -> str:
    """A patch of the colour, with a rim that shows it on any ground."""
    hue, lightness, saturation = table.values[row]
    fill = paint(0.45 + 0.42 * lightness, 0.025 + 0.15 * saturation, hue)
    return f'<rect x="6" y="6" width="88" height="88" rx="14" fill="{fill}" stroke="#8a8f98" stroke-width="1"/>'


def _third(value: float, low: str, middle: str, high: str) -> str:
    return low if value < 1 / 3 else high if value > 2 / 3 else middle
