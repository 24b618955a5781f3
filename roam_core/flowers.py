"""The catalogue of flowers: five features that one can see."""

import math

from roam_core.features import Range
from roam_core.paints import hue_name, paint
from roam_core.tables import Table

RANGES = (
    Range("hue", ("yellow", "blue")),
    Range("petals", ("few petals", "many petals"), 3, 9, whole=True),
    Range("roundness", ("pointed petals", "round petals")),
    Range("fullness", ("a single ring", "full")),
    Range("heart", ("a small heart", "a large heart")),
)
NUMBERS = ("three", "four", "five", "six", "seven", "eight", "nine")
GOLDEN = math.pi * (3 - math.sqrt(5))  # the angle between a seed of a heart and the next


def describe(table: Table, row: int) -> str:
    """A flower in words, of what one sees.

    >>> describe(Table((), (), (), [[0.22, 7, 0.9, 0.9, 0.5]]), 0)
    'seven round petals, orange, full'
    """
    hue, petals, roundness, fullness, heart = table.values[row]
    shape = _third(roundness, "pointed ", "", "round ")
    parts = [f"{NUMBERS[round(petals) - 3]} {shape}petals", hue_name(hue), _third(fullness, "single", "", "full")]
    parts.append(_third(heart, "a small heart", "", "a large heart"))
    return ", ".join(part for part in parts if part)


def picture(table: Table, row: int) -> str:
    """The flower: petals in one to three rings, and a heart of seeds."""
    hue, petals, roundness, fullness, heart = map(float, table.values[row])
    n, light = round(petals), 0.86 - 0.21 * min(hue / 0.36, 1) - 0.05 * hue
    rim, deep = paint(light - 0.21, 0.15, hue), paint(light - 0.11, 0.19, hue)
    body, shine = paint(light, 0.19, hue), paint(min(light + 0.08, 0.95), 0.13, hue)
    core = 4.5 + 11 * heart
    parts = [_ring(n, 45, roundness, 0, body, shine, rim)]
    # A second ring comes out from under the heart as the flower gets fuller, and a third one at the end.
    for share, turn, fill in ((fullness, 0.5, deep), (fullness - 0.5, 0.0, body)):
        if share > 0.08:
            reach = core + (36 - core) * min(share / 0.9, 1) if turn else core + (25 - core) * min(2 * share, 1)
            if reach > core + 1.5:
                parts.append(_ring(n, reach, roundness, turn, fill, shine, rim))
    parts.append(f'<circle r="{core:.1f}" fill="#5b3413" stroke="#3a1f0a" stroke-width=".8"/>')
    parts.append(f'<g fill="#f2b632">{_seeds(core)}</g>')
    return f'<g transform="translate(50 50)">{"".join(parts)}</g>'


def _ring(n: int, length: float, roundness: float, turn: float, fill: str, shine: str, rim: str) -> str:
    """n petals, turned by a share of the angle between two."""
    wide = length * (0.34 + 0.32 * roundness) * min(1.25, 5.2 / (n + 1.2) + 0.18)
    petal, inner = _petal(length, wide, roundness), _petal(0.86 * length, 0.5 * wide, roundness)
    one = f'<path d="{petal}" fill="{fill}" stroke="{rim}" stroke-width=".9" stroke-linejoin="round"/>'
    one += f'<path d="{inner}" fill="{shine}" fill-opacity=".55"/>'
    angles = (360 * (i + turn) / n for i in range(n))
    return "".join(f'<g transform="rotate({angle:.1f})">{one}</g>' for angle in angles)


def _petal(length: float, wide: float, roundness: float) -> str:
    """The outline of a petal that points up: a lens with a tip that becomes an egg with a round end."""
    low, high = 0.42 * length, (0.62 + 0.43 * roundness) * length
    bulge, tip = wide * (1.15 - 0.35 * roundness), wide * (0.32 + 0.95 * roundness) * (0.25 + 0.75 * roundness)
    right = f"C{bulge:.1f} {-low:.1f} {tip:.1f} {-high:.1f} 0 {-length:.1f}"
    left = f"C{-tip:.1f} {-high:.1f} {-bulge:.1f} {-low:.1f} 0 0"
    return f"M0 0{right}{left}Z"


def _seeds(core: float) -> str:
    """Seeds in spirals, as in a sunflower."""
    many = round(core**2 / 5.5)
    places = ((0.86 * core * math.sqrt((i + 0.5) / many), i * GOLDEN) for i in range(many))
    return "".join(f'<circle cx="{r * math.cos(a):.1f}" cy="{r * math.sin(a):.1f}" r=".75"/>' for r, a in places)


def _third(value: float, low: str, middle: str, high: str) -> str:
    return low if value < 1 / 3 else high if value > 2 / 3 else middle
