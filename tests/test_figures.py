"""Figures: the right traces, axes and names."""

import json

import numpy as np
import pytest

from pages import figures
from pages.export import page, script
from roam_core import KNOBS, Scenario, simulate
from roam_core.result import CURVES, POINTS, smooth

RESULT = simulate(Scenario(d=2, tau=10, k=50, horizon=700, runs=6))
OTHER = simulate(Scenario(d=2, tau=0, k=50, horizon=700, runs=6))


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("curve", CURVES)
def test_a_curve_is_a_mean_within_its_band(curve, log):
    figure = figures.curves([figures.Series(RESULT, "a"), figures.Series(OTHER, "b")], curve, log=log)
    json.dumps(figure, allow_nan=False)
    assert [trace["name"] for trace in figure["data"]] == ["upper", "lower", "a", "upper", "lower", "b"]
    upper, lower, mean = figure["data"][:3]
    assert len(mean["x"]) == len(mean["y"]) == POINTS
    assert mean["x"][0] == 1
    assert mean["x"][-1] == 700
    known = [i for i, y in enumerate(mean["y"]) if y is not None]
    assert all(lower["y"][i] <= mean["y"][i] <= upper["y"][i] for i in known)
    if curve != "ratio":
        np.testing.assert_allclose(mean["y"][-1], RESULT.mean(curve)[-1], rtol=1e-4)
    assert figure["layout"]["shapes"][0]["x1"] == 10
    assert figure["layout"]["xaxis"]["title"]["text"] == "round t"
    first, second = figure["data"][2]["line"], figure["data"][5]["line"]
    assert first["color"] != second["color"]
    assert first["dash"] != second["dash"]


def test_the_ratio_is_the_mean_of_ten_rounds():
    ratio = RESULT.mean("ratio")
    _, mean, _ = RESULT.sampled("ratio")
    np.testing.assert_allclose(mean[-1], ratio[-10:].mean())
    smoothed = smooth(ratio)
    assert np.isnan(smoothed[:10]).all()
    np.testing.assert_allclose(smoothed[10], ratio[10])
    np.testing.assert_allclose(smoothed[14], ratio[10:15].mean())


def test_guide_and_bound_are_drawn_when_asked_for():
    series = [figures.Series(RESULT, "a")]
    assert figures.curves(series, "regret", guide=True)["data"][-1]["y"][-1] == pytest.approx(
        RESULT.mean("regret")[-1], rel=1e-4
    )
    assert figures.curves(series, "ratio", beta=8.0)["data"][-1]["y"] == [8.0, 8.0]


def test_final_regret_stands_over_each_value_with_its_band():
    figure = figures.finals([OTHER, RESULT], KNOBS["tau"])
    (trace,) = figure["data"]
    assert trace["x"] == [0, 10]
    np.testing.assert_allclose(trace["y"], [r.mean("regret")[-1] for r in (OTHER, RESULT)], rtol=1e-4)
    np.testing.assert_allclose(trace["error_y"]["array"], [r.band("regret")[-1] for r in (OTHER, RESULT)], rtol=1e-4)
    assert trace["mode"] == "lines+markers"


def test_final_regret_of_a_field_of_names_has_a_place_a_name_and_no_line():
    figure = figures.finals([RESULT], KNOBS["ask"])
    (trace,) = figure["data"]
    assert (trace["x"], trace["mode"], figure["layout"]["xaxis"]["type"]) == (
        ["the most uncertain"],
        "markers",
        "category",
    )


def test_the_questions_are_dots_at_round_and_item():
    figure = figures.asked(RESULT)
    early, later = figure["data"]
    dots = sorted(zip(early["x"] + later["x"], early["y"] + later["y"], strict=True))
    assert dots == [(t + 1, RESULT.asked[0, t] + 1) for t in range(1, 700)]
    assert all(y <= 10 for y in early["y"])
    assert all(y > 10 for y in later["y"])


def test_figures_of_no_runs_are_empty_but_valid():
    empty = type(RESULT).join(Scenario(), [], 0.0)
    for curve in CURVES:
        assert figures.curves([figures.Series(empty, "a")], curve, guide=True)["data"] == []
    assert figures.asked(empty)["data"] == []
    assert figures.finals([empty], KNOBS["tau"])["data"] == []


def test_the_script_gives_the_same_numbers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(script(RESULT.scenario), {})  # the page's own script
    assert (tmp_path / "roam.csv").read_text(encoding="utf-8") == "\n".join(RESULT.csv()) + "\n"


def test_the_html_page_escapes_its_words():
    text = page(figures.asked(RESULT), "<i>t</i>", "a < b </script>")
    assert "<i>t</i>" not in text
    assert "a &lt; b" in text
