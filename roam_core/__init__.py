"""ROAM (Regret Once, Ask Many): simulation of the history-constrained contextual dueling bandit."""

from roam_core.result import Result, Trajectory, trajectory
from roam_core.roam import Roam
from roam_core.scenario import KNOBS, Scenario
from roam_core.simulate import simulate, stream
from roam_core.sweep import grid, sweep

__all__ = ["KNOBS", "Result", "Roam", "Scenario", "Trajectory", "grid", "simulate", "stream", "sweep", "trajectory"]
