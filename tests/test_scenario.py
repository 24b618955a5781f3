"""Scenario: what it accepts, what it refuses and how it travels as text."""

from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roam_core import KNOBS, Scenario
from roam_core.formulas import GOOD_FIRST
from roam_core.items import ITEM_LAWS
from roam_core.policies import ALGORITHMS, VARIANTS
from roam_core.scenario import BUDGET, Knob, nearest_scenario


def test_the_defaults_are_the_papers():
    s = Scenario().resolved()
    assert (s.d, s.tau, s.k, s.link, s.horizon, s.runs) == (5, 50, 1000, "logistic", 1000, 100)
    assert (s.radius, s.items, s.ridge, s.algorithm, s.ask) == (1.0, "sphere", 1e-3, "roam", "most_uncertain")


def test_automatic_values_follow_the_other_fields():
    assert Scenario(d=7).resolved().tau == 70
    assert Scenario(d=7, horizon=30).resolved().tau == 30
    assert Scenario(tau=0).resolved().ridge == 0.1
    assert Scenario(tau=1).resolved().ridge == 1e-3
    assert Scenario(tau=0, ridge=0.5).resolved().ridge == 0.5
    assert Scenario(link="probit").resolved().user_link == "probit"
    assert Scenario(link="probit", user_link="cauchit").resolved().user_link == "cauchit"


def test_every_field_is_declared_in_full():
    assert list(KNOBS) == [f.name for f in fields(Scenario)]
    for knob in KNOBS.values():
        assert knob.symbol
        assert knob.label
        assert knob.help.endswith(".")
        assert knob.kind in (int, float, str)
        assert knob.choices or knob.low < knob.high


def test_what_a_sweep_compares_is_allowed():
    assert [name for name, knob in KNOBS.items() if not knob.compared] == ["cost"]
    assert KNOBS["cost"].symbol == "γ"
    for knob in KNOBS.values():
        assert all(isinstance(text, str) for text in knob.compared)
        values = [knob.parse(text) for text in knob.compared]
        assert len(set(values)) == len(values) != 1
        assert not knob.choices or knob.compared == knob.choices
    assert KNOBS["tau"].compared == ("0", "25", "50", "75", "100")
    assert KNOBS["radius"].compared == ("0.3", "1", "3")


def test_values_have_their_words():
    rules = [
        "the most uncertain", "the previous item", "any past item", "most uncertain of last w", "the most informative",
        "the largest score",
    ]  # fmt: skip
    assert list(map(KNOBS["ask"].words, KNOBS["ask"].choices)) == rules
    assert list(map(KNOBS["algorithm"].words, KNOBS["algorithm"].choices)) == ["ROAM", "CoLSTIM"]
    assert KNOBS["user_link"].words("probit") == "probit"
    assert KNOBS["user_link"].words(None) == "the same as the link"
    assert KNOBS["radius"].words(0.3) == "0.3"
    s = Scenario(ask="recent", window=7, items="ball")
    assert [s.words(name) for name in ("ask", "items", "k", "tau")] == [
        "most uncertain of last 7", "ball", "1000", "10 d, at most the horizon",
    ]  # fmt: skip
    s = Scenario(ask="formula", formula="slope * reach**2")
    assert (s.words("ask"), s.words("formula")) == ("the largest slope · reach^2", "slope · reach^2")


def test_a_field_without_effect_says_who_uses_it():
    roam, recent, colstim = Scenario(), Scenario(ask="recent"), Scenario(algorithm="colstim", ask="recent")
    window = "Only the ask rule 'most uncertain of last w' uses it."
    formula = "Only the ask rule 'the largest score' uses it."
    assert {n: why for n in KNOBS if (why := roam.no_effect(n))} == {
        "window": window, "c1": "Only CoLSTIM uses it.", "c2": "Only CoLSTIM uses it.",
        "formula": formula,
    }  # fmt: skip
    assert [n for n in KNOBS if recent.no_effect(n)] == ["c1", "c2", "formula"]
    assert [n for n in KNOBS if Scenario(ask="formula").no_effect(n)] == ["window", "c1", "c2"]
    assert {n: why for n in KNOBS if (why := colstim.no_effect(n))} == dict.fromkeys(
        ["ask", "window", "skip_below", "questions", "formula"], "Only ROAM uses it."
    )


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_is_allowed_where_it_is_named_and_offered_nowhere(name):
    scenario = Scenario(algorithm=name)
    assert scenario.declared is VARIANTS[name]
    assert scenario.words("algorithm") == VARIANTS[name].words
    assert Scenario.from_strings(scenario.to_strings()) == scenario
    assert name not in (*KNOBS["algorithm"].choices, *KNOBS["algorithm"].compared)
    nearest, problems = nearest_scenario({"algorithm": name})
    assert nearest == Scenario()
    assert len(problems) == 1
    assert "one of roam, colstim" in problems[0]


def test_several_questions_count_as_work():
    for algorithm in (*ALGORITHMS, *VARIANTS):  # whatever is allowed of one is allowed of all
        assert Scenario(questions=5, algorithm=algorithm).work == 3 * Scenario().work
    with pytest.raises(ValueError, match="questions = 5 is too much work"):
        Scenario(questions=5, runs=500)
    scenario, problems = nearest_scenario({"questions": "5", "runs": "500"})
    assert (scenario.questions, len(problems)) == (5, 1)


def test_a_scenario_cannot_be_changed_and_can_be_a_key():
    with pytest.raises(FrozenInstanceError):
        Scenario().d = 3
    assert {Scenario(): 1}[Scenario()] == 1


