"""The page "The paper's figures": experiments, claims, links, and what it says without results."""

import pytest

from pages import figures
from pages.export import records_csv
from pages.paper.page import csv
from roam_core import Scenario
from roam_core.claims import claims, error_rate, ratio_falls, why_different
from roam_core.paper import load, load_many
from tests.test_pages import charts, drawn, visit

MANY = load_many()
RESULTS = load()
CLAIMS = claims(RESULTS)
MORE = claims(MANY)
PANELS = ["Cumulative regret", "Estimation error", "Critical ratio"]
SHOWN = {"dimension": "Dimension d", "exploration": "Exploration τ", "rival": "ROAM and CoLSTIM"}


def lines(figure: dict) -> dict[str, dict]:
    """The mean curves of a figure by name."""
    return {trace["name"]: trace for trace in figure["data"] if trace["name"] not in ("upper", "lower")}


def press(app, **where):
    next(b for b in app.button if all(getattr(b, name) == value for name, value in where.items())).click().run()
    assert not app.exception


@pytest.mark.parametrize("experiment", SHOWN)
def test_every_experiment_has_its_three_panels(experiment):
    app = visit("paper", experiment=experiment)
    assert charts(app) == PANELS
    for figure, curve in zip(drawn(app), ("regret", "error", "ratio"), strict=True):
        assert list(lines(figure)) == list(RESULTS[experiment])
        for label, record in RESULTS[experiment].items():
            assert lines(figure)[label]["y"][-1] == pytest.approx(record.curves[curve][0][-1], rel=1e-3)


def test_the_curves_of_a_thousand_runs_are_a_choice_in_the_link():
    app = visit("paper", n="1000", experiment="exploration")
    assert charts(app) == PANELS
    for figure, curve in zip(drawn(app), ("regret", "error", "ratio"), strict=True):
        for label, record in MANY["exploration"].items():
            assert lines(figure)[label]["y"][-1] == pytest.approx(record.curves[curve][0][-1], rel=1e-3)
    assert "mean of 1,000 users" in said(app)
    app.segmented_control[1].set_value(100).run()
    assert "mean of 100 users" in said(app)


def said(app) -> str:
    return " ".join(text.value for text in [*app.markdown, *app.caption])


def test_the_visitor_can_turn_to_another_experiment():
    app = visit("paper")
    app.segmented_control[0].set_value("rival").run()
    assert not app.exception
    assert list(lines(drawn(app)[0])) == list(RESULTS["rival"])


@pytest.mark.catalogue
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"claim {claim.number}")
def test_a_claim_makes_the_curves_it_speaks_of_bright(claim):
    app = visit("paper")
    press(app, key=f"show {claim.number}")
    assert list(lines(drawn(app)[0])) == list(RESULTS[claim.parts[0].experiment])
    for figure, curve in zip(drawn(app)[:3], ("regret", "error", "ratio"), strict=True):
        bright = {label for part in claim.parts if part.curve == curve for label in part.labels}
        assert {name for name, trace in lines(figure).items() if "opacity" not in trace} == bright
    assert any(f"**{claim.statement}** Bright" in text.value for text in app.markdown)
    press(app, key=f"show {claim.number}")
    assert all("opacity" not in trace for figure in drawn(app) for trace in figure["data"])


def test_a_claim_can_be_chosen_above_the_plots():
    app = visit("paper")
    app.pills[0].set_value(7).run()
    assert not app.exception
    assert (app.session_state["paper.claim"], app.session_state["paper.experiment"]) == (7, "rival")
    app.pills[0].set_value(None).run()
    assert app.session_state["paper.claim"] is None


def labels(app) -> list[str]:
    """What stands on the folded cards of the claims."""
    return [card.label for card in app.expander][: len(CLAIMS)]


def test_every_claim_has_a_folded_card_with_both_verdicts_and_their_numbers_inside():
    app = visit("paper")
    text = said(app)
    for label, few, many in zip(labels(app), CLAIMS, MORE, strict=True):
        assert f"**{few.number}.** {few.statement}" in label
        for claim, runs in ((few, "100"), (many, "1,000")):
            assert f" {runs} runs: {claim.verdict}]" in label
            for part in claim.parts:
                assert f"{runs} runs: :" in text
                assert f"[{part.verdict}]. *{part.sentence}*" in text
            assert all(note in text for note in claim.notes)
        assert why_different(few, many) in text
    assert not any(card.proto.expanded for card in app.expander)


@pytest.mark.parametrize(("n", "judged"), [("100", CLAIMS), ("1000", MORE)], ids=["100", "1000"])
def test_a_chip_says_the_claim_in_a_few_words_with_its_verdict_and_opens_its_card(n, judged):
    app = visit("paper", n=n, claim="3")
    assert app.pills[0].options == [f"{claim.number} {claim.short}: {claim.verdict}" for claim in judged]
    assert [card.proto.expanded for card in app.expander][:7] == [number == 3 for number in range(1, 8)]


def test_verdicts_wait_where_people_predict():
    app = visit("paper", predict="1", claim="4")
    text = said(app) + " ".join(app.pills[0].options + labels(app))
    for claim in CLAIMS:
        assert all(part.statement in text and part.sentence not in text for part in claim.parts)
        assert not any(note in text for note in claim.notes)
    assert not any(verdict in text for verdict in ("runs: holds", ": holds", ": too close to call", "of the 7 claims"))
    press(app, key="reveal")
    assert app.pills[0].options[0].endswith(f": {CLAIMS[0].verdict}")
    assert f"100 runs: {CLAIMS[0].verdict}" in labels(app)[0]
    app.pills[0].set_value(5).run()  # the next claim is predicted again
    assert app.pills[0].options[0] == f"1 {CLAIMS[0].short}"


