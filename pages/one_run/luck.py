"""A single run is luck: where it lies among many users, and what another setting does to the lucky and the unlucky.

It computes and finds words; no Streamlit here.
"""

from dataclasses import dataclass, replace

import numpy as np

from pages.one_run.scene import in_plane
from pages.words import spoken
from roam_core import Result, Scenario

USERS = 100
LUCKY = 0.8  # of the users: a run that is better than so many is called lucky
TENTH = 0.1
RESAMPLES = 400


@dataclass(frozen=True)
class Users:
    """What the users of one setting have paid in the end."""

    name: str  # of the setting, in a sentence
    detail: str  # what follows the name when it is first said
    scenario: Scenario
    regrets: np.ndarray  # (n,) at T

    @property
    def median(self) -> float:
        """What the user in the middle pays."""
        return float(np.median(self.regrets))

    @property
    def usual(self) -> tuple[float, float]:
        """What 10% and what 90% of the users stay below."""
        low, high = np.quantile(self.regrets, (TENTH, 1 - TENTH))
        return float(low), float(high)

    @property
    def unluckiest(self) -> float:
        """What the tenth of the users who pay most pay on average."""
        return float(_unluckiest(self.regrets))

    @property
    def unluckiest_band(self) -> float:
        """Half the width of its 95% band: what other users like these might have paid, by a bootstrap."""
        n = len(self.regrets)
        others = np.random.default_rng(0).choice(self.regrets, (RESAMPLES, n))
        return 2 * float(_unluckiest(others).std())


def _unluckiest(regrets: np.ndarray) -> np.ndarray:
    """The mean of the largest tenth of regrets (..., n)."""
    most = max(1, round(TENTH * regrets.shape[-1]))
    return np.sort(regrets)[..., -most:].mean(-1)


def many(scenario: Scenario) -> Scenario:
    """The scenario as the page plays it, with many users."""
    return replace(in_plane(scenario), runs=USERS)


def explores_as_in_the_paper(scenario: Scenario) -> bool:
    """Whether exploration and questions are those of the paper."""
    paper = Scenario()
    return (in_plane(scenario).tau, scenario.ask) == (in_plane(replace(scenario, tau=paper.tau)).tau, paper.ask)


def compared(scenario: Scenario) -> Scenario:
    """What to compare a setting with: the paper's way to explore and ask, or no exploration if it is that already."""
    paper = Scenario()
    if explores_as_in_the_paper(scenario):
        return many(replace(scenario, tau=0))
    return many(replace(scenario, tau=paper.tau, ask=paper.ask))


def users(results: tuple[Result, Result], scenario: Scenario) -> tuple[Users, Users]:
    """What the users of a setting have paid, and those of the one it is compared with."""
    here, other = results
    if explores_as_in_the_paper(scenario):
        name, detail = "no exploration", ""
    else:
        name, detail = "the paper's way", f" (τ = {other.scenario.tau}, ask about {other.scenario.words('ask')})"
    return (
        Users("this setting", "", here.scenario, here.regret[:, -1]),
        Users(name, detail, other.scenario, other.regret[:, -1]),
    )


def standing(own: float, among: Users) -> str:
    """Where a run lies among the users of its setting, in words."""
    n, better = len(among.regrets), int((among.regrets > own).sum())
    kind = "A lucky" if better >= LUCKY * n else "An unlucky" if better <= (1 - LUCKY) * n else "An ordinary"
    return f"**{kind} run: better than {better} of {n} users.**"


def bargain(here: Users, other: Users) -> str:
    """Which of two settings is better for the usual user, and which for the unlucky ones, in words."""
    medians, tails = ([spoken(getattr(group, kind)) for group in (here, other)] for kind in ("median", "unluckiest"))
    said = (
        f"The median user pays {medians[0]} with {here.name} and {medians[1]} with {other.name}{other.detail}. "
        f"The unluckiest tenth pays {tails[0]} and {tails[1]} on average."
    )
    if len(set(medians)) == 1 or len(set(tails)) == 1:
        return said
    for_most = here if here.median < other.median else other
    gap, band = here.unluckiest - other.unluckiest, np.hypot(here.unluckiest_band, other.unluckiest_band)
    if abs(gap) <= band:
        return f"{said} So {for_most.name} was better for most; for the unluckiest it is too close to call."
    for_unlucky = here if here.unluckiest < other.unluckiest else other
    if for_most is for_unlucky:
        return f"{said} So {for_most.name} was better for both."
    if for_most.scenario.ask == for_unlucky.scenario.ask and for_most.scenario.tau < for_unlucky.scenario.tau:
        return f"{said} That is what exploration buys: not a lower regret for most, but safety from the bad tail."
    return f"{said} So {for_most.name} was better for most, {for_unlucky.name} for the unlucky."
