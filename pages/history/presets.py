"""Things to try on the page "Rich history"."""

from pages.presets import Preset

PRESETS = (
    Preset(
        "The paper's exploration",
        "The paper explores for 10 d rounds. In the plane the items then lie all around, and every shadow is wide.",
        {"horizon": 200},
    ),
    Preset(
        "Four rounds only",
        "Four items leave gaps. Their worst shadow is narrow or off-centre, so ρ(H) is larger than after a long "
        "exploration.",
        {"horizon": 200, "tau": 4},
    ),
    Preset(
        "A flat item space",
        "However many items there are, their shadow from the side is no wider than the item space itself.",
        {"horizon": 200, "flatness": 0.1},
    ),
    Preset(
        "Ten features",
        "The picture stays in the plane. The plots below have ten dimensions: there it takes many more items.",
        {"horizon": 200, "d": 10},
    ),
)
