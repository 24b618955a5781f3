"""Things to try on the page "One run in 2-D"."""

from pages.presets import Preset

PRESETS = (
    Preset(
        "The paper's rule",
        "The dashed ellipse joins points of equal uncertainty. Every past item lies inside it, the asked one on it: no "
        "other question reaches as far.",
        {"horizon": 200},
    ),
    Preset(
        "No exploration at all",
        "The history is one-sided, so the few items that lie apart are asked about again and again, and grow.",
        {"horizon": 200, "tau": 0},
    ),
    Preset(
        "A flat item space",
        "Items hardly differ from top to bottom, so no question points there, and what is left to know (the ellipsoid) "
        "stays long there.",
        {"horizon": 200, "flatness": 0.1},
    ),
    Preset(
        "A noisy user",
        "All items are worth about the same, so answers are nearly coin flips. Probes, the arrows from the asked to "
        "the new item, are short: the ellipsoid shrinks slowly.",
        {"horizon": 200, "radius": 0.3},
    ),
    Preset(
        "Large utilities",
        "Answers about very different items are known beforehand and teach little. V's ellipsoid counts them in full, "
        "H's hardly: switch between the two.",
        {"horizon": 200, "radius": 10.0},
    ),
    Preset(
        "Ask only about the previous item",
        "After exploration new items resemble each other. The asked one is deep inside the dashed ellipse: a short "
        "arrow, which teaches little.",
        {"horizon": 200, "ask": "previous"},
    ),
)
