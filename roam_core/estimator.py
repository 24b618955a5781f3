"""The estimate of theta from comparisons, for all runs at once."""

import numpy as np

from roam_core.links import Link

# The estimate is within about TOLERANCE * (1 + its norm) of the exact root.
TOLERANCE = 1e-7
# A step with a stale Hessian must shrink this much against the one before, or the Hessian is computed anew.
CONTRACTION = 0.3
NEWTON_STEPS = 200


class Estimator:
    """Keeps the root of the estimating equation up to date as comparisons come in.

    The estimate solves  sum_i (F(<z_i, theta>) - o_i) z_i + ridge * theta = 0,  the gradient of the convex
    sum_i G(<z_i, theta>) - o_i <z_i, theta> + ridge / 2 |theta|^2  with G' = F. So there is one root for every link
    and any data, separable or not.

    A new comparison moves the root a little. Each update starts from the last root, makes a rank-one correction of the
    inverse Hessian, and takes steps with that (slightly stale) matrix until they are below the tolerance. Only runs
    that have not converged go on. A run whose steps do not shrink fast enough gets damped Newton steps with a fresh
    Hessian, which converge from anywhere.
    """

    def __init__(self, link: Link, ridge: float, runs: int, d: int, horizon: int):
        self.link, self.ridge = link, ridge
        self.estimate = np.zeros((runs, d))
        self._z = np.zeros((runs, d, horizon))
        self._outcome = np.zeros((runs, 1, horizon))
        self._inverse = np.tile(np.eye(d) / ridge, (runs, 1, 1))  # inverse Hessian
        self._count = 0

    @property
    def z(self) -> np.ndarray:
        """(runs, d, t) probing vectors so far."""
        return self._z[:, :, : self._count]

    @property
    def outcome(self) -> np.ndarray:
        """(runs, 1, t) outcomes so far."""
        return self._outcome[:, :, : self._count]

    def add(self, z: np.ndarray, outcome: np.ndarray) -> None:
        """Take in one comparison a run, z (runs, d) and outcome (runs,), and update the estimate.

        A zero z stands for "nothing was asked" and changes nothing.
        """
        self._z[:, :, self._count] = z
        self._outcome[:, 0, self._count] = outcome
        self._count += 1
        u = np.einsum("ni,ni->n", z, self.estimate)
        w = self.link.slope(u)
        # H + w z z^T has the inverse  H^-1 - w (H^-1 z)(H^-1 z)^T / (1 + w z^T H^-1 z).
        Hz = np.matmul(self._inverse, z[:, :, None])[:, :, 0]
        shrink = 1 / (1 + w * np.einsum("ni,ni->n", z, Hz))
        self._inverse -= Hz[:, :, None] * ((w * shrink)[:, None] * Hz)[:, None, :]
        # At the last root only the new comparison has a gradient, (F(u) - o) z: this first step is nearly free.
        step = ((self.link.F(u) - outcome) * shrink)[:, None] * Hz
        size = _length(step)
        small = size <= 0.5 * (1 + _length(self.estimate))
        self.estimate -= step * small[:, None]
        self._solve(np.flatnonzero(size), (size * small)[size > 0])

    def _solve(self, active: np.ndarray, last: np.ndarray) -> None:
        """Step the active runs to their roots; `last` (active,) is the length of the step each has just made."""
        while active.size:
            estimate = self.estimate[active]
            step = np.matmul(self._inverse[active], self._gradient(active, estimate)[:, :, None])[:, :, 0]
            size, tolerance = _length(step), TOLERANCE * (1 + _length(estimate))
            # Steps that shrink fast show that the matrix is good, and so that a short step means a small error.
            good = size <= np.maximum(CONTRACTION * last, tolerance / 2)
            self.estimate[active[good]] -= step[good]
            if not good.all():
                self._newton(active[~good])
            rest = good & (size > tolerance)
            active, last = active[rest], size[rest]

    def _gradient(self, active: np.ndarray, theta: np.ndarray) -> np.ndarray:
        """(active, d) gradient of the objective at theta (active, d)."""
        z, outcome = self._data(active)
        residual = self.link.F(np.matmul(theta[:, None, :], z)) - outcome
        return np.matmul(z, residual.transpose(0, 2, 1))[:, :, 0] + self.ridge * theta

    def _newton(self, active: np.ndarray) -> None:
        """Newton steps with a fresh Hessian, halved until the objective falls enough, to convergence."""
        for _ in range(NEWTON_STEPS):
            if not active.size:
                return
            theta = self.estimate[active]
            gradient = self._gradient(active, theta)
            inverse = np.linalg.inv(self._hessian(active, theta))
            self._inverse[active] = inverse
            step = np.matmul(inverse, gradient[:, :, None])[:, :, 0]
            slope = np.einsum("ni,ni->n", gradient, step)
            rest = _length(step) > TOLERANCE * (1 + _length(theta))
            length = np.ones(active.size)
            start = self._objective(active, theta)
            for _ in range(60):
                here = self._objective(active, theta - length[:, None] * step)
                # Near the root the objective is flat to rounding; there the full step is right.
                high = rest & (here > start - 0.1 * length * slope + 1e-12 * np.abs(start))
                if not high.any():
                    break
                length[high] /= 2
            self.estimate[active] = theta - length[:, None] * step
            active = active[rest]

    def _hessian(self, active: np.ndarray, theta: np.ndarray) -> np.ndarray:
        z, _ = self._data(active)
        weight = self.link.slope(np.matmul(theta[:, None, :], z))
        return np.matmul(z * weight, z.transpose(0, 2, 1)) + self.ridge * np.eye(z.shape[1])

    def _objective(self, active: np.ndarray, theta: np.ndarray) -> np.ndarray:
        z, outcome = self._data(active)
        # G(u) - u = G(-u), which has no cancellation: an answer o = 1 to z counts as the answer 0 to -z.
        loss = self.link.integral((1 - 2 * outcome) * np.matmul(theta[:, None, :], z))
        return loss.sum((1, 2)) + self.ridge / 2 * (theta**2).sum(1)

    def _data(self, active: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if active.size == len(self.estimate):
            return self.z, self.outcome
        return self.z[active], self.outcome[active]


def _length(v: np.ndarray) -> np.ndarray:
    return np.sqrt(np.einsum("ni,ni->n", v, v))
