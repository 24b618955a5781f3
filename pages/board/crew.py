"""Worker processes, each with a pipe and a thread of its own, and a stand-in for when there are none.

A worker that dies takes one order with it and is replaced; the others do not notice. Pipes instead of an executor's
shared queues: a process that is killed while it writes can leave those locked for ever.
"""

import io
import itertools
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pages.board.ledger import Order
from pages.board.worker import DROPPED, READY, failed, play, receive, send

ROOT = Path(__file__).parents[2]
LOST = "lost"  # the worker died; besides DONE, DROPPED and FAILED
STARTS = 2  # failed in a row: after those a worker waits before it is started again
PATIENCE = 8.0  # seconds without any worker after which the stand-in computes
LONGEST_PAUSE = 60.0  # seconds between two starts
IDLE = 1.0  # seconds between two looks at an idle worker

Report = Callable[[Order, str, Any], None]


class Crew:
    """So many workers. `report` is told, by whatever thread, what came of each order."""

    def __init__(self, size: int, report: Report):
        self.size = size
        self._report = report
        self._orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()  # None wakes a worker's thread
        self._numbers = itertools.count(1)
        self._closed = threading.Event()
        self._try_again = threading.Event()
        self._hands = [_Hand(self) for _ in range(size)]
        for hand in self._hands:
            hand.thread.start()
        threading.Thread(target=self._stand_in, daemon=True).start()

    def give(self, order: Order) -> None:
        """Have an order carried out by whoever is free."""
        self._orders.put(order)

    def drop(self, order: Order) -> None:
        """Tell the worker that has it, if any, that the order is no longer wanted; `order.dropped` says so already."""
        for hand in self._hands:
            hand.drop(order)

    @property
    def pids(self) -> list[int]:
        """The workers that are ready."""
        return [process.pid for hand in self._hands if (process := hand.ready)]

    @property
    def trouble(self) -> str:
        """Why there are no workers; empty while there are some, or while they may still be starting."""
        if any(hand.ready for hand in self._hands):
            return ""
        if all(hand.failures >= STARTS for hand in self._hands):
            return "The server's worker processes end as soon as they are started."
        if time.monotonic() - max(hand.down_since for hand in self._hands) > PATIENCE:
            return "The server's worker processes do not start."
        return ""

    def try_again(self) -> None:
        """Start workers now that would be started later, and anew those that hang."""
        for hand in self._hands:
            if not hand.ready:
                hand.stop()
        self._try_again.set()

    def close(self) -> None:
        """End the workers; orders not yet carried out are dropped."""
        self._closed.set()
        self._try_again.set()
        for hand in self._hands:
            self._orders.put(None)
            hand.stop()
        for hand in self._hands:
            hand.thread.join(10)

    def _next(self) -> Order | None:
        """An order that is still wanted, after a while None."""
        try:
            order = self._orders.get(timeout=IDLE)
        except queue.Empty:
            return None
        if order and order.dropped:
            self._report(order, DROPPED, None)
            return None
        return order

    def _stand_in(self) -> None:
        """Compute in the server's own process while there is no other way: slower, and pages are slower too."""
        while not self._closed.wait(0.25):
            while self.trouble and not self._closed.is_set():
                if order := self._next():
                    answer = play(order.job.work, order.index, lambda order=order: order.dropped)
                    self._report(order, *answer)


class _Hand:
    """One worker process and the thread that talks to it."""

    def __init__(self, crew: Crew):
        self.crew = crew
        self.ready: subprocess.Popen | None = None
        self.failures = 0  # starts that failed in a row
        self.down_since = time.monotonic()
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self._process: subprocess.Popen | None = None
        self._order: tuple[int, Order] | None = None  # under way, with its number
        self._writing = threading.Lock()  # an order and a drop must not be written at once

    def drop(self, order: Order) -> None:
        under_way, process = self._order, self.ready
        if process and under_way and under_way[1] is order:
            with suppress(OSError, ValueError), self._writing:
                send(process.stdin, (under_way[0], None))

    def stop(self) -> None:
        """End the process; what it is doing is lost."""
        process = self._process
        if process:
            process.kill()

    def _serve(self) -> None:
        """Keep a worker: start it, carry orders to it until it dies, begin again."""
        crew = self.crew
        while not crew._closed.is_set():
            process = self._process = _new_process()
            answers = io.BufferedReader(process.stdout) if process else None
            if process and _is_ready(answers) and not crew._closed.is_set():
                self.failures, self.ready = 0, process
                self._carry(process, answers)
                self.ready, self.down_since = None, time.monotonic()
            else:
                self.failures += 1
            if process:
                _end(process, answers)
            if self.failures >= STARTS:
                crew._try_again.clear()
                if not crew._closed.is_set():
                    crew._try_again.wait(min(LONGEST_PAUSE, 5.0 * 2 ** min(self.failures - STARTS, 10)))

    def _carry(self, process: subprocess.Popen, answers: io.BufferedReader) -> None:
        """Hand orders to the worker and report its answers until it dies."""
        while not self.crew._closed.is_set() and process.poll() is None:
            if (order := self.crew._next()) and self._carry_out(process, answers, order) == LOST:
                return

    def _carry_out(self, process: subprocess.Popen, answers: io.BufferedReader, order: Order) -> str:
        """Have an order carried out and report it; what kind of answer it was."""
        kind, value = self._ask(process, answers, order)
        self.crew._report(order, kind, value)
        return kind

    def _ask(self, process: subprocess.Popen, answers: io.BufferedReader, order: Order) -> tuple[str, Any]:
        try:
            number = next(self.crew._numbers)
            message = number, pickle.dumps((order.job.work, order.index))
            self._order = number, order
            with self._writing:
                send(process.stdin, message)
            if order.dropped:  # while it was being sent: nobody could tell the worker
                self.drop(order)
            return receive(answers)
        except (EOFError, OSError, pickle.UnpicklingError):
            return LOST, None
        except Exception as problem:  # work or a result that cannot be pickled
            return failed(problem)
        finally:
            self._order = None


def _new_process() -> subprocess.Popen | None:
    """A process that will be a worker; None if the system gives none."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "pages.board.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=os.environ | {"PYTHONPATH": path},
            creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),  # on Windows: as os.nice elsewhere
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def _is_ready(answers: io.BufferedReader) -> bool:
    """Wait until the worker says so, or has died."""
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        return receive(answers)[0] == READY
    return False


def _end(process: subprocess.Popen, answers: io.BufferedReader) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, answers):
        with suppress(OSError):
            pipe.close()
