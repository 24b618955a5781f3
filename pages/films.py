"""Films: items that one can feel. Each has two features, a title made of them and a little poster drawn from them."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np

from pages.palette import PALETTE

FEATURES = (("quiet", "loud"), ("serious", "funny"))  # the two ends of each, at -1 and 1
# Words of a title, from one end of a feature to the other.
LOUDNESS = (
    *("Silent", "Hushed", "Whispering", "Sleepy", "Murmuring"),
    *("Humming", "Singing", "Ringing", "Roaring", "Thundering"),
)
FUN = ("Verdict", "Widow", "Winter", "Harbour", "Letter", "Lodger", "Teapot", "Uncle", "Goose", "Pudding")
WIDTH, HEIGHT = 60, 84  # of a poster
SERIOUS, FUNNY = PALETTE[3], PALETTE[4]  # of its background
PAPER, INK = "#FFF6E5", "#1B2430"
RAYS = 12


@dataclass(frozen=True)
class Film:
    """An item with a name."""

    title: str
    features: tuple[float, float]  # how loud and how funny, from -1 to 1

    @property
    def poster(self) -> str:
        """A drawing of it as SVG: rays for loud, a smile for funny."""
        return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{picture(*self.features)}</svg>'

    def drawn(self, x: float, y: float, width: float) -> str:
        """Its poster inside another drawing, with its corner at x, y."""
        size = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{width * HEIGHT / WIDTH:g}"'
        return self.poster.replace("<svg", f"<svg {size}", 1)


def picture(loud: float, funny: float) -> str:
    """What is on the poster of a film with these features: a face with rays around it."""
    share = round(50 * (funny + 1))
    background = f"color-mix(in oklab, {FUNNY} {share}%, {SERIOUS})"
    x, y, face, apart = WIDTH / 2, HEIGHT / 2, 16, 3
    reach = face + apart + max(12 * (loud + 1) / 2 - 1, 0)  # the quietest have no rays at all
    turns = [(np.cos(angle), np.sin(angle)) for angle in 2 * np.pi * np.arange(RAYS) / RAYS]
    ends = [[f"{x + r * c:.1f} {y + r * s:.1f}" for r in (face + apart, reach)] for c, s in turns]
    rays = "".join(f"M{inner}L{outer}" for inner, outer in ends if inner != outer)
    corner = y + 6 - 2 * funny
    mouth = f"M{x - 8:g} {corner:.1f}Q{x:g} {corner + (12 if funny > 0 else 6) * funny:.1f} {x + 8:g} {corner:.1f}"
    eyes = "".join(f'<circle cx="{x + side:g}" cy="{y - 4:g}" r="2.2" fill="{INK}"/>' for side in (-6, 6))
    return (
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="5" style="fill:{background}"/>'
        f'<path d="{rays}" stroke="{PAPER}" stroke-width="3" stroke-linecap="round"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{face}" fill="{PAPER}"/>{eyes}'
        f'<path d="{mouth}" fill="none" stroke="{INK}" stroke-width="2.5" stroke-linecap="round"/>'
    )


def cast(features: Iterable[Iterable[float]]) -> list[Film]:
    """Films with these features, no two with the same title; there are a hundred titles.

    >>> [film.title for film in cast([(0.9, 0.9), (0.9, 0.9), (-0.9, -0.9)])]
    ['The Thundering Pudding', 'The Roaring Pudding', 'The Silent Verdict']
    """
    steps = np.linspace(-1, 1, 2 * len(FUN) + 1)[1::2]  # the middles of ten equal parts
    places, words = product(steps, steps), product(LOUDNESS, FUN)
    titles = {place: f"The {how} {what}" for place, (how, what) in zip(places, words, strict=True)}
    films = []
    for loud, funny in features:
        nearest = min(titles, key=lambda place: (place[0] - loud) ** 2 + (place[1] - funny) ** 2)
        films.append(Film(titles.pop(nearest), (float(loud), float(funny))))
    return films


# Those that stand in the drawings: fresh ones, and ones watched before.
STARS = dict(
    zip(
        ("pudding", "uncle", "letter", "widow", "verdict", "goose", "lodger", "winter", "teapot", "harbour"),
        cast(
            [
                *((0.9, 0.9), (0.5, 0.5), (-0.9, -0.1), (0.7, -0.7), (-0.3, -0.9)),
                *((-0.7, 0.7), (0.9, 0.1), (-0.5, -0.5), (-0.9, 0.3), (0.1, -0.3)),
            ]
        ),
        strict=True,
    )
)
