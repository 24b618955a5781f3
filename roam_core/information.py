"""H_t, and what the answer about each past item would tell."""

import numpy as np

from roam_core.estimator import Estimator
from roam_core.uncertainty import Uncertainty


class Information:
    """H = ridge * I + sum F'(<z, estimate>) z z^T, the Hessian of the estimating equation, for all runs at once.

    V counts every probe z alike; H counts it as much as its answer was open. A further question z multiplies the
    determinant of H by 1 + F'(<z, estimate>) |z|^2, with the norm in H^-1. The estimate moves in every round and all
    slopes with it, so no rank-one updates keep norms in H^-1 as they do in V^-1: they are computed anew, in single
    precision where the estimator finds that good enough.
    """

    def __init__(self, estimator: Estimator, uncertainty: Uncertainty):
        self.estimator, self.uncertainty = estimator, uncertainty
        runs, d = estimator.estimate.shape
        self._single = np.empty((runs, d + 1, 0), dtype=np.float32)  # the history so far, with a row of ones below it
        self._count = 0

    def gains(self, x: np.ndarray) -> np.ndarray:
        """(runs, t) F'(<x - y, estimate>) |x - y|^2 in H^-1 for x (runs, d) and every past item y."""
        gaps, reaches = self.gaps_and_reaches(x)
        reaches *= self.estimator.link.slope(gaps)
        return reaches

    def gaps_and_reaches(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(runs, t) each, for x (runs, d) and every past item y: <x - y, estimate>, and |x - y|^2 in H^-1."""
        L = np.linalg.cholesky(self.estimator.inverse_hessian())  # H^-1 = L L^T
        rows = np.concatenate([-L.transpose(0, 2, 1), -self.estimator.estimate[:, None, :]], axis=1)
        seen = self._of_probes(rows, x)
        return seen[:, -1], np.einsum("nit,nit->nt", seen[:, :-1], seen[:, :-1])

    def gaps(self, x: np.ndarray) -> np.ndarray:
        """(runs, t) <x - y, estimate> for x (runs, d) and every past item y."""
        return self._of_probes(-self.estimator.estimate[:, None, :], x)[:, 0]

    def distances(self, x: np.ndarray) -> np.ndarray:
        """(runs, t) |x - y| for x (runs, d) and every past item y."""
        z = x[:, :, None] - self.uncertainty.history
        return np.sqrt(np.einsum("nit,nit->nt", z, z))

    def _of_probes(self, rows: np.ndarray, x: np.ndarray) -> np.ndarray:
        """(runs, m, t) the product of -rows (runs, m, d) with x - y, for every past item y."""
        if not self.estimator.single:
            return np.matmul(rows, self.uncertainty.history - x[:, :, None])
        # A column for x against the row of ones: no difference of all items is written down.
        rows = np.concatenate([rows, -np.matvec(rows, x)[:, :, None]], axis=2)
        return np.matmul(rows.astype(np.float32), self._history())

    def _history(self) -> np.ndarray:
        """(runs, d + 1, t) the items consumed so far in single precision, with a row of ones below them."""
        history = self.uncertainty.history
        runs, d, t = history.shape
        if t > self._single.shape[2]:
            longer = np.ones((runs, d + 1, 2 * t), dtype=np.float32)
            longer[:, :, : self._count] = self._single[:, :, : self._count]
            self._single = longer
        self._single[:, :d, self._count : t] = history[:, :, self._count :]
        self._count = t
        return self._single[:, :, :t]
