"""The paper's figures: the experiments of Section 4 at full size, and each of its claims judged by the data."""

import streamlit as st

from pages.components.chart import chart
from pages.components.downloads import take_along
from pages.parts import controls, export, figures
from pages.parts.figures import Series
from roam_core import Scenario
from roam_core.claims import FAILS, HOLDS, RULE, TOO_CLOSE, Claim, claims
from roam_core.paper import Record, load, scenarios
from roam_core.result import CURVES

EXPERIMENTS = {
    "dimension": ("Dimension d", "More features: how regret, error and critical ratio grow with d."),
    "exploration": ("Exploration τ", "Longer or shorter exploration, with d = 5. Without any, the ridge is 0.1."),
    "rival": ("ROAM and CoLSTIM", "The rival compares two fresh items, so its regret is the mean over both."),
}
COLOURS = {HOLDS: "green", TOO_CLOSE: "orange", FAILS: "red"}
ICONS = {HOLDS: ":material/check:", TOO_CLOSE: ":material/drag_handle:", FAILS: ":material/close:"}


@st.cache_data(show_spinner=False)
def shipped() -> tuple[dict[str, dict[str, Record]], list[Claim]]:
    """The results that come with the project, and the claims judged by them."""
    records = load()
    return records, claims(records)


def choose_claim(number: int, experiment: str) -> None:
    """Highlight the curves that a claim speaks of; the same claim again takes that back."""
    off = st.session_state.claim == number
    st.session_state.claim = None if off else number
    st.session_state.experiment = experiment


def pick_claim() -> None:
    """Highlight the claim chosen above the plots, or none."""
    number = st.session_state.w_claim
    st.session_state.claim = number
    if number:
        st.session_state.experiment = shipped()[1][number - 1].parts[0].experiment


def choose_experiment() -> None:
    """Show another experiment, with all curves alike."""
    st.session_state.experiment = st.session_state.w_experiment or st.session_state.experiment
    st.session_state.claim = None


def view_of_link(judged: list[Claim]) -> None:
    """The experiment and the claim that the link asks for; a message if there is no such one."""
    st.session_state.experiment, st.session_state.claim = "dimension", None
    asked = st.query_params.get("experiment")
    if asked in EXPERIMENTS:
        st.session_state.experiment = asked
    elif asked is not None:
        wrong = f"experiment = {controls.shortened(asked)} is not one of {', '.join(EXPERIMENTS)}"
        controls.complain(wrong, "dimension")
    number = st.query_params.get("claim")
    if number in {str(claim.number) for claim in judged}:
        st.session_state.claim = int(number)
        st.session_state.experiment = judged[int(number) - 1].parts[0].experiment
    elif number is not None:
        controls.complain(f"claim = {controls.shortened(number)} is not a number from 1 to {len(judged)}", "none")


def run_it_yourself() -> None:
    """Set the lab's controls to the experiment on screen, as a sweep or as pinned curves."""
    name = st.session_state.experiment
    controls.show(Scenario())
    controls.unpin_all()
    controls.end_sweep()
    if name == "rival":
        for label, scenario in scenarios()["rival"].items():
            if label != "ROAM":
                controls.show(scenario)
                controls.pin()
        controls.show(Scenario())
    else:
        field = {"dimension": "d", "exploration": "tau"}[name]
        values = [getattr(scenario, field) for scenario in scenarios()[name].values()]
        controls.set_sweep(f"{field}=" + ",".join(map(str, values)))


def three_plots(records: dict[str, Record], claim: Claim | None) -> dict[str, tuple[dict, str]]:
    """Regret, error and critical ratio of an experiment; returns each figure with its words."""
    series = [Series(record, label) for label, record in records.items()]
    drawn = {}
    for column, curve in zip(st.columns(3), CURVES, strict=True):
        bright = None
        if claim:
            bright = [label for part in claim.parts if part.curve == curve for label in part.labels]
        figure = figures.curves(series, curve, bright=bright)
        ends = ", ".join(f"{one.label}: {one.result.sampled(curve)[1][-1]:.3g}" for one in series)
        words = f"{figures.TITLES[curve]} at the end. {ends}."
        with column:
            chart(figure, key=f"chart_paper_{curve}", alt=words, height=480)
        drawn[figures.TITLES[curve]] = (figure, words)
    return drawn


def claim_card(claim: Claim) -> None:
    """One claim with its verdict and the numbers behind it."""
    chosen = st.session_state.claim == claim.number
    with st.container(border=True, key=f"claim_{claim.number}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(claim.verdict, icon=ICONS[claim.verdict], color=COLOURS[claim.verdict])
            st.button(
                "All curves" if chosen else "Show the curves",
                key=f"show {claim.number}",
                type="primary" if chosen else "secondary",
                on_click=choose_claim,
                args=(claim.number, claim.parts[0].experiment),
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


def link() -> dict[str, str]:
    """What the link says about the view."""
    claim = st.session_state.claim
    return {"experiment": st.session_state.experiment} | ({"claim": str(claim)} if claim else {})


def draw() -> None:
    """The page."""
    controls.current()
    st.header("The paper's figures", anchor=False)
    try:
        results, judged = shipped()
    except ValueError as missing:
        st.warning(f"The results that come with the project cannot be shown. {controls.literal(str(missing))}.")
        st.stop()
    if "experiment" not in st.session_state:
        view_of_link(judged)
    controls.problems()
    claim = judged[st.session_state.claim - 1] if st.session_state.claim else None
    records = results[st.session_state.experiment]
    with st.container(horizontal=True, vertical_alignment="center", key="scroll_experiments"):
        st.session_state.w_experiment = st.session_state.experiment
        st.segmented_control(
            "Experiment",
            list(EXPERIMENTS),
            format_func=lambda name: EXPERIMENTS[name][0],
            key="w_experiment",
            on_change=choose_experiment,
            label_visibility="collapsed",
        )
        if st.button("Run it yourself", on_click=run_it_yourself):
            st.switch_page("lab/page.py")
    with st.container(key="scroll_claims"):
        st.session_state.w_claim = st.session_state.claim
        st.pills(
            "Claims",
            [each.number for each in judged],
            format_func=lambda number: f"Claim {number}: {judged[number - 1].verdict}",
            key="w_claim",
            on_change=pick_claim,
            label_visibility="collapsed",
        )
    one = next(iter(records.values()))
    about = f"**{claim.statement}** Bright: the curves that this is about. " if claim else ""
    st.markdown(
        about + f"{EXPERIMENTS[st.session_state.experiment][1]} Each curve is the mean of {one.runs} users over "
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
        take_along({"Curves (CSV)": ("paper.csv", export.records_csv(records))}, drawn, link())
    controls.write_link(link())


if __name__ == "__main__":
    draw()
