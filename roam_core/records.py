"""A file of results that ships with the project: one line of JSON a scenario, written as soon as it is played."""

import json
import math
import os
import platform
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from roam_core.result import Result
from roam_core.scenario import Scenario
from roam_core.sweep import Step, sweep


def play_missing(
    path: Path,
    lines: dict[Scenario, str],
    wanted: Iterable[Scenario],
    line: Callable[[Result], str],
    executor: Executor | None,
    seeds: int,
) -> Iterator[Step]:
    """Play what the file's lines do not hold yet, with so many seeds from the scenario's on; yield how far that is.

    A finished scenario is written at once. In the end the file has the wanted ones, in this order, and no others.
    """
    wanted = list(dict.fromkeys(wanted))
    write(path, lines.values())  # a last line that was cut off is gone now
    missing = {s: [replace(s, seed=s.seed + n) for n in range(seeds)] for s in wanted if s not in lines}
    played: dict[Scenario, Result] = {}
    for step in sweep([one for blocks in missing.values() for one in blocks], executor) if missing else ():
        played |= {result.scenario: result for result in step.finished}
        complete = [scenario for scenario, blocks in missing.items() if all(one in played for one in blocks)]
        for scenario in complete:
            lines[scenario] = line(Result.join(scenario, [played.pop(one) for one in missing.pop(scenario)], 1.0))
            with open(path, "a", encoding="utf-8") as file:
                file.write(lines[scenario])
        yield step
    write(path, [lines[scenario] for scenario in wanted])


def complete_lines(path: Path, seeds: int) -> dict[Scenario, str]:
    """The file's lines of so many seeds, by scenario; the last one may have been cut off, then it is left out.

    If it is no such file, one of `BROKEN` is raised.
    """
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    whole = [line for line in lines if line.endswith("\n")]
    if lines and not whole and not lines[0].startswith('{"scenario":'):
        raise ValueError
    known = {scenario: line for line in whole if (scenario := scenario_of(line))}
    return {scenario: line for scenario, line in known.items() if json.loads(line).get("seeds", 1) == seeds}


BROKEN = (ValueError, KeyError, TypeError, AttributeError)  # what reading a line may raise that somebody has changed


def scenario_of(line: str) -> Scenario | None:
    """The scenario of a line, automatic values and fields that came later filled in; None if it is none of today's."""
    strings = dict(json.loads(line)["scenario"].items())
    try:
        return Scenario.from_strings(strings).resolved()
    except ValueError:
        return None


def head(scenario: Scenario, seeds: int) -> dict[str, Any]:
    """What every line begins with: the scenario, how many seeds, and when and with what it was made."""
    return {
        "scenario": scenario.to_strings(),
        **({"seeds": seeds} if seeds > 1 else {}),
        "made": {
            "date": date.today().isoformat(),
            "python": platform.python_version(),
            "numpy": np.__version__,
            "scipy": scipy.__version__,
        },
    }


def as_line(stored: dict[str, Any]) -> str:
    """A line of the file."""
    return json.dumps(stored, separators=(",", ":"), allow_nan=False) + "\n"


def write(path: Path, lines: Iterable[str]) -> None:
    """Replace the file by these lines, all at once."""
    new = path.with_name(path.name + ".new")
    new.write_text("".join(lines), encoding="utf-8")
    os.replace(new, path)


def rounded(values: np.ndarray, digits: int) -> list[float | None]:
    """The numbers with so many digits, None where one is not finite."""
    return [float(f"{value:.{digits}g}") if np.isfinite(value) else None for value in values]


def whole(values: np.ndarray, digits: int) -> dict[str, Any]:
    """The numbers as whole ones of a unit, a power of ten, such that the largest has so many digits."""
    largest = np.max(np.abs(values), where=np.isfinite(values), initial=0.0)
    power = math.floor(math.log10(largest)) + 1 - digits if largest else 0
    return {"power": power, "of": [round(v * 10.0**-power) if np.isfinite(v) else None for v in values.tolist()]}


def array(values: list[float | None] | dict[str, Any]) -> np.ndarray:
    """The numbers that `rounded` or `whole` has written; NaN for None."""
    if isinstance(values, dict):
        return array(values["of"]) * 10.0 ** values["power"]
    return np.array(values, dtype=float)
