"""Figures: the right traces, axes and names."""

import json
from dataclasses import fields

import numpy as np
import pytest

from pages import figures
from pages.export import page, script
from pages.palette import PALETTE
from roam_core import KNOBS, Result, Scenario, simulate
from roam_core.engine import Batch
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


def users(result, curve: str, rounds: list[int]) -> np.ndarray:
    """(runs, rounds) each user's curve by a plain loop; a ratio is the mean of the last ten that there are."""
    values = getattr(result, curve)
    if curve != "ratio":
        return values[:, np.array(rounds) - 1]
    with np.errstate(invalid="ignore"):
        return np.array([[np.nanmean(run[max(0, t - 10) : t]) if np.isfinite(run[t - 1]) else np.nan for t in rounds]
                         for run in np.where(np.isfinite(values), values, np.nan)])  # fmt: skip


@pytest.mark.parametrize("curve", CURVES)
def test_the_spread_is_that_of_the_users(curve):
    series = [figures.Series(RESULT, "a", 3), figures.Series(OTHER, "b", 0)]
    figure = figures.curves(series, curve, spread=True)
    json.dumps(figure, allow_nan=False)
    single = [f"user {n}" for n in range(1, figures.SINGLE_USERS + 1)]
    of_one, keys = ["10%", "90%", *single], ["users, 10–90%", "single users"]
    names = [trace["name"] for trace in figure["data"]]
    assert names == [*of_one, *of_one, *keys, "upper", "lower", "a", "upper", "lower", "b"]
    assert [t["name"] for t in figure["data"] if t.get("showlegend", True)] == [*keys, "a", "b"]
    for result, start, slot in ((RESULT, 0, 3), (OTHER, len(of_one), 0)):
        low, high, *lines = figure["data"][start : start + len(of_one)]
        expected = users(result, curve, low["x"])
        known = ~np.isnan(expected).all(0)
        edges = np.nanquantile(expected[:, known], [0.1, 0.9], axis=0)
        for trace, values in zip((low, high), edges, strict=True):
            drawn = np.array(trace["y"], dtype=float)
            np.testing.assert_allclose(drawn[known], values, rtol=1e-4)
            assert np.isnan(drawn[~known]).all()
        np.testing.assert_allclose(np.array([t["y"] for t in lines], dtype=float), expected[:5], rtol=1e-4)
        assert {t["line"]["color"] for t in lines} == {PALETTE[slot]}
        assert {t["legendgroup"] for t in (low, high, *lines)} == {str(slot)}


def test_the_single_users_stay_the_same_while_more_come_in():
    def first(runs: int) -> list[dict]:
        few = Result.join(RESULT.scenario, [cut(RESULT, runs)], 0.5)
        traces = figures.curves([figures.Series(few, "a")], "error", spread=True)["data"]
        return [trace for trace in traces if trace["name"].startswith("user ")]

    assert [len(first(runs)) for runs in (1, 2, 5, 6)] == [0, 2, 5, 5]
    assert first(3) == first(6)[:3]


def cut(result: Result, runs: int) -> Batch:
    """The first runs of a result."""
    return Batch(**{field.name: getattr(result, field.name)[:runs] for field in fields(Batch)})


def test_one_curve_with_its_spread_has_a_legend():
    figure = figures.curves([figures.Series(RESULT, "this scenario")], "regret", spread=True)
    assert figure["layout"]["showlegend"]
    assert figure["data"][-1]["name"] == "mean, 95%"


@pytest.mark.parametrize("log", [False, True])
def test_the_axis_of_rounds_ends_with_a_tick_at_the_horizon(log):
    for horizon in (1, 2, 3, 7, 10, 60, 99, 100, 101, 365, 1000, 1001, 4999, 10_000):
        axis = figures.rounds_axis(horizon, log)
        ticks = np.array(axis["tickvals"])
        places = np.log10(ticks) if log else ticks
        assert ticks[-1] == horizon
        assert axis["range"][1] == pytest.approx(np.log10(max(horizon, 2)) if log else horizon)
        assert 1 <= len(ticks) <= 6
        assert len(ticks) == 1 or (np.diff(places) / axis["range"][1]).min() > 0.15


def test_more_curves_than_colours_differ_by_their_dash():
    looks = [tuple(figures._style(number)) for number in range(14)]
    assert len(set(looks)) == 14


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
