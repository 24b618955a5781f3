"""How often figures are drawn again while results come in: the more visitors wait, the more seldom.

One process draws for everybody. If it draws all the time, the workers get no turn, nothing new comes in, and everybody
draws the same once more.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

REDRAW = 0.4  # seconds between two drawings at least
SHARE = 0.4  # of the server's time that may go into drawing what is not complete yet
NEWEST = 0.1  # how much the newest drawing counts for what a drawing takes


class Pace:
    """What a drawing takes, and how long to wait until the next one."""

    def __init__(self):
        self.cost = 0.0  # seconds of processor time that a drawing takes

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """Around a drawing: how long it takes the processor, whoever else is at work meanwhile."""
        began = time.thread_time()
        yield
        self.cost += NEWEST * (time.thread_time() - began - self.cost)

    def seconds(self, visitors: int) -> float:
        """Seconds between two drawings of a visitor when so many of them wait for results."""
        return max(REDRAW, visitors * self.cost / SHARE)


PACE = Pace()  # of this server
