"""The class is the user: tastes from the same questions, and the one that divides most."""

import numpy as np
import pytest

from pages.classroom import tastes, tasting
from pages.classroom.tastes import FEATURES, QUESTIONS, RADIUS

SEED = 5


def answers_of(taste) -> str:
    """What somebody says who always knows."""
    items = tastes.embedding().items
    return "".join("l" if (items[left] - items[right]) @ taste > 0 else "r" for left, right in tastes.pairs(SEED))


def test_the_questions_are_the_same_for_everybody_and_teach_about_every_feature():
    assert tastes.pairs(SEED) == tastes.pairs(SEED) != tastes.pairs(SEED + 1)
    items = tastes.embedding().items
    z = np.array([items[left] - items[right] for left, right in tastes.pairs(SEED)])
    assert len(z) == QUESTIONS
    assert np.linalg.eigvalsh(z.T @ z)[0] > RADIUS**2


def test_the_estimates_make_the_penalised_likelihood_largest():
    texts = (answers_of([1, 0, 0]), "lrlnrl", "n" * QUESTIONS, "")
    found = tastes.estimates(SEED, texts)
    items = tastes.embedding().items
    for text, mine in zip(texts, found, strict=True):
        used = [
            (items[a] - items[b], side == "l")
            for (a, b), side in zip(tastes.pairs(SEED), text, strict=False)
            if side != "n"
        ]
        z, won = np.array([one for one, _ in used]).reshape(-1, FEATURES), np.array([w for _, w in used], dtype=float)
        slope = z.T @ (won - 1 / (1 + np.exp(-z @ mine))) - FEATURES * mine
        np.testing.assert_allclose(slope, 0, atol=1e-3)  # where it is zero the penalised likelihood is largest
    assert not found[2:].any()
    assert tastes.estimates(SEED, ()).shape == (0, FEATURES)


def test_the_question_that_divides_most_is_found_and_each_half_gets_its_own():
    one, other = np.array([1.0, 0.2, 0.1]), np.array([-1.0, 0.2, 0.1])
    texts = (answers_of(one),) * 6 + (answers_of(other),) * 5
    found = tastes.divided(SEED, texts)
    assert sorted(found.counts) == [5, 6]
    likes_left = one if found.counts[0] == 6 else other
    items = tastes.embedding().items
    best = [items[rows].mean(0) for rows in found.best]
    assert best[0] @ likes_left > best[1] @ likes_left
    assert tastes.divided(SEED, (answers_of(one),) * 4) is None
    assert tastes.divided(SEED, ()) is None
    assert tastes.divided(SEED, ("n" * QUESTIONS, "")) is None


@pytest.mark.parametrize("text", ["x", "l" * 13, "L", "l r", "é"])
def test_what_is_no_answer_is_none(text):
    with pytest.raises(ValueError, match="no answers"):
        tastes.parse(text)
    assert tasting.readable(text) == ""


def test_the_cloud_has_a_dot_for_everybody():
    figure = tasting.cloud(SEED, (answers_of([1, 1, 1]), answers_of([1, 1, -1]), "l"))
    assert sum(len(trace["x"]) for trace in figure["data"]) == 3
    assert sum(len(trace["x"]) for trace in tasting.cloud(SEED, ())["data"]) == 0
    assert tasting.told("lrn") == "left, right, can't say"
