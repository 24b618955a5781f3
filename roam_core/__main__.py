"""Command line: python -m roam_core run."""

import argparse
import os
import sys
from collections.abc import Iterable
from typing import NoReturn

import numpy as np

from roam_core.result import CURVES, Result
from roam_core.scenario import KNOBS, Scenario
from roam_core.simulate import last, stream

TITLES = {"regret": "cumulative regret", "error": "estimation error", "ratio": "critical ratio"}


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status."""
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
    add_scenario_options(run)
    run.add_argument(
        "--csv", metavar="FILE", help="write mean and band of every round to FILE, the scenario in its header"
    )
    run.set_defaults(command=_run)
    return parser


def add_scenario_options(parser: argparse.ArgumentParser) -> None:
    """One option for each field of a Scenario."""
    group = parser.add_argument_group("scenario")
    for name, knob in KNOBS.items():
        about = f"{knob.label}: {knob.help} {knob.allowed.capitalize()}. Default: {knob.format(knob.default)}."
        group.add_argument(f"--{name}", metavar=knob.symbol, help=about.replace("%", "%%"))


def scenario_from(options: argparse.Namespace) -> Scenario:
    """The Scenario that the options describe."""
    given = {name: getattr(options, name) for name in KNOBS}
    return Scenario.from_strings({name: text for name, text in given.items() if text is not None})


def _run(options: argparse.Namespace) -> int:
    scenario = scenario_from(options)
    if options.csv:
        open(options.csv, "a").close()  # a bad path fails here, before any work
    result = last(with_progress_bar(stream(scenario)))
    print(summary(result))
    if options.csv:
        with open(options.csv, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in result.csv())
    return 0


def with_progress_bar(results: Iterable[Result]) -> Iterable[Result]:
    """Pass the Results on, drawing a bar on standard error if that is a terminal."""
    for result in results:
        if sys.stderr.isatty():
            full = round(30 * result.progress)
            print(f"\r[{'#' * full}{'.' * (30 - full)}] {result.progress:4.0%}", end="", file=sys.stderr, flush=True)
        yield result
    if sys.stderr.isatty():
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
