"""Worlds to try an ask rule in: the paper's setting with one thing changed.

To add a world, declare it in `WORLDS`: the report on questions, pages and tests find it there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from roam_core.scenario import Scenario


@dataclass(frozen=True)
class World:
    """A setting for a comparison of ask rules."""

    words: str  # its name on screen
    changes: Mapping[str, Any]  # fields of a Scenario that differ from the paper's

    def put(self, scenario: Scenario) -> Scenario:
        """The same scenario in this world."""
        return replace(scenario, **self.changes)


WORLDS: dict[str, World] = {
    "small": World("small utilities (r = 0.3)", {"radius": 0.3}),
    "middle": World("the paper's setting (r = 1)", {}),
    "large": World("large utilities (r = 3)", {"radius": 3.0}),
    "huge": World("very large utilities (r = 10)", {"radius": 10.0}),
    "flat": World("a flat item space (f = 0.1)", {"flatness": 0.1}),
    "plane": World("two features (d = 2)", {"d": 2}),
    "many_features": World("ten features (d = 10)", {"d": 10}),
    "no_exploration": World("no exploration (τ = 0)", {"tau": 0}),
    "wrong_link": World("a wrong link (the user's is cauchit)", {"user_link": "cauchit"}),
    "ball": World("items that fill a ball", {"items": "ball"}),
}
