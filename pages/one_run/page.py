"""One run in two dimensions: watch the history, the ellipsoid and the probes, round by round."""

from dataclasses import replace
from typing import Any

import streamlit as st

from pages import figures, watching
from pages.board.works import Work
from pages.components.chart import chart
from pages.components.plane import ELLIPSOIDS, LAYERS, LEVEL, LEVELS, STAGES, plane
from pages.figures import Series
from pages.one_run.figures import ending, ending_legend, parameter_range, rival_regrets, strips
from pages.one_run.luck import bargain, compared, many, standing, users
from pages.one_run.presets import PRESETS
from pages.one_run.scene import LARGEST_K, MOST_ROUNDS, Ending, endings, in_plane, scene
from pages.one_run.turn import beside_roam, reached, your_run
from pages.one_run.words import measured_coverage, of_the_curvature, of_the_probes
from pages.page import Page
from pages.parameters import Choice, Flag, Kept, Names, Number, Questions
from pages.presets import things_to_try
from pages.reveal import hidden, say_notice, say_verdict
from pages.scenario_controls import FLATNESSES, RADII, SIZES, current, new_seed, show, widget
from pages.watching import Sight
from pages.words import counted, regret_at_end
from roam_core import Result, Scenario
from roam_core.coverage import Coverage
from roam_core.policies import compared_rules

READ = (
    "Orange is the question, purple is uncertainty, blue is what the algorithm believes, green is the truth. "
    "Press Play, or step through one round."
)
YOUR_TURN = (
    "Your questions on ROAM's luck: same taste, same items on offer. Red curves are yours; dashed blue, and the dashed "
    "ring, are ROAM's."
)
ROUND = Number("one_run.round", None, low=1, high=lambda: shown().horizon, whole=True)  # None: where learning is seen
STAGE = Choice("one_run.stage", None, values=STAGES, otherwise="the whole round")
ELLIPSOID = Choice("one_run.ellipsoid", "V", values=ELLIPSOIDS)
SIZE = Number("one_run.c", float(LEVEL), low=LEVELS[0], high=LEVELS[1])  # of the ellipsoid of V
HIDE = Names("one_run.hide", values=LAYERS)
VIEW = (ROUND, STAGE, ELLIPSOID, SIZE, HIDE)  # of the picture
YOURS = Questions("one_run.yours", of_scenario=True, otherwise="ROAM's own run", last=lambda: shown().horizon)
FEW = 20  # users: of fewer nothing is said
COMPARE = Flag("one_run.compare", otherwise="no comparison")
TOKEN = Kept("one_run.token", 0)  # changes when the picture must take over another view


def shown() -> Scenario:
    """The scenario as this page plays it."""
    return in_plane(current())


def view(opening: int = 1) -> dict[str, Any]:
    """What the picture shows: the round (`opening`, if the link says none), its stage (-1: all), ellipsoid, layers.

    A visitor's turn opens in the round that it has reached.
    """
    last = reached(YOURS.value, shown().horizon) if YOURS.value else shown().horizon
    opening = last if YOURS.value else opening
    return {
        "round": min(ROUND.value or opening, last),
        "stage": -1 if STAGE.value is None else STAGES.index(STAGE.value),
        "ellipsoid": ELLIPSOID.value,
        "c": SIZE.value,
        "hidden": list(HIDE.value),
    }


def moved() -> None:
    """Remember what the visitor looks at, for the link."""
    now = {**view(), **st.session_state.plane.view}
    ROUND.set(int(now["round"]))
    STAGE.set(None if now["stage"] < 0 else STAGES[now["stage"]])
    ELLIPSOID.set(now["ellipsoid"])
    SIZE.set(float(now["c"]))
    HIDE.set(tuple(name for name in LAYERS if name in now["hidden"]))


def asked() -> None:
    """Take over the questions of the visitor's turn, and go to the round they have reached; nothing ends the turn."""
    said = st.session_state.plane.yours
    try:
        YOURS.set(YOURS.parse(said) if said else None)
    except ValueError:  # another scenario has come on screen meanwhile
        return
    if YOURS.value:
        ROUND.set(reached(YOURS.value, shown().horizon))
        STAGE.set(None)


