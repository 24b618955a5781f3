"""The paper's figures: the experiments of Section 4 at full size, and each of its claims judged by the data."""

from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

import streamlit as st

from pages import export, plots
from pages.components.chart import chart
from pages.figures import TITLES, Series
from pages.page import Page
from pages.paper.figures import TITLE, early_and_late
from pages.parameters import Choice
from pages.pins import put_pins
from pages.registry import turn_to
from pages.reveal import conceal, hidden, say_verdict
from pages.scenario_controls import show
from pages.sweeps import end_sweep, set_sweep
from pages.take_along import Drawn, take_along
from pages.words import literal
from roam_core import Scenario
from roam_core.claims import (
    CLAIMS,
    FAILS,
    HOLDS,
    RULE,
    TOO_CLOSE,
    Claim,
    Fall,
    claims,
    error_rate,
    ratio_falls,
    why_different,
)
from roam_core.paper import DEFAULTS, MANY, Record, command, load, load_many, scenarios

ABOUT = {
    "dimension": ("Dimension d", "The more features (d) an item has, the more there is to learn about a taste."),
    "exploration": (
        "Exploration τ",
        "The first τ rounds recommend at random. Without any, the estimate is held near zero more firmly (ridge 0.1).",
    ),
    "rival": (
        "ROAM and CoLSTIM",
        "CoLSTIM (Bengs et al. 2022) compares two fresh items and pays the mean regret of both. c1 and c2 set how "
        "boldly it explores.",
    ),
}
SWEPT = {"dimension": "d", "exploration": "tau"}  # the field that an experiment varies
COLOURS = {HOLDS: "green", TOO_CLOSE: "orange", FAILS: "red"}
ICONS = {HOLDS: ":material/check:", TOO_CLOSE: ":material/drag_handle:", FAILS: ":material/close:"}
FEW = DEFAULTS.runs
# On a phone the chips are one line that one pushes sideways.
STYLE = """<style>
@media (max-width: 640px) {
  .st-key-scroll_claims :is(.stElementContainer, [role="radiogroup"]) { width: max-content; max-width: none; }
  .st-key-scroll_claims [role="radiogroup"] { flex-wrap: nowrap; }
}
</style>"""
NO_BREAK = "\u00a0"
SLIGHTLY = 4  # the claim with the word that no number decides
EXPERIMENT = Choice("paper.experiment", "dimension", values=ABOUT)
RUNS = Choice("paper.n", FEW, values=(FEW, MANY))


class ClaimNumber(Choice):
    """A claim, or None. It brings the experiment that it is about on screen."""

    def set(self, number: int | None) -> None:
        super().set(number)
        turn_to_experiment()


CLAIM = ClaimNumber("paper.claim", None, values=range(1, len(CLAIMS) + 1), otherwise="none")


class Judged(NamedTuple):
    """Results of one number of runs, and what they say of the claims."""

    records: Mapping[str, Mapping[str, Record]]
    claims: list[Claim]


@st.cache_data(show_spinner=False)
def shipped() -> tuple[dict[int, Judged], str]:
    """The results that come with the project, by their runs; and what is wrong with those of many runs, if anything."""
    results, problem = {FEW: load()}, ""
    try:
        results[MANY] = load_many()
    except ValueError as missing:
        problem = str(missing)
    return {runs: Judged(records, claims(records)) for runs, records in results.items()}, problem


def turn_to_experiment() -> None:
    """Show the experiment that the claim is about, and keep its verdict back again where people predict."""
    conceal()
    with suppress(ValueError):  # the results are missing; the page says so
        if CLAIM.value:
            EXPERIMENT.set(shipped()[0][FEW].claims[CLAIM.value - 1].parts[0].experiment)


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


def how_slightly(falls: list[Fall], claim: Claim) -> Drawn:
    """The critical ratio early and late, for the reader to judge; returns the figure with its words."""
    figure, said = early_and_late(falls), " ".join(claim.notes)
    left, right = st.columns(2, vertical_alignment="center")
    with left:
        chart(figure, key="chart_paper_slightly", alt=said, height=400)
    with right:
        st.markdown("**No number decides what slightly means.** That the ratio falls can be tested. How far is shown.")
        say_verdict(said)
    return {TITLE: (figure, said)}


def badge(runs: int, verdict: str) -> str:
    """What so many runs say of a claim, as Markdown."""
    return f":{COLOURS[verdict]}-badge[{ICONS[verdict]} {runs:,} runs: {verdict}]"


