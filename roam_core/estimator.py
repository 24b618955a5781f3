"""The estimate of theta from comparisons, for all runs at once."""

import numpy as np

from roam_core.links import Link
from roam_core.newton import Likelihood, descend, length

# The estimate is within about TOLERANCE * (1 + its norm) of the exact root; its statistical error is above 1e-2, and
# scikit-learn stops at 1e-4 by default.
TOLERANCE = 1e-5
CONTRACTION = 0.5  # a step must be this much shorter than the one before, or damped Newton steps take over
# The Hessian is computed anew when a slope in it may have changed by more than the factor e^(DRIFT sqrt(d)): it costs d
# times as much as a gradient, so the more dimensions the longer it must serve.
DRIFT = 0.3
SHARP = 0.3  # the same, e^SHARP, for a Hessian that questions are chosen with
FEW = 200  # comparisons: up to here that Hessian is exact, because it is cheap
# When a single comparison may change a slope by more than the factor e^LEAP, Newton steps take over at once.
LEAP = 1.0
PRECISION = 0.1  # share of the tolerance that steps are made for
SECANT = 30  # tolerances: what a shorter step does to the gradient is not known well enough to learn from it
ROUNDING = 1e-7  # of a number in single precision, relative
MANY = 128  # comparisons: with fewer, single precision saves nothing


