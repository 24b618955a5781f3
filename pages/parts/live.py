"""One pool of worker processes for the whole server, shared fairly, and the jobs it works on.

A page asks for the scenarios it shows and looks again several times a second. Identical ones are one job, whoever asks
for them. Batches of different visitors take turns, and a first curve goes before more of an old one. What nobody looks
at any more is dropped, also when it is already being computed.
"""

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context
from typing import Any

import numpy as np

from roam_core import Result, Scenario
from roam_core.engine import Batch, batch_sizes, play
from roam_core.enrichment import Enrichment, Exploration
from roam_core.executors import start_worker

Work = Scenario | Enrichment | Exploration  # a scenario stands for its curves

FORGET_AFTER = 3.0  # seconds without a look after which a visitor no longer wants a job
CACHE_BYTES = 300_000_000
SLOTS = 256
MOST_LOST = 5  # batches of a job whose worker may die before it is given up

_flags = None  # in a worker: one byte a slot, not zero when the batch in that slot is to be dropped


def _start_worker(flags) -> None:
    global _flags
    _flags = flags
    os.nice(10)  # drawing what is there goes before computing more
    start_worker()


def _run(work: Work, index: int, slot: int) -> Batch | None:
    """Play a batch in a worker process; None if it was dropped on the way."""
    playing = play(work, index) if isinstance(work, Scenario) else work.play(index)
    while True:
        try:
            next(playing)
        except StopIteration as stop:
            return stop.value
        if _flags[slot]:
            return None