def claim_card(versions: Mapping[int, Claim], falls: list[Fall], on_screen: int) -> None:
    """One claim, folded: its verdicts outside, unless they are kept back, and the numbers behind them inside."""
    claim = next(iter(versions.values()))
    chosen = CLAIM.value == claim.number
    verdicts = "" if hidden() else " ".join(badge(runs, each.verdict) for runs, each in versions.items())
    with (
        st.container(key=f"claim_{claim.number}"),
        st.expander(f"**{claim.number}.** {claim.statement} {verdicts}", expanded=chosen),
    ):
        st.button(
            "Show all curves alike" if chosen else "Show the curves",
            key=f"show {claim.number}",
            on_click=CLAIM.set,
            args=(None if chosen else claim.number,),
        )
        if hidden():
            st.markdown("\n".join(f"- {part.statement}" for part in claim.parts))
        said = ["\n".join(evidence(versions))]
        if claim.number == SLIGHTLY:
            said.append(f"What slightly means here, by {on_screen:,} runs:\n\n{falls_table(falls)}")
        if len(versions) > 1 and (why := why_different(*versions.values())):
            said.append(f"Why the verdicts differ. {why}")
        say_verdict("\n\n".join(said))


def evidence(versions: Mapping[int, Claim]) -> list[str]:
    """Lines of a list: each part of a claim, and below it what each number of runs says of it."""
    lines = []
    for parts in zip(*(claim.parts for claim in versions.values()), strict=True):
        lines.append(f"- {parts[0].statement}:")
        lines += [
            f"    - {runs:,} runs: :{COLOURS[part.verdict]}[{part.verdict}]. *{part.sentence}*"
            for runs, part in zip(versions, parts, strict=True)
        ]
    notes = [f"    - {runs:,} runs: *{' '.join(claim.notes)}*" for runs, claim in versions.items() if claim.notes]
    return lines + (["- not judged, but worth knowing:", *notes] if notes else [])


def falls_table(falls: list[Fall]) -> str:
    """The early and the late ratio of every dimension, and their difference and quotient."""
    rows = [
        [
            fall.label.removeprefix("d = "),
            *(f"{number.value:.3f} ± {number.band:.3f}" for number in (fall.early, fall.late, fall.gone)),
            f"{fall.left.value:.1%} ± {fall.left.band:.1%}",
        ]
        for fall in falls
    ]
    head = ["d", "early", "late", "early − late", "late / early"]
    # On a phone a line may end before "±", not after it.
    small = [[f":small[{cell.replace('± ', '±' + NO_BREAK)}]" for cell in row] for row in [head, *rows]]
    lines = [small[0], ["---", *["---:"] * (len(head) - 1)], *small[1:]]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines)


def tally(judged: list[Claim]) -> str:
    """How many of the claims hold."""
    count = {verdict: sum(claim.verdict == verdict for claim in judged) for verdict in COLOURS}
    words = {HOLDS: ("holds", "hold"), TOO_CLOSE: ("is too close to call", "are too close to call"),
             FAILS: ("does not hold", "do not hold")}  # fmt: skip
    parts = [f"{n} {words[verdict][n != 1]}" for verdict, n in count.items() if n]
    return f"By {judged[0].runs:,} runs, of the {len(judged)} claims " + ", ".join(parts) + "."


def chip(claim: Claim) -> str:
    """A claim in a few words, with its verdict unless that is kept back."""
    return f"{claim.number} {claim.short}" + ("" if hidden() else f": {claim.verdict}")


def choices(results: Mapping[int, Judged], judged: list[Claim]) -> None:
    """Which experiment, how many runs, and which claim."""
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(horizontal=True, key="scroll_experiments", width="content"):
            EXPERIMENT.widget(
                st.segmented_control,
                "Experiment",
                list(ABOUT),
                format_func=lambda name: ABOUT[name][0],
                on_change=all_curves_alike,
                label_visibility="collapsed",
                required=True,
            )
        with st.container(horizontal=True, vertical_alignment="center", key="scroll_runs", width="content"):
            if len(results) > 1:
                RUNS.widget(
                    st.segmented_control,
                    "Runs",
                    list(results),
                    format_func=lambda runs: f"{runs:,} runs" + (", as in the paper" if runs == FEW else ""),
                    label_visibility="collapsed",
                    required=True,
                )
            if st.button("Run it yourself", on_click=run_it_yourself):
                turn_to("lab")
    chips = {each.number: chip(each) for each in judged}
    with st.container(key="scroll_claims"):
        CLAIM.widget(
            st.pills,
            "Claims",
            list(chips),
            format_func=chips.__getitem__,
            on_change=turn_to_experiment,
            label_visibility="collapsed",
        )


