"""The shipped results of Section 4, how they are made, and what they say of the paper's claims."""

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from roam_core import Scenario, paper, simulate
from roam_core.__main__ import main
from roam_core.claims import FAILS, HOLDS, TOO_CLOSE, Part, _quotient, claims
from roam_core.engine import batch_sizes, run_batch
from roam_core.paper import EXPERIMENTS, RESULTS, Record, load, measures, moments, regret_map, scenarios
from roam_core.result import CURVES, Result
from roam_core.sweep import Step, sweep

SHIPPED = load()


def test_the_experiments_are_the_papers():
    table = scenarios()
    assert [s.d for s in table["dimension"].values()] == [2, 4, 6, 8, 10]
    assert [s.tau for s in table["dimension"].values()] == [20, 40, 60, 80, 100]
    assert [(s.tau, s.ridge, s.d) for s in table["exploration"].values()] == [
        (0, 0.1, 5), (25, 1e-3, 5), (50, 1e-3, 5), (75, 1e-3, 5), (100, 1e-3, 5),
    ]  # fmt: skip
    roam, *rivals = table["rival"].values()
    assert roam == Scenario().resolved()
    assert [(s.algorithm, s.c1, s.c2) for s in rivals] == [
        ("colstim", 1, 0.1), ("colstim", 1, 1), ("colstim", 10, 0.1), ("colstim", 10, 1),
    ]  # fmt: skip
    for name in ("dimension", "exploration", "rival"):
        assert {(s.runs, s.horizon, s.k) for s in table[name].values()} == {(100, 1000, 1000)}


def test_the_shipped_results_are_those_of_todays_scenarios():
    """Fails when a default of Scenario changes: then they must be made again."""
    table = scenarios()
    assert {name: list(records) for name, records in SHIPPED.items()} == {n: list(s) for n, s in table.items()}
    for name, records in SHIPPED.items():
        for label, record in records.items():
            assert record.scenario == table[name][label]
            assert set(record.made) == {"date", "python", "numpy", "scipy"}
            assert record.rounds[0] == 1
            assert record.rounds[-1] == 1000
            assert len(record.rounds) == 300


def test_the_shipped_file_is_small_and_names_no_place():
    assert RESULTS.stat().st_size < 1_000_000
    assert "/" not in RESULTS.read_text(encoding="utf-8")


@pytest.mark.battery
@pytest.mark.parametrize(
    ("experiment", "label", "batch"),
    [
        ("dimension", "d = 10", 0),
        ("exploration", "τ = 0", 1),
        ("rival", "CoLSTIM, c1 = 10, c2 = 0.1", 0),
    ],
)
def test_a_sample_of_the_shipped_runs_comes_out_again(experiment, label, batch):
    """Six digits are kept, so 1e-5.

    With the kernels of other processors (OPENBLAS_CORETYPE, NPY_DISABLE_CPU_FEATURES) the numbers of the runs differ by
    less than 1e-11, so another machine should pass too.
    """
    record = SHIPPED[experiment][label]
    sizes = batch_sizes(record.scenario)
    rows = slice(sum(sizes[:batch]), sum(sizes[: batch + 1]))
    again = Result.join(record.scenario, [run_batch(record.scenario, batch)], 1.0)
    for name, values in measures(again).items():
        np.testing.assert_allclose(record.per_run[name][rows], values, rtol=1e-5, atol=1e-9, err_msg=name)


@pytest.mark.battery
def test_the_shipped_curves_are_those_that_the_lab_draws():
    record = SHIPPED["dimension"]["d = 2"]
    result = simulate(record.scenario)
    for curve in CURVES:
        rounds, mean, band = result.sampled(curve)
        assert record.sampled(curve)[0] == rounds
        np.testing.assert_allclose(record.sampled(curve)[1], mean, rtol=1e-4)
        np.testing.assert_allclose(record.sampled(curve)[2], band, rtol=1e-2, atol=1e-12)
    assert moments(record.per_run["regret"]) == pytest.approx(
        (result.mean("regret")[-1], result.band("regret")[-1]), rel=1e-5
    )


def test_the_map_holds_the_regret_of_every_pair():
    found = regret_map(SHIPPED["map"])
    assert found.regret.shape == found.band.shape == (len(found.c1), len(found.c2))
    for i, c1 in enumerate(found.c1):
        for j, c2 in enumerate(found.c2):
            record = SHIPPED["map"][f"c1 = {c1:g}, c2 = {c2:g}"]
            assert (record.scenario.c1, record.scenario.c2) == (c1, c2)
            assert found.regret[i, j] == pytest.approx(record.per_run["regret"].mean())
    assert found.roam == pytest.approx(SHIPPED["map"]["ROAM"].per_run["regret"].mean())


