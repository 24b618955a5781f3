"""The language of formulas: what it computes, what it refuses and where, and that no text can do anything else."""

import ast
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from roam_core import KNOBS, Scenario, simulate, stream, trajectory
from roam_core.__main__ import main
from roam_core.formulas import (
    DEEPEST,
    FUNCTIONS,
    GOOD_FIRST,
    MOST_CHARACTERS,
    MOST_OPERATIONS,
    VARIABLES,
    Formula,
    FormulaError,
    apart,
)
from roam_core.links import LINKS
from roam_core.policies import question_variables
from roam_core.scenario import nearest_scenario
from tests import oracle

rng = np.random.default_rng(1)
VALUES = {name: rng.normal(size=(3, 4)) for name in VARIABLES} | {"random": lambda: rng.random((3, 4))}
SMALL = Scenario(d=3, k=40, horizon=50, tau=8, runs=4)
many = settings(max_examples=1500, deadline=None, derandomize=True, database=None)


# What formulas compute


def numpys(text: str) -> np.ndarray:
    """What NumPy makes of a formula that is known to be harmless."""
    names = {"sqrt": np.sqrt, "log": np.log, "exp": np.exp, "abs": np.abs, "min": np.minimum, "max": np.maximum}
    return eval(text, {"__builtins__": {}}, {**VALUES, **names})


@pytest.mark.parametrize(
    "text",
    ["width", "-age", "+t", "slope * reach**2", "width - gap - 1", "2 - 3 + 4 * d", "2**3**2 - r", "-width**2",
     "(1 + 2) / (3 * exp(t)) / 2", "min(width, gap)", "max(width, 0.5)", "sqrt(abs(gap)) + log(abs(r))", ".5e1 + 3.",
     " asked  *1e-3 ", "distance-(-gap)"],
)  # fmt: skip
def test_a_formula_is_arithmetic(text):
    np.testing.assert_array_equal(Formula(text)(VALUES), numpys(text.strip()))


def test_comparisons_are_one_or_zero_and_several_values_have_a_least_and_a_largest():
    gap = VALUES["gap"]
    for sign, holds in {"<": gap < 0.2, "<=": gap <= 0.2, ">": gap > 0.2, ">=": gap >= 0.2}.items():
        np.testing.assert_array_equal(Formula(f"gap {sign} 0.2")(VALUES), holds.astype(float))
    three = [VALUES["gap"], VALUES["width"], VALUES["slope"]]
    np.testing.assert_array_equal(Formula("max(gap, width, slope)")(VALUES), np.max(three, axis=0))
    np.testing.assert_array_equal(Formula("min(gap, width, slope)")(VALUES), np.min(three, axis=0))


