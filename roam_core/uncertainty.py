"""V_t and the norms in V_t^-1 that decide what is worth asking."""

import numpy as np

REFRESH = 100  # rank-one updates between two exact computations, so that rounding cannot build up


class Uncertainty:
    """V_t = ridge * I + sum z z^T with its inverse, for all runs at once.

    `squared_to_history` needs |y|^2 in V^-1 for every past item y. A probe z changes each of them by a rank-one term,
    so choosing y_t costs two products with the history instead of d.
    """

    def __init__(self, ridge: float, runs: int, d: int, horizon: int):
        self.V = np.tile(ridge * np.eye(d), (runs, 1, 1))
        self.inverse = np.tile(np.eye(d) / ridge, (runs, 1, 1))
        self._history = np.zeros((runs, d, horizon))
        self._norms = np.zeros((runs, horizon))  # |y|^2 in V^-1
        self._count = 0  # items in the history
        self._current = 0  # items whose norm is up to date
        self._updates = 0

    @property
    def history(self) -> np.ndarray:
        """(runs, d, t) items consumed so far."""
        return self._history[:, :, : self._count]

    @property
    def consumed(self) -> int:
        """How many items the history holds."""
        return self._count

    def remember(self, x: np.ndarray) -> None:
        """Put the consumed items x (runs, d) into the history."""
        self._history[:, :, self._count] = x
        if 0 < self._current == self._count:  # norms are in use: keep them up to date
            self._norms[:, self._count] = np.vecdot(np.matvec(self.inverse, x), x)
            self._current += 1
        self._count += 1

    def squared_to_history(self, x: np.ndarray) -> np.ndarray:
        """(runs, t) |x - y|^2 in V^-1 from x (runs, d) to every past item y."""
        squared = self.ranked_to_history(x)
        squared += np.vecdot(np.matvec(self.inverse, x), x)[:, None]
        return squared

    def ranked_to_history(self, x: np.ndarray) -> np.ndarray:
        """(runs, t) the same without |x|^2, which is the same for all y: enough to find the largest."""
        self._bring_up_to_date()
        # |x - y|^2 = |x|^2 - 2 <x, y> + |y|^2
        ranked = np.vecmat(-2 * np.matvec(self.inverse, x), self.history)
        ranked += self._norms[:, : self._count]
        return ranked

    def probe(self, z: np.ndarray) -> None:
        """Add z z^T to V for z (runs, d)."""
        self.V += z[:, :, None] * z[:, None, :]
        self._updates += 1
        if self._updates % REFRESH == 0:
            self.inverse = np.linalg.inv(self.V)
            self._current = 0
            return
        # (V + z z^T)^-1 = V^-1 - (V^-1 z)(V^-1 z)^T / (1 + |z|^2)
        Wz = np.matvec(self.inverse, z)
        Wz /= np.sqrt(1 + np.vecdot(Wz, z))[:, None]
        self.inverse -= Wz[:, :, None] * Wz[:, None, :]
        if self._current:
            change = np.vecmat(Wz, self._history[:, :, : self._current])
            change *= change
            self._norms[:, : self._current] -= change

    def _bring_up_to_date(self) -> None:
        if self._current == self._count:
            return
        new = slice(self._current, self._count)
        y = self._history[:, :, new]
        self._norms[:, new] = np.vecdot(np.matmul(self.inverse, y), y, axis=1)
        self._current = self._count