def test_a_changed_default_calls_for_new_results():
    with pytest.raises(ValueError, match=r"no results for d = 2 .*python -m roam_core paper"):
        load(base=Scenario(ridge=0.01))


def without(text: str, *fields: str) -> str:
    """The lines as they would be, had these fields not existed when they were written."""
    records = [json.loads(line) for line in text.splitlines()]
    kept = [{name: value for name, value in r["scenario"].items() if name not in fields} for r in records]
    return "".join(json.dumps(r | {"scenario": scenario}) + "\n" for r, scenario in zip(records, kept, strict=True))


@pytest.mark.parametrize("fields", [["cost"], ["user_link"], ["flatness", "skip_below", "user_link"]])
def test_results_from_before_a_field_existed_are_those_of_its_default(tmp_path, fields):
    path = tmp_path / "old.jsonl"
    path.write_text(without(RESULTS.read_text(encoding="utf-8"), *fields), encoding="utf-8")
    before = path.read_bytes()
    found = load(path)
    for name, records in SHIPPED.items():
        for label, record in records.items():
            assert found[name][label].scenario == record.scenario
            np.testing.assert_array_equal(found[name][label].per_run["regret"], record.per_run["regret"])
    assert list(paper.make(path)) == []
    assert path.read_bytes() == before


@pytest.mark.parametrize("spoil", [{"colour": "red"}, {"cost": "1.0"}, {"link": "linear"}], ids=str)
def test_results_of_another_scenario_do_not_count(tmp_path, spoil):
    first, *rest = RESULTS.read_text(encoding="utf-8").splitlines()
    record = json.loads(first)
    record["scenario"] |= spoil
    path = tmp_path / "other.jsonl"
    path.write_text("\n".join([json.dumps(record), *rest]) + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no results for d = 2"):
        load(path)


BROKEN = {
    "a note": "not a line of JSON\n",
    "no scenario": '{"made":{}}\n',
    "a list": "[1]\n",
    "an unfinished note": "not a line",
    "a scenario that is none": '{"scenario":"d=2"}\n',
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path, capsys, content):
    path = tmp_path / "notes.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match="broken"):
        load(path)
    assert main([*TINY, "--out", str(path)]) == 2
    assert "broken" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == content


def test_missing_results_say_what_to_do(tmp_path):
    with pytest.raises(ValueError, match=r"missing\. Run python -m roam_core paper"):
        load(tmp_path / "none.jsonl")


@pytest.mark.parametrize("spoil", [lambda r: r.pop("curves"), lambda r: r["per_run"]["regret"].pop()])
def test_a_damaged_line_is_noticed(tmp_path, spoil):
    first, *rest = RESULTS.read_text(encoding="utf-8").splitlines()
    record = json.loads(first)
    spoil(record)
    path = tmp_path / "damaged.jsonl"
    path.write_text("\n".join([json.dumps(record), *rest]) + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match="broken"):
        load(path)


TINY = ["paper", "--runs", "2", "--k", "20", "--horizon", "104", "--workers", "1"]


class Tiny(NamedTuple):
    """What the command made, and the results it was made from."""

    path: Path
    results: dict[Scenario, Result]

    def again(self, missing: list[Scenario], executor: None) -> Iterator[Step]:
        """A sweep that need not play: one step for every scenario."""
        for done, scenario in enumerate(missing, start=1):
            yield Step(done / len(missing), [self.results[scenario]])


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Tiny:
    path, results = tmp_path_factory.mktemp("paper") / "tiny.jsonl", {}

    def observed(missing, executor):
        for step in sweep(missing, executor):
            results.update((result.scenario, result) for result in step.finished)
            yield step

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paper, "sweep", observed)
        assert main([*TINY, "--out", str(path)]) == 0
    return Tiny(path, results)


@pytest.mark.battery
def test_the_command_makes_the_records_of_simulate(tiny):
    base = Scenario(runs=2, k=20, horizon=104)
    results = load(tiny.path, base)
    for name, label in (("dimension", "d = 4"), ("exploration", "τ = 0"), ("map", "c1 = 30, c2 = 1")):
        scenario = replace(base, **EXPERIMENTS[name][label])
        result = simulate(scenario)
        assert results[name][label].scenario == scenario.resolved()
        np.testing.assert_allclose(results[name][label].per_run["regret"], result.regret[:, -1], rtol=1e-5)
    assert len(claims(results)) == 7


