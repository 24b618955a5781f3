"""What pages use: ask for work, look how far it is, wait for news. One dispatcher gives the orders.

A page asks for what it shows and looks again several times a second. Identical work is one job, whoever asks for it.
Parts of different visitors take turns, and a first curve goes before more of an old one. What nobody looks at any more
is dropped, also while it is being computed; what there is of it stays as long as there is room, and grows when somebody
wants it again.

Pages and the dispatcher share a ledger, behind a lock that is held for bookkeeping only: no other code runs under it.
Workers' answers are messages in the dispatcher's queue. Nobody else talks to the crew.
"""

import logging
import os
import queue
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from pages.board.crew import LOST, Crew, Report
from pages.board.ledger import Ledger, Line, Order, Snapshot
from pages.board.worker import DONE, FAILED
from pages.board.works import Work
from roam_core.executors import cores

MEMORY = 700_000_000  # bytes of everything that is kept, wanted or not, joined or not, also if only a page still has it
TICK = 0.5  # seconds between two looks for visitors who have gone

Answer = tuple[Order, str, Any]


class Board:
    """The work of all visitors, and the crew that does it."""

    def __init__(self, workers: int, memory: int = MEMORY, crew: Callable[[int, Report], Crew] = Crew):
        self._ledger = Ledger(memory)
        self._news = threading.Condition(threading.Lock())
        self._messages: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()  # None: somebody wants something else
        self._closed = False
        self._in_flight = 0
        self._crew = crew(workers, lambda *answer: self._messages.put(answer))
        self._dispatcher = threading.Thread(target=self._dispatch, daemon=True)
        self._dispatcher.start()

    def look(self, visitor: str, wanted: list[Work]) -> list[Snapshot]:
        """Say what this visitor wants to see now, and see how far it is. Whatever else they wanted is dropped."""
        with self._news:
            snapshots, other = self._ledger.look(visitor, wanted, time.monotonic())
        if other:
            self._messages.put(None)
        return snapshots

    def peek(self, works: list[Work]) -> list[Snapshot]:
        """What there is of some work, without asking for more of it."""
        with self._news:
            return self._ledger.peek(works)

    def wait(self, seconds: float) -> None:
        """Wait until something has come in, whoever it is for, or some seconds have passed."""
        with self._news:
            self._news.wait(seconds)

    def leave(self, visitor: str, wanted: list[Work]) -> None:
        """This visitor no longer looks at what they wanted; unless they want something else by now, it is dropped."""
        with self._news:
            self._ledger.leave(visitor, wanted)
        self._messages.put(None)

    def forget(self, work: Work) -> None:
        """Drop a result, so that it is computed again."""
        with self._news:
            self._ledger.forget(work)

    def line(self, visitor: str) -> Line:
        """How busy the board is for this visitor."""
        with self._news:
            return self._ledger.line(visitor)

    @property
    def bytes(self) -> int:
        """What everything takes that is kept or held."""
        with self._news:
            return self._ledger.bytes

    @property
    def pids(self) -> list[int]:
        """The worker processes that are ready."""
        return self._crew.pids

    @property
    def trouble(self) -> str:
        """Why the server computes in its own process, in a sentence; empty while it has workers."""
        return self._crew.trouble

    def try_again(self) -> None:
        """Start workers now if they could not be started before."""
        self._crew.try_again()

    def close(self) -> None:
        """Drop everything and end the worker processes."""
        self._closed = True
        self._messages.put(None)
        self._dispatcher.join(10)
        self._crew.close()

    def _dispatch(self) -> None:
        """Take in what has come, forget who has gone, give out what is next; for as long as the server lives."""
        while not self._closed:
            try:
                self._take_turn()
            except Exception:  # a mistake of ours must not leave every page waiting
                logging.getLogger(__name__).exception("The dispatcher goes on after a mistake")

    def _take_turn(self) -> None:
        """One message, if one comes. A function of its own, so that nothing is held on to between two messages."""
        try:
            message = self._messages.get(timeout=TICK)
        except queue.Empty:
            message = None
        if message:
            self._take_in(*message)
        self._give_out()

    def _take_in(self, order: Order, kind: str, value: Any) -> None:
        self._in_flight -= 1
        with self._news:
            if kind == DONE:
                self._ledger.done(order, value)
            else:
                self._ledger.not_done(order, failure=value if kind == FAILED else "", lost=kind == LOST)
        snapshot, failure = None, ""
        try:
            snapshot = order.job.grown(time.monotonic())  # only this thread changes a job's parts: no lock is needed
        except Exception as problem:
            failure = f"{type(problem).__name__}: {problem}"
        with self._news:
            if snapshot:
                self._ledger.publish(order.job, snapshot)
            elif failure:
                self._ledger.give_up(order.job, failure)
            self._news.notify_all()

    def _give_out(self) -> None:
        with self._news:
            dropped = self._ledger.tidy(time.monotonic())
            orders = []
            while self._in_flight < self._crew.size and (order := self._ledger.next_order()):
                orders.append(order)
                self._in_flight += 1
        for order in dropped:
            self._crew.drop(order)
        for order in orders:
            self._crew.give(order)


@cache
def board() -> Board:
    """The one board of the server: on the cluster that the variable ROAM_DASK names, else with a worker a core."""
    if address := os.environ.get("ROAM_DASK"):
        from pages.board import cluster  # a package that most servers do without

        return Board(cores(), crew=cluster.at(address))
    return Board(cores())
