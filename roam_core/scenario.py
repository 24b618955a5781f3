"""Scenario: every knob of a simulation, declared once.

A field's declaration (its `Knob`) carries symbol, label, help text, kind and range. Validation, command-line options,
widgets, link parameters and the header of an exported CSV all read it. A field of names has the registry where the
names are declared (`LINKS`, `ITEM_LAWS`, `ASK_RULES`, `ALGORITHMS`) and offers what is there. A name may be allowed
without being offered (`VARIANTS`): then a page or a script that means it names it. A field of free text has a reader
(`Formula`) that refuses what it cannot read.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from numbers import Integral, Real
from typing import Any

from roam_core.formulas import GOOD_FIRST, MOST_CHARACTERS, Formula, apart
from roam_core.items import ITEM_LAWS, ItemLaw
from roam_core.links import LINKS
from roam_core.policies import ALGORITHMS, ASK_RULES, VARIANTS, Algorithm

# Numbers a simulation touches: runs x rounds x (fresh items + questions x past items) x d. The paper's own experiments
# with d = 5 need 1e9; ten times that is the most a Scenario may ask for.
BUDGET = 10**10
AUTOMATIC = "auto"


@dataclass(frozen=True)
class Knob:
    """What is known of one field of a Scenario apart from its value."""

    name: str
    kind: type  # int, float or str
    default: Any
    symbol: str
    label: str
    help: str
    low: float | None = None
    high: float | None = None
    registry: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)  # where names are declared
    variants: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)  # allowed, but not offered
    automatic: str = ""  # what None stands for, where None is allowed
    numbers: tuple[float, ...] = ()  # that a sweep compares if nothing else is said
    # For free text of `low` to `high` characters: reads it into what has `words`, or a ValueError says what is wrong.
    reader: Callable[[str], Any] | None = field(default=None, repr=False, compare=False)
    texts: tuple[str, ...] = ()  # that a sweep compares if nothing else is said

    @property
    def choices(self) -> tuple[str, ...]:
        """The names that are declared and offered; none for a number."""
        return tuple(self.registry or ())

    @property
    def known(self) -> Mapping[str, Any]:
        """Every name with its declaration, also those that are not offered."""
        return {**(self.registry or {}), **self.variants}

    @property
    def compared(self) -> tuple[str, ...]:
        """Values, as text, that a sweep compares if nothing else is said; none if the field is not offered for one."""
        return self.choices or self.texts or tuple(map(str, self.numbers))

    @property
    def ordered(self) -> bool:
        """Whether the values are numbers, with more and less among them."""
        return not self.choices and self.reader is None

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        if self.choices:
            words = "one of " + ", ".join(self.choices)
        elif self.reader:
            words = f"a text of {self.low} to {self.high} characters"
        else:
            noun = "a whole number" if self.kind is int else "a number"
            words = f"{noun} from {self.low} to {self.high}"
        return words + (f", or {AUTOMATIC} ({self.automatic})" if self.automatic else "")

    def refuse(self, value: Any, allowed: str = "") -> ValueError:
        """The error for a bad value; it names field, value and what is allowed."""
        shown = repr(value)
        shown = shown if len(shown) <= 60 else shown[:57] + "..."
        return ValueError(f"{self.name} = {shown} is not allowed: {self.label} must be {allowed or self.allowed}")

    def check(self, value: Any) -> Any:
        """The value as a plain int, float, str or None, or a ValueError."""
        if value is None and self.automatic:
            return None
        if self.choices:
            if isinstance(value, str) and value in self.known:
                return str(value)
            raise self.refuse(value)
        if self.reader:
            return self._read(value)
        number = Integral if self.kind is int else Real
        if isinstance(value, bool) or not isinstance(value, number) or not self.low <= value <= self.high:
            raise self.refuse(value)
        return self.kind(value)

    def _read(self, value: Any) -> str:
        """Free text without spaces around it, if it can be read."""
        if not isinstance(value, str) or not self.low <= len(value.strip()) <= self.high:
            raise self.refuse(value)
        try:
            self.reader(value.strip())
        except ValueError as problem:
            raise self.refuse(value, f"{self.allowed} that can be read: {problem}") from None
        return str(value.strip())

    def parse(self, text: str) -> Any:
        """The value that `text` stands for, checked."""
        text = text.strip()
        if self.automatic and text.lower() in (AUTOMATIC, ""):
            return None
        if not self.ordered:
            return self.check(text)
        try:
            number = float(text)
            whole = math.isfinite(number) and number == int(number)
            return self.check(int(number) if self.kind is int and whole else number)
        except ValueError:
            raise self.refuse(text) from None

    def parse_several(self, text: str) -> list[Any]:
        """The different values that `text` stands for, with commas between, checked; brackets keep a text together.

        >>> KNOBS["formula"].parse_several("width, max(width, gap)")
        ['width', 'max(width, gap)']
        """
        return list(dict.fromkeys(self.parse(value) for value in apart(text)))

    def nearest(self, text: str) -> Any:
        """The allowed value nearest to what `text` says; the default if it says nothing of use."""
        try:
            number = float(text)
        except ValueError:
            return self.default
        if not self.ordered or math.isnan(number):
            return self.default
        number = min(max(number, self.low), self.high)
        return self.check(round(number) if self.kind is int else number)

    def format(self, value: Any) -> str:
        """The text that `parse` takes back to `value`."""
        return AUTOMATIC if value is None else str(value)

    def words(self, value: Any, fields: Mapping[str, Any] | None = None) -> str:
        """How a value is called on screen; what it says of other fields is their symbols, if they are not given.

        >>> KNOBS["ask"].words("recent"), KNOBS["user_link"].words(None)
        ('most uncertain of last w', 'the same as the link')
        """
        if value is None:
            return self.automatic
        if self.reader:
            return self.reader(value).words
        if value not in self.known:
            return f"{value:g}" if isinstance(value, float) else str(value)
        return self.known[value].words.format_map(fields or {name: knob.symbol for name, knob in KNOBS.items()})


def _knob(default: Any, symbol: str, label: str, help: str, low=None, high=None, **more):
    """A dataclass field that carries its declaration; the knob's name and kind are filled in by `KNOBS`."""
    return field(default=default, metadata=dict(symbol=symbol, label=label, help=help, low=low, high=high, **more))