@pytest.mark.battery
@pytest.mark.parametrize("cut", [0, 300, 30_000, -3])
def test_the_command_goes_on_where_it_was_cut_off(tiny, tmp_path, monkeypatch, capsys, cut):
    whole = tiny.path.read_text(encoding="utf-8")
    path = tmp_path / "tiny.jsonl"
    path.write_text(whole[:cut], encoding="utf-8")
    played = []
    monkeypatch.setattr(paper, "sweep", lambda *how: played.extend(how[0]) or tiny.again(*how))
    assert main([*TINY, "--out", str(path)]) == 0
    assert len(played) == whole.count("\n") - whole[:cut].count("\n")
    assert without_date(path.read_text(encoding="utf-8")) == without_date(whole)
    assert [file.name for file in tmp_path.iterdir()] == ["tiny.jsonl"]
    played.clear()
    assert main([*TINY, "--out", str(path)]) == 0
    assert played == []
    assert "7. ROAM's regret" in capsys.readouterr().out


def without_date(text: str) -> list[dict]:
    return [json.loads(line) | {"made": None} for line in text.splitlines()]


@pytest.mark.parametrize("arguments", [["--k", "50"], ["--out", "no/such/folder/r.jsonl"], ["--horizon", "50"]])
def test_bad_input_gives_one_line_and_status_2(arguments, capsys):
    before = RESULTS.stat()
    assert main(["paper", *arguments]) == 2
    err = capsys.readouterr().err
    assert err.startswith("roam_core: error: ")
    assert err.count("\n") == 1
    assert RESULTS.stat() == before


# Claims


@pytest.mark.parametrize(
    ("value", "band", "low", "high", "verdict"),
    [
        (1.0, 0.9, 0, math.inf, HOLDS), (1.0, 1.1, 0, math.inf, TOO_CLOSE), (-1.0, 0.9, 0, math.inf, FAILS),
        (-1.0, 1.1, 0, math.inf, TOO_CLOSE), (0.5, 0.0, 0, math.inf, HOLDS), (-0.5, 0.0, 0, math.inf, FAILS),
        (1.0, 0.05, 0.9, 1.1, HOLDS), (1.0, 0.2, 0.9, 1.1, TOO_CLOSE), (1.3, 0.1, 0.9, 1.1, FAILS),
        (0.7, 0.1, 0.9, 1.1, FAILS), (math.nan, 0.1, 0, 1, TOO_CLOSE), (0.5, math.nan, 0, 1, TOO_CLOSE),
    ],
)  # fmt: skip
def test_a_part_is_judged_by_where_its_band_lies(value, band, low, high, verdict):
    assert Part("", value, band, low, high, "", "", (), "").verdict == verdict


def made_up(scenario: Scenario, noise: float = 0.01) -> dict[str, np.ndarray]:
    """Measures of a world in which every claim holds."""
    s, rng = scenario, np.random.default_rng([scenario.d, scenario.tau, int(10 * scenario.c1), int(10 * scenario.c2)])
    untrained = 1.5 if s.tau == 0 else 1.0
    numbers = {
        "regret_half_explored": 0.35 * s.tau,
        "regret_explored": 0.7 * s.tau,
        "regret_half_way": 0.7 * s.tau + 10 * s.d,
        "regret": (0.7 * s.tau + 13 * s.d) * (2 if s.tau == 0 else 1),
        "error_first": 0.2 * s.d,
        "error": 0.05 * s.d * untrained,
        "ratio_all": 0.05 * s.d * untrained,
        "ratio_early": 0.05 * s.d * untrained,
        "ratio": 0.04 * s.d * untrained,
        "lambda_min": 5.0,
    }
    if s.algorithm == "colstim":
        numbers |= {"regret": numbers["regret"] + 50, "error": 2.0 / s.c1 + numbers["error"]}
    return {name: value * (1 + noise * rng.standard_normal(s.runs)) for name, value in numbers.items()}


def experiments_with(noise: float = 0.01, **changes) -> dict[str, dict[str, Record]]:
    """The made-up world, but in curve `label` of an experiment a measure is multiplied by a factor."""
    table = {
        name: {label: Record(s, {}, [], {}, made_up(s, noise)) for label, s in some.items()}
        for name, some in scenarios().items()
    }
    for name, (label, measure, factor) in changes.items():
        table[name][label].per_run[measure] *= factor
    return table


def test_all_claims_hold_in_a_world_made_for_them():
    assert [claim.verdict for claim in claims(experiments_with())] == [HOLDS] * 7


def test_no_claim_is_settled_when_all_is_noise():
    assert HOLDS not in [claim.verdict for claim in claims(experiments_with(noise=30.0))]


