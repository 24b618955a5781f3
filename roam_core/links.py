"""Link functions: how a difference in utility becomes the probability of a preference.

A user who compares x with y prefers x with probability F(u), where u = <x - y, theta>.
Every link here is strictly increasing, symmetric (F(u) + F(-u) = 1) and steepest at zero.

To add a link, declare it in `LINKS`: scenarios, menus, sweeps, command line and tests find it there.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

Function = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Link:
    """A link function F with what the estimate, the theory and CoLSTIM need of it.

    F, slope and integral take and return arrays of any shape and never overflow.
    """

    words: str  # its name on screen
    F: Function
    slope: Function  # F'
    integral: Function  # G, with G' = F
    bend: Function  # bound on |F''(v) / F'(v)| over |v| <= u: how fast the slope can change
    noise: Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]  # CoLSTIM's perturbation
    single: bool = False  # whether F is much cheaper in single precision

    def kappa(self, radius: float) -> float:
        """Smallest slope the theory can meet: inf of F'(u) over |u| <= 4 radius.

        A probe has norm at most 2 radius, a parameter within 1 of theta norm at most 2.
        """
        return float(self.slope(np.float64(4 * radius)))


def _logistic(u):
    # (1 + tanh(u / 2)) / 2 cannot overflow; in place, because most of a simulation's time goes here
    p = np.asarray(0.5 * u)
    np.tanh(p, out=p)
    p *= 0.5
    p += 0.5
    return p


def _logistic_slope(u):
    # e / (1 + e)^2 with e = exp(-|u|), in place for the same reason
    e = np.asarray(np.minimum(np.abs(u), 700.0))
    np.negative(e, out=e)
    np.exp(e, out=e)
    below = np.asarray(1 + e)
    below *= below
    e /= below
    return e


def _logistic_integral(u):
    # log(1 + e^u); np.logaddexp(0, u) says the same and takes three times as long
    return np.maximum(u, 0) + np.log1p(np.exp(-np.abs(u)))


def _probit_slope(u):
    return np.exp(-0.5 * np.minimum(np.abs(u), 37.5) ** 2) / np.sqrt(2 * np.pi)


def _probit_integral(u):
    return u * ndtr(u) + _probit_slope(u)


def _cauchit(u):
    return 0.5 + np.arctan(u) / np.pi


def _cauchit_slope(u):
    return 1 / (np.pi * (1 + np.minimum(np.abs(u), 1e15) ** 2))  # a square that single precision has


def _cauchit_integral(u):
    # u / 2 + (u arctan(u) - log sqrt(1 + u^2)) / pi, without cancellation
    size = np.abs(u)
    return np.maximum(u, 0) - (size * np.arctan2(1, size) + np.log(np.hypot(1, u))) / np.pi


def _at_most_one(u):
    return np.ones_like(u)


def _probit_bend(u):
    return np.maximum(1, u)


def _gumbel(rng, shape):
    return -np.log(rng.standard_exponential(shape, dtype=np.float32) + np.float32(1e-30))


def _normal(rng, shape):
    return rng.standard_normal(shape, dtype=np.float32)


def _cauchy(rng, shape):
    # The difference of two Cauchy(0, 1/2) variables is Cauchy(0, 1): the cauchit link.
    return 0.5 * np.tan(np.pi * (rng.random(shape, dtype=np.float32) - 0.5))


LINKS = {
    "logistic": Link("logistic", _logistic, _logistic_slope, _logistic_integral, _at_most_one, _gumbel, single=True),
    "probit": Link("probit", ndtr, _probit_slope, _probit_integral, _probit_bend, _normal),
    "cauchit": Link("cauchit", _cauchit, _cauchit_slope, _cauchit_integral, _at_most_one, _cauchy, single=True),
}
