"""A Roam as text: it goes on exactly where it was, and no text is a danger."""

import json
import math
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from roam_core import Roam
from roam_core.formulas import GOOD_FIRST
from roam_core.links import LINKS
from roam_core.policies import ASK_RULES
from roam_core.saved import MOST_CHARACTERS
from tests.test_roam import Played, at, sphere

SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "d": st.integers(2, 6),
        "tau": st.integers(0, 12),
        "link": st.sampled_from(list(LINKS)),
        "seed": st.integers(0, 2**32 - 1),
        "radius": st.floats(0.1, 10),
        "ridge": st.floats(1e-6, 1e3),
        "ask": st.sampled_from(list(ASK_RULES)),
        "window": st.integers(1, 20),
        "formula": st.sampled_from([*GOOD_FIRST.values(), "random() * reach", "width * slope - asked"]),
    },
)
quietly = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def same(one, other):
    """Whether two are in the same state, to the bit."""
    np.testing.assert_array_equal(one.estimate, other.estimate)
    np.testing.assert_array_equal(one.covariance, other.covariance)
    assert one.to_json() == other.to_json()
    for name in ("settings", "round", "awaits", "question", "asked", "answers"):
        assert getattr(one, name) == getattr(other, name)
    return True


@settings(quietly, max_examples=150)
@given(SETTINGS, st.integers(0, 40), st.integers(0, 2), st.integers(1, 30), st.integers(0, 99))
def test_it_goes_on_exactly_where_it_was_from_every_moment_of_a_round(knobs, rounds, calls, more, luck):
    roam = Roam(**knobs)
    Played(roam, np.random.default_rng(luck), rounds, k=8, silent=6)
    items = sphere(np.random.default_rng(luck), 5, roam.settings["d"], roam.settings["radius"])
    if calls > 0:
        roam.recommend(items)
    if calls > 1:
        roam.ask()
    again = Roam.from_json(roam.to_json())
    assert same(roam, again)
    for one in (roam, again):
        if one.awaits == "recommend":
            one.recommend(items)
        if one.awaits == "ask":
            one.ask()
        one.answer(None)
    there, here = (Played(one, np.random.default_rng(luck + 1), more, k=8, silent=6) for one in (roam, again))
    assert (there.picks, there.asked, there.said) == (here.picks, here.asked, here.said)
    assert same(roam, again)


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("ask", ASK_RULES)
def test_it_goes_on_after_many_rounds(ask, link):
    """400 rounds: past the moments from which single precision and a Hessian that is not exact are used."""
    roam = Roam(d=3, tau=10, link=link, ask=ask, radius=2.0, seed=3, formula="reach * random()")
    Played(roam, np.random.default_rng(1), 400, k=5)
    again = Roam.from_json(roam.to_json())
    there, here = (Played(one, np.random.default_rng(2), 60, k=5) for one in (roam, again))
    assert (there.picks, there.asked) == (here.picks, here.asked)
    assert same(roam, again)


def test_two_thousand_answers_are_read_in_a_moment():
    roam = Roam(d=5, tau=50)
    Played(roam, np.random.default_rng(1), 2000, k=5)
    start = time.process_time()
    again = Roam.from_json(roam.to_json())
    assert time.process_time() - start < 10
    assert same(roam, again)
    assert again.round == 2001


# Damaged, or meant to do harm

TEXT = at("answer", 6, ask="random").to_json()
TOLD = json.loads(TEXT)
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just(10**400), st.just(-1)
)
ANYTHING = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)


def places(value, path=()):
    """The paths to everything in a JSON value."""
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield from places(inner, (*path, key))


PLACES = [path for path in places(TOLD) if path]


def changed(path, new):
    """What is told with another value at a place; without it if the new one is `...`."""
    told = json.loads(TEXT)
    *outer, last = path
    inner = told
    for key in outer:
        inner = inner[key]
    if new is ...:
        del inner[last]
    else:
        inner[last] = new
    return told