def test_the_page_says_how_often_a_verdict_is_wrong():
    text = said(visit("paper"))
    assert f"{error_rate(100):.1%} with 100 runs, {error_rate(1000):.1%} with 1,000 runs" in text
    assert "python -m roam_core paper --runs 1000" in text


@pytest.mark.parametrize(("n", "results"), [("100", RESULTS), ("1000", MANY)], ids=["100", "1000"])
def test_claim_4_shows_the_early_and_the_late_ratio(n, results):
    app = visit("paper", claim="4", n=n)
    assert charts(app) == [*PANELS, "Critical ratio, early and late"]
    early, late = drawn(app)[3]["data"]
    text = said(app)
    for number, fall in enumerate(ratio_falls(results)):
        for trace, (value, band, _) in ((early, fall.early), (late, fall.late)):
            assert trace["y"][number] == pytest.approx(value, rel=1e-4)
            assert trace["error_y"]["array"][number] == pytest.approx(band, rel=1e-4)
        cells = [f"{number.value:.3f} ± {number.band:.3f}" for number in (fall.early, fall.late, fall.gone)]
        cells.append(f"{fall.left.value:.1%} ± {fall.left.band:.1%}")
        row = "| " + " | ".join(f":small[{cell}]" for cell in [fall.label[4:], *cells]) + " |"
        assert row in text.replace("\u00a0", " ")


@pytest.mark.parametrize(("experiment", "field"), [("dimension", "d"), ("exploration", "tau")])
@pytest.mark.usefixtures("at_a_glance")
def test_run_it_yourself_opens_the_lab_with_a_sweep(experiment, field):
    app = visit("paper", experiment=experiment)
    press(app, label="Run it yourself")
    assert app.session_state.scenario == Scenario()
    values = [str(getattr(record.scenario, field)) for record in RESULTS[experiment].values()]
    assert app.session_state.sweep == f"{field}=" + ",".join(values)


@pytest.mark.usefixtures("at_a_glance")
def test_run_it_yourself_pins_the_rivals():
    app = visit("paper", experiment="rival")
    press(app, label="Run it yourself")
    assert [(pin.algorithm, pin.c1, pin.c2) for pin in app.session_state.pins] == [
        ("colstim", c1, c2) for c1 in (1.0, 10.0) for c2 in (0.1, 1.0)
    ]
    assert app.session_state.scenario == Scenario()


def test_a_link_restores_experiment_and_claim():
    app = visit("paper", claim="7")
    assert app.session_state["paper.experiment"] == "rival"
    assert app.session_state["paper.claim"] == 7
    assert not app.warning


@pytest.mark.parametrize("link", [{"experiment": "<b>"}, {"claim": "8"}, {"claim": "*"}, {"claim": "-1"}, {"n": "500"}])
def test_a_bad_link_gives_a_message(link):
    app = visit("paper", **link)
    assert app.warning
    assert charts(app) == PANELS


def test_without_results_the_page_says_what_to_do(monkeypatch, tmp_path):
    import streamlit as st

    import roam_core.paper

    st.cache_data.clear()
    monkeypatch.setattr(roam_core.paper.load, "__defaults__", (tmp_path / "nothing.jsonl", Scenario(), 1))
    app = visit("paper")
    st.cache_data.clear()
    assert "python \\-m roam\\_core paper" in app.warning[0].value
    assert charts(app) == []


def test_without_the_results_of_many_runs_the_page_shows_the_others(monkeypatch, tmp_path):
    import streamlit as st

    import roam_core.paper

    st.cache_data.clear()
    monkeypatch.setattr(roam_core.paper, "MANY_RESULTS", tmp_path / "nothing.jsonl")
    app = visit("paper", n="1000", claim="6")
    st.cache_data.clear()
    assert "python \\-m roam\\_core paper \\-\\-runs 1000" in app.info[0].value
    assert charts(app) == PANELS
    text = said(app)
    assert "mean of 100 users" in text
    assert "1,000 runs" not in text
    for claim in claims(load()):
        assert all(part.sentence in text for part in claim.parts)


def test_the_csv_of_many_runs_names_their_seeds():
    assert csv(RESULTS["rival"]) == records_csv(RESULTS["rival"])
    first, rest = csv(MANY["rival"]).split("\n", 1)
    assert first == "# 1000 runs: 100 of each seed from 0 to 9"
    assert rest == records_csv(MANY["rival"])


def test_the_csv_has_a_row_for_every_point_of_every_curve():
    records = RESULTS["rival"]
    rows = [line for line in records_csv(records).splitlines() if not line.startswith("#")]
    assert len(rows) == 1 + sum(len(record.rounds) for record in records.values())
    assert rows[0].startswith("curve,t,regret_mean")
    assert rows[1].startswith('"ROAM",1,')


def test_pale_curves_keep_their_place():
    series = [figures.Series(record, label) for label, record in RESULTS["dimension"].items()]
    plain, dimmed = figures.curves(series, "regret"), figures.curves(series, "regret", bright=["d = 4"])
    assert [trace["y"] for trace in plain["data"]] == [trace["y"] for trace in dimmed["data"]]
    assert [name for name, trace in lines(dimmed).items() if "opacity" not in trace] == ["d = 4"]
