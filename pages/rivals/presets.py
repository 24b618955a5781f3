"""Things to try on the page "ROAM and its rivals"."""

from pages.presets import Preset

# By view of the page.
PRESETS = {
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
