"""Films: titles and posters made of features."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from pages.components.drawing import with_films
from pages.films import FUN, LOUDNESS, STARS, Film, cast

PAGES = Path(__file__).parents[1] / "pages"


def test_a_title_says_what_the_film_is_like():
    loud_and_funny, quiet_and_serious, again = cast([(0.95, 0.95), (-0.95, -0.95), (0.95, 0.95)])
    assert loud_and_funny.title == f"The {LOUDNESS[-1]} {FUN[-1]}"
    assert quiet_and_serious.title == f"The {LOUDNESS[0]} {FUN[0]}"
    assert again.title in {f"The {LOUDNESS[-2]} {FUN[-1]}", f"The {LOUDNESS[-1]} {FUN[-2]}"}


def test_no_two_films_have_the_same_title_as_long_as_there_are_titles():
    films = cast(np.random.default_rng(0).uniform(-1, 1, (len(LOUDNESS) * len(FUN), 2)))
    assert len({film.title for film in films}) == len(films) == 100


@pytest.mark.parametrize("name", STARS)
def test_a_star_is_called_by_its_name(name):
    assert STARS[name].title.endswith(f" {name.capitalize()}")


@pytest.mark.parametrize("file", ["start/round.html", "setting/models.html"])
def test_every_film_of_a_drawing_is_drawn(file):
    html = (PAGES / file).read_text(encoding="utf-8")
    drawn = with_films(html)
    assert "<film" not in drawn
    assert drawn.count("<svg") == html.count("<svg") + html.count("<film")
    ElementTree.fromstring(drawn)


def paths(film: Film) -> list[str]:
    """What its poster draws as lines: the rays and the mouth."""
    return [node.get("d") for node in ElementTree.fromstring(film.poster).iter("path")]


@pytest.mark.parametrize("features", [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)])
def test_a_poster_is_a_drawing_of_the_features(features):
    rays, mouth = paths(Film("A film", features))
    assert (rays == "") == (features[0] == -1)
    corner, turn = (float(point.split()[1]) for point in mouth.replace("M", "").split("Q"))
    assert np.sign(turn - corner) == np.sign(features[1])


def test_a_poster_stands_in_a_drawing_where_it_is_put():
    node = ElementTree.fromstring(STARS["goose"].drawn(8, 66, 30))
    assert [node.get(name) for name in ("x", "y", "width", "height")] == ["8", "66", "30", "42"]
