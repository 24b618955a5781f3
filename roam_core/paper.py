"""Section 4 of the paper: its experiments as a table, and the results that ship with the project.

`python -m roam_core paper` plays the table and keeps one line of JSON a scenario. A scenario that is in several
experiments is played once. With `--runs 1000` it plays the paper's three experiments with ten seeds, 100 runs each: the
runs of the first seed are the paper's 100.
"""

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from roam_core import records
from roam_core.result import CURVES, Result, finite_mean, moments
from roam_core.scenario import Scenario
from roam_core.sweep import Step

DEFAULTS = Scenario()
MANY = 1000  # runs, where those of the paper leave a claim open
SEEDS = MANY // DEFAULTS.runs
RESULTS = Path(__file__).with_name("paper_results.jsonl")
MANY_RESULTS = Path(__file__).with_name(f"paper_results_{MANY}.jsonl")
COMMAND = "python -m roam_core paper"
DIGITS = 6  # that are kept of the numbers of a run
FEW_DIGITS = 4  # that are kept of the largest, where the runs are many
LATE = 100  # rounds that "early" (after exploration) and "late" (at the end) stand for
START = 100  # rounds at the start that the measures "after" leave out

C1 = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
C2 = (0.01, 0.1, 1.0, 10.0)  # at 10 hardly any perturbation is clipped
MAP_RUNS = 40


def _colstim(c1: float, c2: float) -> dict[str, Any]:
    return {"algorithm": "colstim", "c1": c1, "c2": c2}


# Experiment -> label of a curve -> what differs from the defaults.
EXPERIMENTS: dict[str, dict[str, dict[str, Any]]] = {
    "dimension": {f"d = {d}": {"d": d} for d in (2, 4, 6, 8, 10)},
    "exploration": {f"τ = {tau}": {"tau": tau} for tau in (0, 25, 50, 75, 100)},
    "rival": {"ROAM": {"algorithm": "roam"}}
    | {f"CoLSTIM, c1 = {c1:g}, c2 = {c2:g}": _colstim(c1, c2) for c1 in (1.0, 10.0) for c2 in (0.1, 1.0)},
    "map": {"ROAM": {"algorithm": "roam"}} | {f"c1 = {c1:g}, c2 = {c2:g}": _colstim(c1, c2) for c1 in C1 for c2 in C2},
}


def scenarios(base: Scenario = DEFAULTS) -> dict[str, dict[str, Scenario]]:
    """Experiment -> label -> Scenario, automatic values filled in. `base` has what the table leaves open.

    >>> scenarios()["exploration"]["τ = 0"].ridge
    0.1
    """
    bases = {"map": replace(base, runs=min(base.runs, MAP_RUNS))}
    return {
        name: {label: replace(bases.get(name, base), **changes).resolved() for label, changes in table.items()}
        for name, table in EXPERIMENTS.items()
    }


@dataclass(frozen=True)
class Record:
    """What is kept of the runs of one scenario."""

    scenario: Scenario  # with every automatic value filled in
    made: dict[str, str]  # date and versions
    rounds: list[int]  # (points,) of the curves
    curves: dict[str, tuple[np.ndarray, np.ndarray]]  # "regret", "error", "ratio": mean and band, (points,) each
    per_run: dict[str, np.ndarray]  # (runs,) each; see `measures`
    seeds: int = 1  # that were played, from the scenario's on, with the scenario's runs each

    @property
    def runs(self) -> int:
        """How many runs it is of."""
        return self.scenario.runs * self.seeds

    def sampled(self, curve: str) -> tuple[list[int], np.ndarray, np.ndarray]:
        """Rounds, mean and band of a curve, as `Result.sampled` gives them."""
        return self.rounds, *self.curves[curve]


