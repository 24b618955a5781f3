"""A score for every past item, written as a formula: arithmetic with the variables below, and nothing else.

Python's own parser reads the text; of what it finds only numbers, these names, operators and functions are known, and
whatever else is in it is refused with its place. Nothing is compiled or run: a formula is worked out on arrays of
floating-point numbers, an operation at a time, so that a score takes a bounded time and no power can grow beyond
infinity.
"""

import ast
import re
from collections.abc import Mapping
from functools import cached_property, lru_cache, reduce
from typing import Any

import numpy as np

MOST_CHARACTERS = 200
MOST_OPERATIONS = 40  # operators and functions
DEEPEST = 20  # brackets in brackets

VARIABLES: dict[str, str] = {
    "width": "The uncertainty of the question, |x − y| in V⁻¹: large where few questions pointed that way. "
    "The paper's rule asks where it is largest.",
    "reach": "The same with H for V, |x − y| in H⁻¹: an earlier question counts only as much as its answer was open.",
    "slope": "How open the answer is, the link's slope F′ at the gap: largest for a toss-up, near zero where the "
    "answer is known beforehand.",
    "gap": "By how much x looks better than y: the estimated difference in utility, negative where y looks better.",
    "distance": "How different the two items are, |x − y|.",
    "age": "How many rounds ago y was consumed: 1 for the item just before.",
    "asked": "How often the user has been asked about y so far.",
    "t": "The number of the round.",
    "d": "How many features describe an item.",
    "r": "The largest item norm, which scales every utility.",
}
FUNCTIONS: dict[str, str] = {
    "sqrt": "The square root.",
    "log": "The natural logarithm.",
    "exp": "The exponential function.",
    "abs": "The value without its sign.",
    "min": "The smallest of two or more values.",
    "max": "The largest of two or more values.",
    "random": "A new random number between 0 and 1 for every past item: random().",
}
# What to begin with: label -> formula.
GOOD_FIRST: dict[str, str] = {
    "The paper's rule": "width",
    "The most informative": "slope * reach**2",
    "Slope and width": "slope * width**2",
    "The closest call": "-abs(gap)",
    "The most different": "distance",
    "Seldom asked": "width / (1 + asked)",
    "Of the last 50": "width * (age <= 50)",
    "The previous item": "-age",
    "Any past item": "random()",
}

_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,+-*/()<>=")
# A number that goes on with a letter or a second point, as 1j or 2if or 0x1f
_NO_NUMBER = re.compile(r"(?<![A-Za-z0-9.])(?>\d+\.?\d*|\.\d+)(?>(?:[eE][+-]?\d+)?)(?=[A-Za-z.])")
_OPERATORS = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
    ast.USub: np.negative,
    ast.UAdd: np.positive,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
}
_OF_ONE = {"sqrt": np.sqrt, "log": np.log, "exp": np.exp, "abs": np.abs}
_OF_SEVERAL = {"min": np.minimum, "max": np.maximum}


class FormulaError(ValueError):
    """What is wrong with a formula, in plain words, and where: `place` is the number of a character, from 1."""

    def __init__(self, wrong: str, place: int):
        super().__init__(f"{wrong} (at character {place})")
        self.wrong, self.place = wrong, place

    def __reduce__(self):
        return FormulaError, (self.wrong, self.place)


