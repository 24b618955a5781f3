"""Things to try on the page "Rich history"."""

from pages.presets import Preset

PRESETS = (
    Preset(
        "The paper's exploration",
        "The paper explores for 10 d rounds. Then items lie all around, and whatever the direction, a question reaches "
        "nearly as far as the mistake.",
        {"horizon": 200},
    ),
    Preset(
        "Four rounds only",
        "Four items leave wide gaps. One more item never makes a question reach less far: raise τ and see.",
        {"horizon": 200, "tau": 4},
    ),
    Preset(
        "A flat item space",
        "However many items there are, across the flat space they lie close together. No question reaches farther "
        "there than the space is thick.",
        {"horizon": 200, "flatness": 0.1},
    ),
    Preset(
        "Ten features",
        "The picture stays in the plane. The curve below has ten dimensions (d = 10): there it takes many more items.",
        {"horizon": 200, "d": 10},
    ),
    Preset(
        "Real wines",
        "Real items do not lie on a sphere: three wines in four are shorter than two thirds of r. So questions reach "
        "less far than on the sphere, but still several times as far as the proof counts on.",
        {"horizon": 200, "items": "wines"},
    ),
    Preset(
        "Flowers",
        "Across is the colour, from yellow to blue. Flowers have three to nine petals, so they lie in seven rows. They "
        "fill a square. Only its corners are as long as r, so questions reach less far than on the sphere.",
        {"horizon": 200, "items": "flowers"},
    ),
)