def content() -> None:
    """The experiment on screen, and the claims."""
    st.html(STYLE)
    try:
        results, problem = shipped()
    except ValueError as missing:
        st.warning(f"The results that come with the project cannot be shown. {literal(str(missing))}.")
        return
    runs = RUNS.value if RUNS.value in results else FEW
    everything, judged = results[runs]
    choices(results, judged)
    if problem:
        st.info(f"The results with {MANY:,} runs are not there yet. {literal(problem)}.")
    claim, records = judged[CLAIM.value - 1] if CLAIM.value else None, everything[EXPERIMENT.value]
    st.markdown(
        f"**{claim.statement}** Bright: the curves that this is about." if claim else ABOUT[EXPERIMENT.value][1]
    )
    drawn, falls = three_plots(records, claim), ratio_falls(everything)
    st.caption(how_to_read(records))
    if claim and claim.number == SLIGHTLY:
        drawn |= how_slightly(falls, claim)
    st.subheader("What the paper claims, and what these runs say", anchor=False)
    say_verdict(" ".join(tally(each.claims) for each in results.values()))
    for number in range(len(judged)):
        claim_card({n: each.claims[number] for n, each in results.items()}, falls, runs)
    with st.expander("How the verdicts are reached, how often they are wrong, and how the results were made"):
        small_print(results)
    with st.expander("Take it along"):
        take_along({"Curves (CSV)": ("paper.csv", csv(records))}, drawn, PAGE.address)


def how_to_read(records: Mapping[str, Record]) -> str:
    """What a curve, its band and the shade are, and what the third plot shows."""
    one = next(iter(records.values()))
    return (
        f"Each curve is the mean of {one.runs:,} users over {one.scenario.horizon} rounds with {one.scenario.k} items "
        "on offer. Its band holds the true mean with 95% confidence; single users differ by more."
        + (" Shaded: the exploration of the first curve." if one.scenario.resolved().tau else "")
        + " The critical ratio is how far the recommended item is from the best one, divided by how far it is from the "
        "one asked about, both counted by uncertainty (in V⁻¹). Small is good: the question reaches farther than "
        "the mistake."
    )


def small_print(results: Mapping[int, Judged]) -> None:
    """How the verdicts are reached, how often they are wrong, and how the results were made."""
    st.markdown(
        f"**How the verdicts are reached.** {RULE} The paper puts no number to words such as roughly or hardly: "
        "the limits of a tenth and a fifth are ours. Significantly larger means that the whole band is above."
    )
    rates = ", ".join(f"{error_rate(runs):.1%} with {runs:,} runs" for runs in results)
    counts = [sum(len(part.numbers) for part in claim.parts) for claim in results[FEW].claims]
    st.markdown(
        f"**How often they are wrong.** A false claim is said to hold with a probability of at most about {rates}. "
        "Each number that a claim compares speaks against a true claim with at most the same probability. A claim "
        f"compares {min(counts)} to {max(counts)} numbers."
    )
    for runs, (records, _) in results.items():
        one = next(iter(next(iter(records.values())).values()))
        made, first = one.made, one.scenario.seed
        seeds = f"seed {first}" if one.seeds == 1 else f"seeds {first} to {first + one.seeds - 1}"
        same = f" Its first {FEW:,} runs are the {FEW:,} above." if one.seeds > 1 else ""
        st.markdown(
            f"**{runs:,} runs** were computed on {made['date']} with Python {made['python']}, NumPy {made['numpy']} "
            f"and SciPy {made['scipy']}, {seeds}, by the command {command(one.seeds)}.{same}"
        )


def csv(records: Mapping[str, Record]) -> str:
    """The curves of an experiment; those of several seeds say so, because the scenario has only the first."""
    one = next(iter(records.values()))
    last = one.scenario.seed + one.seeds - 1
    head = f"# {one.runs} runs: {one.scenario.runs} of each seed from {one.scenario.seed} to {last}\n"
    return (head if one.seeds > 1 else "") + export.records_csv(records)


SYMBOLS = (
    "ROAM", "CoLSTIM", "exploration", "sublinear", "band", "run",
    "regret", "estimate", "theta", "ratio", "V", "lambda_min", "Sigma", "beta", "richness", "d", "tau", "k", "horizon",
    "runs", "c1", "c2",
)  # fmt: skip
PAGE = Page(
    "The paper's figures",
    "paper-figures",
    content,
    parameters=(EXPERIMENT, CLAIM, RUNS),
    opens="Open the figures",
    symbols=SYMBOLS,
    teaser="The paper's own experiments, and a verdict on each of its claims.",
    scenario=False,
)
