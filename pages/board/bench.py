"""From a visitor's request to the first runs and to all of them, without a browser and without a page.

Printed by `python -m roam_core bench`, so that whoever changes the board or the engine sees what it does to a class.
"""

import statistics
import time
from dataclasses import replace

from pages.board.board import Board
from roam_core import Scenario
from roam_core.executors import cores

LOOK = 0.005  # seconds between two looks
PATIENCE = 60.0  # seconds for the workers to start


def measure(scenarios: list[Scenario]) -> dict[str, list[float]]:
    """Seconds until each visitor has a first result and the full one, if all ask at once; a visitor a scenario."""
    board = Board(cores())
    wait = time.monotonic() + PATIENCE
    while len(board.pids) < cores() and time.monotonic() < wait:
        time.sleep(LOOK)
    began = time.perf_counter()
    first: dict[int, float] = {}
    full: dict[int, float] = {}
    while len(full) < len(scenarios):
        for visitor, scenario in enumerate(scenarios):
            if visitor not in full:
                (snapshot,), now = board.look(str(visitor), [scenario]), time.perf_counter() - began
                if snapshot.result.runs:
                    first.setdefault(visitor, now)
                if snapshot.complete:
                    full[visitor] = now
        time.sleep(LOOK)
    board.close()
    return {"first": sorted(first.values()), "full": sorted(full.values())}


def report(visitors: int, scenario: Scenario) -> dict[str, dict[str, list[float]]]:
    """One visitor, a class with the same link, and a class in which everybody has a scenario of their own."""
    return {
        "one visitor": measure([scenario]),
        f"{visitors} with the same link": measure([scenario] * visitors),
        f"{visitors} with their own": measure([replace(scenario, seed=seed) for seed in range(visitors)]),
    }


def words(seconds: list[float]) -> str:
    """The median and the slowest."""
    return f"{statistics.median(seconds):.2f} ({max(seconds):.2f})"
