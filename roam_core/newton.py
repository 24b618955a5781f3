"""Damped Newton steps for the estimate, for several runs at once: slow, but right from anywhere."""

import numpy as np

from roam_core.links import Link

STEPS = 200
HALVINGS = 60


class Likelihood:
    """The convex function  sum_i G(<s_i, theta>) + ridge / 2 |theta|^2  of some runs, whose root the estimate is.

    s (runs, d, t) are signed comparisons: z_i for the answer 0, -z_i for the answer 1. G' = F. A caller computes
    u = <s_i, theta> (runs, t) once and hands it to whatever needs it.
    """

    def __init__(self, link: Link, ridge: float, s: np.ndarray):
        self.link, self.ridge, self.s = link, ridge, s

    def utilities(self, theta: np.ndarray) -> np.ndarray:
        """(runs, t) <s_i, theta> for theta (runs, d)."""
        return np.vecmat(theta.astype(self.s.dtype, copy=False), self.s)

    def value(self, theta: np.ndarray, u: np.ndarray) -> np.ndarray:
        """(runs,)"""
        return self.link.integral(u).sum(1) + self.ridge / 2 * np.vecdot(theta, theta)

    def gradient(self, theta: np.ndarray, u: np.ndarray) -> np.ndarray:
        """(runs, d) sum_i F(u_i) s_i + ridge * theta."""
        gradient = self.ridge * theta
        gradient += np.matvec(self.s, self.link.F(u))
        return gradient

    def hessian(self, u: np.ndarray) -> np.ndarray:
        """(runs, d, d) sum_i F'(u_i) s_i s_i^T + ridge * I."""
        hessian = np.matmul(self.s * self.link.slope(u)[:, None, :], self.s.transpose(0, 2, 1))
        hessian += self.ridge * np.eye(self.s.shape[1])
        return hessian


def descend(f: Likelihood, theta: np.ndarray, short: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Newton steps from theta (runs, d) until they are no longer than `short` (runs,).

    A step is halved until the function falls enough. Returns where they lead, the inverse Hessian at the start of the
    last step, and how long that was.
    """
    u = f.utilities(theta)
    before = f.value(theta, u)
    for _ in range(STEPS):
        hessian, gradient = f.hessian(u), f.gradient(theta, u)
        step = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        size = length(step)
        if (size <= short).all():
            break
        theta, u, before = _fall(f, theta, step, before, np.vecdot(gradient, step))
    return theta - step, np.linalg.inv(hessian), size


def _fall(
    f: Likelihood, start: np.ndarray, step: np.ndarray, before: np.ndarray, slope: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """As much of the step from `start` as makes f fall enough: where that leads, with the utilities and f there."""
    share = np.ones(len(start))
    enough = before + 1e-12 * (1 + np.abs(before))  # near the minimum f is flat; there the full step is right
    for _ in range(HALVINGS):
        theta = start - share[:, None] * step
        u = f.utilities(theta)
        value = f.value(theta, u)
        high = value > enough - 0.1 * share * slope
        if not high.any():
            break
        share[high] /= 2
    return theta, u, value


def length(v: np.ndarray) -> np.ndarray:
    """(runs,) lengths of v (runs, d)."""
    return np.sqrt(np.vecdot(v, v))
