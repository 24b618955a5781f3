"""The paper's figures: the experiments of Section 4 at full size, and each of its claims judged by the data."""

from contextlib import suppress

import streamlit as st

from pages import export, plots
from pages.figures import TITLES, Series
from pages.page import Page
from pages.parameters import Choice
from pages.pins import put_pins
from pages.registry import turn_to
from pages.scenario_controls import show
from pages.sweeps import end_sweep, set_sweep
from pages.take_along import Drawn, take_along
from pages.words import literal
from roam_core import Scenario
from roam_core.claims import CLAIMS, FAILS, HOLDS, RULE, TOO_CLOSE, Claim, claims
from roam_core.paper import Record, load, scenarios

ABOUT = {
    "dimension": ("Dimension d", "More features: how regret, error and critical ratio grow with d."),
    "exploration": ("Exploration τ", "Longer or shorter exploration, with d = 5. Without any, the ridge is 0.1."),
    "rival": ("ROAM and CoLSTIM", "The rival compares two fresh items, so its regret is the mean over both."),
}
SWEPT = {"dimension": "d", "exploration": "tau"}  # the field that an experiment varies
COLOURS = {HOLDS: "green", TOO_CLOSE: "orange", FAILS: "red"}
ICONS = {HOLDS: ":material/check:", TOO_CLOSE: ":material/drag_handle:", FAILS: ":material/close:"}
EXPERIMENT = Choice("paper.experiment", "dimension", values=ABOUT)


class ClaimNumber(Choice):
    """A claim, or None. It brings the experiment that it is about on screen."""

    def set(self, number: int | None) -> None:
        super().set(number)
        turn_to_experiment()


CLAIM = ClaimNumber("paper.claim", None, values=range(1, len(CLAIMS) + 1), otherwise="none")


@st.cache_data(show_spinner=False)
def shipped() -> tuple[dict[str, dict[str, Record]], list[Claim]]:
    """The results that come with the project, and the claims judged by them."""
    records = load()
    return records, claims(records)


def turn_to_experiment() -> None:
    """Show the experiment that the claim is about."""
    with suppress(ValueError):  # the results are missing; the page says so
        if CLAIM.value:
            EXPERIMENT.set(shipped()[1][CLAIM.value - 1].parts[0].experiment)


def all_curves_alike() -> None:
    """No claim is highlighted."""
    CLAIM.set(None)


def run_it_yourself() -> None:
    """Set the lab's controls to the experiment on screen, as a sweep or as pinned curves."""
    table = scenarios()[EXPERIMENT.value]
    show(Scenario())
    end_sweep()
    if field := SWEPT.get(EXPERIMENT.value):
        put_pins([])
        set_sweep(f"{field}=" + ",".join(str(getattr(scenario, field)) for scenario in table.values()))
    else:
        put_pins([scenario for label, scenario in table.items() if label != "ROAM"])


def three_plots(records: dict[str, Record], claim: Claim | None) -> Drawn:
    """Regret, error and critical ratio of an experiment; returns each figure with its words."""
    series = [Series(record, label) for label, record in records.items()]

    def words(curve: str) -> str:
        ends = ", ".join(f"{one.label}: {one.result.sampled(curve)[1][-1]:.3g}" for one in series)
        return f"{TITLES[curve]} at the end. {ends}."

    def bright(curve: str) -> dict:
        parts = [part for part in claim.parts if part.curve == curve] if claim else []
        return {"bright": [label for part in parts for label in part.labels] if claim else None}

    return plots.three_plots(series, words, key="chart_paper", height=480, options=bright)


def claim_card(claim: Claim) -> None:
    """One claim with its verdict and the numbers behind it."""
    chosen = CLAIM.value == claim.number
    with st.container(border=True, key=f"claim_{claim.number}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(claim.verdict, icon=ICONS[claim.verdict], color=COLOURS[claim.verdict])
            st.button(
                "All curves" if chosen else "Show the curves",
                key=f"show {claim.number}",
                type="primary" if chosen else "secondary",
                on_click=CLAIM.set,
                args=(None if chosen else claim.number,),
            )
        st.markdown(f"**{claim.number}. {claim.statement}**")
        lines = [f"- :{COLOURS[p.verdict]}[{p.verdict}]: {p.statement}. *{p.sentence}*" for p in claim.parts]
        st.markdown("\n".join(lines))


def tally(judged: list[Claim]) -> str:
    """How many of the claims hold."""
    count = {verdict: sum(claim.verdict == verdict for claim in judged) for verdict in COLOURS}
    words = {HOLDS: ("holds", "hold"), TOO_CLOSE: ("is too close to call", "are too close to call"),
             FAILS: ("does not hold", "do not hold")}  # fmt: skip
    parts = [f"{n} {words[verdict][n != 1]}" for verdict, n in count.items() if n]
    return f"Of the {len(judged)} claims, " + ", ".join(parts) + "."


def choices(judged: list[Claim]) -> None:
    """Which experiment, and which claim."""
    with st.container(horizontal=True, vertical_alignment="center", key="scroll_experiments"):
        EXPERIMENT.widget(
            st.segmented_control,
            "Experiment",
            list(ABOUT),
            format_func=lambda name: ABOUT[name][0],
            on_change=all_curves_alike,
            label_visibility="collapsed",
            required=True,
        )
        if st.button("Run it yourself", on_click=run_it_yourself):
            turn_to("lab")
    with st.container(key="scroll_claims"):
        CLAIM.widget(
            st.pills,
            "Claims",
            [each.number for each in judged],
            format_func=lambda number: f"Claim {number}: {judged[number - 1].verdict}",
            on_change=turn_to_experiment,
            label_visibility="collapsed",
        )


def content() -> None:
    """The experiment on screen, and the claims."""
    try:
        results, judged = shipped()
    except ValueError as missing:
        st.warning(f"The results that come with the project cannot be shown. {literal(str(missing))}.")
        return
    claim, records = judged[CLAIM.value - 1] if CLAIM.value else None, results[EXPERIMENT.value]
    choices(judged)
    one = next(iter(records.values()))
    about = f"**{claim.statement}** Bright: the curves that this is about. " if claim else ""
    st.markdown(
        about + f"{ABOUT[EXPERIMENT.value][1]} Each curve is the mean of {one.runs} users over "
        f"{one.scenario.horizon} rounds with {one.scenario.k} items on offer, with its 95% band."
        + (" Shaded: the exploration phase of the first curve." if one.scenario.resolved().tau else "")
    )
    drawn = three_plots(records, claim)
    st.subheader("What the paper claims, and what these runs say", anchor=False)
    st.markdown(tally(judged))
    left, right = st.columns(2)
    for number, each in enumerate(judged):
        with left if number % 2 == 0 else right:
            claim_card(each)
    st.caption(
        f"How the verdicts are reached. {RULE} The paper puts no number to words such as roughly, hardly or slightly: "
        "the limits of a tenth, a fifth and a half are ours."
    )
    made = one.made
    st.caption(
        f"Computed on {made['date']} with Python {made['python']}, NumPy {made['numpy']} and SciPy {made['scipy']}, "
        f"seed {one.scenario.seed}, by the command python -m roam_core paper."
    )
    with st.expander("Take it along"):
        take_along({"Curves (CSV)": ("paper.csv", export.records_csv(records))}, drawn, PAGE.address)


PAGE = Page("The paper's figures", "paper-figures", content, parameters=(EXPERIMENT, CLAIM), opens="Open the figures")
