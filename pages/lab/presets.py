"""Things to try on the page "Simulation lab"."""

from pages.lab.options import SPREAD
from pages.presets import Preset

# What a notice says of the paper's setting holds with any seed: tests/test_presets.py says how surely.
PRESETS = (
    Preset(
        "Paper's defaults",
        "Regret climbs steeply while the algorithm explores, then bends: the estimate has become good enough.",
    ),
    Preset(
        "No exploration",
        "The means end close together. What differs is luck: without a varied start the users spread much wider, and "
        "so the mean's band is wider too. These 50 rounds buy safety from a bad start, not a lower mean. Fewer rounds "
        "(τ = 25) can lower the mean as well: see claim 6 among the paper's figures.",
        {"tau": 0},
        beside=True,
        shows=(SPREAD,),
    ),
    Preset(
        "Too much exploration",
        "Regret is a straight line for longer and never makes up for it. The error ends about where it does with "
        "τ = 50.",
        {"tau": 300},
        beside=True,
    ),
    Preset(
        "High dimension",
        "More features, more to learn: regret, error and critical ratio are all higher than with five.",
        {"d": 15},
        beside=True,
    ),
    Preset(
        "Noisy user",
        "With small utilities the answers are close to coin flips, so the error falls more slowly.",
        {"radius": 0.3},
        beside=True,
    ),
    Preset(
        "Flat item space",
        "Items hardly differ along the last axis. Questions cannot probe it well, so the error stays higher. Regret "
        "hardly does: along that axis there is little to lose.",
        {"flatness": 0.1},
        beside=True,
    ),
    Preset(
        "Real wines",
        "Wines differ little along some of their features. So the paper prescribes about 7 times as much exploration "
        "as on the sphere, and counts on histories that are nearly 3 times as poor (β). The error does end higher. "
        "Regret ends lower: wines that hardly differ cost little when they are confused.",
        {"items": "wines"},
        beside=True,
    ),
    Preset(
        "Ask about the previous item",
        "After exploration the previous item resembles the new one: such questions teach little. Error and regret end "
        "higher than with the paper's rule.",
        {"ask": "previous"},
        beside=True,
    ),
)
