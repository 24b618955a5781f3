"""Things to try on the page "Theory, measured"."""

from pages.presets import Preset

# With places for the numbers of the run on screen.
PRESETS = (
    Preset(
        "The paper's defaults",
        "Steps (iii) and (iv) give away factors of {iii} and {iv}, (i) and (ii) only {i} and {ii}: the loose ones "
        "prepare for a worst case.",
    ),
    Preset(
        "Small utilities: κ is kind",
        "The link is almost straight here: its smallest slope κ is {kappa}, its largest {steepest}. Step (iii) divides "
        "by κ: only a factor of {iii}.",
        {"radius": 0.3},
    ),
    Preset(
        "Ask about the previous item",
        "Step (iv) fails in {failing} of the rounds: the previous item is almost the new one, so the question x − y is "
        "tiny.",
        {"d": 2, "ask": "previous"},
    ),
    Preset(
        "Flat item space",
        "Items hardly differ along one axis. So a history may be ten times as poor (β is {beta}), and step (iv) gives "
        "away a factor of {iv}.",
        {"flatness": 0.1},
    ),
)
