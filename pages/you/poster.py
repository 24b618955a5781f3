"""A picture to save: what was learnt in a sitting, as one SVG that needs nothing else."""

from html import escape

from pages.palette import PALETTE
from pages.you.review import Weight
from pages.you.sitting import Sitting

WIDTH, MARGIN, PICTURE = 800, 40, 136
INK, PAPER, PALE = "#1B2430", "#FFFFFF", "#D5DCE4"
LONGEST = 34


def poster(sitting: Sitting, weights: list[Weight]) -> str:
    """Best and worst five, each feature with its interval, and the score of the test."""
    ranking = sitting.ranking()
    parts = [_text(MARGIN, 64, f"My taste in {sitting.catalogue.words}, as ROAM sees it", 32, bold=True)]
    answers = f"{sitting.learnt} answer{'s' * (sitting.learnt != 1)}"
    parts.append(_text(MARGIN, 100, f"Learnt from {answers}, each a comparison with the past", 20))
    y = 150
    for title, rows in (("I should like", ranking[:5]), ("and should not", ranking[::-1][:5])):
        parts.append(_text(MARGIN, y, title, 22, bold=True))
        parts += [_item(sitting, int(row), MARGIN + i * (PICTURE + 10), y + 14) for i, row in enumerate(rows)]
        y += PICTURE + 62
    parts.append(_text(MARGIN, y, "What matters to me, with 95% intervals", 22, bold=True))
    y += 20
    far = max((max(abs(weight.low), abs(weight.high)) for weight in weights), default=1) or 1
    for weight in weights:
        parts.append(_bar(weight, y, far))
        y += 62
    score = sitting.score
    said = f"Test on pairs it had not seen: {score.words}." if score.of else "Nothing was tested."
    parts.append(_text(MARGIN, y + 34, said, 20))
    height = y + 66
    inside = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="sans-serif" fill="{INK}"><title>My taste as ROAM sees it</title>'
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>{inside}</svg>'
    )


def _text(x: float, y: float, text: str, size: int, bold: bool = False, anchor: str = "start") -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}"{weight}>{escape(text)}</text>'


def _item(sitting: Sitting, row: int, x: float, y: float) -> str:
    place = f'<svg x="{x:g}" y="{y:g}" width="{PICTURE}" height="{PICTURE}" '
    return sitting.embedding.draw(row).replace("<svg ", place, 1)


def _bar(weight: Weight, y: float, far: float) -> str:
    """A feature between its two ends: the interval and the estimate."""
    middle, half = WIDTH / 2, WIDTH / 2 - MARGIN - 10
    low, mean, high = (middle + half * value / far for value in (weight.low, weight.mean, weight.high))
    colour = PALETTE[2] if weight.matters else PALETTE[3]
    ends = [end if len(end) <= LONGEST else end[: LONGEST - 1] + "…" for end in weight.ends]
    return (
        _text(MARGIN, y + 20, ends[0], 18)
        + _text(WIDTH - MARGIN, y + 20, ends[1], 18, anchor="end")
        + f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y + 38}" y2="{y + 38}" stroke="{PALE}" stroke-width="2"/>'
        + f'<line x1="{middle}" x2="{middle}" y1="{y + 26}" y2="{y + 50}" stroke="{INK}" stroke-width="2"/>'
        + f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y + 38}" y2="{y + 38}" stroke="{colour}" stroke-width="8"/>'
        + f'<circle cx="{mean:.1f}" cy="{y + 38}" r="9" fill="{colour}"/>'
    )
