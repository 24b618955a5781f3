"""The workers of a Dask cluster as a crew, and the server's own ones while the cluster does not answer.

`ROAM_DASK=tcp://scheduler:8786 streamlit run app.py`: every thread of the cluster's workers is a hand of the crew, and
the crew grows and shrinks with them. A worker that is lost costs time only: Dask plays its part again elsewhere. When
the scheduler goes away, what it had is given out again, to the server's own workers.
"""

import itertools
import threading
import uuid
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from threadpoolctl import threadpool_limits

from pages.board.crew import LOST, Crew, Report
from pages.board.ledger import Order
from pages.board.worker import DROPPED, failed, play
from pages.board.works import Work

LOOK = 1.0  # seconds between two looks at the cluster
PATIENCE = 5.0  # seconds for an answer of the scheduler
MOST_DROPPED = 1000  # names that a worker of the cluster remembers


class ClusterCrew:
    """What a board needs of a crew, from a cluster or, while there is none, from a crew of this machine."""

    def __init__(self, address: str, size: int, report: Report):
        self._address, self._report = address, report
        self._own = Crew(size, report)
        self._cluster: _Connection | None = None
        self._silent = False  # it was tried and did not answer
        self._closed = False
        self._wake = threading.Event()
        self._keeper = threading.Thread(target=self._keep_connected, daemon=True)
        self._keeper.start()

    @property
    def size(self) -> int:
        """How many orders can be under way at once."""
        return self._cluster.slots if self._cluster else self._own.size

    @property
    def pids(self) -> list[int]:
        """The workers of this machine that are ready."""
        return self._own.pids

    @property
    def trouble(self) -> str:
        """Why the server computes by itself; empty while the cluster does."""
        return "The server's cluster does not answer." if self._silent else ""

    def give(self, order: Order) -> None:
        """Have an order carried out by whoever is free."""
        cluster = self._cluster
        if not (cluster and cluster.give(order)):
            self._own.give(order)

    def drop(self, order: Order) -> None:
        """Tell the worker that has it, if any, that the order is no longer wanted."""
        cluster = self._cluster
        if not (cluster and cluster.drop(order)):
            self._own.drop(order)

    def try_again(self) -> None:
        """Look for the cluster now."""
        self._own.try_again()
        self._wake.set()

    def close(self) -> None:
        """Leave the cluster and end the server's own workers."""
        self._closed = True
        self._wake.set()
        self._keeper.join(2 * PATIENCE)
        self._own.close()

    def _keep_connected(self) -> None:
        """Follow the cluster as it comes, changes and goes."""
        while not self._closed:
            cluster = self._cluster or self._connection()
            if cluster and not cluster.look():
                self._cluster = None
                cluster.end()  # after nothing can be given to it any more
                cluster = None
            self._cluster, self._silent = cluster, cluster is None
            self._wake.wait(LOOK)
            self._wake.clear()
        if self._cluster:
            self._cluster.end()

    def _connection(self) -> "_Connection | None":
        with suppress(OSError, ValueError, TimeoutError):
            return _Connection(self._address, self._report)
        return None


class _Connection:
    """A connection to a scheduler, and the orders that it has."""

    def __init__(self, address: str, report: Report):
        from distributed import Client

        self._client = Client(address, timeout=PATIENCE, set_as_default=False)
        self._report = report
        self._names = (f"roam-{uuid.uuid4().hex}-{number}" for number in itertools.count())
        self._orders: dict[str, tuple[Order, Any]] = {}  # under way, by name, with their future
        self._lock = threading.Lock()
        self._ended = False
        self.slots = 0

    def look(self) -> bool:
        """Count the threads of the cluster's workers; whether there are any."""
        try:
            self.slots = sum(self._client.nthreads().values())
        except Exception:  # whatever it is, this connection is of no use any more
            self.slots = 0
        return self.slots > 0 and self._client.status == "running"

    def give(self, order: Order) -> bool:
        """Send an order to the cluster, if this connection has not ended."""
        with self._lock:
            if self._ended:
                return False
            name = next(self._names)
            try:
                future = self._client.submit(carry_out, order.job.work, order.index, name, key=name, pure=False)
            except Exception:  # the scheduler has just gone
                return False
            self._orders[name] = order, future
        future.add_done_callback(lambda done: self._answer(name, done))
        return True

    def drop(self, order: Order) -> bool:
        """Take an order back, also while it is being carried out; whether it was here."""
        with self._lock:
            found = [(name, future) for name, (known, future) in self._orders.items() if known is order]
        for name, future in found:
            with suppress(Exception):
                future.cancel()
                self._client.run(drop_here, name, wait=False)
            self._settle(name, DROPPED, None)
        return bool(found)

    def end(self) -> None:
        """Leave the cluster; what it had is dropped, and so given out again if somebody wants it."""
        with self._lock:
            self._ended = True
            left = list(self._orders)
        for name in left:
            self._settle(name, DROPPED, None)
        with suppress(Exception):
            self._client.close(timeout=PATIENCE)

    def _answer(self, name: str, done: Any) -> None:
        """An order has come to its end, in whatever way. Dask calls this in a thread of its own."""
        try:
            kind, value = done.result(timeout=PATIENCE) if done.status == "finished" else _no_result(done)
        except Exception:  # its worker or the scheduler went away with it
            kind, value = DROPPED, None
        self._settle(name, kind, value)

    def _settle(self, name: str, kind: str, value: Any) -> None:
        """Report an order once, whoever comes first."""
        with self._lock:
            order, _ = self._orders.pop(name, (None, None))
        if order:
            self._report(order, kind, value)


def _no_result(done: Any) -> tuple[str, Any]:
    """What became of an order without a result: cancelled with its scheduler, lost with its workers, or failed."""
    from distributed import KilledWorker

    if done.status != "error":
        return DROPPED, None
    problem = done.exception(timeout=PATIENCE)
    return (LOST, None) if isinstance(problem, KilledWorker) else failed(problem)


# On the cluster's workers

_dropped: deque[str] = deque(maxlen=MOST_DROPPED)


def carry_out(work: Work, index: int, name: str) -> tuple[str, Any]:
    """Play a part unless it is dropped on the way; what came of it, as a kind and a value."""
    with threadpool_limits(1):  # a thread of a worker is a core
        return play(work, index, lambda: name in _dropped)


async def drop_here(name: str) -> None:
    """Remember on this worker that an order is no longer wanted. A coroutine: nobody waits for its answer."""
    _dropped.append(name)


def at(address: str) -> Callable[[int, Report], ClusterCrew]:
    """A crew for a board: on the cluster whose scheduler listens at this address."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise ValueError("ROAM_DASK needs the package distributed: pip install distributed") from None
    return lambda size, report: ClusterCrew(address, size, report)
