"""Named starting points, each a button: what differs from the paper's defaults, and what to notice."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Preset:
    """A named starting point: what differs from the paper's defaults, and what to notice."""

    name: str
    notice: str
    changes: dict[str, Any] = field(default_factory=dict)


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

THINGS_TO_TRY_IN_2D = (
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
        "Ask only about the previous item",
        "After exploration new items resemble each other. The asked one is deep inside the ellipse: a short probe.",
        {"horizon": 200, "ask": "previous"},
    ),
)

THINGS_TO_TRY_WITH_HISTORY = (
    Preset(
        "The paper's exploration",
        "The paper explores for 10 d rounds. In the plane the items then lie all around, and every shadow is wide.",
        {"horizon": 200},
    ),
    Preset(
        "Four rounds only",
        "Four items leave gaps. Seen from the worst side their shadow is narrow, so β(H) is larger.",
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

# With places for the numbers of the run on screen.
THINGS_TO_TRY_WITH_THEORY = (
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

# By view of the page.
THINGS_TO_TRY_WITH_RIVALS = {
    "rival": (
        Preset(
            "The paper's setting",
            "The rival's error stays high. Both items that it compares look good, so they resemble each other, and the "
            "answer teaches little.",
        ),
        Preset(
            "Where CoLSTIM wins",
            "Utilities are so large that the answer about a very different item is known beforehand, and such items "
            "are what ROAM asks about. CoLSTIM's error is large because its estimate is too long. Where it points is "
            "right, and only that counts for regret.",
            {"radius": 10.0, "c1": 3.0},
        ),
    ),
    "map": (
        Preset("The paper's setting", "Every cell is above ROAM's level."),
        Preset(
            "Large utilities",
            "Below the orange line CoLSTIM's mean regret is less than ROAM's.",
            {"radius": 10.0, "k": 100, "runs": 40},
        ),
    ),
    "ask": (
        Preset(
            "The last ten only",
            "Ten recent items resemble each other and the new one. None of them makes a good question.",
            {"window": 10},
        ),
        Preset(
            "Where the rule fails",
            "Utilities are large. The item that differs most is the one whose comparison is decided beforehand, so "
            "ROAM's own rule is the worst of the four, and a short memory is better than a long one.",
            {"radius": 10.0, "window": 10},
        ),
    ),
    "less": (
        Preset(
            "Cheap questions",
            "Nearly half of the questions can go before regret rises.",
            {"cost": 0.05},
        ),
        Preset(
            "Dear questions",
            "Now it pays to ask so seldom that regret does rise.",
            {"cost": 0.5},
        ),
    ),
    "link": (
        Preset(
            "The paper's user",
            "The three errors differ, the regrets hardly do. A wrong link stretches the estimate, and the item that "
            "looks best stays the same.",
        ),
        Preset(
            "A probit user who hardly errs",
            "With cauchit assumed the estimate becomes very long, and so does its error. Regret hardly notices.",
            {"link": "probit", "radius": 3.0},
        ),
    ),
}