class Estimator:
    """Keeps the root of the estimating equation up to date as comparisons come in.

    The estimate solves  sum_i (F(<z_i, theta>) - o_i) z_i + ridge * theta = 0.  An answer 1 to z counts as the answer 0
    to s = -z, because F(-u) = 1 - F(u). So the equation is  sum_i F(<s_i, theta>) s_i + ridge * theta = 0,  the
    gradient of a convex function: there is one root for every link and any data, separable or not.

    A new comparison moves the root a little. Each update starts from the last root and takes steps with an inverse
    Hessian that is not computed but corrected, by a rank-one update for every comparison:
      1. At the last root only the new comparison has a gradient: the first step looks at no other.
      2. The second one looks at all comparisons, in single precision where that is good enough. What the first step did
         to the gradient also tells how the Hessian has changed on the way from where it was computed, and corrects it.
         Mostly the second step is so short that it shows that this is the root.
      3. Runs for which it is not short make more of them, in double precision from the third on.
    Each step must be much shorter than the one before. If it is not, or if the first one is very long, Newton steps
    with a fresh Hessian take over, which converge from anywhere. The Hessian is also computed anew when the estimate
    has moved so far that the corrected one may be wrong by too much.
    """

    def __init__(self, link: Link, ridge: float, runs: int, d: int, horizon: int, reach: float):
        self.link, self.ridge = link, ridge
        self.reach = reach  # the longest z there can be
        self._drift = DRIFT * d**0.5
        self.estimate = np.zeros((runs, d))
        self._signed = np.zeros((runs, d, horizon))  # s_i
        self._single = np.zeros((runs, d, horizon), dtype=np.float32)  # the same
        self._count = 0
        self._inverse = np.empty((runs, d, d))  # inverse Hessian
        self._anchor = np.empty((runs, d))  # the estimate for which it was computed last
        self._bend = np.empty(runs)  # how much log F'(<z, theta>) can change when theta moves by 1
        self._tolerance = np.empty(runs)
        self._rounding = np.inf  # the error of the estimate that single precision brings about
        self._anew(slice(None), self.estimate, np.eye(d) / ridge)

    def add(self, z: np.ndarray, outcome: np.ndarray) -> None:
        """Take in one comparison a run, z (runs, d) and outcome (runs,), and update the estimate.

        A zero z stands for "nothing was asked" and changes nothing.
        """
        s = np.where(outcome[:, None], -z, z)
        self._signed[:, :, self._count] = self._single[:, :, self._count] = s
        self._count += 1
        if self._count % MANY == 0:
            self._weigh_rounding()
        step, pull = self._first_step(s)
        size = length(step)
        asked = size > 0
        leap = self._bend * size > LEAP
        if np.count_nonzero(leap):
            step[leap] = 0
            size[leap] = self._newton(leap, self._drift / self._bend[leap])
        self.estimate -= step
        astray = self._solve(asked, size, step, pull)
        if np.count_nonzero(astray):
            self._newton(astray, self._tolerance[astray])
        drift = self._bend * length(self.estimate - self._anchor)
        if np.count_nonzero(drift > self._drift):
            self._renew((drift > self._drift / 2).nonzero()[0], self._signed)  # those half way there go along

    @property
    def single(self) -> bool:
        """Whether single precision is good enough to look at all comparisons."""
        return self._rounding < TOLERANCE

    def inverse_hessian(self) -> np.ndarray:
        """(runs, d, d) H^-1, H = sum_i F'(<z_i, estimate>) z_i z_i^T + ridge * I at the estimate.

        It is exact while comparisons are few. Later it is computed anew only where a slope may have changed by more
        than the factor e^SHARP, and corrections do the rest: they leave an error of a few percent.
        """
        drift = self._bend * length(self.estimate - self._anchor)
        limit = SHARP if self._count > FEW else 0.0
        if np.count_nonzero(drift > limit):
            self._renew((drift > limit / 2).nonzero()[0], self._single if self.single else self._signed)
        return self._inverse

    def _first_step(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Put the comparisons s (runs, d) into the inverse Hessian; the step that they call for, and their gradient."""
        u = np.vecdot(s, self.estimate)
        slope = self.link.slope(u)
        # H + w s s^T has the inverse  H^-1 - w (H^-1 s)(H^-1 s)^T / (1 + w s^T H^-1 s).
        Hs = np.matvec(self._inverse, s)
        shrink = 1 / (1 + slope * np.vecdot(s, Hs))
        self._inverse -= Hs[:, :, None] * ((slope * shrink)[:, None] * Hs)[:, None, :]
        F = self.link.F(u)
        return (F * shrink)[:, None] * Hs, F[:, None] * s

    def _solve(self, active: np.ndarray, last: np.ndarray, first: np.ndarray, pull: np.ndarray) -> np.ndarray:
        """Step the active runs to their roots, after a first step (runs, d) of length `last`.

        `active` and `last` (runs,) are used up. `pull` (runs, d) was the gradient before the first step. Tells which
        runs have gone astray: those whose steps do not shrink fast.
        """
        astray = np.zeros(len(active), dtype=bool)
        signed = self._single if self._rounding < TOLERANCE / 4 else self._signed
        long = active & (last > SECANT * self._tolerance)
        looks = 0
        while count := np.count_nonzero(active):
            most = not looks or 2 * count > len(active)
            some = slice(None) if most else active.nonzero()[0]  # a slice copies nothing
            gradient = self._gradient(some, signed)
            if not looks:
                self._learn(long, first, gradient, gradient - pull)
            step = np.matvec(self._inverse[some], gradient)
            if count < len(active):
                step *= active[some, None]
            self.estimate[some] -= step
            size, before, fine = length(step), last[some], PRECISION * self._tolerance[some]
            # If the next step shrinks as much as this one did, its length is the error that is left.
            active[some] = wide = (size * size > fine * before) & (size > fine)
            if not np.count_nonzero(wide):
                break
            # Steps that shrink fast show that the matrix is good.
            bad = wide & (size > CONTRACTION * before)
            if np.count_nonzero(bad):
                self.estimate[some] += bad[:, None] * step  # as if it had not been made
                astray[some] |= bad
                active[some] &= ~bad
            last[some] = size
            looks += 1
            if looks == 2:
                signed = self._signed
        return astray

    def _gradient(self, some: np.ndarray | slice, signed: np.ndarray) -> np.ndarray:
        """(some, d) what all comparisons of some runs call for at their estimates."""
        f, theta = self._likelihood(some, signed), self.estimate[some]
        return f.gradient(theta, f.utilities(theta))

    def _learn(self, some: np.ndarray, step: np.ndarray, gradient: np.ndarray, change: np.ndarray) -> None:
        """Correct the inverse Hessian of some runs (runs,) by what a step did to the gradient, the rest (runs, d).

        Over the step the gradient changed by H step, on average over the way. So H^-1 times that change must be the
        step: this is the smallest symmetric correction that makes it so and keeps H^-1 positive (the BFGS formula).
        """
        along = np.vecdot(step, change)  # negative, as a step goes down
        p = step / np.where(some & (along < 0), along, np.inf)[:, None]
        q = np.matvec(self._inverse, gradient)  # where the step and H^-1 times the change differ
        q -= 0.5 * np.vecdot(q, change)[:, None] * p
        half = q[:, :, None] * p[:, None, :]
        self._inverse -= half
        self._inverse -= half.transpose(0, 2, 1)

    def _renew(self, some: np.ndarray, signed: np.ndarray) -> None:
        """Compute the Hessian of some runs anew."""
        f, theta = self._likelihood(some, signed), self.estimate[some]
        hessian = f.hessian(f.utilities(theta)).astype(float, copy=False)
        self._anew(some, theta, np.linalg.inv(hessian))

    def _newton(self, astray: np.ndarray, short: np.ndarray) -> np.ndarray:
        """Newton steps for some runs, until they are `short`; how long the last ones were."""
        some = astray.nonzero()[0]
        theta, inverse, size = descend(self._likelihood(some, self._signed), self.estimate[some], short)
        self._anew(some, theta, inverse)
        return size

    def _anew(self, some: np.ndarray | slice, theta: np.ndarray, inverse: np.ndarray) -> None:
        """From now on the estimates of some runs are theta, with this inverse Hessian."""
        self.estimate[some], self._anchor[some], self._inverse[some] = theta, theta, inverse
        norm = length(theta)
        self._tolerance[some] = TOLERANCE * (1 + norm)
        self._bend[some] = self.reach * self.link.bend(self.reach * norm + self._drift)
        self._weigh_rounding()

    def _weigh_rounding(self) -> None:
        """Find how exact single precision is."""
        # The roundings of t numbers add up as a random walk does; the inverse Hessian makes a change of theta of it.
        if self.link.single and self._count >= MANY:
            trace = np.trace(self._inverse, axis1=1, axis2=2).max()
            self._rounding = ROUNDING * (1 + self.reach * self._count**0.5 * trace)

    def _likelihood(self, some: np.ndarray | slice, signed: np.ndarray) -> Likelihood:
        """What the comparisons of some runs say so far."""
        return Likelihood(self.link, self.ridge, signed[some, :, : self._count])