def one_run() -> dict[str, Any]:
    """The picture of ROAM's run, or of the visitor's beside it while their turn is on."""
    run = this_scene()
    if not YOURS.value:
        return run
    return beside_roam(run, watching.compute("Playing your run", your_run, shown(), YOURS.value), YOURS.value)


def try_it(scenario: Scenario) -> None:
    """Set the controls for one of the things to try and begin where it gets interesting."""
    show(scenario)
    for parameter in VIEW:
        parameter.set(parameter.default)
    TOKEN.set(TOKEN.value + 1)


def wants() -> list[Work]:
    """What many users pay with these controls and with others; how often the ellipsoids hold their taste.

    If the ask rules are compared, also what many users pay with each.
    """
    here = many(current())
    rules = [replace(here, ask=rule) for rule in compared_rules(here) if COMPARE.value]
    return [here, compared(current()), Coverage(here), *rules]


def controls() -> None:
    """Things to try, and what to notice."""
    with st.container(horizontal=True, gap="small", key="scroll_try"):
        notice = things_to_try(PRESETS, lambda scenario: in_plane(scenario) == shown(), try_it)
    if YOURS.value:
        st.markdown(YOUR_TURN)
    elif notice:
        say_notice(notice)
    else:
        st.markdown(READ)


def control_column() -> None:
    """The two controls that matter most here, one below the other; the others are folded away."""
    widget("tau", shown(), range(min(100, shown().horizon) + 1))
    widget("ask", shown())
    if not shown().no_effect("window"):
        widget("window", shown(), (1, 2, 5, 10, 20, 50, 100))
    if not shown().no_effect("formula"):
        widget("formula", shown())
    with st.container(horizontal=True, gap="small"):
        with st.popover("More controls", width="content"):
            more_controls()
        st.button("New seed", on_click=new_seed, help="Another user, with other luck.")


def more_controls() -> None:
    """What shapes the items and the answers, and how long the run is."""
    widget("flatness", shown(), FLATNESSES)
    widget("radius", shown(), RADII)
    widget("k", shown(), [k for k in SIZES if k <= LARGEST_K])
    widget("horizon", shown(), (20, 50, 100, 150, 200, 250, MOST_ROUNDS))
    widget("items", shown())
    widget("link", shown())
    st.button("Same seed again", on_click=try_it, args=(current(),))
    st.caption(
        f"Seed {shown().seed}. This page always has d = 2, ROAM, at most {MOST_ROUNDS} rounds and {LARGEST_K:,} items."
    )


def rule_names() -> dict[str, str]:
    """The ask rules as they are called on this page."""
    return {name: replace(shown(), ask=name).words("ask") for name in compared_rules(shown())}


def layout(sight: Sight) -> tuple:
    """The picture with the controls beside it, and how the run ends under each ask rule; places for many users."""
    left, right = st.columns([14, 4], gap="medium")
    with right:
        control_column()
        luck = st.container()
    with left:
        place, below = st.container(), st.container()
        with below:  # so that the picture keeps its place while a run is waited for
            run = one_run()
        with place:
            now = view(run["opening"])
            plane(run, now, str(TOKEN.value), key="plane", on_view_change=moved, on_yours_change=asked)
        with st.expander("What V and H are, and how often their ellipsoids hold the taste"):
            coverage = st.container()
            st.latex(r"V_t = \text{ridge} \cdot I + \sum z z^\top")
            st.markdown(of_the_probes())
            st.latex(r"H_t = \text{ridge} \cdot I + \sum F'(\langle z, \hat\theta_t \rangle)\, z z^\top")
            st.markdown(of_the_curvature(shown()))
    COMPARE.widget(st.toggle, f"Compare the {counted(len(rule_names()))} ask rules on this run")
    wrong = st.container()
    places = (wrong, luck, coverage)
    return (*places, side_by_side()) if COMPARE.value else places


def this_scene() -> dict[str, Any]:
    """ROAM's run, as its picture shows it."""
    return watching.compute("Playing the run", scene, shown())


def side_by_side() -> Any:
    """How the run ends under each ask rule; returns the place for what many users pay."""
    st.subheader(f"The {counted(len(rule_names()))} ask rules, side by side", anchor=False)
    ends = watching.compute("Playing the runs", endings, replace(shown(), ask="most_uncertain"))
    small_multiples(ends)
    left, right = st.columns(2)
    with left:
        this_run(ends)
    return right


