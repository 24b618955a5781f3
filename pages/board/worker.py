"""A worker process: `python -m pages.board.worker` plays the parts it is given on its standard input.

Messages are pickles. To the worker: an order as its number and the pickled work and index, or its number and None: drop
it. From the worker: READY once, then for every order a kind (DONE, DROPPED or FAILED) and a value. When its input ends,
so does the worker: none outlives its server.
"""

import io
import os
import pickle
import queue
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, BinaryIO

from threadpoolctl import threadpool_limits

from pages.board.works import Work, play_part

READY, DONE, DROPPED, FAILED = "ready", "done", "dropped", "failed"


def send(pipe: io.RawIOBase, message: Any) -> None:
    """Write a message to a pipe without a buffer, so that nothing is left to be written when the other end has gone."""
    left = memoryview(pickle.dumps(message))
    while left:
        left = left[pipe.write(left) :]


def receive(pipe: BinaryIO) -> Any:
    """The next message; EOFError or UnpicklingError if the other end has gone."""
    return pickle.load(pipe)


def play(work: Work, index: int, dropped: Callable[[], bool]) -> tuple[str, Any]:
    """Play a part unless it is dropped on the way; what came of it, as a kind and a value."""
    try:
        playing = play_part(work, index)
        while not dropped():
            try:
                next(playing)
            except StopIteration as stop:
                return DONE, stop.value
        return DROPPED, None
    except Exception as problem:
        return failed(problem)


def failed(problem: Exception) -> tuple[str, str]:
    """The answer to an order that cannot be carried out."""
    return FAILED, f"{type(problem).__name__}: {problem}"


def main() -> None:
    """Take orders until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's business: it closes our input
    if hasattr(os, "nice"):
        os.nice(10)  # drawing what is there goes before computing more; Windows is told when the process is made
    threadpool_limits(1)  # a worker is a core
    out = io.FileIO(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints must not print into the messages
    sys.stdout = sys.stderr
    orders: queue.SimpleQueue = queue.SimpleQueue()
    no_longer_wanted: set[int] = set()

    def listen() -> None:
        while True:
            try:
                number, order = receive(sys.stdin.buffer)
            except (EOFError, OSError, pickle.UnpicklingError):
                os._exit(0)
            if order is None:
                no_longer_wanted.add(number)
            else:
                orders.put((number, order))

    threading.Thread(target=listen, daemon=True).start()
    send(out, (READY, None))
    while True:
        number, order = orders.get()
        try:
            answer = play(*pickle.loads(order), lambda number=number: number in no_longer_wanted)
        except Exception as problem:  # work that this process cannot read
            answer = failed(problem)
        no_longer_wanted.clear()  # the next order comes after the answer
        send(out, answer)


if __name__ == "__main__":
    main()
