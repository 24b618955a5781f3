"""The ellipses that show in two dimensions what V_t and H_t mean, and how far a question reaches in V_t."""

from typing import NamedTuple

import numpy as np

from roam_core.links import LINKS, Link
from roam_core.result import Trajectory


class Ellipse(NamedTuple):
    """Ellipses around the origin: semi-axes (..., 2), the longer one first, and the angle (...) of the longer one."""

    semi_axes: np.ndarray
    angle: np.ndarray


class Reach(NamedTuple):
    """How far the questions of a run reach, all (T,) in the norm of V_t^-1; NaN where there is no such item.

    The critical ratio is `mistake / before`.
    """

    before: np.ndarray  # |x_t - y_t| when the question is asked
    after: np.ndarray  # the same probe once it is part of V
    farthest: np.ndarray  # the maximum of |x_t - y| over the history
    mistake: np.ndarray  # |x_t - x*_t|


def ellipse(M: np.ndarray, level: np.ndarray | float = 1.0) -> Ellipse:
    """The ellipses {v : v^T M v = level^2} of positive definite matrices M (..., 2, 2).

    >>> ellipse(np.diag([1.0, 4.0]), 2.0).semi_axes
    array([2., 1.])
    """
    eigenvalues, vectors = np.linalg.eigh(M)  # ascending, so the longest axis comes first
    longest = vectors[..., 0]
    return Ellipse(np.asarray(level)[..., None] / np.sqrt(eigenvalues), np.arctan2(longest[..., 1], longest[..., 0]))


def curvature(link: Link, ridge: float, z: np.ndarray, estimate: np.ndarray) -> np.ndarray:
    """H = ridge I + sum F'(<z, estimate>) z z^T (..., d, d), of probes z (..., n, d) at an estimate (..., d).

    It is the curvature, at the estimate, of what the estimate minimises. Without F' it would be V.
    """
    weighed = link.slope(np.matvec(z, estimate))[..., None] * z
    return np.matmul(np.swapaxes(weighed, -1, -2), z) + ridge * np.eye(z.shape[-1])


def curvatures(run: Trajectory) -> np.ndarray:
    """(T, d, d) H_t that each round of a run starts from."""
    s = run.scenario.resolved()
    z = np.nan_to_num(run.z)  # nothing asked, nothing added
    return np.array([curvature(LINKS[s.link], s.ridge, z[:t], run.estimate[t]) for t in range(len(z))])


def reach(run: Trajectory) -> Reach:
    """How far each question of a run reaches, how far any could have, and how far the best item is."""
    inverse = np.linalg.inv(run.V)
    before, mistake = (np.sqrt(np.vecdot(v, np.matvec(inverse, v))) for v in (run.z, run.x - run.best))
    farthest = np.full(len(run.x), np.nan)
    for t in range(1, len(run.x)):
        to_history = run.x[t] - run.x[:t]
        farthest[t] = np.sqrt(np.vecdot(to_history, np.matvec(inverse[t], to_history)).max())
    # With s = |z|^2 in V^-1, it is s / (1 + s) in (V + z z^T)^-1.
    return Reach(before, before / np.sqrt(1 + before**2), farthest, mistake)
