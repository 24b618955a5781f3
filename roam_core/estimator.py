"""The estimate of theta from comparisons, for all runs at once."""

import numpy as np

from roam_core.links import Link

# The estimate is within about TOLERANCE * (1 + its norm) of the exact root; its statistical error is above 1e-2, and
# scikit-learn stops at 1e-4 by default.
TOLERANCE = 1e-5
CONTRACTION = 0.5  # a step must be this much shorter than the one before, or damped Newton steps take over
DRIFT = 1.0  # the Hessian is computed anew when a slope in it may have changed by more than the factor e^DRIFT
NEWTON_STEPS = 200


class Estimator:
    """Keeps the root of the estimating equation up to date as comparisons come in.

    The estimate solves  sum_i (F(<z_i, theta>) - o_i) z_i + ridge * theta = 0,  the gradient of the convex
    sum_i G(<z_i, theta>) - o_i <z_i, theta> + ridge / 2 |theta|^2  with G' = F. So there is one root for every link
    and any data, separable or not.

    A new comparison moves the root a little. Each update starts from the last root and takes steps with an inverse
    Hessian that is not computed but corrected, by rank-one updates. Only runs that have not converged go on. Two things
    call for damped Newton steps with a fresh Hessian, which converge from anywhere: steps that do not shrink fast, and
    an estimate that has moved so far since the last fresh Hessian that the corrected one may be wrong.
    """

    def __init__(self, link: Link, ridge: float, runs: int, d: int, horizon: int, reach: float):
        self.link, self.ridge = link, ridge
        self.reach = reach  # the longest z there can be
        self.estimate = np.zeros((runs, d))
        self._z = np.zeros((runs, d, horizon))
        self._outcome = np.zeros((runs, horizon))
        self._inverse = np.tile(np.eye(d) / ridge, (runs, 1, 1))  # inverse Hessian
        self._drift = np.zeros(runs)  # bound on the change of any log F'(<z, theta>) since it was computed
        self._count = 0

    def add(self, z: np.ndarray, outcome: np.ndarray) -> None:
        """Take in one comparison a run, z (runs, d) and outcome (runs,), and update the estimate.

        A zero z stands for "nothing was asked" and changes nothing.
        """
        self._z[:, :, self._count] = z
        self._outcome[:, self._count] = outcome
        self._count += 1
        start = self.estimate.copy()
        norm = _length(start)
        u = np.vecdot(z, start)
        w = self.link.slope(u)
        # H + w z z^T has the inverse  H^-1 - w (H^-1 z)(H^-1 z)^T / (1 + w z^T H^-1 z).
        Hz = np.matvec(self._inverse, z)
        shrink = 1 / (1 + w * np.vecdot(z, Hz))
        self._inverse -= Hz[:, :, None] * ((w * shrink)[:, None] * Hz)[:, None, :]
        # At the last root only the new comparison has a gradient, (F(u) - o) z: this first step is nearly free.
        residual = self.link.F(u) - outcome
        step = (residual * shrink)[:, None] * Hz
        # Far from a quadratic it may be much too long: a length of zero sends the run to the Newton steps.
        step *= (_length(step) <= 0.5 * (1 + norm))[:, None]
        self.estimate -= step
        asked = z.any(1).nonzero()[0]
        if asked.size:
            tolerance = TOLERANCE * (1 + norm)
            self._solve(asked, _length(step)[asked], (residual[:, None] * z)[asked], tolerance[asked])

        self._drift += self.reach * self.link.bend(self.reach * norm) * _length(self.estimate - start)
        moved = self._drift > DRIFT
        if moved.any():
            self._newton(moved.nonzero()[0])

    def _solve(self, active: np.ndarray, last: np.ndarray, before: np.ndarray, tolerance: np.ndarray) -> None:
        """Step the active runs to their roots.

        Each has just made a step of length `last` (active,), from where the gradient was `before` (active, d).
        """
        while True:
            some = slice(None) if active.size == len(self.estimate) else active  # a slice copies nothing
            gradient = self._gradient(some)
            step = np.matvec(self._inverse[some], gradient)
            size = _length(step)
            # Steps that shrink fast show that the matrix is good, and so that a short step means a small error.
            good = size <= np.maximum(CONTRACTION * last, 0.5 * tolerance)
            # What the last step did to the gradient corrects the matrix: the symmetric rank-one update, which comes
            # down to two numbers because the matrix times the new gradient is the step.
            now, then = np.vecdot(step, gradient), np.vecdot(step, before)
            gain = np.divide(1, then - now, out=np.zeros(len(now)), where=good & (2 * now < np.abs(then)))
            self._inverse[some] += (gain[:, None] * step)[:, :, None] * step[:, None, :]
            self.estimate[some] -= (good * (1 + gain * now))[:, None] * step
            if not good.all():
                self._newton(active[~good])
            rest = good & (size > tolerance)
            if not rest.any():
                return
            active, last, before, tolerance = active[rest], size[rest], gradient[rest], tolerance[rest]

    def _newton(self, active: np.ndarray) -> None:
        """Newton steps with a fresh Hessian, halved until the objective falls enough, to convergence."""
        self._drift[active] = 0
        for _ in range(NEWTON_STEPS):
            self._inverse[active] = np.linalg.inv(self._hessian(active))
            gradient = self._gradient(active)
            step = np.matvec(self._inverse[active], gradient)
            start = self.estimate[active]
            far = _length(step) > TOLERANCE * (1 + _length(start))
            self.estimate[active] -= step
            active, step, start = active[far], step[far], start[far]
            if not active.size:
                return
            self._shorten(active, start, step, np.vecdot(gradient[far], step))

    def _shorten(self, active: np.ndarray, start: np.ndarray, step: np.ndarray, slope: np.ndarray) -> None:
        """Take back half of a step from `start`, again and again, while the objective has not fallen enough."""
        before = self._objective(active, start)
        rounding = 1e-12 * (1 + np.abs(before))  # near the root the objective is flat; there the full step is right
        length = np.ones(len(active))
        for _ in range(60):
            high = self._objective(active, self.estimate[active]) > before - 0.1 * length * slope + rounding
            if not high.any():
                return
            length[high] /= 2
            self.estimate[active] = start - length[:, None] * step

    def _data(self, some: np.ndarray | slice) -> tuple[np.ndarray, np.ndarray]:
        """Probing vectors (some, d, t) and outcomes (some, t) so far."""
        return self._z[some, :, : self._count], self._outcome[some, : self._count]

    def _gradient(self, some: np.ndarray | slice) -> np.ndarray:
        z, outcome = self._data(some)
        estimate = self.estimate[some]
        residual = self.link.F(np.vecmat(estimate, z))
        residual -= outcome
        return np.matvec(z, residual) + self.ridge * estimate

    def _hessian(self, some: np.ndarray | slice) -> np.ndarray:
        z, _ = self._data(some)
        weight = self.link.slope(np.vecmat(self.estimate[some], z))
        return np.matmul(z * weight[:, None, :], z.transpose(0, 2, 1)) + self.ridge * np.eye(z.shape[1])

    def _objective(self, some: np.ndarray | slice, theta: np.ndarray) -> np.ndarray:
        z, outcome = self._data(some)
        # G(u) - u = G(-u), which has no cancellation: an answer 1 to z counts as the answer 0 to -z.
        loss = self.link.integral((1 - 2 * outcome) * np.vecmat(theta, z))
        return loss.sum(1) + self.ridge / 2 * np.vecdot(theta, theta)


def _length(v: np.ndarray) -> np.ndarray:
    return np.sqrt(np.vecdot(v, v))
