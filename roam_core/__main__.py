"""Command line: python -m roam_core run, sweep, paper, questions, play, bench."""

import argparse
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import NoReturn, TypeVar

import numpy as np

from roam_core import executors
from roam_core.result import CURVES, Result
from roam_core.roam import SETTINGS
from roam_core.scenario import KNOBS, Scenario
from roam_core.simulate import last, stream
from roam_core.sweep import Step, SweepFile, grid, sweep

Advancing = TypeVar("Advancing", Result, Step)
TITLES = {"regret": "cumulative regret", "error": "estimation error", "ratio": "critical ratio"}


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status."""
    for output in (sys.stdout, sys.stderr):
        if isinstance(output, io.TextIOWrapper):
            output.reconfigure(errors="replace")  # a Windows pipe may know no tau
    options = _parser().parse_args(arguments)
    try:
        return options.command(options)
    except BrokenPipeError:  # the reader of our output has gone, as in "... | head"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (ValueError, OSError) as problem:
        _complain(problem)
        return 2
    except KeyboardInterrupt:
        print("roam_core: stopped", file=sys.stderr)
        return 130


class _Parser(argparse.ArgumentParser):
    """A parser that reports a mistake in one line."""

    def __init__(self, **options):
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        _complain(f"{message} ({self.prog} --help explains)")
        sys.exit(2)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m roam_core",
        description="Simulate a recommender that learns taste from comparisons with the past.",
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    run = commands.add_parser(
        "run",
        help="simulate one scenario and print a summary",
        description="Simulate one scenario and print regret, error and critical ratio, each with its 95% band.",
    )
    run.add_argument(
        "--csv", metavar="FILE", help="write every round's means and bands to FILE, scenario in its header"
    )
    run.set_defaults(command=_run)
    many = commands.add_parser(
        "sweep",
        help="simulate a grid of scenarios and write one table",
        description="Simulate every combination of some values and write the curves as one table, a row a scenario and "
        "round. If it is interrupted, the same command goes on where it stopped.",
    )
    many.add_argument(
        "--vary",
        metavar="FIELD=A,B,...",
        action="append",
        required=True,
        help="values for a field of the scenario, as in tau=0,25,50; give it again to vary another field too",
    )
    many.add_argument("--out", metavar="FILE", required=True, help="the table: a name that ends in .csv or .parquet")
    many.set_defaults(command=_sweep)
    section = commands.add_parser(
        "paper",
        help="make the results of the paper's experiments again and judge its claims",
        description="Simulate the experiments of Section 4, and a map of CoLSTIM's parameters, for what is not in the "
        "file of results yet; then judge the paper's claims by them. If it is interrupted, the same command goes on "
        "where it stopped. Options of the scenario change what the paper leaves at its defaults. With --runs 1000 "
        "alone, it is the experiments without the map, with ten times the runs of the paper: seeds 0 to 9, 100 runs "
        "each, in a file of their own. That takes about half an hour on two cores.",
    )
    section.add_argument(
        "--out",
        metavar="FILE",
        help="the results; those of other scenarios in it are dropped. Default: those that ship with the project.",
    )
    section.set_defaults(command=_paper)
    asking = commands.add_parser(
        "questions",
        help="compare rules for what to ask, in several worlds",
        description="Simulate the ask rules in every world with seeds 0 to 9, 100 runs each, for what is not in the "
        "file of results yet; then print a table. If it is interrupted, the same command goes on where it stopped. "
        "Options of the scenario change what rules and worlds leave at the defaults. All of it takes about half an "
        "hour on one core.",
    )
    asking.add_argument(
        "--out",
        metavar="FILE",
        help="the results; those of other scenarios in it are dropped. Default: those that ship with the project.",
    )
    asking.set_defaults(command=_questions)
    cores = str(executors.cores())
    for command, workers, means in (
        (run, "1", "1, no others"),
        (many, "1", "1, no others"),
        (section, cores, "all cores"),
        (asking, cores, "all cores"),
    ):
        where = command.add_mutually_exclusive_group()
        where.add_argument("--workers", metavar="N", default=workers, help=f"worker processes. Default: {means}.")
        where.add_argument(
            "--dask", metavar="ADDRESS", help="use the workers of this Dask scheduler, as in tcp://host:8786"
        )
        add_scenario_options(command)
    playing = commands.add_parser(
        "play",
        help="be the user: compare items, and see what is learnt of your taste",
        description="It shows an item and asks whether you liked it better than an earlier one. Your answers are kept "
        "in a file after each round; if it is interrupted, the same command goes on where it was. Unless you say "
        "otherwise tau = 5, radius = 3, k = 50, ridge = 0.1, and d is 5, or less if the catalogue has less.",
    )
    playing.add_argument(
        "--items",
        metavar="FILE",
        required=True,
        help="a CSV file (a name and numbers in each row, the columns named in the first), or flowers, colours, wines "
        "or digits",
    )
    playing.add_argument(
        "--save", metavar="FILE", help="where the answers are kept. Default: the items' name and .roam.json, here."
    )
    playing.set_defaults(command=_play)
    add_scenario_options(playing, ("k", *SETTINGS))
    speed = commands.add_parser(
        "bench",
        help="compare the engine's speed with the paper's recipe",
        description="Time the paper's recipe (a plain loop, scikit-learn at every round) and the engine on the same "
        "scenarios, in turns. Takes a few minutes.",
    )
    speed.add_argument("--repeats", metavar="N", default="3", help="how often everything is measured. Default: 3.")
    speed.add_argument("--json", metavar="FILE", help="write the numbers to FILE too")
    speed.set_defaults(command=_bench)
    return parser


def add_scenario_options(parser: argparse.ArgumentParser, names: Iterable[str] = tuple(KNOBS)) -> None:
    """One option for each of some fields of a Scenario."""
    group = parser.add_argument_group("scenario")
    for name in names:
        knob = KNOBS[name]
        allowed = knob.allowed[0].upper() + knob.allowed[1:]
        about = f"{knob.label}: {knob.help} {allowed}. Default: {knob.format(knob.default)}."
        group.add_argument(f"--{name}", metavar=knob.symbol, help=about.replace("%", "%%"))


def scenario_from(options: argparse.Namespace) -> Scenario:
    """The Scenario that the options describe."""
    given = {name: getattr(options, name) for name in KNOBS}
    return Scenario.from_strings({name: text for name, text in given.items() if text is not None})


def executor_from(options: argparse.Namespace) -> AbstractContextManager[Executor | None]:
    """Where the options want the work done."""
    if options.dask:
        return executors.dask(options.dask)
    return executors.processes(_count("workers", options.workers))


def _run(options: argparse.Namespace) -> int:
    scenario = scenario_from(options)
    if options.csv:
        open(options.csv, "a", encoding="utf-8").close()  # a bad path fails here, before any work
    with executor_from(options) as executor:
        result = last(with_progress_bar(stream(scenario, executor)))
    print(summary(result))
    if options.csv:
        with open(options.csv, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in result.csv())
    return 0


def _sweep(options: argparse.Namespace) -> int:
    scenarios = grid(scenario_from(options), dict(map(_values, options.vary)))
    table = SweepFile(options.out)
    missing = table.missing(scenarios)
    if len(missing) < len(scenarios):
        print(f"{len(scenarios) - len(missing)} of {len(scenarios)} scenarios are in {options.out} already")
    if missing:
        with executor_from(options) as executor:
            for step in with_progress_bar(sweep(missing, executor)):
                for result in step.finished:
                    table.write(result)
    table.finish()
    print(f"{len(scenarios)} scenarios, {sum(s.horizon for s in scenarios)} rows in {options.out}")
    return 0


def _paper(options: argparse.Namespace) -> int:
    from roam_core import claims, paper

    base, seeds, shipped = scenario_from(options), 1, paper.RESULTS
    if base == replace(paper.DEFAULTS, runs=paper.MANY):
        base, seeds, shipped = paper.DEFAULTS, paper.SEEDS, paper.MANY_RESULTS
    if base != paper.DEFAULTS and not options.out:
        raise ValueError("results of another scenario than the paper's need a file of their own: --out FILE")
    path = Path(options.out or shipped)
    with executor_from(options) as executor:
        for _ in with_progress_bar(paper.make(path, base, executor, seeds)):
            pass
    results = paper.load(path, base, seeds)
    print(f"{sum(map(len, results.values()))} curves of {len(results)} experiments in {path}")
    for claim in claims.claims(results):
        print(f"\n{claim.number}. {claim.statement} -> {claim.verdict}")
        for part in claim.parts:
            print(f"   {part.verdict:18}{part.statement}. {part.sentence}")
        for note in claim.notes:
            print(f"   {note}")
    return 0


def _questions(options: argparse.Namespace) -> int:
    from roam_core import questions

    base = scenario_from(options)
    if base != questions.DEFAULTS and not options.out:
        raise ValueError("results of another scenario than the paper's need a file of their own: --out FILE")
    path = Path(options.out or questions.RESULTS)
    with executor_from(options) as executor:
        for _ in with_progress_bar(questions.make(path, base, executor)):
            pass
    results = questions.load(path, base)
    print(f"{len(questions.RULES)} rules in {len(results)} worlds in {path}\n")
    print(questions.summary(results))
    return 0


def _play(options: argparse.Namespace) -> int:
    from roam_core import terminal

    given = {name: getattr(options, name) for name in ("k", *SETTINGS)}
    settings = {name: KNOBS[name].parse(text) for name, text in given.items() if text is not None}
    return terminal.play(options.items, options.save, settings)


def _bench(options: argparse.Namespace) -> int:
    from roam_core import bench

    report = bench.run(_count("repeats", options.repeats), lambda line: print(line, flush=True))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=2)
    return 0


def _count(name: str, text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise ValueError(f"{name} = {text!r} is not allowed: it must be a whole number from 1 to 1000")
    return int(text)


def _values(text: str) -> tuple[str, list]:
    """A field and its values from a text like tau=0,25,50."""
    name, equals, values = text.partition("=")
    if name not in KNOBS or not equals:
        raise ValueError(
            f"--vary {text!r} is not allowed: it must be FIELD=A,B,... with FIELD one of {', '.join(KNOBS)}"
        )
    return name, KNOBS[name].parse_several(values)


def with_progress_bar(steps: Iterable[Advancing]) -> Iterator[Advancing]:
    """Pass on what has a `progress`, drawing a bar on standard error if that is a terminal."""
    shown = sys.stderr.isatty()
    for step in steps:
        if shown:
            full = round(30 * step.progress)
            print(f"\r[{'#' * full}{'.' * (30 - full)}] {step.progress:4.0%}", end="", file=sys.stderr, flush=True)
        yield step
    if shown:
        print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)


def summary(result: Result) -> str:
    """A table of the three curves at three moments, and what was asked."""
    s = result.scenario.resolved()
    T, tau = s.horizon, s.tau
    moments = sorted({t for t in (tau + 1, (tau + 1 + T) // 2, T) if 1 <= t <= T})
    lines = [" ".join(f"{name}={text}" for name, text in s.to_strings().items())]
    lines += ["", f"{'':20}" + "".join(f"{f't = {t}':>20}" for t in moments)]
    for curve in CURVES:
        mean, band = result.mean(curve), result.band(curve)
        lines.append(f"{TITLES[curve]:20}" + "".join(f"{_with_band(mean[t - 1], band[t - 1]):>20}" for t in moments))
    lines += ["", f"runs with lambda_min(V) >= 1 after exploration: {np.mean(result.lambda_min >= 1):.0%}"]
    if result.times_asked.any():
        lines.append(f"most questions about one past item (mean over runs): {result.times_asked.max(1).mean():.1f}")
    if s.skip_below or s.cost:
        lines.append(f"questions (mean over runs): {result.questions[:, -1].mean():.1f}")
        mean, band = result.mean("regret_plus_cost")[-1], result.band("regret_plus_cost")[-1]
        lines.append(f"regret plus cost of the questions: {_with_band(mean, band)}")
    return "\n".join(lines)


def _with_band(mean: float, band: float) -> str:
    if np.isnan(mean):
        return "-"
    return f"{mean:.3f}" + ("" if np.isnan(band) else f" +- {band:.3f}")


def _complain(problem: Exception | str) -> None:
    if isinstance(problem, OSError) and problem.filename:
        problem = f"{problem.filename}: {problem.strerror}"
    print(f"roam_core: error: {problem}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
