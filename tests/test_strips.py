"""What a class predicted, beside the plot: a dot an answer, where it belongs, and the truth through all strips."""

import pytest

from pages.bank import figures, strips
from pages.figures import base_layout

VOTES = {"first vote": [1.0, 3.0, 1.0, 1.0], "second vote": [3.0]}


def test_dots_of_one_height_stand_side_by_side_around_the_middle():
    figure = {"data": [], "layout": base_layout("", "", "", "")}
    strips.add(figure, VOTES, 2.0, figures.LOOKS, {"1×": 1.0, "4×": 4.0})
    first, second, truth = figure["data"]
    assert first["y"] == VOTES["first vote"]
    assert sorted(first["x"]) == pytest.approx([-strips.SPACING, 0, 0, strips.SPACING])
    assert second["x"] == [1.0]
    assert truth["y"] == [2.0, 2.0]
    assert figure["layout"]["xaxis"]["domain"][1] < figure["layout"]["xaxis2"]["domain"][0]
    assert figure["layout"]["xaxis2"]["ticktext"] == list(VOTES)
    assert [(one["text"], one["y"]) for one in figure["layout"]["annotations"]] == [("1×", 1.0), ("4×", 4.0)]


@pytest.mark.parametrize("many", [1, 30, 500])
def test_a_strip_does_not_reach_into_the_next_one(many):
    places = strips._beside([1.0] * many)
    assert len(set(places)) == many
    assert max(places) - min(places) <= strips.WIDEST
