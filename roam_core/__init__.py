"""ROAM (Regret Once, Ask Many): simulation of the history-constrained contextual dueling bandit."""

from roam_core.result import Result, Trajectory
from roam_core.scenario import KNOBS, Scenario
from roam_core.simulate import simulate, stream

__all__ = ["KNOBS", "Result", "Scenario", "Trajectory", "simulate", "stream"]