@dataclass
class Job:
    """Work under way or done."""

    work: Work
    result: Result
    waiting: list[int]  # batches nobody works on yet
    done: dict[int, Batch] = field(default_factory=dict)
    running: dict[int, int] = field(default_factory=dict)  # batch -> slot
    failure: str = ""
    lost: int = 0  # batches whose worker died
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
        self._news = threading.Condition(self._lock)
        self._jobs: OrderedDict[Work, Job] = OrderedDict()  # the last one was wanted last
        self._wanted: OrderedDict[str, tuple[float, list[Work]]] = OrderedDict()  # visitors, longest unserved first
        self._in_flight = 0
        self._closed = False
        self._pool = self._new_pool()
        threading.Thread(target=self._watch, daemon=True).start()

    def _new_pool(self) -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(self._workers, self._context, _start_worker, (self._flags,))
        for _ in range(self._workers):
            pool.submit(os.getpid)
        return pool

    def look(self, visitor: str, wanted: list[Work]) -> list[Job]:
        """Say what this visitor wants to see now, and see how far it is. Whatever else they wanted is dropped."""
        with self._lock:
            before = self._wanted.get(visitor, (0, None))[1]
            self._wanted[visitor] = (time.monotonic(), wanted)
            new = [work for work in wanted if work not in self._jobs or self._jobs[work].failure]
            self._jobs |= {work: _new_job(work) for work in new}
            if new or wanted != before:
                for work in wanted:
                    self._jobs.move_to_end(work)
                self._tidy()
                self._hand_out()
            return [self._jobs[work] for work in wanted]

    def wait(self, seconds: float) -> None:
        """Wait until a batch has come in, whoever it is for, or some seconds have passed."""
        with self._news:
            self._news.wait(seconds)

    def compute(self, function: Callable, *arguments: Any) -> Any:
        """The value of a function, computed in a worker: for short work that is not a batch of runs."""
        try:
            return self._submit(function, *arguments).result()
        except BrokenProcessPool:  # a worker died under it: once more
            return self._submit(function, *arguments).result()

    def _submit(self, function: Callable, *arguments: Any) -> Future:
        with self._lock:
            try:
                return self._pool.submit(function, *arguments)
            except BrokenProcessPool:
                self._pool = self._new_pool()
                return self._pool.submit(function, *arguments)

    def close(self) -> None:
        """Drop everything and end the worker processes."""
        with self._lock:
            self._closed = True
            self._wanted.clear()
            self._tidy()
        self._pool.shutdown(cancel_futures=True)

    def forget(self, work: Work) -> None:
        """Drop a result, so that it is computed again."""
        with self._lock:
            job = self._jobs.get(work)
            if job and job.complete:
                del self._jobs[work]

    def leave(self, visitor: str, wanted: list[Work]) -> None:
        """This visitor no longer looks at what they wanted; unless they want something else by now, it is dropped."""
        with self._lock:
            if self._wanted.get(visitor, (0, None))[1] == wanted:
                del self._wanted[visitor]
                self._tidy()
                self._hand_out()

    def line(self, visitor: str) -> tuple[int, int]:
        """How many other visitors have work under way, and how many of them get a first curve before this one."""
        with self._lock:
            others = {other for other, _ in self._unfinished()} - {visitor}
            first = list(dict.fromkeys(v for v, job in self._unfinished() if not job.done and not job.running))
            return len(others), first.index(visitor) if visitor in first else 0

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
        wanted = {work for _, works in self._wanted.values() for work in works}
        for work, job in list(self._jobs.items()):
            if work not in wanted and not job.complete:
                for slot in job.running.values():
                    self._flags[slot] = 1
                del self._jobs[work]
        size = sum(_bytes(job.result) for job in self._jobs.values())
        for work in [w for w in self._jobs if w not in wanted]:
            if size <= CACHE_BYTES:
                break
            size -= _bytes(self._jobs.pop(work).result)

    def _hand_out(self) -> None:
        """Give free workers the next batches, visitors taking turns."""
        while not self._closed and self._in_flight < self._workers and self._free:
            # The small first batch of a job goes alone and before all others: everyone's first curve is there soon.
            ready = [(v, job) for v, job in self._unfinished() if job.waiting and (job.done or not job.running)]
            if not ready:
                return
            visitor, job = next((turn for turn in ready if not turn[1].done), ready[0])
            self._wanted.move_to_end(visitor)
            index, slot = job.waiting.pop(0), self._free.pop()
            self._flags[slot] = 0
            job.running[index] = slot
            self._in_flight += 1
            try:
                future = self._submit(_run, job.work, index, slot)
            except RuntimeError:  # the server is being shut down
                self._closed = True
                return
            future.add_done_callback(lambda future, job=job, index=index: self._take_in(job, index, future))

    def _unfinished(self) -> Iterator[tuple[str, Job]]:
        """Every visitor's jobs that are not complete, visitors who have waited longest first."""
        for visitor, (_, works) in self._wanted.items():
            for work in works:
                if work in self._jobs and not self._jobs[work].complete:
                    yield visitor, self._jobs[work]

    def _take_in(self, job: Job, index: int, future: Future) -> None:
        with self._lock:
            self._in_flight -= 1
            self._free.append(job.running.pop(index))
            try:
                batch = future.result()
            except (BrokenProcessPool, CancelledError):
                job.waiting.insert(0, index)  # a worker died: the batch is played again
                job.lost += 1
                if job.lost > MOST_LOST:
                    job.failure = "Its worker processes end again and again."
                    job.waiting.clear()
            except Exception as problem:
                job.failure = f"{type(problem).__name__}: {problem}"
                job.waiting.clear()
            else:
                if batch is not None:
                    job.done[index] = batch
                    _grow(job)
            self._hand_out()
            self._news.notify_all()


@cache
def board() -> Board:
    """The one board of the server, with a worker a core."""
    return Board(os.cpu_count() or 1)


def _new_job(work: Work) -> Job:
    empty = _join(work, [], 0.0)
    return Job(work, empty, list(range(len(batch_sizes(empty.scenario)))))


def _join(work: Work, batches: list[Batch], progress: float) -> Result:
    return Result.join(work, batches, progress) if isinstance(work, Scenario) else work.join(batches, progress)


def _grow(job: Job) -> None:
    scenario = job.result.scenario
    sizes = batch_sizes(scenario)
    in_order = []
    for index in range(len(sizes)):
        if index not in job.done:
            break
        in_order.append(job.done[index])
    runs = sum(sizes[index] for index in job.done)
    job.result = _join(job.work, in_order, runs / scenario.runs)
    if job.complete:
        job.seconds = time.monotonic() - job.began
        job.done.clear()  # the result holds a copy


def _bytes(result: Result) -> int:
    return sum(value.nbytes for value in vars(result).values() if isinstance(value, np.ndarray))