class Formula:
    """A formula that has been read; FormulaError if it cannot be.

    >>> Formula("slope * reach**2")({"slope": np.array([0.25, 0.1]), "reach": np.array([2.0, 4.0])})
    array([1. , 1.6])
    >>> sorted(Formula("max(width, 2) - 0 * random()").names)
    ['random', 'width']
    >>> Formula("width.real")
    Traceback (most recent call last):
    ...
    roam_core.formulas.FormulaError: a point belongs into a number only (at character 6)
    """

    def __init__(self, text: str):
        self.text = text
        self._tree = _read(text)

    @cached_property
    def names(self) -> frozenset[str]:
        """The variables that it names, and "random" if it draws random numbers."""
        found = {node.id for node in ast.walk(self._tree) if isinstance(node, ast.Name)}
        return frozenset(found & {*VARIABLES, "random"})

    @property
    def words(self) -> str:
        """The formula as it is shown, without a sign that could be taken for markup.

        >>> Formula("slope * reach**2").words
        'slope · reach^2'
        """
        return self.text.strip().replace("**", "^").replace("*", "·")

    def __call__(self, values: Mapping[str, Any]) -> Any:
        """The scores for the values of the variables in `names`: arrays of one shape, or numbers.

        `values["random"]` is a function that draws such an array. Where a formula divides by zero or takes the
        logarithm of a negative number, the score is infinite or NaN; who compares scores must expect that.
        """
        with np.errstate(all="ignore"):
            return _value(self._tree, values)


def apart(text: str) -> list[str]:
    """The parts of a text between those commas that are in no brackets.

    >>> apart("width,max(width, gap),-age")
    ['width', 'max(width, gap)', '-age']
    """
    parts, depth = [""], 0
    for character in text:
        depth = max(0, depth + (character == "(") - (character == ")"))
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts


@lru_cache(maxsize=256)
def _read(text: str) -> ast.expr:
    """The syntax tree of a formula, all of it known."""
    if len(text) > MOST_CHARACTERS:
        raise FormulaError(f"a formula has at most {MOST_CHARACTERS} characters", MOST_CHARACTERS + 1)
    if not text.strip():
        raise FormulaError("a formula is missing", 1)
    _look_at_characters(text)
    inner = text.strip()
    before = text.index(inner)
    try:
        tree = ast.parse(inner, mode="eval").body
        _Check(inner).constant(tree)
    except FormulaError as problem:
        raise FormulaError(problem.wrong, before + problem.place) from None
    except SyntaxError as problem:
        place = min(problem.offset or len(inner) + 1, len(inner) + 1)
        raise FormulaError("something is missing here, or too much", before + place) from None
    except (ValueError, MemoryError, RecursionError):
        raise FormulaError("this cannot be read", before + 1) from None
    return tree


def _look_at_characters(text: str) -> None:
    """Refuse characters that no formula has, and brackets without their other half."""
    opened = []
    for place, character in enumerate(text, start=1):
        if character not in _CHARACTERS:
            raise FormulaError(f"{_shown(character)} cannot be part of a formula", place)
        if character == "(":
            opened.append(place)
            if len(opened) > DEEPEST:
                raise FormulaError(f"brackets are nested more than {DEEPEST} deep", place)
        elif character == ")":
            if not opened:
                raise FormulaError("this bracket was never opened", place)
            opened.pop()
    if opened:
        raise FormulaError("this bracket is never closed", opened[-1])
    if cut := _NO_NUMBER.search(text):
        raise FormulaError("a number ends here, and an operator must follow", cut.end() + 1)


def _shown(character: str) -> str:
    return f"“{character}”" if character.isprintable() else f"the character U+{ord(character):04X}"