@dataclass(frozen=True)
class Scenario:
    """Everything that determines a simulation. The defaults are the paper's.

    >>> Scenario(d=2).resolved().tau
    20
    >>> Scenario(k=1)
    Traceback (most recent call last):
    ...
    ValueError: k = 1 is not allowed: context set size must be a whole number from 2 to 100000
    """

    d: int = _knob(
        5,
        "d",
        "feature dimension",
        "How many features describe an item and the user's taste.",
        2,
        50,
        numbers=(2, 4, 6, 8, 10),
    )
    tau: int | None = _knob(
        None,
        "τ",
        "exploration rounds",
        "How many rounds at the start recommend a random item. At most the horizon.",
        0,
        10_000,
        automatic="10 d, at most the horizon",
        numbers=(0, 25, 50, 75, 100),
    )
    k: int = _knob(
        1000,
        "k",
        "context set size",
        "How many fresh items are on offer in each round.",
        2,
        100_000,
        numbers=(10, 100, 1000, 10_000),
    )
    link: str = _knob(
        "logistic",
        "F",
        "link function",
        "How a difference in utility becomes the probability that the user prefers an item. Logistic and probit are "
        "close. Cauchit has heavy tails: clear preferences too are sometimes reversed.",
        registry=LINKS,
    )
    horizon: int = _knob(1000, "T", "horizon", "How many rounds a run lasts.", 1, 10_000, numbers=(250, 500, 1000))
    runs: int = _knob(
        100, "n", "independent runs", "How many times the experiment is repeated.", 1, 10_000, numbers=(10, 100)
    )
    seed: int = _knob(
        0, "seed", "random seed", "The same seed gives the same numbers again.", 0, 2**32 - 1, numbers=(0, 1, 2)
    )
    radius: float = _knob(
        1.0,
        "r",
        "largest item norm",
        "Scales every utility: a small radius makes the user's answers noisy.",
        0.1,
        10,
        numbers=(0.3, 1, 3),
    )
    items: str = _knob(
        "sphere",
        "P",
        "law of the items",
        "Where fresh items come from, within radius r: a sphere is a surface, a ball is solid. Flowers, colours, wines "
        "and handwritten digits are catalogues of items that exist, with d features of theirs.",
        registry=ITEM_LAWS,
    )
    flatness: float = _knob(
        1.0,
        "f",
        "flatness",
        "Squeezes the last axis of the item space: 1 leaves it as it is, near 0 is flat.",
        0.01,
        1,
        numbers=(0.1, 0.3, 1),
    )
    ridge: float | None = _knob(
        None,
        "λ",
        "ridge",
        "A small pull of the estimate towards zero (a regularizer), so that it exists after few answers too. V starts "
        "from it.",
        1e-6,
        1e3,
        automatic="0.001, or 0.1 without exploration",
        numbers=(0.001, 0.1, 1),
    )
    algorithm: str = _knob(
        "roam",
        "algorithm",
        "algorithm",
        "ROAM compares with a past item. CoLSTIM, a rival from the literature (Bengs and others, 2022), compares two "
        "fresh ones.",
        registry=ALGORITHMS,
        variants=VARIANTS,
    )
    ask: str = _knob(
        "most_uncertain",
        "y",
        "ask rule",
        "Which past item is asked about after exploration. The paper's rule takes the most uncertain one: its "
        "comparison with the new item points where least was asked.",
        registry=ASK_RULES,
    )
    window: int = _knob(
        50,
        "w",
        "window",
        "How many of the latest items the ask rule 'recent' chooses from.",
        1,
        10_000,
        numbers=(5, 20, 50, 200),
    )
    c1: float = _knob(
        1.0,
        "c1",
        "exploration weight of y",
        "CoLSTIM's bonus for an uncertain second item.",
        0,
        1000,
        numbers=(0.1, 1, 10),
    )
    c2: float = _knob(
        0.1,
        "c2",
        "perturbation limit of x",
        "CoLSTIM's largest perturbation of the first item.",
        0,
        1000,
        numbers=(0.1, 1, 10),
    )
    skip_below: float = _knob(
        0.0,
        "s",
        "question threshold",
        "ROAM asks nothing when the probe's uncertainty, its norm in the inverse of V, is below this; exploration and "
        "the first question of all are never skipped. 0 always asks.",
        0,
        1000,
        numbers=(0, 0.05, 0.1, 0.2),
    )
    cost: float = _knob(
        0.0, "γ", "cost of a question", "What a question costs, in units of regret. It changes no choice.", 0, 1000
    )
    user_link: str | None = _knob(
        None,
        "F*",
        "link of the user",
        "How the user really answers, where that is not the link that the algorithm assumes.",
        registry=LINKS,
        automatic="the same as the link",
    )
    questions: int = _knob(
        1,
        "m",
        "questions per item",
        "With how many past items a new item is compared, one question after the other. Exploration asks one.",
        1,
        5,
        numbers=(1, 2, 3, 5),
    )
    formula: str = _knob(
        "width",
        "score",
        "formula",
        "A score for every past item; the one with the largest is asked about. 'width' is the paper's rule, "
        "'slope * reach**2' the most informative one, '-age' the previous item.",
        1,
        MOST_CHARACTERS,
        reader=Formula,
        texts=tuple(GOOD_FIRST.values())[:4],
    )

    def __post_init__(self):
        for name, knob in KNOBS.items():
            object.__setattr__(self, name, knob.check(getattr(self, name)))
        if self.tau is not None and self.tau > self.horizon:
            raise KNOBS["tau"].refuse(self.tau, f"a whole number from 0 to the horizon, {self.horizon}")
        if self.d > self.most_features:
            raise KNOBS["d"].refuse(self.d, _features_of(self.items))
        if self.work > BUDGET:
            raise ValueError(
                f"runs = {self.runs}, horizon = {self.horizon}, k = {self.k}, d = {self.d}, questions = "
                f"{self.questions} is too much work: runs x horizon x (k + questions x horizon) x d is "
                f"{self.work:.2g}, allowed is at most {BUDGET:.2g}. "
                "Reduce one of them"
            )

    @property
    def work(self) -> int:
        """How many numbers the simulation touches, whatever the algorithm; at most `BUDGET`."""
        return self.runs * self.horizon * (self.k + self.questions * self.horizon) * self.d

    @property
    def most_features(self) -> int:
        """The largest d that the items allow."""
        return _most_features(self.items)

    @property
    def law(self) -> ItemLaw:
        """The law the items are drawn from."""
        return ItemLaw(self.d, self.items, self.radius, self.flatness)

    @property
    def declared(self) -> Algorithm:
        """The declaration of the algorithm."""
        return KNOBS["algorithm"].known[self.algorithm]

    @property
    def most_questions(self) -> int:
        """How many questions a round may have."""
        return self.questions if "questions" in self.declared.uses else 1

    def words(self, name: str) -> str:
        """How this scenario's value of a field is called on screen.

        >>> Scenario(ask="recent", window=20).words("ask")
        'most uncertain of last 20'
        """
        settled = vars(self.resolved()) | {"formula": KNOBS["formula"].words(self.formula)}
        return KNOBS[name].words(getattr(self, name), settled)

    def no_effect(self, name: str) -> str:
        """Why a field has no effect in this scenario; empty if it has one.

        >>> Scenario().no_effect("c1"), Scenario().no_effect("k")
        ('Only CoLSTIM uses it.', '')
        """
        rules = [rule for rule, declared in ASK_RULES.items() if name in declared.uses]
        algorithms = [a for a in ALGORITHMS.values() if name in a.uses or (rules and "ask" in a.uses)]
        if not algorithms or name in self.declared.uses:
            return ""
        if self.declared not in algorithms:
            return _only([algorithm.words for algorithm in algorithms])
        if self.ask in rules:
            return ""
        quoted = [f"'{KNOBS['ask'].words(rule)}'" for rule in rules]
        return _only(quoted, "the ask rule " if len(rules) == 1 else "the ask rules ")

    def resolved(self) -> "Scenario":
        """The same scenario with every automatic value filled in."""
        tau = min(10 * self.d, self.horizon) if self.tau is None else self.tau
        ridge = (1e-3 if tau else 0.1) if self.ridge is None else self.ridge
        return replace(self, tau=tau, ridge=ridge, user_link=self.user_link or self.link)

    def to_strings(self) -> dict[str, str]:
        """A flat dict of strings, one entry a field: for links and headers."""
        return {name: knob.format(getattr(self, name)) for name, knob in KNOBS.items()}

    @classmethod
    def from_strings(cls, strings: Mapping[str, str]) -> "Scenario":
        """The Scenario that `to_strings` wrote; a missing field has its default.

        >>> Scenario.from_strings({"tau": "auto", "k": "50"}) == Scenario(k=50)
        True
        """
        unknown = sorted(set(strings) - set(KNOBS))
        if unknown:
            raise ValueError(f"{unknown[0][:60]!r} is not a field of a scenario; the fields are {', '.join(KNOBS)}")
        return cls(**{name: KNOBS[name].parse(text) for name, text in strings.items()})


