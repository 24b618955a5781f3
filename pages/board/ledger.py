"""The board's bookkeeping: who wants what, what there is of it, whose turn it is, and what may be forgotten.

Plain data without threads: the caller brings the time, and a lock where there are threads.
"""

import weakref
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from pages.board.works import Work, bytes_of, expected_bytes, expected_seconds, join, runs_of_parts

LEASE = 3.0  # seconds without a look after which a visitor no longer wants anything
MOST_LOST = 5  # parts of a job whose worker may die before the job is given up


@dataclass(frozen=True)
class Snapshot:
    """What there is of some work, at one moment."""

    work: Work
    result: Any  # of the parts joined so far; None for an errand that is not done
    complete: bool = False  # nothing more will come
    failure: str = ""
    seconds: float = 0.0  # that it took, once it is complete


@dataclass(frozen=True)
class Line:
    """How busy the board is, as one visitor sees it."""

    others: int  # other visitors with other work under way
    before: int  # those of them who get something to see before this one does
    full: bool  # whether this visitor waits until others need less memory


@dataclass(eq=False)
class Order:
    """One part of a job that is given to a worker."""

    job: "Job"
    index: int
    dropped: bool = False  # set once; the worker stops when it notices


@dataclass(eq=False)
class Job:
    """Work under way, paused or done."""

    work: Work
    snapshot: Snapshot
    waiting: list[int]  # parts nobody works on
    running: dict[int, Order] = field(default_factory=dict)
    ahead: dict[int, Any] = field(default_factory=dict)  # parts that are done, but an earlier one is not
    joined: int = 0  # parts in the snapshot's result
    lost: int = 0
    bytes: int = 0  # of the result and the parts ahead
    resumed: float | None = None  # when somebody began to want it; None while nobody does
    seconds: float = 0.0  # that it was wanted before that

    def grown(self, now: float) -> Snapshot | None:
        """The snapshot with the parts that have come in; None if the next one in order has not."""
        sizes, parts = runs_of_parts(self.work), []
        while self.joined + len(parts) in self.ahead:
            parts.append(self.ahead[self.joined + len(parts)])
        if not parts:
            return None
        together = self.joined + len(parts)
        known = sum(sizes[:together]) + sum(sizes[index] for index in self.ahead if index >= together)
        before = [self.snapshot.result] if self.joined else []
        result = join(self.work, [*before, *parts], known / sum(sizes))
        complete = together == len(sizes)
        seconds = self.seconds + (now - self.resumed if self.resumed is not None else 0.0)
        return Snapshot(self.work, result, complete, seconds=seconds if complete else 0.0)


@dataclass
class Want:
    """What a visitor wants to see."""

    works: list[Work]
    place: int  # in the line for memory: who began to want something first is first
    since: float  # when they began to want it
    seen: float  # when they last looked


