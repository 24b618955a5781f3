"""How often something may be tried: a code that is wrong, a room that is opened. No Streamlit here."""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

REMEMBERED = 5000  # sessions


class Tries:
    """At most `most` within `seconds`, for each name by itself. What is counted, whoever calls decides."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic):
        self.most, self.seconds, self.clock = most, seconds, clock
        self._lock = threading.Lock()
        self._when: OrderedDict[str, deque[float]] = OrderedDict()

    def left(self, name: str = "") -> int:
        """How often it may still be tried now."""
        with self._lock:
            return self.most - len(self._recent(name))

    def count(self, name: str = "") -> None:
        """Another one."""
        with self._lock:
            recent = self._recent(name)
            recent.append(self.clock())
            self._when[name] = recent
            self._when.move_to_end(name)
            while len(self._when) > REMEMBERED:
                self._when.popitem(last=False)

    def _recent(self, name: str) -> deque[float]:
        times = self._when.get(name, deque(maxlen=self.most))
        while times and times[0] <= self.clock() - self.seconds:
            times.popleft()
        return times
