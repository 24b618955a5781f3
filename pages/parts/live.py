"""One pool of worker processes for the whole server, shared fairly, and the jobs it works on.

A page asks for the scenarios it shows and looks again several times a second. Identical scenarios are one job, whoever
asks for them. Batches of different visitors take turns. What nobody looks at any more is dropped, also when it is
already being computed.
"""

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context

from roam_core import Result, Scenario
from roam_core.engine import Batch, batch_sizes, play
from roam_core.executors import start_worker

FORGET_AFTER = 3.0  # seconds without a look after which a visitor no longer wants a job
CACHE_BYTES = 300_000_000
SLOTS = 256

_flags = None  # in a worker: one byte a slot, not zero when the batch in that slot is to be dropped


def _start_worker(flags) -> None:
    global _flags
    _flags = flags
    start_worker()


def _run(scenario: Scenario, index: int, slot: int) -> Batch | None:
    """Play a batch in a worker process; None if it was dropped on the way."""
    playing = play(scenario, index)
    while True:
        try:
            next(playing)
        except StopIteration as stop:
            return stop.value
        if _flags[slot]:
            return None


@dataclass
class Job:
    """A scenario under way or done."""

    scenario: Scenario
    result: Result
    waiting: list[int]  # batches nobody works on yet
    done: dict[int, Batch] = field(default_factory=dict)
    running: dict[int, int] = field(default_factory=dict)  # batch -> slot
    failure: str = ""
    began: float = field(default_factory=time.monotonic)
    seconds: float = 0.0

    @property
    def complete(self) -> bool:
        """Whether nothing more will come."""
        return self.result.progress >= 1 or bool(self.failure)


class Board:
    """The jobs of all visitors and the pool that works on them."""

    def __init__(self, workers: int):
        self._context = get_context("spawn")
        self._flags = self._context.RawArray("b", SLOTS)
        self._free = list(range(SLOTS))
        self._workers = workers
        self._lock = threading.RLock()
        self._jobs: OrderedDict[Scenario, Job] = OrderedDict()  # the last one was wanted last
        self._wanted: OrderedDict[str, tuple[float, list[Scenario]]] = OrderedDict()  # visitors, longest unserved first
        self._in_flight = 0
        self._closed = False
        self._pool = self._new_pool()
        threading.Thread(target=self._watch, daemon=True).start()

    def _new_pool(self) -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(self._workers, self._context, _start_worker, (self._flags,))
        for _ in range(self._workers):
            pool.submit(os.getpid)
        return pool

    def look(self, visitor: str, scenarios: list[Scenario]) -> list[Job]:
        """Say what this visitor wants to see now, and see how far it is. Whatever else they wanted is dropped."""
        with self._lock:
            for scenario in scenarios:
                if scenario not in self._jobs or self._jobs[scenario].failure:
                    self._jobs[scenario] = _new_job(scenario)
                self._jobs.move_to_end(scenario)
            self._wanted[visitor] = (time.monotonic(), scenarios)
            self._tidy()
            self._hand_out()
            return [self._jobs[scenario] for scenario in scenarios]

    def close(self) -> None:
        """Drop everything and end the worker processes."""
        with self._lock:
            self._closed = True
            self._wanted.clear()
            self._tidy()
        self._pool.shutdown(cancel_futures=True)

    def forget(self, scenario: Scenario) -> None:
        """Drop the result of a scenario, so that it is computed again."""
        with self._lock:
            job = self._jobs.get(scenario)
            if job and job.complete:
                del self._jobs[scenario]

    def ahead(self, visitor: str) -> int:
        """How many other visitors have work under way."""
        with self._lock:
            return len({other for other, _ in self._unfinished()} - {visitor})

    def _watch(self) -> None:
        """Now and then forget visitors who have gone."""
        while not self._closed:
            time.sleep(0.5)
            with self._lock:
                self._tidy()
                self._hand_out()

    def _tidy(self) -> None:
        now = time.monotonic()
        for visitor in [v for v, (seen, _) in self._wanted.items() if now - seen > FORGET_AFTER]:
            del self._wanted[visitor]
        wanted = {scenario for _, scenarios in self._wanted.values() for scenario in scenarios}
        for scenario, job in list(self._jobs.items()):
            if scenario not in wanted and not job.complete:
                for slot in job.running.values():
                    self._flags[slot] = 1
                del self._jobs[scenario]
        size = sum(_bytes(job.result) for job in self._jobs.values())
        for scenario in [s for s in self._jobs if s not in wanted]:
            if size <= CACHE_BYTES:
                break
            size -= _bytes(self._jobs.pop(scenario).result)

    def _hand_out(self) -> None:
        """Give free workers the next batches, visitors taking turns."""
        while not self._closed and self._in_flight < self._workers and self._free:
            # The small first batch of a job goes alone, so that everyone's first curve is there soon.
            ready = ((v, job) for v, job in self._unfinished() if job.waiting and (job.done or not job.running))
            turn = next(ready, None)
            if turn is None:
                return
            visitor, job = turn
            self._wanted.move_to_end(visitor)
            index, slot = job.waiting.pop(0), self._free.pop()
            self._flags[slot] = 0
            job.running[index] = slot
            self._in_flight += 1
            try:
                future = self._pool.submit(_run, job.scenario, index, slot)
            except BrokenProcessPool:
                self._pool = self._new_pool()
                future = self._pool.submit(_run, job.scenario, index, slot)
            except RuntimeError:  # the server is being shut down
                self._closed = True
                return
            future.add_done_callback(lambda future, job=job, index=index: self._take_in(job, index, future))

    def _unfinished(self) -> Iterator[tuple[str, Job]]:
        """Every visitor's jobs that are not complete, visitors who have waited longest first."""
        for visitor, (_, scenarios) in self._wanted.items():
            for scenario in scenarios:
                if scenario in self._jobs and not self._jobs[scenario].complete:
                    yield visitor, self._jobs[scenario]

    def _take_in(self, job: Job, index: int, future: Future) -> None:
        with self._lock:
            self._in_flight -= 1
            self._free.append(job.running.pop(index))
            try:
                batch = future.result()
            except (BrokenProcessPool, CancelledError):
                job.waiting.insert(0, index)  # a worker died: the batch is played again
            except Exception as problem:
                job.failure = f"{type(problem).__name__}: {problem}"
                job.waiting.clear()
            else:
                if batch is not None:
                    job.done[index] = batch
                    _grow(job)
            self._hand_out()


@cache
def board() -> Board:
    """The one board of the server, with a worker a core."""
    return Board(os.cpu_count() or 1)


def _new_job(scenario: Scenario) -> Job:
    return Job(scenario, Result.join(scenario, [], 0.0), list(range(len(batch_sizes(scenario)))))


def _grow(job: Job) -> None:
    sizes = batch_sizes(job.scenario)
    in_order = []
    for index in range(len(sizes)):
        if index not in job.done:
            break
        in_order.append(job.done[index])
    runs = sum(sizes[index] for index in job.done)
    job.result = Result.join(job.scenario, in_order, runs / job.scenario.runs)
    if job.complete:
        job.seconds = time.monotonic() - job.began
        job.done.clear()  # the result holds a copy


def _bytes(result: Result) -> int:
    return result.regret.nbytes + result.error.nbytes + result.ratio.nbytes + result.asked.nbytes
