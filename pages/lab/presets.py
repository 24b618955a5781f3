"""Things to try on the page "Simulation lab"."""

from pages.presets import Preset

PRESETS = (
    Preset(
        "Paper's defaults",
        "Regret climbs steeply while the algorithm explores, then bends: the estimate has become good enough.",
    ),
    Preset(
        "No exploration",
        "The band is wider: without a varied start, how fast a run learns is more a matter of luck.",
        {"tau": 0},
    ),
    Preset(
        "Too much exploration",
        "The curve stays a straight line for longer and never makes up for it. The error ends about where it would.",
        {"tau": 300},
    ),
    Preset(
        "High dimension",
        "More features, more to learn: regret, error and critical ratio all grow with d.",
        {"d": 15},
    ),
    Preset(
        "Noisy user",
        "With small utilities the answers are close to coin flips, so the error falls slowly.",
        {"radius": 0.3},
    ),
    Preset(
        "Flat item space",
        "Items hardly differ along the last axis. Questions cannot probe it well, and the error stays high there.",
        {"flatness": 0.1},
    ),
    Preset(
        "Ask about the previous item",
        "After exploration the previous item resembles the new one: such questions teach little.",
        {"ask": "previous"},
    ),
)