def refused_or_sound(text):
    """A text is refused in plain words, or it is a Roam that can go on."""
    try:
        roam = Roam.from_json(text)
    except ValueError:
        with pytest.raises(ValueError, match=r"^.{10,400}$"):
            Roam.from_json(text)
        return
    told = json.loads(text)
    assert json.loads(roam.to_json()) == told | {"settings": roam.settings}
    if roam.awaits == "ask":
        roam.ask()
    if roam.awaits == "answer":
        roam.answer(None)
    Played(roam, np.random.default_rng(1), 3, k=4)
    assert np.isfinite(roam.estimate).all()


@settings(quietly, max_examples=400)
@given(st.sampled_from(PLACES), ANYTHING | st.just(...))
def test_whatever_stands_somewhere_is_refused_or_sound(path, new):
    refused_or_sound(json.dumps(changed(path, new)))


@settings(quietly, max_examples=200)
@given(st.integers(0, len(TEXT)), st.integers(0, 3), st.text(max_size=3))
def test_a_text_that_was_cut_or_scratched_is_refused_or_sound(place, cut, put):
    refused_or_sound(TEXT[:place] + put + TEXT[place + cut :])


NEEDED = [path for path in PLACES if path[0] != "rounds" or len(path) > 2]


@pytest.mark.parametrize("path", NEEDED, ids=str)
def test_nothing_may_be_missing(path):
    """But a whole round; and a question in the last one, which is asked again then."""
    text = json.dumps(changed(path, ...))
    if path == ("rounds", 6, 1):
        assert Roam.from_json(text).awaits == "ask"
        return
    with pytest.raises(ValueError, match=r"damaged|no saved|shape|real numbers"):
        Roam.from_json(text)


HOSTILE = {
    "deep": "[" * 1_000_000,
    "deep in its place": TEXT.replace('"rounds":[', '"rounds":[' + "[" * 100_000),
    "long": " " * (MOST_CHARACTERS + 1),
    "digits": TEXT.replace('"seed":0', '"seed":' + "9" * 5000),
    "a constant": TEXT.replace('"radius":1.0', '"radius":NaN'),
    "infinite": TEXT.replace('"radius":1.0', '"radius":1e999'),
    "not text": b"{}",
    "nothing": None,
    "empty": "",
    "a list": "[]",
    "another format": TEXT.replace('"roam":1', '"roam":2'),
    "half a character": TEXT.replace("logistic", "\\ud800"),
    "more": json.dumps(TOLD | {"extra": 1}),
    "answer in round 1": json.dumps(changed(("rounds", 0, 2), True)),
    "question in round 1": json.dumps(changed(("rounds", 0, 1), 0)),
    "question about itself": json.dumps(changed(("rounds", 3, 1), 3)),
    "question about nothing": json.dumps(changed(("rounds", 3, 1), None)),
    "a truth for a number": json.dumps(changed(("rounds", 3, 1), True)),
    "a long item": json.dumps(changed(("rounds", 2, 0), [2.0, 0, 0])),
    "another d": json.dumps(changed(("settings", "d"), 4)),
    "one feature": json.dumps(changed(("settings", "d"), 1)),
    "random numbers": json.dumps(changed(("random", 0), str(2**128))),
    "many rounds": json.dumps(TOLD | {"rounds": [[[0, 0, 0], None, None]] + [[[0, 0, 0], 0, None]] * 10_000}),
    "formula": json.dumps(changed(("settings", "formula"), "__import__('os')")),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_is_refused_in_plain_words_and_little_time(text):
    start = time.process_time()
    with pytest.raises(ValueError, match=r"^[a-zA-Z]") as refusal:
        Roam.from_json(text)
    assert len(str(refusal.value)) < 400
    assert "Traceback" not in str(refusal.value)
    assert refusal.type is ValueError or not isinstance(refusal.value, UnicodeError)
    assert time.process_time() - start < 2


def test_a_text_has_all_digits_of_every_number():
    roam = Roam(d=2, radius=math.pi)
    x = np.array([[math.e, 1e-300], [1 / 3, -0.0]])
    roam.recommend(x)
    again = Roam.from_json(roam.to_json())
    np.testing.assert_array_equal(again.recommended, roam.recommended)
    assert again.settings["radius"] == math.pi
