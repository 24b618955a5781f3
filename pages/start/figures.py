"""The small picture of the link function on the start page."""

import numpy as np

from roam_core.links import LINKS

WIDTH, HEIGHT, LEFT, BASE = 320, 150, 46, 118  # of the drawing; where its axes are
TOP = 14
WIDEST = 5.0  # difference of utilities at either end


def link_picture(link: str) -> str:
    """How a difference in utility becomes the chance of an answer, as HTML for a drawing."""
    F = LINKS[link].F

    def at(u: float, p: float) -> str:
        x = LEFT + (u / WIDEST + 1) / 2 * (WIDTH - LEFT - 10)
        return f"{x:.1f} {BASE - p * (BASE - TOP):.1f}"

    curve = "L".join(at(u, float(F(np.float64(u)))) for u in np.linspace(-WIDEST, WIDEST, 41))
    (left, base), (middle, half) = at(-WIDEST, 0).split(), at(0, 0.5).split()
    label = f'x="{LEFT - 6}" text-anchor="end"'
    return (
        '<div class="drawing plain"><div>'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="The chance of preferring x rises in an S from 0 '
        'to 100% with the difference in utility; it is one half where x and y are worth the same.">'
        f'<path class="line" d="M{left} {TOP}V{base}H{WIDTH - 10}"/>'
        f'<path class="line dashed" style="opacity:0.5" d="M{left} {half}H{middle}V{base}"/>'
        f'<path class="new-line" d="M{curve}"/>'
        f'<text {label} y="{TOP + 8}">100%</text><text {label} y="{float(half) + 6}">50%</text>'
        f'<text {label} y="{BASE + 2}">0%</text>'
        f'<text x="{middle}" y="{HEIGHT - 6}" text-anchor="middle">y better ← 0 → x better</text>'
        f'<text x="{WIDTH - 12}" y="{BASE - 12}" text-anchor="end">F(u)</text>'
        "</svg></div></div>"
    )
