"""What can be asked of the board: runs in batches, or an errand; how each is played, joined and weighed.

Worker processes import this module: no Streamlit here.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from typing import Any

import numpy as np

from roam_core import Result, Scenario
from roam_core.aim import Aim
from roam_core.coverage import Coverage
from roam_core.engine import batch_sizes, play
from roam_core.enrichment import Enrichment, Exploration
from roam_core.slack import Slack

CURVE_BYTES = 28  # a run and round: regret, error and ratio in 8 bytes each, the item asked about in 4
ERRAND_BYTES = 2_000_000  # what an errand may bring, roughly: it is not known before
ERRAND_SECONDS = 0.5  # that an errand takes, roughly
SPEED = 2e8  # numbers that are touched in a second (see `Scenario.work`), roughly


@dataclass(frozen=True)
class Errand:
    """One call of a function. If the function is a generator, it can be dropped wherever it yields."""

    function: Callable
    arguments: tuple

    def play(self, _: int) -> Generator[float, None, Any]:
        """Call the function; the generator returns its value."""
        yield 0.0
        value = self.function(*self.arguments)
        return (yield from value) if isinstance(value, Generator) else value


Work = Scenario | Enrichment | Exploration | Coverage | Aim | Slack | Errand  # a scenario stands for its curves


def runs_of_parts(work: Work) -> list[int]:
    """How many runs each part of the work has: a part is what one worker plays at a time."""
    if isinstance(work, Errand):
        return [1]
    return batch_sizes(work if isinstance(work, Scenario) else work.scenario)


def play_part(work: Work, index: int) -> Generator[float, None, Any]:
    """Play part number `index`; the generator returns what came of it."""
    return play(work, index) if isinstance(work, Scenario) else work.play(index)


def join(work: Work, parts: Sequence[Any], progress: float) -> Any:
    """The result of some parts, in order. A result counts as a part: it can be joined with those that follow it."""
    if isinstance(work, Errand):
        return parts[0] if parts else None
    return Result.join(work, parts, progress) if isinstance(work, Scenario) else work.join(parts, progress)


def expected_bytes(work: Work) -> int:
    """What the complete result will take, about."""
    if isinstance(work, Errand):
        return ERRAND_BYTES
    if isinstance(work, Exploration):
        return work.scenario.runs * len(work.lengths) * 16
    if isinstance(work, Aim):
        return work.scenario.runs * (8 + 16 * len(work.rounds))
    scenario = work if isinstance(work, Scenario) else work.scenario
    return scenario.runs * scenario.horizon * (CURVE_BYTES + 4 * (scenario.most_questions - 1))


def expected_seconds(work: Work) -> float:
    """How long it takes if nobody else computes, roughly: it only decides whose turn it is."""
    if isinstance(work, Errand):
        return ERRAND_SECONDS
    return (work if isinstance(work, Scenario) else work.scenario).work / SPEED


def bytes_of(value: Any) -> int:
    """What a value takes, about: arrays and text exactly, other things by their number."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, str | bytes):
        return len(value)
    if is_dataclass(value) and not isinstance(value, type):
        return bytes_of(vars(value))
    if isinstance(value, Mapping):
        return 64 + sum(100 + bytes_of(item) for item in value.values())
    if isinstance(value, list | tuple):
        return 64 + sum(8 + bytes_of(item) for item in value)
    return 32
