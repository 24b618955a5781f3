"""H_t, and what the answer about each past item would tell."""

import numpy as np

from roam_core.estimator import Estimator
from roam_core.uncertainty import Uncertainty


class Information:
    """H = ridge * I + sum F'(<z, estimate>) z z^T, the Hessian of the estimating equation, for all runs at once.

    V counts every probe z alike; H counts it as much as its answer was open. A further question z multiplies the
    determinant of H by 1 + F'(<z, estimate>) |z|^2, the norm in H^-1. The estimate moves in every round and all slopes
    with it, so H is computed anew: in single precision where the estimator finds that good enough.
    """

    def __init__(self, estimator: Estimator, uncertainty: Uncertainty):
        self.estimator, self.uncertainty = estimator, uncertainty
        # The history once more, as far as it was needed
        self._single = np.empty((*estimator.estimate.shape, 0), dtype=np.float32)
        self._count = 0

    def gaps_and_reaches(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(runs, t) each, for x (runs, d) and every past item y: <x - y, estimate>, and |x - y|^2 in H^-1."""
        z = self.probes(x)
        L = np.linalg.cholesky(np.linalg.inv(self.estimator.hessian()))  # H^-1 = L L^T
        rows = np.concatenate([L.transpose(0, 2, 1), self.estimator.estimate[:, None, :]], axis=1)
        *whitened, gaps = np.moveaxis(np.matmul(rows.astype(z.dtype, copy=False), z), 1, 0)
        reaches = np.square(whitened[0])
        for part in whitened[1:]:
            reaches += np.square(part)
        return gaps, reaches

    def gains(self, x: np.ndarray) -> np.ndarray:
        """(runs, t) F'(<x - y, estimate>) |x - y|^2 in H^-1 for every past item y."""
        gaps, reaches = self.gaps_and_reaches(x)
        reaches *= self.estimator.link.slope(gaps)
        return reaches

    def probes(self, x: np.ndarray) -> np.ndarray:
        """(runs, d, t) x - y for every past item y."""
        if not self.estimator.single:
            return x[:, :, None] - self.uncertainty.history
        return x.astype(np.float32)[:, :, None] - self._single_history()

    def _single_history(self) -> np.ndarray:
        """(runs, d, t) the items consumed so far, in single precision."""
        history = self.uncertainty.history
        runs, d, t = history.shape
        if t > self._single.shape[2]:
            grown = np.empty((runs, d, 2 * t), dtype=np.float32)
            grown[:, :, : self._count] = self._single[:, :, : self._count]
            self._single = grown
        self._single[:, :, self._count : t] = history[:, :, self._count :]
        self._count = t
        return self._single[:, :, :t]
