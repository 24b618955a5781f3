"""What the moving picture of one run with d = 2 shows, as plain data.

`scene` turns a Trajectory into everything the browser needs, so that playing, stepping and scrubbing never ask the
server. Worker processes import this module, so it does without Streamlit.
"""

import base64
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pages.one_run.telling import item_name, of_the_ratio, stages, words
from roam_core import Scenario, Trajectory, trajectory
from roam_core.coverage import nominal_size
from roam_core.ellipses import curvatures, ellipse, reach
from roam_core.policies import compared_rules

MOST_ROUNDS = 300
LARGEST_K = 2000
DRAWN = 150  # items of a context set that are drawn, at most: more look the same
CLEAR = 0.2  # share of the error: a fall that can be seen


def in_plane(scenario: Scenario) -> Scenario:
    """The scenario as this page plays it: one run of ROAM in the plane, not too long, a question in every round."""
    horizon = min(scenario.horizon, MOST_ROUNDS)
    tau = None if scenario.tau is None else min(scenario.tau, horizon)
    size = {"d": 2, "runs": 1, "k": min(scenario.k, LARGEST_K), "horizon": horizon}
    return replace(scenario, algorithm="roam", tau=tau, skip_below=0.0, cost=0.0, questions=1, **size).resolved()


def play(scenario: Scenario) -> Trajectory:
    """One run in the plane with one round more, so that the last one can show what it taught."""
    return trajectory(replace(scenario, horizon=scenario.horizon + 1), every_item=True)


def scene(scenario: Scenario) -> dict[str, Any]:
    """Everything the picture shows, round by round, as plain numbers and words, for a scenario from `in_plane`."""
    return picture(play(scenario))


def picture(run: Trajectory) -> dict[str, Any]:
    """What there is to see of a run with one round more than is shown."""
    T, scenario = len(run.x) - 1, run.scenario
    reached = reach(run)
    farthest = np.where(np.isnan(reached.farthest), 0, reached.farthest)
    around_x = ellipse(np.linalg.inv(run.V), farthest)
    return {
        "T": T,
        "tau": scenario.tau,
        "k": scenario.k,
        "radius": scenario.radius,
        "outline": (scenario.law.scale * 1.0).tolist(),  # semi-axes of the item space
        "solid": scenario.law.shape.solid,
        "theta": _rounded(run.theta),
        "x": _rounded(run.x[:T]),
        "best": _rounded(run.best[:T]),
        "asked": run.asked[:T].tolist(),
        "outcome": [None if np.isnan(o) else int(o) for o in run.outcome[:T]],
        "estimate": _rounded(run.estimate),
        "reach": _rounded(np.column_stack([around_x.semi_axes, around_x.angle])[:T]),
        "ellipsoids": {"V": _ellipsoid(run.V), "H": _ellipsoid(curvatures(run), size=nominal_size(2))},
        "norm": _rounded(reached.before[:T]),
        "mistake": _rounded(reached.mistake[:T]),
        "names": [item_name(i) for i in range(T)],
        "opening": opening(run, T),
        "curves": curves(run, T),
        "contexts": _packed(run, T),
        "words": [words(run, t) for t in range(T)],
        "stages": [stages(run, reached, t) for t in range(T)],
        "ratios": [of_the_ratio(run, reached, t) for t in range(T)],
    }


def opening(run: Trajectory, T: int) -> int:
    """The round to begin with, in which one sees learning work.

    It is the first one after exploration whose answer takes a fifth off the error; if there is none, the one that takes
    off most; the last round if all is exploration.
    """
    later = np.arange(max(run.scenario.tau, 1), T)  # nothing is asked in round 1
    if not later.size:
        return T
    fall = 1 - run.error[later + 1] / run.error[later]
    clear = later[fall >= CLEAR]
    return int(clear[0] if clear.size else later[fall.argmax()]) + 1