def test_numbers_from_numpy_become_plain_ones():
    s = Scenario(d=np.int64(3), radius=np.float32(0.5), flatness=1)
    assert type(s.d) is int
    assert type(s.radius) is float
    assert type(s.flatness) is float


BAD = [
    ("d", 1), ("d", 51), ("d", 2.5), ("d", "5"), ("d", True), ("d", None), ("d", np.nan),
    ("tau", -1), ("tau", 1001), ("tau", 3.0), ("tau", "auto"),
    ("k", 1), ("k", 0), ("k", -5), ("k", 10**6),
    ("link", "loggistic"), ("link", None), ("link", 3), ("link", ["logistic"]),
    ("horizon", 0), ("horizon", 10**5), ("horizon", float("inf")),
    ("runs", 0), ("runs", -1), ("seed", -1), ("seed", 2**32), ("seed", 1.5),
    ("radius", 0.0), ("radius", float("nan")), ("radius", float("inf")), ("radius", 1j),
    ("items", "cube"), ("flatness", 0.0), ("flatness", 1.01),
    ("ridge", 0.0), ("ridge", -1.0), ("ridge", float("nan")),
    ("algorithm", "ucb"), ("ask", ""), ("window", 0),
    ("c1", -0.1), ("c1", float("nan")), ("c2", -1), ("c2", float("inf")),
    ("skip_below", -0.1), ("skip_below", float("nan")), ("cost", -1.0), ("cost", float("inf")), ("cost", None),
    ("user_link", "auto"), ("user_link", ""), ("user_link", 3), ("user_link", ["logistic"]),
    ("questions", 0), ("questions", 6), ("questions", 1.5), ("questions", None),
    ("formula", ""), ("formula", None), ("formula", 3), ("formula", "width.real"), ("formula", "width " * 40),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), BAD)
def test_a_bad_value_is_refused_with_field_value_and_range(name, value):
    with pytest.raises(ValueError, match=f"^{name} = ") as refusal:
        Scenario(**{name: value})
    message = str(refusal.value)
    knob = KNOBS[name]
    assert repr(value)[:57] in message
    if knob.choices:
        assert all(choice in message for choice in knob.choices)
    elif name == "tau" and value == 1001:
        assert "1000" in message
    else:
        assert str(knob.low) in message
        assert str(knob.high) in message


def test_an_unknown_field_is_refused():
    with pytest.raises(ValueError, match="'colour' is not a field"):
        Scenario.from_strings({"colour": "red"})


def test_work_beyond_the_budget_is_refused_naming_what_to_reduce():
    assert Scenario().work == BUDGET / 10
    with pytest.raises(ValueError, match="too much work") as refusal:
        Scenario(runs=10_000, horizon=10_000)
    for name in ("runs = 10000", "horizon = 10000", "k = 1000", "d = 5"):
        assert name in str(refusal.value)


def test_a_long_bad_value_gives_a_short_message():
    with pytest.raises(ValueError, match="link = ") as refusal:
        Scenario(link="x" * 10_000)
    assert len(str(refusal.value)) < 250


@pytest.mark.parametrize(
    ("name", "text"),
    [("d", "five"), ("d", ""), ("d", "2.5"), ("d", "nan"), ("d", "1e400"), ("k", "0x10"), ("radius", "inf"),
     ("radius", "1,5"), ("link", "LOGISTIC!"), ("tau", "-0.5"), ("seed", "9" * 400), ("c1", "auto"),
     ("user_link", "same"), ("skip_below", "-1")],
)  # fmt: skip
def test_bad_text_is_refused_naming_the_field(name, text):
    with pytest.raises(ValueError, match=f"^{name} = "):
        Scenario.from_strings({name: text})


def test_a_choice_can_be_automatic():
    knob = KNOBS["user_link"]
    assert knob.check(None) is None
    assert knob.parse("auto") is None
    assert knob.parse("cauchit") == "cauchit"
    assert knob.nearest("linear") is None
    assert knob.nearest("3") is None
    assert knob.allowed == "one of logistic, probit, cauchit, or auto (the same as the link)"


def values(knob: Knob):
    """Allowed values of a field, within the budget together with all the others."""
    if knob.choices:
        plain = st.sampled_from(knob.choices)
    elif knob.reader:
        plain = st.sampled_from([*GOOD_FIRST.values(), "max(width, gap) - 1.5"])
    elif knob.kind is int:
        small = {"k": 1000, "horizon": 300, "runs": 100, "tau": 100, "d": 20}  # also with five questions an item
        plain = st.integers(knob.low, small.get(knob.name, knob.high))
    else:
        plain = st.floats(knob.low, knob.high)
    return st.none() | plain if knob.automatic else plain


@given(st.fixed_dictionaries({name: values(knob) for name, knob in KNOBS.items()}))
def test_a_scenario_survives_the_trip_through_strings(drawn):
    if drawn["tau"] is not None:
        drawn["tau"] = min(drawn["tau"], drawn["horizon"])
    drawn["d"] = min(drawn["d"], ITEM_LAWS[drawn["items"]].most_features or drawn["d"])
    scenario = Scenario(**drawn)
    strings = scenario.to_strings()
    assert all(isinstance(text, str) for text in strings.values())
    assert Scenario.from_strings(strings) == scenario
    resolved = scenario.resolved()
    assert resolved == resolved.resolved()
    assert 0 <= resolved.tau <= resolved.horizon


@given(st.sampled_from(list(KNOBS)), st.text())
def test_any_text_is_taken_or_refused_with_a_valueerror(name, text):
    try:
        scenario = Scenario.from_strings({name: text})
    except ValueError:
        with pytest.raises(ValueError, match=name):
            Scenario.from_strings({name: text})
    else:
        assert Scenario.from_strings(scenario.to_strings()) == scenario
