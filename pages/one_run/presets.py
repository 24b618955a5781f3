"""Things to try on the page "One run in 2-D"."""

from pages.presets import Preset

PRESETS = (
    Preset(
        "The paper's rule",
        "Every past item lies inside the dashed ellipse and the asked one on it: no other question reaches as far.",
        {"horizon": 200},
    ),
    Preset(
        "No exploration at all",
        "The history is one-sided, so the few items that lie apart are asked about again and again, and grow.",
        {"horizon": 200, "tau": 0},
    ),
    Preset(
        "A flat item space",
        "Items hardly differ from top to bottom, so no probe points there, and the ellipsoid stays long there.",
        {"horizon": 200, "flatness": 0.1},
    ),
    Preset(
        "A noisy user",
        "Utilities are small and answers nearly coin flips. Probes are short, so the ellipsoid shrinks slowly.",
        {"horizon": 200, "radius": 0.3},
    ),
    Preset(
        "Large utilities",
        "Answers about very different items are known beforehand and teach little. V counts them in full, H by their "
        "slope. Switch between the two ellipsoids, and see how often each holds the taste.",
        {"horizon": 200, "radius": 10.0},
    ),
    Preset(
        "Ask only about the previous item",
        "After exploration new items resemble each other. The asked one is deep inside the ellipse: a short probe.",
        {"horizon": 200, "ask": "previous"},
    ),
)