def _ellipsoid(M: np.ndarray, size: float | None = None) -> dict[str, Any]:
    """The ellipsoids {v : v^T M v = 1} of matrices (T, 2, 2), with what size they are drawn; None: the visitor says."""
    semi_axes, angle = ellipse(M)
    return {
        # Half-way between two rounds the browser finds the axes itself; for a long thin one that takes many digits.
        "matrices": _rounded(M[:, [0, 0, 1], [0, 1, 1]], digits=10),
        "axes": _rounded(np.column_stack([semi_axes, angle])),
        "size": size,
    }


def curves(run: Trajectory, T: int) -> list[dict[str, Any]]:
    """The four small plots below the picture: regret, error, ratio and the eigenvalues of V_t."""
    settled = min(max(run.scenario.tau, 8), T // 3)
    eigenvalues = np.linalg.eigvalsh(run.V[:T])
    return [
        _curve("Regret R(t)", [run.regret[:T]], float(run.regret[T - 1])),
        # The first estimates are far off and would squeeze all the rest.
        _curve("Estimation error", [run.error[:T]], float(run.error[settled:T].max())),
        _curve("Critical ratio", [run.ratio[:T]], _usual(run.ratio[:T])),
        _curve("Eigenvalues of V", [eigenvalues[:, 0], eigenvalues[:, 1]], float(eigenvalues.max()), log=True),
    ]


def _curve(title: str, lines: list[np.ndarray], top: float, log: bool = False) -> dict[str, Any]:
    return {
        "title": title,
        "lines": [_rounded(line, digits=8) for line in lines],
        "top": top if top > 1e-6 else 1.0,
        "log": log,
    }


def _usual(values: np.ndarray) -> float:
    """A little more than 95% of the known values: a few huge ones must not squeeze the rest."""
    known = values[np.isfinite(values)]
    return 1.3 * float(np.quantile(known, 0.95)) if known.size else 1.0


def _packed(run: Trajectory, T: int) -> dict[str, Any]:
    """Some items of every context set as whole 32767ths of the radius, in base64: (T, shown, 2)."""
    shown = min(run.scenario.k, DRAWN)
    scaled = np.round(run.contexts[:T, :shown] / run.scenario.radius * 32767).astype("<i2")
    return {"shown": shown, "data": base64.b64encode(scaled.tobytes()).decode()}


def explored(scenario: Scenario) -> list[list[float]]:
    """The history that exploration leaves."""
    return _rounded(trajectory(scenario, every_item=True).x[: scenario.tau])


@dataclass(frozen=True)
class Ending:
    """What a run in the plane has come to in its last round."""

    theta: np.ndarray  # (2,)
    history: np.ndarray  # (T, 2)
    times_asked: np.ndarray  # (T,)
    estimate: np.ndarray  # (2,)
    semi_axes: np.ndarray  # (2,) of {v : v^T V v = 1}
    angle: float
    regret: np.ndarray  # (T,) cumulative
    error: float


def endings(scenario: Scenario) -> dict[str, Ending]:
    """How the run ends under each ask rule, with the same contexts, taste and luck."""
    return {name: _ending(play(replace(scenario, ask=name)), scenario.horizon) for name in compared_rules(scenario)}


def _ending(run: Trajectory, T: int) -> Ending:
    semi_axes, angle = ellipse(run.V[T])
    asked = run.asked[:T]
    counts = np.bincount(asked[asked >= 0], minlength=T)
    estimate = run.estimate[T]
    return Ending(
        run.theta, run.x[:T], counts, estimate, semi_axes, float(angle), run.regret[:T], float(run.error[T])
    )  # fmt: skip


def _rounded(values: np.ndarray, digits: int = 5) -> Any:
    """Numbers for JSON with some significant digits; None where there is no value."""
    if np.ndim(values):
        return [_rounded(value, digits) for value in values]
    return float(f"{values:.{digits}g}") if np.isfinite(values) else None