BREAKS = {
    "1 not linear": (1, "dimension", ("d = 6", "regret_half_explored", 0.8)),
    "1 not sublinear": (1, "dimension", ("d = 6", "regret_half_way", 0.7)),
    "2 does not grow": (2, "dimension", ("d = 10", "regret", 0.7)),
    "2 not linear": (2, "dimension", ("d = 10", "regret", 2.0)),
    "3 does not fall": (3, "dimension", ("d = 4", "error_first", 0.2)),
    "3 does not grow": (3, "dimension", ("d = 4", "error", 0.4)),
    "4 not far below": (4, "dimension", ("d = 4", "ratio_all", 10.0)),
    "4 does not grow": (4, "dimension", ("d = 10", "ratio", 0.7)),
    "4 does not fall": (4, "dimension", ("d = 10", "ratio_early", 0.7)),
    "4 not slightly": (4, "dimension", ("d = 10", "ratio_early", 2.0)),
    "5 no more regret": (5, "exploration", ("τ = 50", "regret", 0.5)),
    "5 error affected": (5, "exploration", ("τ = 100", "error", 0.7)),
    "5 ratio affected": (5, "exploration", ("τ = 75", "ratio", 1.5)),
    "6 less regret": (6, "exploration", ("τ = 0", "regret", 0.3)),
    "6 less error": (6, "exploration", ("τ = 0", "error", 0.5)),
    "6 less ratio": (6, "exploration", ("τ = 0", "ratio", 0.5)),
    "7 more regret": (7, "rival", ("ROAM", "regret", 2.0)),
    "7 c1 = 1 learns fast": (7, "rival", ("CoLSTIM, c1 = 1, c2 = 0.1", "error", 0.01)),
    "7 c1 = 10 learns slowly": (7, "rival", ("CoLSTIM, c1 = 10, c2 = 1", "error", 10.0)),
    "7 c1 = 10 is free": (7, "rival", ("CoLSTIM, c1 = 10, c2 = 1", "regret", 0.1)),
}


@pytest.mark.parametrize(("number", "experiment", "change"), BREAKS.values(), ids=BREAKS)
def test_other_data_give_another_verdict(number, experiment, change):
    """One changed curve breaks the claim and the sentence is about it, if it is not about its neighbour."""
    claim = claims(experiments_with(**{experiment: change}))[number - 1]
    assert claim.verdict == FAILS
    broken = [part for part in claim.parts if part.verdict == FAILS]
    assert all(part.experiment == experiment and change[0] in part.labels for part in broken)
    assert any(part.curve in change[1] for part in broken)


def test_the_number_behind_a_part_is_the_difference_of_means_with_its_band():
    roam, *rivals = (record.per_run["regret"] for record in SHIPPED["rival"].values())
    differences = [rival - roam for rival in rivals]
    least_clear = min(differences, key=lambda d: d.mean() / d.std())
    part = claims(SHIPPED)[6].parts[0]
    assert part.value == pytest.approx(least_clear.mean())
    assert part.band == pytest.approx(2 * least_clear.std() / 10)
    assert part.labels == tuple(SHIPPED["rival"])


def test_a_quotient_of_means_has_the_right_band():
    """Against the spread of the quotient over 2,000 made-up data sets."""
    rng = np.random.default_rng(0)
    below = 2 + rng.normal(size=(2000, 100))
    above = 0.5 * below + rng.normal(size=(2000, 100))
    found = [_quotient(a, b, "") for a, b in zip(above, below, strict=True)]
    spread = np.std([number.value for number in found])
    assert np.median([number.band for number in found]) == pytest.approx(2 * spread, rel=0.1)


def test_every_claim_tells_its_numbers_and_the_curves_it_is_about():
    for number, claim in enumerate(claims(SHIPPED), start=1):
        assert claim.number == number
        assert claim.statement.endswith(".")
        for part in claim.parts:
            assert f"{part.value:.3g} ± {part.band:.2g}" in part.sentence
            assert set(part.labels) <= set(SHIPPED[part.experiment])
            assert part.curve in CURVES


@pytest.mark.battery
def test_one_run_settles_nothing(tmp_path, monkeypatch):
    monkeypatch.setitem(EXPERIMENTS, "map", EXPERIMENTS["rival"])  # no claim is about the map, which has most scenarios
    path = tmp_path / "one.jsonl"
    assert main([*TINY, "--runs", "1", "--tau", "0", "--out", str(path)]) == 0
    results = load(path, Scenario(runs=1, k=20, horizon=104, tau=0))
    assert {claim.verdict for claim in claims(results)} == {TOO_CLOSE}
