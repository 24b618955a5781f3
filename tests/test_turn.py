"""A visitor's turn: the picture of their run, up to the round they have reached, beside ROAM's."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pages import parameters, scenario_controls
from pages.one_run import page
from pages.one_run.scene import in_plane, play, scene
from pages.one_run.telling import item_name
from pages.one_run.turn import QUESTION, beside_roam, by_hand, reached, your_run
from roam_core import Scenario, Trajectory, trajectory
from roam_core.policies import ASK_RULES
from tests.test_one_run import picture
from tests.test_pages import Session, visit

SHOWN = in_plane(Scenario(horizon=80, tau=10, k=300, seed=5))
ROAM, SCENE = play(SHOWN), scene(SHOWN)
CHOICES = ((24, 0), (25, 3), (26, 11), (27, 0), (28, 24))  # it is the visitor's turn in round 29
CHOSEN = {25: 3, 26: 11, 28: 24}
OPEN = 29


def played(by_hand: dict[int, int], scenario: Scenario = SHOWN) -> Trajectory:
    return trajectory(replace(scenario, horizon=scenario.horizon + 1), every_item=True, by_hand=by_hand)


def turn(choices: tuple, scenario: Scenario = SHOWN) -> dict:
    roam = SCENE if scenario == SHOWN else scene(scenario)
    return beside_roam(roam, your_run(scenario, choices), choices)


RUN, SHOWS = played(CHOSEN), turn(CHOICES)


def test_it_shows_the_run_with_the_questions_chosen():
    assert by_hand(CHOICES) == CHOSEN
    assert (SHOWS["T"], SHOWS["ends"], SHOWS["turn"]["open"]) == (80, OPEN, OPEN)
    for name in ("x", "best", "estimate"):
        np.testing.assert_allclose(SHOWS[name][:OPEN], getattr(RUN, name)[:OPEN], rtol=1e-4, atol=1e-6)
    assert SHOWS["asked"][: OPEN - 1] == RUN.asked[: OPEN - 1].tolist()
    assert (RUN.x[25:OPEN] != ROAM.x[25:OPEN]).any(), "the choices make no difference"
    a, b, _ = SHOWS["ellipsoids"]["V"]["axes"][OPEN - 1]
    np.testing.assert_allclose(np.array([a, b]) ** -2.0, np.linalg.eigvalsh(RUN.V[OPEN - 1]), rtol=1e-3)
    assert SHOWS["contexts"] == SCENE["contexts"]  # the same items on offer
    np.testing.assert_allclose(SHOWS["turn"]["roam"][:OPEN], ROAM.estimate[:OPEN], rtol=1e-4, atol=1e-6)


def test_the_round_reached_has_no_question_yet_and_nothing_beyond_it_is_told():
    i = OPEN - 1
    assert (SHOWS["asked"][i], SHOWS["outcome"][i]) == (-1, None)
    assert SHOWS["estimate"][i + 1] == SHOWS["estimate"][i]
    for ellipsoid in SHOWS["ellipsoids"].values():
        assert ellipsoid["axes"][i + 1] == ellipsoid["axes"][i]
        assert len(ellipsoid["axes"]) == len(ellipsoid["matrices"]) == OPEN + 1
    for name in ("x", "best", "asked", "outcome", "reach", "norm", "words", "stages"):
        assert len(SHOWS[name]) == OPEN
    assert SHOWS["words"][i].endswith(f"Round {OPEN}: which past item would you ask about?")
    assert SHOWS["stages"][i][1:] == [QUESTION] * 3
    assert SHOWS["curves"][2]["lines"][0][i] is None


def shrinks(run: Trajectory, t: int, index: int) -> str:
    """By how much the area of the ellipse {v : v^T V v <= 1} shrinks, from determinants."""
    z = run.x[t] - run.x[index]
    left = np.linalg.det(run.V[t] + np.outer(z, z)) / np.linalg.det(run.V[t])
    return f"{100 * (1 - left**-0.5):.1f}%"


def test_what_the_rule_would_have_asked_is_said_afterwards():
    for t in (24, 25, 27):
        rule = int(RUN.by_rule[t])
        assert (
            rule
            == np.linalg.norm((RUN.x[t] - RUN.x[:t]) @ np.linalg.cholesky(np.linalg.inv(RUN.V[t])), axis=1).argmax()
        )
        said = (
            f"shrank the area of V's ellipsoid by {shrinks(RUN, t, CHOSEN[t + 1] - 1)}; the rule's, about item "
            f"{item_name(rule)} of "
        )
        assert f"{said}round {rule + 1}, would have shrunk it by {shrinks(RUN, t, rule)}." in SHOWS["words"][t]
        assert SHOWS["stages"][t][1].startswith(
            f"You asked about item {item_name(CHOSEN[t + 1] - 1)} of round {CHOSEN[t + 1]}. Your question shrank"
        )
    winner = "new" if RUN.outcome[27] else "old"
    assert SHOWS["words"][OPEN - 1].startswith(
        f"You asked about item X of round 24: the user preferred the {winner} one."
    )
    by_rule = turn(CHOICES[:4])["words"][27]
    assert by_rule.startswith(
        f"The rule asked about item {item_name(RUN.asked[26])} of round {RUN.asked[26] + 1}: the "
    )
    assert turn(CHOICES[:1])["words"][24] == "Round 25: which past item would you ask about?"
    same = int(ROAM.asked[24]) + 1
    assert "The rule would have asked the same." in turn(((25, same),))["words"][25]


def test_an_error_that_rises_is_said_to_be_luck():
    seen = set()
    for last in range(25, 35):
        before, after = (float(f"{error:.2f}") for error in ROAM.error[last - 1 : last + 1])
        said = your_run(SHOWN, ((last - 1, 0), (last, 0)))["words"][last]
        assert ("rose from" in said) == ("a single answer can mislead" in said) == (after > before)
        assert ("fell from" in said) == (after < before)
        seen.add(np.sign(after - before))
    assert {-1, 1} <= seen


def test_regret_and_error_of_both_are_in_the_curves_and_in_words():
    regret, error, ratio, eigenvalues = SHOWS["curves"]
    assert all(curve["window"] == [25, 45] for curve in SHOWS["curves"])
    assert regret["names"] == error["names"] == ["you", "ROAM"]
    assert (regret["colours"], ratio["colours"]) == (["yours", "new"], ["yours"])
    for curve, of_run in ((regret, lambda run: run.regret - run.regret[24]), (error, lambda run: run.error)):
        yours, roams = curve["lines"]
        assert yours[:24] == roams[:24] == [None] * 24
        np.testing.assert_allclose(yours[24:], of_run(RUN)[24:OPEN], rtol=1e-3, atol=1e-3)
        np.testing.assert_allclose(roams[24:], of_run(ROAM)[24:45], rtol=1e-3, atol=1e-3)
        assert curve["top"] >= max(yours[24:] + roams[24:])
    np.testing.assert_allclose(eigenvalues["lines"][0][24:], np.linalg.eigvalsh(RUN.V[24:OPEN])[:, 0], rtol=1e-4)
    beside = SHOWS["turn"]["beside"]
    assert len(beside) == OPEN
    assert all("so far both runs are one" in said for said in beside[:25])
    assert beside[25].startswith("Round 26, same luck.")
    for t in (27, OPEN):
        paid, off = ([f"{value:.2f}" for value in values] for values in (
            [run.regret[t - 1] - run.regret[24] for run in (RUN, ROAM)], [run.error[t - 1] for run in (RUN, ROAM)],
        ))  # fmt: skip
        assert beside[t - 1].startswith(
            f"Rounds 26 to {t}, same luck. Regret: yours {paid[0]}, ROAM's {paid[1]}. "
            f"Error of the estimate now: yours {off[0]}, ROAM's {off[1]}. "
        )


def verdict(yours: tuple[float, float], roams: tuple[float, float]) -> str:
    """What is said of two runs that differ from round 3 on, with this regret and error in round 4."""
    lines = {
        name: [{"lines": [[0.0, 0.0, values[0], values[0]]]}, {"lines": [[1.0, 1.0, values[1], values[1]]]}]
        for name, values in (("yours", yours), ("roam", roams))
    }
    estimate = [[0.0, 0.0]] * 5
    both = {"x": [0] * 4, "T": 4, "tau": 1, "estimate": estimate}
    found = beside_roam({**both, "curves": lines["roam"]}, {**both, "curves": lines["yours"]}, ((2, 1), (3, 1)))
    return found["turn"]["beside"][-1]


@pytest.mark.parametrize(
    ("yours", "roams", "said"),
    [
        ((1.0, 0.5), (2.0, 0.6), "You are ahead in regret and error. In one run that can be luck."),
        ((2.0, 0.5), (2.0, 0.6), "You are ahead in error. In one run that can be luck."),
        ((3.0, 0.6), (2.0, 0.6), "ROAM is ahead in regret. In one run that can be luck."),
        ((3.0, 0.7), (2.0, 0.6), "ROAM is ahead in regret and error. In one run that can be luck."),
        ((1.0, 0.7), (2.0, 0.6), "You are ahead in regret, ROAM in error. In one run that can be luck."),
        ((3.0, 0.5), (2.0, 0.6), "You are ahead in error, ROAM in regret. In one run that can be luck."),
        ((2.001, 0.6), (2.002, 0.6), "There is nothing between them yet."),
    ],
)
def test_it_is_said_who_is_ahead(yours, roams, said):
    assert verdict(yours, roams).endswith(said)


def test_who_asks_as_the_rule_does_has_roams_run():
    own = tuple((t, int(ROAM.asked[t - 1]) + 1) for t in range(21, 81))
    for choices in (own, ((20, 0), (80, 0)), ((80, 0),)):
        whole = turn(choices)
        assert (whole["ends"], whole["turn"]["open"]) == (80, None)
        for name in ("x", "estimate", "asked", "outcome", "ellipsoids"):
            assert whole[name] == SCENE[name]
    assert turn(((20, 0), (80, 0)))["words"] == SCENE["words"]


def test_the_rest_by_the_rule_goes_on_from_the_last_choice():
    whole, run = turn((*CHOICES, (80, 0))), played(CHOSEN)
    np.testing.assert_allclose(whole["estimate"], run.estimate, rtol=1e-4, atol=1e-6)
    assert whole["asked"] == run.asked[:80].tolist()
    assert whole["curves"][0]["window"] == [25, 80]
    assert reached(CHOICES, 80) == OPEN
    assert reached((*CHOICES, (80, 0)), 80) == 80


ODD = [{"horizon": 1}, {"horizon": 2}, {"tau": 0, "horizon": 3}, {"tau": 30}, {"radius": 10.0}, {"k": 2}]


@pytest.mark.parametrize("rule", ASK_RULES)
@pytest.mark.parametrize("changes", ODD, ids=str)
def test_odd_scenarios_have_a_turn_without_nan(changes, rule):
    """Also in exploration, in the first rounds and in the last one."""
    shown = in_plane(replace(Scenario(horizon=30, k=20, ask=rule), **changes))
    T = shown.horizon
    for choices in (((1, 0),), ((2, 1),), ((2, 1), (3, 1)), ((T, 0),), ((T - 1, 0), (T, T - 1)), ((T, 1),)):
        if not all(item < t <= T and t > 0 for t, item in choices) or choices[0][0] >= choices[-1][0] > choices[0][0]:
            continue
        text = json.dumps(turn(choices, shown), allow_nan=False)
        assert "nan" not in text
        assert "inf" not in text.replace("information", "")


# The page


@pytest.mark.usefixtures("at_a_glance")
def test_a_link_with_choices_shows_the_round_reached():
    app = visit("one_run", horizon="80", seed="5", yours="24.0_25.3_26.11")
    shown = picture(app)
    assert not app.warning
    assert shown["view"]["round"] == shown["scene"]["ends"] == 27
    expected = played({25: 3, 26: 11}, in_plane(app.session_state.scenario))
    np.testing.assert_allclose(shown["scene"]["estimate"][26], expected.estimate[26], rtol=1e-4)
    assert app.query_params["yours"] == "24.0_25.3_26.11"
    assert any("Your questions on ROAM's luck" in text.value for text in app.markdown)
    next(button for button in app.button if button.label == "New seed").click().run()  # another scenario ends it
    assert "turn" not in picture(app)["scene"]
    assert "yours" not in app.query_params


@pytest.mark.usefixtures("at_a_glance")
def test_a_link_may_show_an_earlier_round_of_the_turn_but_no_later_one():
    assert picture(visit("one_run", yours="25.3", round="9"))["view"]["round"] == 9
    assert picture(visit("one_run", yours="25.3", round="50"))["view"]["round"] == 26


@pytest.mark.usefixtures("at_a_glance")
@pytest.mark.parametrize("said", ["61.3", "26.3_25.4", "_".join(["25.3"] * 5000)])
def test_a_turn_that_cannot_be_is_refused_and_the_page_works(said):
    app = visit("one_run", yours=said)
    assert [text.value for text in app.warning if "ROAM's own run" in text.value]
    assert "turn" not in picture(app)["scene"]
    assert "yours" not in app.query_params


def test_the_page_takes_over_what_the_browser_sends(monkeypatch):
    session = Session(scenario=Scenario(horizon=80))
    for room in (page, parameters, scenario_controls):
        monkeypatch.setattr(room, "st", SimpleNamespace(session_state=session))

    def send(said: str) -> None:
        session["plane"] = SimpleNamespace(yours=said)
        page.asked()

    page.STAGE.set("learn")
    send("25.3_26.11")
    assert (page.YOURS.value, page.ROUND.value, page.STAGE.value) == (((25, 3), (26, 11)), 27, None)
    for nonsense in ("81.3", "x", "26.3_25.1"):  # or of a scenario that is gone
        send(nonsense)
        assert page.YOURS.value == ((25, 3), (26, 11))
    send("")
    assert (page.YOURS.value, page.ROUND.value) == (None, 27)
