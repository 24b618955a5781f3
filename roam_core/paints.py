"""Colours as the eye orders them: lightness, chroma and hue (OKLCH), and what they are on a screen."""

import math

import numpy as np

# A range of hues that has two ends: from yellow over orange, red, pink and violet to blue.
FIRST, LAST = 100.0, -100.0  # degrees

_NAMES = (  # up to which share of the range a hue has a name
    (0.07, "yellow"), (0.155, "golden"), (0.32, "orange"), (0.45, "red"), (0.57, "pink"), (0.70, "magenta"),
    (0.80, "purple"), (0.915, "violet"), (1.0, "blue"),
)  # fmt: skip


def hue_name(share: float) -> str:
    """What a hue is called, where 0 is yellow and 1 is blue.

    >>> hue_name(0), hue_name(0.4), hue_name(1)
    ('yellow', 'red', 'blue')
    """
    return next((name for limit, name in _NAMES if share <= limit), "blue")


def paint(lightness: float, chroma: float, share: float) -> str:
    """The colour '#rrggbb' of a hue in the range; as much of the chroma as a screen can show.

    >>> paint(1, 0, 0), paint(0, 0, 0)
    ('#ffffff', '#000000')
    """
    angle = math.radians(FIRST + (LAST - FIRST) * share)
    low, high = 0.0, chroma
    if _shown(_linear(lightness, chroma, angle)):
        low = chroma
    else:
        for _ in range(12):
            middle = (low + high) / 2
            low, high = (middle, high) if _shown(_linear(lightness, middle, angle)) else (low, middle)
    rgb = np.clip(_linear(lightness, low, angle), 0, 1)
    rgb = np.where(rgb <= 0.0031308, 12.92 * rgb, 1.055 * rgb ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * value):02x}" for value in rgb.tolist())


def _shown(rgb: np.ndarray) -> bool:
    return bool((rgb >= -1e-4).all() and (rgb <= 1 + 1e-4).all())


def _linear(lightness: float, chroma: float, angle: float) -> np.ndarray:
    """(3,) red, green and blue in linear light of a colour in OKLCH (B. Ottosson, 2020)."""
    a, b = chroma * math.cos(angle), chroma * math.sin(angle)
    cones = np.array([
        lightness + 0.3963377774 * a + 0.2158037573 * b,
        lightness - 0.1055613458 * a - 0.0638541728 * b,
        lightness - 0.0894841775 * a - 1.2914855480 * b,
    ])  # fmt: skip
    return _CONES_TO_RGB @ cones**3


_CONES_TO_RGB = np.array([
    [4.0767416621, -3.3077115913, 0.2309699292],
    [-1.2684380046, 2.6097574011, -0.3413193965],
    [-0.0041960863, -0.7034186147, 1.7076147010],
])  # fmt: skip
