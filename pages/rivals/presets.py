"""Things to try on the page "ROAM and its rivals"."""

from pages.presets import Preset
from pages.rivals.map import OWN_MAP

PAPERS = "The paper's setting"
# By view of the page. Who pays least and most is computed: notices say why.
PRESETS = {
    "ask": (
        Preset(
            PAPERS,
            "Always asking about the previous item teaches little, because it resembles the new one: its error stays "
            "high. Choosing the question well is what pays.",
        ),
        Preset(
            "The last ten only",
            "Ten recent items resemble each other and the new one. None of them makes a good question.",
            {"window": 10},
        ),
        Preset(
            "Where the rule fails",
            "Utilities are large. The item that differs most is the one whose comparison is decided beforehand, so "
            "ROAM's own rule learns little from it. A short memory is better than a long one here.",
            {"radius": 10.0, "window": 10},
        ),
    ),
    "rival": (
        Preset(
            PAPERS,
            "The rival's error stays high. Both items that it compares look good, so they resemble each other, and the "
            "answer teaches little.",
        ),
        Preset(
            "Where CoLSTIM wins",
            "Utilities are so large that the answer about a very different item is known beforehand, and such items "
            "are what ROAM asks about. CoLSTIM's mean error is large because some of its estimates are far too long. "
            "They point the right way, and only that counts for regret.",
            {"radius": 10.0, "c1": 3.0},
        ),
        Preset(
            "A map with large utilities",
            "Below the orange line CoLSTIM's mean regret is less than ROAM's.",
            {"radius": 10.0, "k": 100, "runs": 40},
            shows=(OWN_MAP,),
        ),
    ),
    "less": (
        Preset(
            PAPERS,
            "With a low threshold every question is asked. With a high one regret rises, because little is learnt.",
        ),
        Preset(
            "Cheap questions",
            "More than a third of the questions can go before regret rises by much.",
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
            PAPERS,
            "If the algorithm assumes probit, its error is about twice as large, and still the regrets hardly differ. "
            "A wrong link mostly stretches or shrinks the estimate: the item that looks best stays much the same.",
        ),
        Preset(
            "A probit user who hardly errs",
            "With cauchit assumed the estimate becomes very long, and so does its error. Regret hardly notices.",
            {"link": "probit", "radius": 3.0},
        ),
    ),
}