class _Check:
    """Looks at every node of a tree, and works out what is constant."""

    def __init__(self, text: str):
        self.text = text
        self.operations = 0

    def constant(self, node: ast.expr) -> np.float64 | None:
        """The finite number that the node always has; None if that depends. FormulaError if the node is not known."""
        if isinstance(node, ast.Constant):
            return self._number(node)
        if isinstance(node, ast.Name):
            return self._variable(node)
        self.operations += 1
        if self.operations > MOST_OPERATIONS:
            raise self._wrong(node, f"a formula has at most {MOST_OPERATIONS} operations")
        parts = self._parts(node)
        known = [self.constant(part) for part in parts]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and known[1] == 0:
            raise self._wrong(node.right, "this divides by zero")
        if not parts or any(part is None for part in known):
            return None
        with np.errstate(all="ignore"):
            value = np.float64(_value(node, {}))
        if not np.isfinite(value):
            raise self._wrong(node, "this is not a finite number")
        return value

    def _parts(self, node: ast.expr) -> list[ast.expr]:
        """What the node's operation is applied to."""
        match node:
            case ast.UnaryOp(op, operand):
                operator, parts, place = op, [operand], node.col_offset
            case ast.BinOp(left, op, right) | ast.Compare(left, [op], [right]):
                operator, parts, place = op, [left, right], self._after(left)
            case ast.Call():
                return self._arguments(node)
            case ast.Compare(_, _, [second, *_]):
                raise FormulaError("a second comparison must have brackets of its own", self._after(second) + 1)
            case ast.Attribute(value):
                raise FormulaError("a point belongs into a number only", self._after(value) + 1)
            case ast.Tuple([first, *_]):
                raise FormulaError("a comma belongs between the values of min or max only", self._after(first) + 1)
            case _:
                raise self._wrong(node, "only numbers, variables, operators and functions make a formula")
        if type(operator) not in _OPERATORS:
            raise FormulaError("this operator is not known: there are + - * / ** < <= > >=", place + 1)
        return parts

    def _arguments(self, call: ast.Call) -> list[ast.expr]:
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name not in FUNCTIONS:
            what = f"{name} is a variable, not a function" if name in VARIABLES else "there is no such function"
            raise self._wrong(call, f"{what}; the functions are {', '.join(FUNCTIONS)}")
        if call.keywords or any(isinstance(argument, ast.Starred) for argument in call.args):
            raise self._wrong(call, f"{name} takes plain values only")
        count = len(call.args)
        if name == "random" and count:
            raise self._wrong(call, "random takes no value: random()")
        if name in _OF_ONE and count != 1:
            raise self._wrong(call, f"{name} takes one value, not {count}")
        if name in _OF_SEVERAL and count < 2:
            raise self._wrong(call, f"{name} takes two or more values, not {count}")
        return call.args

    def _number(self, node: ast.Constant) -> np.float64:
        if type(node.value) not in (int, float):
            raise self._wrong(node, "this is not a number")
        if not abs(node.value) <= np.finfo(float).max:
            raise self._wrong(node, "this number is too large")
        return np.float64(node.value)

    def _variable(self, node: ast.Name) -> None:
        if node.id in FUNCTIONS:
            value = "" if node.id == "random" else "..."
            raise self._wrong(node, f"{node.id} is a function: {node.id}({value})")
        if node.id not in VARIABLES:
            raise self._wrong(node, f"there is no such variable; the variables are {', '.join(VARIABLES)}")

    def _after(self, node: ast.expr) -> int:
        """Where what follows a node begins, counted from 0."""
        rest = self.text[node.end_col_offset :]
        return len(self.text) - len(rest.lstrip(" )"))

    @staticmethod
    def _wrong(node: ast.expr, what: str) -> FormulaError:
        return FormulaError(what, node.col_offset + 1)


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    """What a node comes to, always in floating point."""
    match node:
        case ast.Constant(value):
            return np.float64(value)
        case ast.Name(name):
            return values[name]
        case ast.UnaryOp(op, operand):
            return _OPERATORS[type(op)](_value(operand, values))
        case ast.BinOp(left, op, right):
            return _OPERATORS[type(op)](_value(left, values), _value(right, values))
        case ast.Compare(left, [op], [right]):
            return np.where(_OPERATORS[type(op)](_value(left, values), _value(right, values)), 1.0, 0.0)
        case ast.Call(ast.Name("random")):
            return values["random"]()
        case ast.Call(ast.Name(name), arguments):
            known = [_value(argument, values) for argument in arguments]
            return _OF_ONE[name](*known) if name in _OF_ONE else reduce(_OF_SEVERAL[name], known)