class Ledger:
    """Jobs and visitors. `limit` bounds the bytes of everything that is kept, and of what pages still hold of it."""

    def __init__(self, limit: int):
        self.limit = limit
        self.jobs: OrderedDict[Work, Job] = OrderedDict()  # the last one was wanted last
        self._wants: OrderedDict[str, Want] = OrderedDict()  # visitors, longest unserved first
        self._places = count()
        self._admitted: set[Work] = set()  # wanted, and there is memory for it
        self._let_go: list[tuple[weakref.ref, int]] = []  # results that are no longer kept, but perhaps held

    # What visitors say

    def look(self, visitor: str, works: list[Work], now: float) -> tuple[list[Snapshot], bool]:
        """What there is of what a visitor wants, and whether they want something else than before."""
        want = self._wants.get(visitor)
        other = want is None or want.works != works
        self._wants[visitor] = Want(works, next(self._places), now, now) if other else replace(want, seen=now)
        new = [w for w in works if w not in self.jobs or (other and self.jobs[w].snapshot.failure)]  # or another try
        for work in new:
            self.jobs[work] = _new_job(work)
        for work in works:
            if other:
                self.jobs.move_to_end(work)
            if self.jobs[work].resumed is None:
                self.jobs[work].resumed = now
        return [self.jobs[work].snapshot for work in works], bool(other or new)

    def peek(self, works: list[Work]) -> list[Snapshot]:
        """What there is of some work, without wanting more of it."""
        return [self.jobs[work].snapshot if work in self.jobs else _new_job(work).snapshot for work in works]

    def leave(self, visitor: str, works: list[Work]) -> None:
        """This visitor no longer looks at this; if they want something else by now, nothing changes."""
        if visitor in self._wants and self._wants[visitor].works == works:
            del self._wants[visitor]

    def forget(self, work: Work) -> None:
        """Drop a result, so that it is computed again; work that somebody waits for goes on."""
        job = self.jobs.get(work)
        if job and (job.snapshot.complete or not self._is_wanted(work)):
            self._drop(work)

    def line(self, visitor: str) -> Line:
        """How busy the board is for a visitor."""
        unfinished = list(self._unfinished())
        mine = [job for v, job in unfinished if v == visitor]
        apart = [(v, job) for v, job in unfinished if v == visitor or job not in mine]  # who wants the same shares it
        first = list(dict.fromkeys(v for v, job in apart if not job.joined and not job.running))
        return Line(
            others=len({v for v, _ in apart} - {visitor}),
            before=first.index(visitor) if visitor in first else 0,
            full=bool(mine) and all(job.work not in self._admitted for job in mine),
        )

    # What the dispatcher does

    def tidy(self, now: float) -> list[Order]:
        """Forget visitors who have gone and results there is no room for; returns orders nobody wants any more."""
        for visitor in [v for v, want in self._wants.items() if now - want.seen > LEASE]:
            del self._wants[visitor]
        self._admit()
        wanted = {work for want in self._wants.values() for work in want.works}
        idle = [job for work, job in self.jobs.items() if work not in wanted]
        for paused in [job for job in idle if job.resumed is not None]:
            paused.seconds += now - paused.resumed
            paused.resumed = None
        unwanted = [order for job in idle for order in job.running.values()]
        empty = [job.work for job in idle if not job.bytes and not job.running]
        del idle  # a job that is dropped below must not be held here: its memory is counted as long as it is
        for work in empty:
            self._drop(work)
        for work in [work for work, job in self.jobs.items() if job.bytes and work not in self._admitted]:
            if self.bytes <= self.limit:
                break
            unwanted += self._drop(work)
        new = [order for order in unwanted if not order.dropped]
        for order in new:
            order.dropped = True
        return new

    def next_order(self) -> Order | None:
        """The next part to be played; None if there is nothing to do."""
        # The small first part of a job goes alone and before all others, visitors taking turns: everyone's first curve
        # is there soon. Then comes who would be done first if everybody had had the server to themselves since they
        # asked. If instead all went on a little at a time, in a large class nobody would ever be done.
        ready = [
            (visitor, job)
            for visitor, job in self._unfinished()
            if job.waiting and job.work in self._admitted and (job.joined or job.ahead or not job.running)
        ]
        if not ready:
            return None
        first = next((turn for turn in ready if not turn[1].joined), None)
        visitor, job = first or min(ready, key=lambda turn: self._due(*turn))
        self._wants.move_to_end(visitor)
        order = Order(job, job.waiting.pop(0))
        job.running[order.index] = order
        return order

    def done(self, order: Order, part: Any) -> None:
        """A part has come in. It is joined by `publish`."""
        del order.job.running[order.index]
        order.job.ahead[order.index] = part
        order.job.bytes += bytes_of(part)

    def not_done(self, order: Order, failure: str = "", lost: bool = False) -> None:
        """A part was dropped, or lost with its worker, or failed."""
        job = order.job
        del job.running[order.index]
        job.lost += lost
        if lost and job.lost > MOST_LOST:
            failure = "Its worker processes end again and again."
        if failure:
            self.give_up(job, failure)
        elif not job.snapshot.failure:
            job.waiting = sorted([*job.waiting, order.index])

    def give_up(self, job: Job, failure: str) -> None:
        """This job cannot be done; what there is of it stays."""
        job.waiting.clear()
        job.ahead.clear()
        job.snapshot = Snapshot(job.work, job.snapshot.result, complete=True, failure=failure)

    def publish(self, job: Job, snapshot: Snapshot) -> None:
        """From now on pages see this snapshot, made by `Job.grown`."""
        self._keep_account(job)
        while job.joined in job.ahead:
            del job.ahead[job.joined]
            job.joined += 1
        job.snapshot = snapshot
        job.bytes = bytes_of(snapshot.result) + sum(map(bytes_of, job.ahead.values()))

    @property
    def bytes(self) -> int:
        """Everything that is kept, and what pages still hold of what was kept."""
        self._let_go = [(held, size) for held, size in self._let_go if held() is not None]
        return sum(job.bytes for job in self.jobs.values()) + sum(size for _, size in self._let_go)

    def _admit(self) -> None:
        """Who came first gets memory first. The first of all gets what they need: so somebody can always finish."""
        room, self._admitted = self.limit, set()
        line = sorted(self._wants.values(), key=lambda want: want.place)
        for want in line:
            for work in want.works:
                if work not in self._admitted and (expected_bytes(work) <= room or want is line[0]):
                    self._admitted.add(work)
                    room -= expected_bytes(work)

    def _drop(self, work: Work) -> list[Order]:
        """Forget a job; returns its orders that are under way."""
        job = self.jobs.pop(work)
        self._keep_account(job)
        return list(job.running.values())

    def _keep_account(self, job: Job) -> None:
        """Count a result that is let go for as long as somebody holds it."""
        with suppress(TypeError):  # an errand's plain value has no weak reference, but no page keeps it either
            self._let_go.append((weakref.ref(job.snapshot.result), bytes_of(job.snapshot.result)))

    def _due(self, visitor: str, job: Job) -> float:
        """When this would be done if the visitor had had the server to themselves since they asked for it."""
        want = self._wants[visitor]
        return want.since + sum(map(expected_seconds, want.works[: want.works.index(job.work) + 1]))

    def _is_wanted(self, work: Work) -> bool:
        return any(work in want.works for want in self._wants.values())

    def _unfinished(self) -> Iterator[tuple[str, Job]]:
        """Every visitor's jobs that are not complete, visitors who have waited longest first."""
        for visitor, want in self._wants.items():
            for work in want.works:
                if work in self.jobs and not self.jobs[work].snapshot.complete:
                    yield visitor, self.jobs[work]


def _new_job(work: Work) -> Job:
    return Job(work, Snapshot(work, join(work, [], 0.0)), list(range(len(runs_of_parts(work)))))
