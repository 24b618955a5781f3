"""Things to try on the page "Ask better": rules to begin with, and what to notice about each."""

from typing import Any

from pages.ask_better.asking import FORMULAS
from pages.presets import Preset
from roam_core.formulas import GOOD_FIRST

# By formula. Who pays less in which world is computed: notices say how the rule thinks.
NOTICES = {
    "width": "The paper's rule looks for directions in which little was asked. It does not look at whether the answer "
    "is known beforehand.",
    "slope * reach**2": "It wants both: an answer that is open, and a direction in which little is known. It asks "
    "where the answer should tell most.",
    "slope * width**2": "It wants an open answer too, but V counts earlier questions in full even where their answers "
    "told nothing.",
    "-abs(gap)": "The answer is as open as can be. But items that look equally good can be almost the same item, and "
    "then the answer tells little.",
    "distance": "The item that differs most is often liked far less. With large utilities its answer is known then.",
    "width / (1 + asked)": "It spares items that it has asked about. An item is a good question more than once, "
    "though: the new item is another each time.",
    "width * (age <= 50)": "A short memory. Recent items were chosen because they look good, so they resemble each "
    "other and the new one.",
    "-age": "It compares with what came just before. After exploration both look good and resemble each other.",
    "random()": "It asks about anything. No thought, and yet it never asks the same hopeless question again and again.",
}


def _changes(formula: str) -> dict[str, Any]:
    """What a scenario says of the rule with this formula: its name, if it has one."""
    named = next((rule for rule, text in FORMULAS.items() if text == formula), None)
    return {"ask": named} if named else {"ask": "formula", "formula": formula}


PRESETS = tuple(Preset(name, NOTICES.get(formula, ""), _changes(formula)) for name, formula in GOOD_FIRST.items())
