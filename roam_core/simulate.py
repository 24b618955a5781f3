"""From a Scenario to a Result: all at once, or growing while you watch."""

import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, wait
from itertools import takewhile

from roam_core.engine import Batch, batch_sizes, play, run_batch
from roam_core.result import Result
from roam_core.scenario import Scenario

HEARTBEAT = 0.2  # seconds between two Results at most


def stream(scenario: Scenario, executor: Executor | None = None) -> Iterator[Result]:
    """Yield growing Results, at least four times a second; the last one is complete.

    A Result holds complete runs (none at first): the first rows of the last one. Batches of runs have their own seeds,
    so the rows do not depend on the executor. Closing the iterator cancels the work that has not begun.

    >>> [round(result.progress, 1) for result in stream(Scenario(runs=4, horizon=20, k=5))][-1]
    1.0
    """
    return _inline(scenario) if executor is None else _spread(scenario, executor)


def simulate(scenario: Scenario, executor: Executor | None = None) -> Result:
    """The complete Result of a scenario.

    >>> simulate(Scenario(runs=3, horizon=50, k=10)).regret.shape
    (3, 50)
    """
    return last(stream(scenario, executor))


def last(results: Iterable[Result]) -> Result:
    """The last of some Results, keeping only one at a time."""
    return deque(results, maxlen=1).pop()


def _inline(scenario: Scenario) -> Iterator[Result]:
    sizes = batch_sizes(scenario)
    done: list[Batch] = []
    beat = time.monotonic()
    for index, size in enumerate(sizes):
        playing = play(scenario, index)
        while True:
            try:
                share = next(playing)
            except StopIteration as stop:
                done.append(stop.value)
                break
            if time.monotonic() - beat > HEARTBEAT:
                yield Result.join(scenario, done, (sum(sizes[:index]) + share * size) / scenario.runs)
                beat = time.monotonic()
        yield Result.join(scenario, done, sum(sizes[: index + 1]) / scenario.runs)
        beat = time.monotonic()


def _spread(scenario: Scenario, executor: Executor) -> Iterator[Result]:
    sizes = batch_sizes(scenario)
    done: dict[int, Batch] = {}
    futures = {executor.submit(run_batch, scenario, index): index for index in range(len(sizes))}
    waiting = set(futures)
    try:
        while waiting:
            finished, waiting = wait(waiting, timeout=HEARTBEAT, return_when=FIRST_COMPLETED)
            done |= {futures[future]: future.result() for future in finished}
            in_order = list(takewhile(lambda batch: batch is not None, map(done.get, range(len(sizes)))))
            yield Result.join(scenario, in_order, sum(sizes[index] for index in done) / scenario.runs)
    finally:
        for future in waiting:
            future.cancel()
