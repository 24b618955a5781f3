"""The board on a real Dask cluster: same numbers, and it goes on when workers or the whole cluster go away."""

import logging
import os
import signal
import socket
import sys
import time
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from pages.board import cluster
from pages.board.board import Board
from pages.board.cluster import ClusterCrew
from roam_core import Scenario, simulate
from tests.test_board import LONG, assert_same, finished, wait_for

pytestmark = pytest.mark.fault
SMALL = Scenario(d=2, k=50, horizon=60, runs=60)


@pytest.fixture(autouse=True)
def dask_may_warn(caplog):
    """It warns of workers that are lost and of schedulers that went away, through loggers with levels of their own."""
    import distributed  # noqa: F401

    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
        caplog.set_level(logging.CRITICAL + 1, logger=name)


def local_cluster(port: int = 0):
    """A scheduler and three worker processes of this machine."""
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, scheduler_port=port, silence_logs=50
    )


def on(address: str) -> Board:
    """A board on the cluster at this address, with two workers of its own for when it does not answer."""
    return Board(2, crew=cluster.at(address))


def pids(address: str) -> list[int]:
    """The worker processes of a cluster."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        return list(client.run(os.getpid).values())


def dropped(address: str) -> set[str]:
    """Names of orders that every worker of a cluster knows to be no longer wanted."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        return set.intersection(*(set(names) for names in client.run(lambda: list(cluster._dropped)).values()))


def same_as_here(board: Board, scenario: Scenario) -> None:
    """The board brings what this process computes, bit for bit."""
    assert_same(finished(board, "ann", scenario).result, simulate(scenario))


def on_the_cluster(board: Board, scenario: Scenario) -> None:
    """Ask for something, and wait until the cluster has some of it."""
    wait_for(lambda: board.look("ann", [scenario]) and board._crew._cluster._orders)


def seeds(*numbers: int) -> list[Scenario]:
    return [replace(SMALL, seed=number) for number in numbers]


def test_the_cluster_computes_the_same_numbers_and_loses_a_worker_and_work_nobody_wants():
    with local_cluster() as dask:
        board = on(dask.scheduler_address)
        wait_for(lambda: board._crew.size == 3)
        board._crew._own.give = None  # whatever is computed now is computed on the cluster
        for scenario in seeds(0, 1, 2, 3):
            same_as_here(board, scenario)
        # A worker dies while it computes: the same numbers, later.
        victims = pids(dask.scheduler_address)
        on_the_cluster(board, workload := replace(SMALL, horizon=600, runs=90))
        os.kill(victims[0], signal.SIGKILL)
        same_as_here(board, workload)
        # What nobody wants any more is dropped there too: the cluster is free at once for something else.
        on_the_cluster(board, LONG)
        names = set(board._crew._cluster._orders)
        board.look("ann", [])
        wait_for(lambda: not board._crew._cluster._orders)
        wait_for(lambda: names <= dropped(dask.scheduler_address))
        wait_for(lambda: not any(worker.processing for worker in dask.scheduler.workers.values()))
        # The crew grows with the cluster.
        dask.scale(4)
        wait_for(lambda: board._crew.size == 4)
        board.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_without_its_scheduler_the_server_computes_by_itself_until_it_is_back():
    port = free_port()
    dask = local_cluster(port)
    board = on(dask.scheduler_address)
    wait_for(lambda: board._crew.size == 3)
    assert board.trouble == ""
    workload = replace(SMALL, horizon=900, runs=200)
    on_the_cluster(board, workload)
    dask.close()  # in the middle of it
    same_as_here(board, workload)
    wait_for(lambda: board.trouble)
    assert "cluster does not answer" in board.trouble
    assert board._crew.size == 2
    with local_cluster(port):
        wait_for(lambda: not board.trouble)
        wait_for(lambda: board._crew.size == 3)  # they come one after the other
        board._crew._own.give = None
        (again,) = seeds(9)
        same_as_here(board, again)
        board.close()


def test_a_server_whose_cluster_was_never_there_starts_and_says_so():
    board = on(f"tcp://127.0.0.1:{free_port()}")
    (scenario,) = seeds(5)
    same_as_here(board, scenario)
    wait_for(lambda: board.trouble)
    board.try_again()
    board.close()


def test_every_order_is_reported_once(monkeypatch):
    """Whether its answer, its drop or the end of the connection comes first."""
    reports, futures = [], []

    class Future:
        status = "finished"
        callback = None

        def add_done_callback(self, callback):
            self.callback = callback

        def result(self, timeout):
            return "done", 1

        def cancel(self):
            pass

    class Client:
        status = "running"

        def __init__(self, *_, **__):
            pass

        def submit(self, *_, **__):
            futures.append(Future())
            return futures[-1]

        def run(self, *_, **__):
            pass

        def close(self, timeout):
            pass

        def nthreads(self):
            return {"one": 2}

    monkeypatch.setattr("distributed.Client", Client)
    connection = cluster._Connection("anywhere", lambda *report: reports.append(report))
    assert connection.look()
    assert connection.slots == 2
    orders = [Order() for _ in range(3)]
    for order in orders:
        assert connection.give(order)
    futures[0].callback(futures[0])
    assert connection.drop(orders[1])
    connection.end()
    for future in futures:
        future.callback(future)
    assert reports == [(orders[0], "done", 1), (orders[1], "dropped", None), (orders[2], "dropped", None)]
    assert not connection.give(orders[0])
    assert not connection.drop(orders[0])


class Order:
    """As much of an order as a connection looks at."""

    class job:  # noqa: N801
        work = None

    index = 0


def test_a_part_that_is_dropped_on_the_cluster_ends_early():
    name = "roam-test"
    with suppress(StopIteration):  # it waits for nothing
        cluster.drop_here(name).send(None)
    began = time.process_time()
    assert cluster.carry_out(LONG, 1, name) == ("dropped", None)
    assert time.process_time() - began < 5
    kind, batch = cluster.carry_out(SMALL, 0, "another")
    assert kind == "done"
    np.testing.assert_array_equal(batch.regret, simulate(SMALL).regret[: len(batch.regret)])


def test_without_the_package_the_server_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ValueError, match="pip install distributed"):
        cluster.at("tcp://127.0.0.1:1")


def test_a_crew_without_a_cluster_is_the_servers_own(monkeypatch):
    monkeypatch.setattr(ClusterCrew, "_connection", lambda self: None)
    crew = ClusterCrew("nowhere", 2, lambda *report: None)
    assert crew.size == 2
    wait_for(lambda: crew.trouble)
    wait_for(lambda: len(crew.pids) == 2)
    crew.close()