def small_multiples(ends: dict[str, Ending]) -> None:
    """Where each run has ended, one beside the other."""
    names, rounds, wide = rule_names(), shown().horizon, parameter_range(ends.values(), LEVEL)
    st.html(ending_legend())
    for column, (name, end) in zip(st.columns(len(ends)), ends.items(), strict=True):
        with column:
            said = f"egret {end.regret[-1]:.1f}, error {end.error:.2f}"
            st.markdown(f"**{names[name].capitalize()}**")
            alt = f"{names[name]}: after {rounds} rounds r{said}."
            chart(ending(end, shown(), LEVEL, wide), key=f"chart_end_{name}", alt=alt, height=560)
            st.caption(f"R{said} after {rounds} rounds.")


def this_run(ends: dict[str, Ending]) -> None:
    """The regret of the run on screen under each ask rule."""
    names = rule_names()
    worst = max(ends, key=lambda name: ends[name].regret[-1])
    alt = f"Regret of the {counted(len(ends))} ask rules; {names[worst]} ends highest at {ends[worst].regret[-1]:.1f}."
    chart(rival_regrets(ends, names, shown().tau), key="chart_end_regret", alt=alt, height=430)
    st.caption(
        "This run: same items on offer, same taste, same luck in the answers. Only the question differs. One run "
        "can be lucky."
    )


def many_users(sight: Sight, places: list) -> None:
    """Where the run lies among many users, how often the ellipsoids hold the taste, and what each ask rule costs."""
    here, other, covered, *results = sight.results
    with places[0]:
        watching.say_what_is_wrong(sight)
        own = float(this_scene()["curves"][0]["lines"][0][-1])
    with places[1]:
        luck_of_the_run(own, here, other)
    with places[2]:
        st.markdown(measured_coverage(covered, SIZE.value))
    if not results:
        return
    names = rule_names()
    series = [Series(result, names[result.scenario.ask]) for result in results]
    words = over_users(results, names)
    with places[3]:
        figure = figures.curves(series, "regret", title=f"Mean over {min(result.runs for result in results)} users")
        chart(figure, key="chart_end_mean", alt=words, height=430)
        st.caption(f"{words} The band holds the true mean with 95% confidence.")


def luck_of_the_run(own: float, here: Result, other: Result) -> None:
    """A strip of dots, one a user, with the run on screen among them; beside it the same for another setting."""
    if not (here.runs and other.runs):
        st.markdown("A hundred users with these controls: the first are on their way.")
        return
    groups = users((here, other), current())
    enough = min(here.runs, other.runs) >= FEW
    where, what = (standing(own, groups[0]), bargain(*groups)) if enough else ("", "")
    say_verdict(where)
    shows = "Regret of every user, and of the run on screen."
    alt = shows if hidden() or not enough else f"{where.strip('*')} {what}"
    chart(strips(groups, own), key="chart_luck", alt=alt, height=215)
    say_verdict(what)
    st.caption("A dot is a user; the diamond is the run on screen, one more user. Line: median. Box: 10 to 90%.")


def over_users(results: list[Result], names: dict[str, str]) -> str:
    """What each ask rule costs on average, in words."""
    if not all(result.runs for result in results):
        return "Many users with these controls: the first runs are on their way."
    parts = [f"{regret_at_end(result)} ({names[result.scenario.ask]})" for result in results]
    return f"Mean regret at T of {min(result.runs for result in results)} users: {', '.join(parts)}."


SYMBOLS = (
    "ROAM", "exploration", "most_uncertain", "ellipsoid", "logistic", "ridge",
    "theta", "estimate", "contexts", "x", "best", "history", "y", "z", "V", "norm", "ratio", "regret", "size", "tau",
    "k", "link", "horizon", "radius", "items", "flatness", "window",
)  # fmt: skip
PAGE = Page(
    "One run in 2-D",
    "one-run",
    controls,
    parameters=(*VIEW, YOURS, COMPARE),
    wants=wants,
    layout=layout,
    figures=many_users,
    opens="Open in 2-D",
    symbols=SYMBOLS,
    teaser="Items, questions and uncertainty as a picture that moves, round by round.",
    fixed=("d", "runs", "algorithm", "skip_below", "cost", "questions"),
    own=("horizon",),
)
