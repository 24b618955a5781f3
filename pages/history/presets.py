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
)
