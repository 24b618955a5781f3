"""Where a run lies among many users, and what exploration buys: quantiles, comparisons and words."""

from dataclasses import replace

import numpy as np
import pytest

from pages.one_run.luck import USERS, Users, bargain, compared, many, standing, users
from pages.one_run.presets import PRESETS
from pages.one_run.scene import in_plane
from roam_core import Scenario, simulate

SMALL = Scenario(horizon=40, k=20)


def paid(*regrets: float, **changes) -> Users:
    name = changes.pop("name", "this setting")
    return Users(name, changes.pop("detail", ""), in_plane(replace(SMALL, **changes)), np.array(regrets))


def test_median_range_and_tail_are_those_of_the_regrets():
    regrets = np.arange(1.0, 101.0)
    group = paid(*np.random.default_rng(1).permutation(regrets))
    assert group.median == 50.5
    assert group.usual == pytest.approx((10.9, 90.1))
    assert group.unluckiest == np.mean(np.arange(91, 101))
    assert paid(3.0, 5.0).unluckiest == 5  # the first two users: one of them is the unluckiest tenth


@pytest.mark.parametrize(
    ("own", "words"),
    [
        (2.5, "**A lucky run: better than 98 of 100 users.**"),
        (50.0, "**An ordinary run: better than 50 of 100 users.**"),
        (99.5, "**An unlucky run: better than 1 of 100 users.**"),
        (200.0, "**An unlucky run: better than 0 of 100 users.**"),
    ],
)
def test_a_run_is_better_than_those_who_pay_more(own, words):
    assert standing(own, paid(*np.arange(1.0, 101.0))) == words


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_setting_is_compared_with_the_papers_or_with_none_at_all(preset):
    scenario = Scenario(**preset.changes)
    here, other = many(scenario), compared(scenario)
    assert (here.runs, other.runs) == (USERS, USERS)
    assert here != other
    assert (other.tau, other.ask) == (0 if (here.tau, here.ask) == (20, "most_uncertain") else 20, "most_uncertain")
    assert replace(other, tau=here.tau, ask=here.ask, ridge=here.ridge) == here  # nothing else differs
    assert other.ridge == (0.1 if other.tau == 0 else 1e-3)


def test_names_say_what_is_compared():
    result = simulate(replace(many(SMALL), runs=2))
    here, other = users((result, result), SMALL)
    assert (here.name, other.name, other.detail) == ("this setting", "no exploration", "")
    other = users((result, result), replace(SMALL, tau=3))[1]
    assert (other.name, other.detail) == ("the paper's way", " (τ = 20, ask about the most uncertain)")
    np.testing.assert_array_equal(here.regrets, result.regret[:, -1])


def test_what_exploration_buys_is_read_from_the_users():
    safe, risky = paid(10, 11, 12, tau=20), paid(5, 6, 90, tau=0, name="no exploration")
    assert "The median user pays 11 with this setting and 6 with no exploration." in bargain(safe, risky)
    assert "The unluckiest tenth pays 12 and 90 on average." in bargain(safe, risky)
    for pair in ((safe, risky), (risky, safe)):
        assert bargain(*pair).endswith("not a lower regret for most, but safety from the bad tail.")
    good = paid(1, 2, 3, tau=20, name="the paper's way", detail=" (long)")
    assert bargain(risky, good).endswith("So the paper's way was better for both.")
    assert "with the paper's way (long)." in bargain(risky, good)
    lazy = paid(5, 6, 90, tau=20, ask="previous")
    assert bargain(lazy, safe).endswith("was better for most, this setting for the unlucky.")
    assert bargain(safe, safe).endswith("on average.")  # no difference, no verdict


def test_in_the_plane_exploration_costs_most_users_and_saves_the_unluckiest():
    """What the page says of the paper's setting is so for more users than it shows."""
    explore, plunge = (
        paid(*simulate(replace(many(Scenario(horizon=100, k=200, tau=tau)), runs=200)).regret[:, -1], tau=tau)
        for tau in (20, 0)
    )
    assert explore.median > 1.3 * plunge.median
    assert explore.unluckiest < 0.85 * plunge.unluckiest
