"""Questions chosen by hand: the run they lead to, and all the rest of the luck as in the ordinary run."""

from dataclasses import fields, replace

import numpy as np
import pytest

from roam_core import Scenario, Trajectory, simulate, trajectory
from roam_core.links import LINKS
from roam_core.policies import ASK_RULES
from tests.test_engine import makes_the_oracle_choices

SMALL = Scenario(d=2, k=60, horizon=60, tau=10, runs=6, window=7, seed=3)
CHOSEN = {5: 2, 12: 1, 13: 9, 30: 29, 31: 11, 60: 4}  # in exploration, at its end, and in the last round


def same(one: Trajectory, other: Trajectory, rounds: int | None = None) -> None:
    """Bit for bit, in the first `rounds` rounds; the estimate and V of the round after are those they lead to."""
    for field in fields(Trajectory):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, np.ndarray):
            cut = slice(None) if field.name == "theta" else slice(rounds)
            np.testing.assert_array_equal(mine[cut], theirs[cut], err_msg=field.name)


@pytest.mark.parametrize("every_item", [False, True])
@pytest.mark.parametrize("ask", ASK_RULES)
def test_no_choices_and_the_rules_own_choices_are_the_ordinary_run(ask, every_item):
    scenario = replace(SMALL, ask=ask, runs=1)  # choices are for a whole batch, whose estimates round together
    ordinary = trajectory(scenario, 0, every_item)
    same(trajectory(scenario, 0, every_item, by_hand={}), ordinary)
    of_the_rule = {t: int(ordinary.asked[t - 1]) + 1 for t in range(2, 61)}
    same(trajectory(scenario, 0, every_item, by_hand=of_the_rule), ordinary)
    np.testing.assert_array_equal(ordinary.by_rule, ordinary.asked)
    if not every_item:
        many = replace(SMALL, ask=ask)
        np.testing.assert_array_equal(trajectory(many, 4).asked, simulate(many).asked[4])


@pytest.mark.parametrize("ask", ASK_RULES)
def test_the_world_and_the_luck_do_not_depend_on_the_choices(ask):
    scenario = replace(SMALL, ask=ask)
    ordinary, chosen = (trajectory(scenario, every_item=True, by_hand=by_hand) for by_hand in (None, CHOSEN))
    for name in ("theta", "contexts", "best"):
        np.testing.assert_array_equal(getattr(chosen, name), getattr(ordinary, name))
    np.testing.assert_array_equal(chosen.x[:10], ordinary.x[:10])  # exploration recommends at random
    for t, item in CHOSEN.items():
        assert chosen.asked[t - 1] == item - 1
    others = [t for t in range(1, 61) if t not in CHOSEN]
    np.testing.assert_array_equal(chosen.asked[np.array(others) - 1], chosen.by_rule[np.array(others) - 1])
    assert (chosen.x[12:] != ordinary.x[12:]).any(), "what was learnt makes no difference"
    # One draw a round: the answer is 1 where it lies below F. So the two runs bracket it, and must never contradict.
    F = LINKS["logistic"].F
    chances = [F(np.vecdot(run.z, run.theta))[1:] for run in (ordinary, chosen)]
    above = [np.where(run.outcome[1:] == 0, p, 0.0) for run, p in zip((ordinary, chosen), chances, strict=True)]
    below = [np.where(run.outcome[1:] == 1, p, 1.0) for run, p in zip((ordinary, chosen), chances, strict=True)]
    assert (np.maximum(*above) < np.minimum(*below)).all()


def test_the_rule_random_draws_the_same_items_whatever_is_chosen():
    scenario = replace(SMALL, ask="random")
    ordinary, chosen = (trajectory(scenario, every_item=True, by_hand=by_hand) for by_hand in (None, CHOSEN))
    np.testing.assert_array_equal(chosen.by_rule, ordinary.asked)


def test_a_run_is_the_same_up_to_the_first_choice():
    ordinary, chosen = (trajectory(SMALL, every_item=True, by_hand=by_hand) for by_hand in (None, {31: 30}))
    same(chosen, ordinary, 30)
    np.testing.assert_array_equal(chosen.x[30], ordinary.x[30])
    np.testing.assert_array_equal(chosen.estimate[30], ordinary.estimate[30])
    assert (chosen.estimate[31] != ordinary.estimate[31]).any()


@pytest.mark.parametrize("ask", ASK_RULES)
@pytest.mark.parametrize("link", ["logistic", "probit"])
def test_chosen_questions_are_those_of_the_oracle(link, ask):
    scenario = replace(SMALL, link=link, ask=ask, d=3, radius=1.5)
    run = trajectory(scenario, 5, every_item=True, by_hand=CHOSEN)
    assert makes_the_oracle_choices(run, CHOSEN)
    V = 1e-3 * np.eye(3) + np.einsum("ti,tj->ij", run.z[1:59], run.z[1:59])
    np.testing.assert_allclose(run.V[59], V, atol=1e-9)


def test_of_several_questions_the_first_is_chosen():
    scenario = replace(SMALL, questions=2)
    run = trajectory(scenario, every_item=True, by_hand={20: 3, 21: 3})
    assert run.asked[19] == run.asked[20] == 2
    assert run.by_rule[19] != 2


@pytest.mark.parametrize(
    ("by_hand", "said"),
    [
        ({1: 1}, "round 1, allowed are rounds 2 to 60"),
        ({61: 3}, "round 61, allowed are rounds 2 to 60"),
        ({7: 7}, "round 7 about the item of round 7, allowed are 1 to 6"),
        ({7: 0}, "about the item of round 0, allowed"),
        ({7: -1}, "about the item of round -1, allowed"),
    ],
)
def test_a_question_about_no_past_item_is_refused(by_hand, said):
    with pytest.raises(ValueError, match=said):
        trajectory(SMALL, by_hand=by_hand)


def test_who_does_not_ask_the_past_cannot_be_told_to():
    with pytest.raises(ValueError, match="CoLSTIM does not ask about past items"):
        trajectory(replace(SMALL, algorithm="colstim"), by_hand={7: 3})