def measures(result: Result) -> dict[str, np.ndarray]:
    """(runs,) each: the numbers of a run that the claims are about."""
    s = result.scenario.resolved()
    T, tau = s.horizon, s.tau
    R = np.column_stack([np.zeros(result.runs), result.regret])  # column t is R(t)
    return {
        "regret_half_explored": R[:, tau // 2],
        "regret_explored": R[:, tau],
        "regret_half_way": R[:, (tau + T) // 2],  # in the middle of the rounds after exploration
        "regret": R[:, T],
        "error_first": result.error[:, min(tau, T - 1)],  # of the first estimate after exploration
        "error": result.error[:, -LATE:].mean(1),
        "ratio_all": finite_mean(result.ratio, axis=1),
        "ratio_early": finite_mean(result.ratio[:, tau : tau + LATE], axis=1),
        "ratio": finite_mean(result.ratio[:, -LATE:], axis=1),
        "lambda_min": result.lambda_min,
        "error_after": finite_mean(result.error[:, START:], axis=1),
        "ratio_after": finite_mean(result.ratio[:, START:], axis=1),
    }


class Map(NamedTuple):
    """Regret at T of CoLSTIM for every pair of its parameters, and ROAM's, which has none."""

    c1: tuple[float, ...]
    c2: tuple[float, ...]
    regret: np.ndarray  # (c1, c2)
    band: np.ndarray  # (c1, c2) half-widths of the 95% bands
    roam: float
    roam_band: float


def regret_map(experiment: Mapping[str, Record]) -> Map:
    """The map from its records, `load()["map"]`."""
    cells = {(r.scenario.c1, r.scenario.c2): r for label, r in experiment.items() if label != "ROAM"}
    table = np.array([[moments(cells[c1, c2].per_run["regret"]) for c2 in C2] for c1 in C1])
    return Map(C1, C2, table[..., 0], table[..., 1], *moments(experiment["ROAM"].per_run["regret"]))


def load(path: Path = RESULTS, base: Scenario = DEFAULTS, seeds: int = 1) -> dict[str, dict[str, Record]]:
    """Experiment -> label -> Record. A ValueError says what to do if the file is missing, broken or out of date.

    With several seeds there is no map.
    """
    if not path.exists():
        raise ValueError(f"{path.name} is missing. {_advice(seeds)}")
    lines = _complete(path, seeds)
    wanted = _wanted(base, seeds)
    for name, table in wanted.items():
        for label, scenario in table.items():
            if scenario not in lines:
                raise ValueError(f"{path.name} has no results for {label} ({name}) as it is today. {_advice(seeds)}")
    try:
        return {
            name: {label: _record(lines[scenario]) for label, scenario in table.items()}
            for name, table in wanted.items()
        }
    except records.BROKEN:
        raise _broken(path, seeds) from None


def load_many() -> dict[str, dict[str, Record]]:
    """The shipped results of 1,000 runs, as `load` gives those of 100."""
    return load(MANY_RESULTS, DEFAULTS, SEEDS)


def make(
    path: Path = RESULTS, base: Scenario = DEFAULTS, executor: Executor | None = None, seeds: int = 1
) -> Iterator[Step]:
    """Play what the file does not hold yet, and yield how far that is. Finished scenarios are written at once."""
    wanted = (s for table in _wanted(base, seeds).values() for s in table.values())
    lines = _complete(path, seeds) if path.exists() else {}
    yield from records.play_missing(path, lines, wanted, lambda result: _line(result, seeds), executor, seeds)


def _wanted(base: Scenario, seeds: int) -> dict[str, dict[str, Scenario]]:
    """The experiments that a file of so many seeds holds: with several, no map."""
    return {name: table for name, table in scenarios(base).items() if seeds == 1 or name != "map"}


def _line(result: Result, seeds: int) -> str:
    curves = {curve: result.sampled(curve) for curve in CURVES}
    stored = {
        **records.head(result.scenario, seeds),
        "rounds": curves["regret"][0],
        "curves": {
            curve: {"mean": records.rounded(mean, 5), "band": records.rounded(band, 3)}
            for curve, (_, mean, band) in curves.items()
        },
        "per_run": {
            name: records.rounded(values, DIGITS) if seeds == 1 else records.whole(values, FEW_DIGITS)
            for name, values in measures(result).items()
            if seeds == 1 or name != "lambda_min"  # no claim is about it
        },
    }
    return records.as_line(stored)


def _record(line: str) -> Record:
    stored = json.loads(line)
    record = Record(
        records.scenario_of(line),
        stored["made"],
        stored["rounds"],
        {curve: (records.array(of["mean"]), records.array(of["band"])) for curve, of in stored["curves"].items()},
        {name: records.array(values) for name, values in stored["per_run"].items()},
        stored.get("seeds", 1),
    )
    lengths = {len(part) for curve in CURVES for part in record.curves[curve]}
    if lengths != {len(record.rounds)} or {len(values) for values in record.per_run.values()} != {record.runs}:
        raise ValueError("values are missing")
    return record


def _complete(path: Path, seeds: int) -> dict[Scenario, str]:
    try:
        return records.complete_lines(path, seeds)
    except records.BROKEN:
        raise _broken(path, seeds) from None


def command(seeds: int = 1) -> str:
    """The command that makes the results of so many seeds.

    >>> command(), command(SEEDS)
    ('python -m roam_core paper', 'python -m roam_core paper --runs 1000')
    """
    return COMMAND if seeds == 1 else f"{COMMAND} --runs {DEFAULTS.runs * seeds}"


def _advice(seeds: int) -> str:
    return f"Run {command(seeds)}: it takes " + ("a few minutes" if seeds == 1 else "about half an hour")


def _broken(path: Path, seeds: int) -> ValueError:
    return ValueError(f"{path.name} is broken, or no file of results. Delete it and run {command(seeds)}")