numbers = st.floats(0.01, 100).map(lambda x: f"{x:.4g}")
trees = st.recursive(
    st.sampled_from([*VARIABLES]) | numbers,
    lambda inner: (
        st.tuples(inner, st.sampled_from([" + ", "-", "*", " / "]), inner).map(lambda p: f"({p[0]}{p[1]}{p[2]})")
        | st.tuples(st.sampled_from(["abs", "-", "+"]), inner).map(lambda p: f"{p[0]}({p[1]})")
        | st.tuples(inner, inner).map(lambda p: f"max({p[0]}, {p[1]})")
        | inner.map(lambda x: f"({x})**2")
    ),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(trees)
def test_any_formula_of_this_language_is_what_numpy_makes_of_it(text):
    formula, refusal = read(text)
    if refusal:
        assert len(text) > MOST_CHARACTERS or any(word in str(refusal) for word in ("deep", "zero", "finite"))
        return
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(formula(VALUES), numpys(text))
    assert formula.names == {name for name in VARIABLES if name in _words(text)}


def read(text: str) -> tuple[Formula | None, FormulaError | None]:
    """The formula, or why it is refused."""
    try:
        return Formula(text), None
    except FormulaError as refusal:
        return None, refusal


def _words(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


def test_everything_is_a_floating_point_number():
    assert type(Formula("9**9")({})) is np.float64
    assert Formula("7 / 2")({}) == 3.5
    assert Formula("age")({"age": np.arange(3.0)}).dtype == float


def test_every_name_is_explained_and_the_first_formulas_are_good():
    for sentence in (*VARIABLES.values(), *FUNCTIONS.values()):
        assert sentence.endswith(".")
    assert not set(VARIABLES) & set(FUNCTIONS)
    for label, text in GOOD_FIRST.items():
        assert label == label.strip()
        assert Scenario(formula=text).formula == text
        assert np.broadcast_to(Formula(text)(VALUES), (3, 4)).dtype == float
    assert list(GOOD_FIRST.values())[:2] == ["width", "slope * reach**2"]


def test_a_formula_on_screen_has_no_sign_of_markup():
    for text in GOOD_FIRST.values():
        assert "*" not in Formula(text).words
    assert Formula(" slope * reach**2 ").words == "slope · reach^2"


def test_commas_in_brackets_keep_a_text_together():
    assert apart("a,b") == ["a", "b"]
    assert apart("") == [""]
    assert apart("max(a,min(b,c)),d,(") == ["max(a,min(b,c))", "d", "("]
    assert apart("a),b,(c,d") == ["a)", "b", "(c,d"]


# What is refused, and where

REFUSED = [
    ("width.real", 6, "point"), ("(width).real", 8, "point"), ("width. real", 6, "point"),
    ("__import__('os')", 1, "“_”"), ("width['a']", 6, "“[”"), ("'text'", 1, "“'”"), ("wïdth", 2, "“ï”"),
    ("wid\u200bth", 4, "U+200B"), ("wid\nth", 4, "U+000A"), ("ｗidth", 1, "“ｗ”"),
    ("{1}", 1, "“{”"), ("f(x:=1)", 4, "“:”"),
    ("width # note", 7, "“#”"), ("width; gap", 6, "“;”"), ("a@b", 2, "“@”"), ("\\x41", 1, "“\\”"),
    ("print(width)", 1, "no such function"), ("open()", 1, "no such function"), ("width(2)", 1, "not a function"),
    ("2(3)", 1, "no such function"), ("(width)(gap)", 1, "not a function"), ("eval(exec)", 1, "no such function"),
    ("sqrt", 1, "sqrt(...)"), ("width + random", 9, "random()"), ("random(3)", 1, "no value"),
    ("sqrt()", 1, "one value"), ("log(1, 2)", 1, "one value"), ("max(width)", 1, "two or more"),
    ("min()", 1, "two or more"), ("max(*width)", 1, "plain"), ("max(width, gap, key=t)", 1, "plain"),
    ("max(**width)", 1, "plain"),
    ("9**9**9**9", 4, "finite"), ("10**400", 1, "finite"), ("1e999", 1, "too large"), ("2 + 1e308 * 10", 5, "finite"),
    ("width / 0", 9, "zero"), ("1 / (2 - 2)", 6, "zero"), ("0 / 0", 5, "zero"), ("0**-1", 1, "finite"),
    ("width + log(-1)", 9, "finite"), ("sqrt(-2)", 1, "finite"), ("nan", 1, "no such variable"),
    ("inf * width", 1, "no such variable"), ("True", 1, "not a number"), ("None", 1, "not a number"),
    ("...", 1, "not a number"), ("1j", 2, "number ends"), ("0x1f", 2, "number ends"),
    ("1if t else 2", 2, "number ends"),
    ("1.5.2", 4, "number ends"), ("2width", 2, "number ends"), ("1_000", 2, "“_”"), ("007", 1, "missing"),
    ("(" * 50, DEEPEST + 1, "nested"), ("(" * 25 + "t" + ")" * 25, DEEPEST + 1, "nested"),
    ("width)", 6, "never opened"), ("((width)", 1, "never closed"), ("()", 1, ""),
    ("", 1, "missing"), ("   ", 1, "missing"),
    ("width +", 8, "missing"), ("width gap", 7, "missing"), ("  t  t", 6, "missing"), ("* 2", 1, "missing"),
    ("lambda", 7, "missing"), ("width =", 7, "missing"), ("for", 1, "missing"), ("width <", 8, "missing"),
    ("width == 2", 7, "operator"), ("width // 2", 7, "operator"), ("not t", 1, "operator"), ("width <> 2", 7, ""),
    ("width and gap", 1, "only numbers"), ("t if d else r", 1, "only numbers"), ("(t for t in d)", 1, "only numbers"),
    ("await width", 1, ""), ("(yield)", 2, "only numbers"), ("width, gap", 6, "comma"), ("(width, gap)", 7, "comma"),
    ("1 < width < 2", 11, "second comparison"), ("-" * 60 + "t", MOST_OPERATIONS + 1, "operations"),
    ("t" + "+t" * 60, 1, "operations"), ("t" * 300, MOST_CHARACTERS + 1, "characters"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "word"), REFUSED)
def test_what_is_no_formula_gets_a_plain_message_with_the_place(text, place, word):
    with pytest.raises(FormulaError) as refusal:
        Formula(text)
    message = str(refusal.value)
    assert refusal.value.place == place
    assert f"(at character {place})" in message
    assert word in message
    assert "\n" not in message
    assert len(message) < 160
    with pytest.raises(ValueError, match=r"^formula = ") as of_scenario:
        Scenario(formula=text)
    if text.strip() and len(text) <= MOST_CHARACTERS and text == text.strip():
        assert message in str(of_scenario.value)


def test_the_error_survives_the_way_from_another_process():
    error = pickle.loads(pickle.dumps(FormulaError("wrong", 7)))
    assert (str(error), error.place) == ("wrong (at character 7)", 7)


PIECES = [
    *VARIABLES, *FUNCTIONS, "(", ")", "((", "))", ",", " ", "+", "-", "*", "**", "/", "//", "%", "<", "<=", "==", "=",
    ":=",
    ".", "..", "0", "1", "9" * 30, "1e308", "1e-308", "1e9999", "0.0", "1j", "0x", "9**9**9", "__class__", "__import__",
    "lambda", "if", "else", "for", "in", "not", "and", "await", "yield", "None", "True", "import", "eval(", "exec(",
    "open(", "random()", "'", '"', "[", "]", "{", "}", "#", ";", ":", "\n", "\t", "\\", "\x00", "ı", "ｅval", "𝓌", "�",
    "width.__class__", "()", "max(", "*width", "**width", "f'{1}'", "@", "~", "|", "&", "^", "`", "$", "!", "?",
]  # fmt: skip
hostile = st.one_of(
    st.text(max_size=260),
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=30).map(" ".join),
    st.tuples(st.sampled_from(PIECES), st.integers(1, 250)).map(lambda pair: pair[0] * pair[1]),
    st.tuples(trees, st.sampled_from(PIECES), st.integers(0, 200)).map(
        lambda parts: parts[0][: parts[2]] + parts[1] + parts[0][parts[2] :]
    ),
)


@many
@given(hostile)
@example("width" + "**gap" * 38)
@example("(" * 200)
@example("-" * 200)
@example("not " * 49 + "t")
@example("t" + "." * 199)
def test_a_hostile_text_is_a_formula_or_refused(text):
    """Fifteen hundred texts. What is taken has a bounded number of operations, each on an array of the scores' size."""
    formula, refusal = read(text)
    if refusal:
        assert 1 <= refusal.place <= min(len(text), MOST_CHARACTERS) + 1
        assert "\n" not in str(refusal)
        return
    work = [
        node for node in ast.walk(formula._tree) if isinstance(node, ast.BinOp | ast.UnaryOp | ast.Call | ast.Compare)
    ]
    assert len(work) <= MOST_OPERATIONS
    assert formula.names <= {*VARIABLES, "random"}
    scores = np.asarray(formula(VALUES))
    assert scores.dtype == float
    assert scores.shape in ((), (3, 4))


def test_nothing_is_compiled(monkeypatch):
    """Python's parser gives a tree; no code object comes of it."""
    import builtins

    genuine = builtins.compile

    def watched(source, filename, mode, flags=0, *more, **options):
        assert flags & ast.PyCF_ONLY_AST
        return genuine(source, filename, mode, flags, *more, **options)

    for name in ("eval", "exec"):
        monkeypatch.setattr(builtins, name, lambda *_: pytest.fail("it was run"))
    monkeypatch.setattr(builtins, "compile", watched)
    for text in ("width + 41", "max(gap, 1.5) * random()"):
        Formula(text)(VALUES)
    assert read("width + eval(41)")[1].place == 9


# The variables, against plain computations


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize(("horizon", "few"), [(60, True), (420, False)])
def test_the_variables_are_what_they_are_called(link, horizon, few):
    """With few comparisons to eight digits. Later, slopes in H may be wrong by e^0.1: reach by less than 3%."""
    seen = []

    def watched(view, x):
        values = question_variables(view, x)
        assert set(values) == set(VARIABLES)
        assert all(value.shape == (2, view.uncertainty.consumed) for value in values.values())
        for name in VARIABLES:
            if name not in ("gap", "slope"):  # with reach they come in another precision
                np.testing.assert_array_equal(question_variables(view, x, [name])[name], values[name])
        seen.append({name: value[1].copy() for name, value in values.items()})
        return values["width"]

    run = trajectory(replace(SMALL, horizon=horizon, link=link, radius=1.5, runs=2), 1, ask=watched)
    assert run.asked[8:].tolist() == [values["width"].argmax() for values in seen]
    counts = np.zeros(horizon, dtype=int)
    np.add.at(counts, run.asked[1:8], 1)
    for t, values in zip(range(8, horizon), seen, strict=True):
        z, estimate = run.x[t] - run.x[:t], run.estimate[t]
        close = {"rtol": 1e-8, "atol": 1e-10} if few else {"rtol": 3e-5, "atol": 3e-5}
        np.testing.assert_allclose(values["width"], oracle.norm(z, run.V[t]), rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(values["distance"], np.linalg.norm(z, axis=1), atol=1e-12)
        np.testing.assert_allclose(values["gap"], z @ estimate, **close)
        np.testing.assert_allclose(values["slope"], oracle.SLOPE[link](z @ estimate), **close)
        H = oracle.hessian(list(run.z[1:t]), link, 1e-3, estimate)
        reach = oracle.norm(z, H)
        np.testing.assert_allclose(values["reach"], reach, **(close if few else {"rtol": 0.03, "atol": 1e-4}))
        np.testing.assert_array_equal(values["age"], np.arange(t, 0, -1))
        np.testing.assert_array_equal(values["asked"], counts[:t])
        assert [values[name][0] for name in ("t", "d", "r")] == [t + 1, 3, 1.5]
        counts[run.asked[t]] += 1


# The ask rule


def asked(**knobs) -> np.ndarray:
    result = simulate(replace(SMALL, **knobs))
    return np.concatenate([result.asked[:, :, None], result.also_asked], axis=2)


@pytest.mark.parametrize("questions", [1, 3])
@pytest.mark.parametrize(
    ("formula", "rule"),
    [("width", {"ask": "most_uncertain"}), ("slope * reach**2", {"ask": "informative"}), ("-age", {"ask": "previous"}),
     ("width * (age <= 9)", {"ask": "recent", "window": 9}), ("3 * width**2 - 1", {"ask": "most_uncertain"})],
)  # fmt: skip
def test_the_named_rules_as_formulas(formula, rule, questions):
    own = asked(ask="formula", formula=formula, questions=questions)
    np.testing.assert_array_equal(own, asked(**rule, questions=questions))


def test_a_formula_matters_to_its_rule_only():
    np.testing.assert_array_equal(asked(formula="-age"), asked())
    assert SMALL.no_effect("formula")
    assert not replace(SMALL, ask="formula").no_effect("formula")


@pytest.mark.parametrize("formula", ["7", "t * d * r", "0 * width", "log(-1 - width)", "(gap - gap) / (gap - gap)"])
def test_the_first_of_several_with_the_same_score_is_asked_about_and_nan_is_the_least(formula):
    for m in (1, 3):
        about = asked(ask="formula", formula=formula, questions=m)
        np.testing.assert_array_equal(about[:, 8:], np.tile(np.arange(m), (4, 42, 1)))


def test_a_score_that_is_not_a_number_loses_and_an_infinite_one_wins():
    about = asked(ask="formula", formula="sqrt(age - 5) / (age - 5)")[:, 8:, 0]  # NaN up to age 5, best just above
    np.testing.assert_array_equal(about, np.tile(np.arange(8, 50) - 6, (4, 1)))
    about = asked(ask="formula", formula="1 / abs(age - 5)")[:, 8:, 0]
    np.testing.assert_array_equal(about, np.tile(np.arange(8, 50) - 5, (4, 1)))


def test_random_numbers_are_the_same_again_and_as_good_as_any():
    """Uniform over the history: a chi-square test in ten bins at level 1e-3."""
    scenario = replace(SMALL, ask="formula", formula="random() + 0 * random()", runs=45, horizon=200)
    result = simulate(scenario)
    *_, streamed = stream(scenario)
    np.testing.assert_array_equal(result.asked, streamed.asked)
    np.testing.assert_array_equal(result.trajectory(30).asked, result.asked[30])
    t = np.arange(100, 200)
    share = (result.asked[:, 100:] / t).ravel()
    assert stats.chisquare(np.histogram(share, 10, (0, 1))[0]).pvalue > 1e-3
    assert (simulate(replace(scenario, seed=1)).asked != result.asked).any()


# Where a formula travels


def test_a_formula_travels_as_text():
    scenario = Scenario(ask="formula", formula=" max(width, gap) <= 2 ")
    assert scenario.formula == "max(width, gap) <= 2"
    assert Scenario.from_strings(scenario.to_strings()) == scenario == pickle.loads(pickle.dumps(scenario))
    nearest, problems = nearest_scenario({"ask": "formula", "formula": "width.real"})
    assert nearest == Scenario(ask="formula")
    assert "(at character 6). Used instead: width." in problems[0]
    assert KNOBS["formula"].parse_several("width, max(width, gap),width") == ["width", "max(width, gap)"]
    assert "# formula = max(width, gap) <= 2" in list(simulate(replace(scenario, runs=2, horizon=9)).csv())


def test_the_command_line_takes_a_formula(tmp_path, capsys):
    small = ["--d", "2", "--k", "20", "--horizon", "12", "--runs", "2", "--tau", "4", "--ask", "formula"]
    assert main(["run", *small, "--formula", "slope * max(width, reach)"]) == 0
    assert "formula=slope * max(width, reach)" in capsys.readouterr().out
    assert main(["run", *small, "--formula", "width.real"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "(at character 6)" in error
    path = tmp_path / "table.csv"
    for _ in range(2):  # the second time all of it is there
        assert main(["sweep", *small, "--vary", "formula=width,max(width, gap),-age", "--out", str(path)]) == 0
    assert "3 of 3 scenarios are in" in capsys.readouterr().out
    assert '"max(width, gap)"' in path.read_text(encoding="utf-8")
