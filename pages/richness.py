"""What pages that measure how rich histories are have in common: how large a scenario may be, and what is exact."""

from dataclasses import replace

from roam_core import Scenario

MOST = {"horizon": 300, "runs": 100, "d": 10, "k": 2000}


def affordable(scenario: Scenario) -> Scenario:
    """The scenario as these pages play it: ROAM, not too large, automatic values filled in."""
    smaller = {name: min(getattr(scenario, name), most) for name, most in MOST.items()}
    tau = None if scenario.tau is None else min(scenario.tau, smaller["horizon"])
    return replace(scenario, algorithm="roam", tau=tau, questions=1, **smaller).resolved()


def is_exact(scenario: Scenario) -> bool:
    """Whether rho(H) is exact; otherwise it is a lower bound, and a share of runs below a limit is an upper one."""
    return scenario.d == 2
