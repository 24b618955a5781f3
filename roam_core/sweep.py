"""Many scenarios on one executor: processes here, a Dask cluster elsewhere; and the file their curves go to."""

import csv
import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from roam_core.engine import Batch, batch_sizes
from roam_core.result import COLUMNS, Result
from roam_core.scenario import KNOBS, Scenario
from roam_core.simulate import play_batches

LARGEST_GRID = 10_000


class Step(NamedTuple):
    """How far a sweep has come."""

    progress: float  # share of the work done, in [0, 1]
    finished: list[Result]  # scenarios that have become complete since the last step


def grid(base: Scenario, vary: Mapping[str, Sequence]) -> list[Scenario]:
    """Every combination of the values in `vary`, the other fields as in `base`; the last field varies fastest.

    >>> [(s.d, s.tau) for s in grid(Scenario(), {"d": [2, 3], "tau": [0, 25]})]
    [(2, 0), (2, 25), (3, 0), (3, 25)]
    """
    count = 1
    for values in vary.values():
        count *= len(values)
    if count > LARGEST_GRID:
        raise ValueError(f"the grid has {count} scenarios, allowed are at most {LARGEST_GRID}")
    combinations = itertools.product(*vary.values())
    return [replace(base, **dict(zip(vary, values, strict=True))) for values in combinations]


def sweep(scenarios: Iterable[Scenario], executor: Executor | None = None) -> Iterator[Step]:
    """Simulate many scenarios; yield a Step at least four times a second.

    The batches of all scenarios share the executor, in order, so no worker waits for the end of a scenario.
    """
    sizes = {scenario: batch_sizes(scenario) for scenario in scenarios}
    tasks = [(scenario, index) for scenario in sizes for index in range(len(sizes[scenario]))]
    work = {(scenario, index): scenario.work * sizes[scenario][index] / scenario.runs for scenario, index in tasks}
    batches: dict[Scenario, dict[int, Batch]] = {scenario: {} for scenario in sizes}
    total, done = sum(work.values()), 0.0
    for finished, under_way in play_batches(tasks, executor):
        complete = []
        for (scenario, index), batch in finished.items():
            done += work[scenario, index]
            batches[scenario][index] = batch
            if len(batches[scenario]) == len(sizes[scenario]):
                in_order = [batch for _, batch in sorted(batches.pop(scenario).items())]
                complete.append(Result.join(scenario, in_order, 1.0))
        ahead = sum(work[task] * share for task, share in under_way.items())
        yield Step((done + ahead) / total if batches else 1.0, complete)


class SweepFile:
    """The curves of many scenarios in one tidy table: one row a scenario and round, every field a column.

    Finished scenarios are written at once, so an interrupted sweep can go on: `missing` tells what is left to do. A
    table in Parquet is kept as CSV beside it until `finish`.
    """

    def __init__(self, path: str | Path):
        self.path = Path(path)
        if self.path.suffix not in (".csv", ".parquet"):
            raise ValueError(f"{self.path.name}: the name of the table must end in .csv or .parquet")
        self._parquet = self.path.suffix == ".parquet"
        if self._parquet:
            _pyarrow()
        self._csv = self.path.with_name(self.path.name + ".unfinished.csv") if self._parquet else self.path
        complete = _complete(self._csv if self._csv.exists() else self.path)
        self._done = set(complete)
        cleaned = self._csv.with_name(self._csv.name + ".new")
        with open(cleaned, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([HEADER, *itertools.chain(*complete.values())])
        os.replace(cleaned, self._csv)

    def missing(self, scenarios: Iterable[Scenario]) -> list[Scenario]:
        """Those of the scenarios that the table does not hold yet."""
        return [scenario for scenario in scenarios if scenario.resolved() not in self._done]

    def write(self, result: Result) -> None:
        """Add a complete Result."""
        settled = result.scenario.resolved()
        fields = list(settled.to_strings().values())
        with open(self._csv, "a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([*fields, *row] for row in result.rows())
        self._done.add(settled)

    def finish(self) -> None:
        """Bring the table into its final form."""
        if self._parquet:
            arrow_csv, parquet = _pyarrow()
            parquet.write_table(arrow_csv.read_csv(self._csv), self.path)
            self._csv.unlink()


HEADER = [*KNOBS, *COLUMNS]


def _complete(path: Path) -> dict[Scenario, list[list[str]]]:
    """The rows of each scenario in the file that has all its rounds, as today's `HEADER` has them."""
    if not path.exists() or not path.stat().st_size:
        return {}
    rows = _rows_of(path)
    fields = _fields_of(next(rows, []))
    if not fields:
        raise ValueError(f"{path}: this is not the table of a sweep; choose another name")
    found = {}
    for texts, group in itertools.groupby(rows, key=lambda row: row[: len(fields)]):
        scenario = Scenario.from_strings(dict(zip(fields, texts, strict=True))).resolved()
        settled = scenario.to_strings().values()
        its_rows = [[*settled, *row[len(fields) :]] for row in group]
        if len(its_rows) == scenario.horizon:
            found[scenario] = its_rows
    return found


def _fields_of(header: list[str]) -> list[str]:
    """The fields of a scenario in the header of a table, where later ones may be missing; none if it is no such table.

    >>> _fields_of(["d", "k", *COLUMNS]), _fields_of(["d", "colour", *COLUMNS])
    (['d', 'k'], [])
    """
    fields = header[: -len(COLUMNS)]
    known = [*fields, *COLUMNS] == header and set(fields) <= set(KNOBS) and len(set(fields)) == len(fields)
    return fields if known else []


def _rows_of(path: Path) -> Iterator[list[str]]:
    if path.suffix == ".parquet":
        _, parquet = _pyarrow()
        table = parquet.read_table(path)
        yield table.column_names
        for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
            yield ["" if value is None else str(value) for value in row]
    else:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        yield from csv.reader(line for line in lines if line.endswith("\n"))  # the last may have been cut off


def _pyarrow():
    """pyarrow's CSV reader and Parquet writer, which come with Streamlit."""
    try:
        from pyarrow import csv as arrow_csv
        from pyarrow import parquet
    except ImportError:
        raise ValueError(
            "a table in Parquet needs the package pyarrow: install it, or choose a name that ends in .csv"
        ) from None
    return arrow_csv, parquet
