"""Where batches of runs are played: processes of this machine, or a Dask cluster."""

import os
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.synchronize import Barrier

import joblib
from threadpoolctl import threadpool_limits

import roam_core.engine  # noqa: F401


def cores() -> int:
    """How many cores this process may use, also in a container that has fewer than the machine."""
    return min(getattr(os, "process_cpu_count", os.cpu_count)() or 1, joblib.cpu_count())


def _start_worker() -> None:
    """Get ready: BLAS gets one thread, a worker being a core, and the worker ends when its parent does."""
    threadpool_limits(1)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent_process().join()
    os._exit(1)


def _start_together(everyone: Barrier) -> None:
    _start_worker()
    everyone.wait(timeout=120)


@contextmanager
def processes(workers: int) -> Iterator[Executor | None]:
    """An executor with this many worker processes, all started; None, which means "here", for one worker."""
    most = 4 * cores()
    if not 1 <= workers <= most:
        raise ValueError(f"workers = {workers} is not allowed: it must be from 1 to {most}")
    if workers == 1:
        yield None
        return
    context = get_context("spawn")
    everyone = context.Barrier(workers)
    with ProcessPoolExecutor(workers, context, _start_together, (everyone,)) as pool:
        for future in [pool.submit(os.getpid) for _ in range(workers)]:
            future.result()
        try:
            yield pool
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def dask(address: str) -> Iterator[Executor]:
    """An executor on the Dask cluster whose scheduler listens at `address`."""
    try:
        from distributed import Client
    except ImportError:
        raise ValueError("a Dask cluster needs the package distributed: pip install distributed") from None
    try:
        client = Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as problem:
        raise ValueError(f"no Dask scheduler answers at {address!r}: {problem}") from None
    with client, client.get_executor() as executor:
        yield executor
