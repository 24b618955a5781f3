"""From a Scenario to a Result: all at once, or growing while you watch."""

import pickle
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import replace
from itertools import islice, takewhile

from roam_core.engine import Batch, batch_sizes, play, run_batch
from roam_core.policies import Scores
from roam_core.result import Result
from roam_core.scenario import Scenario

HEARTBEAT = 0.2  # seconds between two signs of life at most
IN_FLIGHT = 256  # batches handed to an executor at a time

Task = tuple[Scenario, int]  # one batch of runs of a scenario
Advance = tuple[dict[Task, Batch], dict[Task, float]]  # batches just finished, and the known shares of those under way


def stream(scenario: Scenario, executor: Executor | None = None, *, ask: Scores | None = None) -> Iterator[Result]:
    """Yield growing Results, at least four times a second; the last one is complete.

    A Result holds complete runs (none at first): the first rows of the last one. Batches of runs have their own seeds,
    so the rows do not depend on the executor. Closing the iterator cancels the work that has not begun.

    `ask` is an ask rule of one's own, in place of the scenario's: a function of what the algorithm may look at in a
    round (`policies.View`) and of the new items x (runs, d). It gives a score for every past item (runs, t), and the
    one with the largest is asked about. `policies.question_variables` has what scores are made of. For an executor it
    must be a function that can be pickled: one that a module defines by name.

    >>> [round(result.progress, 1) for result in stream(Scenario(runs=4, horizon=20, k=5))][-1]
    1.0
    """
    sizes = batch_sizes(scenario)
    tasks = [(scenario, index) for index in range(len(sizes))]
    done: dict[Task, Batch] = {}
    result = Result.join(scenario, [], 0.0, ask)
    for finished, under_way in play_batches(tasks, executor, ask):
        done |= finished
        runs = sum(sizes[index] for _, index in done)
        runs += sum(share * sizes[index] for (_, index), share in under_way.items())
        if finished:
            in_order = list(takewhile(lambda batch: batch is not None, map(done.get, tasks)))
            result = Result.join(scenario, in_order, runs / scenario.runs, ask)
        yield replace(result, progress=runs / scenario.runs)


def simulate(scenario: Scenario, executor: Executor | None = None, *, ask: Scores | None = None) -> Result:
    """The complete Result of a scenario; `ask` is an ask rule of one's own, see `stream`.

    >>> simulate(Scenario(runs=3, horizon=50, k=10)).regret.shape
    (3, 50)
    """
    return last(stream(scenario, executor, ask=ask))


def last(results: Iterable[Result]) -> Result:
    """The last of some Results, keeping only one at a time."""
    return deque(results, maxlen=1).pop()


def play_batches(tasks: Iterable[Task], executor: Executor | None, ask: Scores | None = None) -> Iterator[Advance]:
    """Play batches of runs, here or on an executor, and yield at every beat what has come of it."""
    return _play_here(tasks, ask) if executor is None else _play_there(tasks, executor, ask)


def _play_here(tasks: Iterable[Task], ask: Scores | None) -> Iterator[Advance]:
    beat = time.monotonic()
    for task in tasks:
        playing = play(*task, ask=ask)
        while True:
            try:
                share = next(playing)
            except StopIteration as stop:
                yield {task: stop.value}, {}
                beat = time.monotonic()
                break
            if time.monotonic() - beat > HEARTBEAT:
                yield {}, {task: share}
                beat = time.monotonic()


def _play_there(tasks: Iterable[Task], executor: Executor, ask: Scores | None) -> Iterator[Advance]:
    try:
        pickle.dumps(ask)
    except (pickle.PicklingError, AttributeError, TypeError) as problem:
        raise ValueError(
            f"ask cannot be sent to other processes ({problem}): define the function by name in a module, or use no "
            "executor"
        ) from None
    more = {"ask": ask} if ask else {}
    queue = iter(tasks)
    waiting: dict[Future, Task] = {}
    try:
        while True:
            for task in islice(queue, IN_FLIGHT - len(waiting)):
                waiting[executor.submit(run_batch, *task, **more)] = task
            if not waiting:
                return
            finished, _ = wait(waiting, timeout=HEARTBEAT, return_when=FIRST_COMPLETED)
            yield {waiting.pop(future): future.result() for future in finished}, {}
    finally:
        for future in waiting:
            future.cancel()
