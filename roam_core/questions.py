"""Which question to ask: ask rules side by side in several worlds, and the results that ship with the project.

`python -m roam_core questions` plays every rule in every world with ten seeds, 100 runs each, and keeps one line of
JSON a scenario. In a world all rules have the same users, the same exploration and the same luck of the answers, so
they are compared run by run.
"""

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from roam_core import records
from roam_core.result import Result, moments
from roam_core.scenario import Scenario
from roam_core.sweep import Step
from roam_core.worlds import WORLDS

DEFAULTS = Scenario()
SEEDS = 10
RESULTS = Path(__file__).with_name("questions_results.jsonl")
COMMAND = "python -m roam_core questions"
DIGITS = 3  # that are kept of the largest regret of a run

PAPERS = "most_uncertain"
# Rule -> what differs from the defaults.
RULES: dict[str, dict[str, Any]] = {
    PAPERS: {"ask": PAPERS},
    "informative": {"ask": "informative"},
    "slope_width": {"ask": "formula", "formula": "slope * width**2"},
    "previous": {"ask": "previous"},
    "random": {"ask": "random"},
}


@dataclass(frozen=True)
class Record:
    """What is kept of a rule in a world."""

    scenario: Scenario  # with every automatic value filled in
    made: dict[str, str]  # date and versions
    regret: np.ndarray  # (runs,) at T
    error: tuple[float, float]  # mean and band of |theta - estimate| in the last round
    seeds: int = 1  # that were played, from the scenario's on, with the scenario's runs each

    @property
    def words(self) -> str:
        """What the rule is called on screen."""
        return self.scenario.words("ask")


def scenarios(base: Scenario = DEFAULTS) -> dict[str, dict[str, Scenario]]:
    """World -> rule -> Scenario, automatic values filled in. `base` has what worlds and rules leave open.

    >>> scenarios()["huge"]["random"].radius
    10.0
    """
    return {
        name: {rule: world.put(replace(base, **changes)).resolved() for rule, changes in RULES.items()}
        for name, world in WORLDS.items()
    }


def relative(regret: np.ndarray, papers: np.ndarray) -> tuple[float, float]:
    """Mean regret (runs,) as a share of that of the paper's rule in the same runs, and half the width of its 95% band.

    The band is 2 sigma of the delta method for a quotient of means a / b of pairs: sigma^2 is the variance of
    a_i - q b_i, q the quotient, divided by n b^2. Pairs are independent of each other; a and b need not be. NaN for
    fewer than two runs.

    >>> relative(np.array([1.0, 3.0]), np.array([2.0, 6.0]))
    (0.5, 0.0)
    """
    below = float(np.mean(papers))
    quotient = float(np.mean(regret)) / below
    return quotient, moments(regret - quotient * papers)[1] / below


def make(
    path: Path = RESULTS, base: Scenario = DEFAULTS, executor: Executor | None = None, seeds: int = SEEDS
) -> Iterator[Step]:
    """Play what the file does not hold yet, and yield how far that is. Finished scenarios are written at once."""
    wanted = (scenario for table in scenarios(base).values() for scenario in table.values())
    lines = _complete(path, seeds) if path.exists() else {}
    yield from records.play_missing(path, lines, wanted, lambda result: _line(result, seeds), executor, seeds)


def load(path: Path = RESULTS, base: Scenario = DEFAULTS, seeds: int = SEEDS) -> dict[str, dict[str, Record]]:
    """World -> rule -> Record. A ValueError says what to do if the file is missing, broken or out of date."""
    if not path.exists():
        raise ValueError(f"{path.name} is missing. {_ADVICE}")
    lines = _complete(path, seeds)
    wanted = scenarios(base)
    for name, table in wanted.items():
        for rule, scenario in table.items():
            if scenario not in lines:
                raise ValueError(f"{path.name} has no results for {rule} in the world {name} as it is today. {_ADVICE}")
    try:
        return {name: {rule: _record(lines[s]) for rule, s in table.items()} for name, table in wanted.items()}
    except records.BROKEN:
        raise _broken(path) from None


def summary(results: Mapping[str, Mapping[str, Record]]) -> str:
    """A table of the rules in every world: regret relative to the paper's rule, regret over r, and error, at T."""
    lines = []
    for name, table in results.items():
        papers = table[PAPERS]
        lines += ["", f"{WORLDS[name].words}, {len(papers.regret)} runs"]
        lines.append(f"{'':34}{'regret / the paper’s':>24}{'regret / r':>20}{'error':>20}")
        for record in table.values():
            mean, band = moments(record.regret / record.scenario.radius)
            share = _with_band(*relative(record.regret, papers.regret)) if record is not papers else "1"
            lines.append(f"  {record.words:32}{share:>24}{_with_band(mean, band):>20}{_with_band(*record.error):>20}")
    return "\n".join(lines[1:])


def _with_band(mean: float, band: float) -> str:
    return f"{mean:.4g}" + ("" if np.isnan(band) else f" +- {band:.2g}")


def _line(result: Result, seeds: int) -> str:
    stored = records.head(result.scenario, seeds)
    stored["regret"] = records.whole(result.regret[:, -1], DIGITS)
    stored["error"] = records.rounded(np.array(moments(result.error[:, -1])), 5)
    return records.as_line(stored)


def _record(line: str) -> Record:
    stored = json.loads(line)
    mean, band = records.array(stored["error"])
    scenario, seeds = records.scenario_of(line), stored.get("seeds", 1)
    record = Record(scenario, stored["made"], records.array(stored["regret"]), (mean, band), seeds)
    if len(record.regret) != scenario.runs * seeds or np.isnan(record.regret).any():
        raise ValueError("values are missing")
    return record


def _complete(path: Path, seeds: int) -> dict[Scenario, str]:
    try:
        return records.complete_lines(path, seeds)
    except records.BROKEN:
        raise _broken(path) from None


def _broken(path: Path) -> ValueError:
    return ValueError(f"{path.name} is broken, or no file of results. Delete it and run {COMMAND}")


_ADVICE = f"Run {COMMAND}: it takes about half an hour"