def nearest_scenario(strings: Mapping[str, str]) -> tuple[Scenario, list[str]]:
    """The valid Scenario nearest to what the strings say, and a plain sentence for everything that had to be changed.

    >>> scenario, problems = nearest_scenario({"d": "99", "tau": "2000"})
    >>> scenario.d, scenario.tau
    (50, 1000)
    >>> len(problems)
    2
    """
    values, problems = {}, []
    for name in KNOBS.keys() & strings.keys():
        knob = KNOBS[name]
        try:
            values[name] = knob.parse(strings[name])
            if knob.choices and values[name] not in (None, *knob.choices):
                raise knob.refuse(strings[name])  # what is not offered is for pages that name it, not for links
        except ValueError as refusal:
            values[name] = knob.nearest(strings[name])
            problems.append(f"{refusal}. Used instead: {knob.format(values[name])}.")
    horizon = values.get("horizon", KNOBS["horizon"].default)
    if (values.get("tau") or 0) > horizon:
        problems.append(f"tau = {values['tau']} is more than the horizon. Used instead: {horizon}.")
        values["tau"] = horizon
    items, d = (values.get(name, KNOBS[name].default) for name in ("items", "d"))
    if d > _most_features(items):
        values["d"] = _most_features(items)
        problems.append(f"{KNOBS['d'].refuse(d, _features_of(items))}. Used instead: {values['d']}.")
    return _within_budget(values, problems)


