"""Things to try on the page "Theory, measured"."""

from pages.presets import Preset

# With places for the numbers of the run on screen.
PRESETS = (
    Preset(
        "The paper's defaults",
        "Steps (iii) and (iv) give away factors of {iii} and {iv}, steps (i) and (ii) only {i} and {ii}. "
        "The loose ones prepare for a worst case that this run does not meet.",
    ),
    Preset(
        "Small utilities: κ is kind",
        "Utilities differ by little, so the link is almost straight where it is used: its smallest slope κ is {kappa}, "
        "its largest {steepest}. Step (iii), which divides by κ, gives away only a factor of {iii}.",
        {"radius": 0.3},
    ),
    Preset(
        "Ask about the previous item",
        "Step (iv) fails in {failing} of the rounds. The previous item is almost the new one, so the probe x − y is "
        "tiny. The proof needs the past item that is most uncertain.",
        {"d": 2, "ask": "previous"},
    ),
    Preset(
        "Flat item space",
        "Items hardly differ along one axis, so β is {beta}, ten times what it is for round items. "
        "Step (iv) pays for that: it gives away a factor of {iv}.",
        {"flatness": 0.1},
    ),
)
