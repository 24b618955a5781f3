"""Visitors' scripts take turns on the server.

One Python process runs everybody's script, a thread each. Left alone, three hundred threads share its time in slices,
and so does the loop that talks to the browsers: everybody waits until the last is done. With turns the first is done
first.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

AT_ONCE = 3  # scripts that compute or draw at the same time


class Turns:
    """So many threads at a time go on; one that waits for something else meanwhile lets others."""

    def __init__(self, at_once: int = AT_ONCE):
        self._free = threading.Semaphore(at_once)
        self._mine = threading.local()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Around what a thread does; inside its own turn it goes on at once."""
        if self._has_turn:
            yield
            return
        with self._free:
            self._mine.turn = True
            try:
                yield
            finally:
                self._mine.turn = False

    @contextmanager
    def rest(self) -> Iterator[None]:
        """Around a pause: others may go on."""
        if not self._has_turn:
            yield
            return
        self._free.release()
        try:
            yield
        finally:
            self._free.acquire()

    @property
    def _has_turn(self) -> bool:
        return getattr(self._mine, "turn", False)


TURNS = Turns()  # of this server