def _within_budget(values: dict[str, Any], problems: list[str]) -> tuple[Scenario, list[str]]:
    for name in ("runs", "k", "horizon", "d", "questions"):
        try:
            return Scenario(**values), problems
        except ValueError as refusal:
            # Every field here has a default that fits the budget if the others do.
            values[name] = min(
                values.get(name, KNOBS[name].default), KNOBS[name].default // (10 if name == "runs" else 1)
            )
            if name == "horizon" and values.get("tau"):
                values["tau"] = min(values["tau"], values["horizon"])
            problems.append(f"{refusal}. Used instead: {name} = {values[name]}.")
    return Scenario(**values), problems


def _most_features(items: str) -> int:
    return ITEM_LAWS[items].most_features or KNOBS["d"].high


def _features_of(items: str) -> str:
    """What d may be with these items, in words."""
    return f"a whole number from {KNOBS['d'].low} to {_most_features(items)} if the items are {ITEM_LAWS[items].words}"


def _only(users: list[str], kind: str = "") -> str:
    return f"Only {kind}{' and '.join(users)} {'uses' if len(users) == 1 else 'use'} it."


def _kind(annotation: Any) -> type:
    return next(kind for kind in (int, float, str) if annotation in (kind, kind | None))


KNOBS: dict[str, Knob] = {f.name: Knob(f.name, _kind(f.type), f.default, **f.metadata) for f in fields(Scenario)}
