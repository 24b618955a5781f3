"""Ask better: which past item to ask about, rules of one's own, and what they pay in a row of worlds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from pages.ask_better import figures
from pages.ask_better.asking import INFORMATIVE, PAPERS, Asking, one_round, scene, score_of
from pages.ask_better.comparing import Cell, verdict
from pages.ask_better.presets import PRESETS
from pages.ask_better.words import (
    HOW,
    PICTURE,
    QUESTION,
    READ,
    REPORT,
    SHRINKS,
    SIDE_BY_SIDE,
    TELLS,
    WHY,
    aim_words,
    both_words,
    error_words,
    item_said,
    made_words,
    marked,
    names_row,
    names_table,
    papers_question,
    picks_table,
    slope_words,
    wrong_formula,
    your_question,
)
from pages.board.works import Work
from pages.components.chart import chart
from pages.components.scores import scores
from pages.page import Page, progress_row, say_progress
from pages.parameters import Choice, Kept, Number
from pages.presets import things_to_try
from pages.reveal import hidden, say_notice, say_verdict
from pages.scenario_controls import current, new_seed, show
from pages.take_along import Drawn, take_along
from pages.views import choose_view, place_of
from pages.watching import Sight
from pages.words import literal
from roam_core import KNOBS, Scenario
from roam_core.aim import Aim, Aimed
from roam_core.formulas import MOST_CHARACTERS, Formula, FormulaError
from roam_core.questions import Record, load
from roam_core.worlds import WORLDS

RADII = (0.3, 1.0, 3.0, 10.0)
FEW, MANY = 27, 100  # users a cell
LONGEST, LARGEST_K = 1000, 1000  # of the worlds: all cells of the table are computed while one watches
LONGEST_NAME = 40  # characters of a formula that are shown in a sentence
ALWAYS = (PAPERS, INFORMATIVE, "previous", "random")  # rules that have a column whatever is chosen
NAMES = {"paper": "the paper's rule", "informative": "the most informative"}
USED = ("ask", "formula", "window", "horizon", "k", "runs", "seed")  # fields of the scenario on screen that matter here
STYLE = """<style>
.names abbr { text-decoration: underline dotted; cursor: help; font-family: var(--st-code-font, monospace); }
p.names { margin: 0; font-size: 0.95rem; line-height: 1.6; }
table.names th { text-align: left; vertical-align: top; padding: 0.15rem 0.8rem 0.15rem 0; }
table.names td { padding: 0.15rem 0; }
@media (max-width: 640px) { .st-key-round { --picture: 94vw; } }
</style>"""


@dataclass(frozen=True)
class View:
    """One part of the page: what it wants computed, what stands above, the places for figures, and what fills them."""

    title: str
    wants: Callable[[], list[Work]]
    controls: Callable[[], None]
    layout: Callable[[Sight], tuple]
    draw: Callable[[Sight, list], None]


YOURS = Number("ask_better.yours", None, of_scenario=True, low=0, high=10**4, whole=True)  # 0: shown without a guess
RADIUS = Choice("ask_better.size", 3.0, values=RADII)
USERS = Choice("ask_better.users", FEW, values=(FEW, MANY))
WRONG = Kept("ask_better.wrong", of_scenario=True)  # a formula that was typed and cannot be read
TYPED = "ask_better_formula"  # the text field
NOTICE = Kept("ask_better.notice", "")


# The rule on screen


def same_rule(one: Scenario, other: Scenario) -> bool:
    """Whether two scenarios ask by the same rule."""
    return one.ask == other.ask and (one.ask != "formula" or one.formula == other.formula)


def choose(scenario: Scenario) -> None:
    """Ask by the rule of a scenario; what the visitor has answered stays."""
    yours = YOURS.value
    formula = scenario.formula if scenario.ask == "formula" else current().formula
    show(replace(current(), algorithm="roam", ask=scenario.ask, formula=formula))
    YOURS.set(yours)


def typed(shown: str) -> None:
    """Ask by the formula in the text field, or say what is wrong with it."""
    text = st.session_state[TYPED]
    if text == shown:
        return
    try:
        Formula(text)
        choose(replace(current(), ask="formula", formula=text))
    except ValueError:
        WRONG.set(text)


def rule_name(scenario: Scenario) -> str:
    """What the rule of a scenario is called on this page."""
    if scenario.ask == PAPERS:
        return NAMES["paper"]
    if scenario.ask != "formula":
        return scenario.words("ask")
    words = Formula(scenario.formula).words
    return f"“{words if len(words) <= LONGEST_NAME else words[: LONGEST_NAME - 1] + '…'}”"


def choose_rule() -> None:
    """Rules to begin with, a text field for one's own, and what it may use."""
    with st.container(horizontal=True, gap="small", key="scroll_rules"):
        NOTICE.set(things_to_try(PRESETS, lambda scenario: same_rule(scenario, current()), choose, "try rule"))
    formula = score_of(current())
    shown = (formula.text if formula else "") if WRONG.value is None else WRONG.value
    st.session_state[TYPED] = shown
    st.text_input(
        "A rule of your own: ask about the past item with the largest",
        key=TYPED,
        max_chars=MOST_CHARACTERS,
        on_change=typed,
        args=(shown,),
        help="Press Enter to use it. The link of this page has it too.",
    )
    with st.container():  # also if it is empty: what follows keeps its place
        if WRONG.value is not None:
            try:
                Formula(WRONG.value)
            except FormulaError as problem:
                st.error(wrong_formula(problem))
                st.code(marked(WRONG.value, problem.place), language=None)
    st.html(names_row())
    with st.popover("What a formula may use", width="content"):
        st.html(names_table())


# One question


def asking() -> Asking:
    """The round on screen."""
    return one_round(scene(current().seed, RADIUS.value))


def answered(now: Asking) -> int | None:
    """The index of the item that the visitor chose; -1 if they want to see it without; None before that."""
    if YOURS.value is None or YOURS.value > len(now.history):
        return None
    return YOURS.value - 1


def picture_controls() -> None:
    """How large utilities are, and another round."""
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="scroll_picture"):
        RADIUS.widget(
            st.segmented_control,
            "Size of utilities (r)",
            RADII,
            format_func=lambda r: f"r = {r:g}",
            on_change=YOURS.set,
            args=(None,),
            required=True,
            help="Scales every utility. Where utilities are large, answers are nearly certain.",
        )
        st.button("Another round", on_click=new_seed, help="Another user, with other items.")


def one_question(sight: Sight) -> tuple:
    """The picture with the question beside it; once it is answered, what each past item would have told."""
    now = asking()
    yours = answered(now)
    with st.container():  # also if it is empty: what follows keeps its place
        if yours is None:
            st.markdown(QUESTION)
    left, right = st.columns([3, 2], gap="medium")
    with right:
        if yours is None:
            the_question(now)
        else:
            the_answer(now, yours)
    with left, st.container(key="round"):
        clicked = chart(picture(now, yours), key="chart_round", alt=picture_words(now, yours), height=520, clicks=True)
    if yours is not None:
        st.markdown(READ.format(rule=rule_name(current())))
        choose_rule()
        say_notice(NOTICE.value)
    if clicked and clicked.get("about"):
        YOURS.set(int(clicked["about"]))
        st.rerun()
    return ()


def the_question(now: Asking) -> None:
    """What the picture shows, before anything is given away."""
    st.markdown(PICTURE)
    st.markdown(f":small[{HOW}]")
    st.button("Show me without a guess", key="show_answer", on_click=YOURS.set, args=(0,))
    st.caption(f"Round {now.t} of a run with d = 2 and r = {now.scenario.radius:g}. Seed {now.scenario.seed}.")


def the_answer(now: Asking, yours: int) -> None:
    """What the questions tell, and the rule whose scores are on screen."""
    say_verdict(your_question(now, yours) if yours >= 0 else papers_question(now))
    if not hidden():
        st.markdown(picks_table(now, picks(now, yours), {"you": "you", **NAMES, "rule": rule_name(current())}))
    st.caption(TELLS)
    st.button("Ask me again", key="ask_again", on_click=YOURS.set, args=(None,))


def picks(now: Asking, yours: int) -> dict[str, int]:
    """Whose question is about which item: the visitor's, the paper's, the informative one's, the rule's."""
    found = {"you": yours} if yours >= 0 else {}
    found |= {"paper": now.papers, "informative": now.informative}
    formula = score_of(current())
    if current().ask not in (PAPERS, INFORMATIVE) and formula:
        found["rule"] = int(now.scores(formula).argmax())
    return found


def picture(now: Asking, yours: int | None) -> dict:
    """The round as a figure."""
    formula = score_of(current())
    if yours is None or formula is None:
        said = [item_said(now, i, None) for i in range(len(now.history))]
        size = np.full(len(now.history), figures.PLAIN)
    else:
        score = now.scores(formula)
        said = [item_said(now, i, float(score[i])) for i in range(len(now.history))]
        size = figures.sizes(score)
    return figures.one_round(now, said, {} if yours is None else picks(now, yours), size)


def picture_words(now: Asking, yours: int | None) -> str:
    """What the picture shows, in a sentence."""
    shown = f"A round in the plane: the new item and {len(now.history)} past items, what looks better lies higher."
    if yours is None:
        return f"{shown} Choose one with the arrow keys and Enter."
    return f"{shown} {READ.format(rule=rule_name(current())).replace('**', '')}"


# Rules side by side


def columns() -> dict[str, Scenario]:
    """The rules of the table by name of the column: the paper's, the one on screen, and some to compare with."""
    rules = {rule: replace(current(), algorithm="roam", ask=rule) for rule in ALWAYS}
    chosen = {} if current().ask in rules else {"chosen": current()}
    return {PAPERS: rules[PAPERS], **chosen, **rules}


def marked_column() -> str:
    """The column that the verdict is about: the rule on screen, or the informative one if that is the paper's."""
    ask = INFORMATIVE if current().ask == PAPERS else current().ask
    return ask if ask in ALWAYS else "chosen"


def in_world(world: str, rule: Scenario) -> Aim:
    """The runs of a rule in a world."""
    base = Scenario(
        horizon=min(rule.horizon, LONGEST), k=min(rule.k, LARGEST_K), runs=min(rule.runs, USERS.value), seed=rule.seed,
        ask=rule.ask, window=rule.window, formula=rule.formula if rule.ask == "formula" else Scenario().formula,
    )  # fmt: skip
    return Aim(WORLDS[world].put(base))


def table_wants() -> list[Work]:
    """Every cell, world by world."""
    return [in_world(world, rule) for world in WORLDS for rule in columns().values()]


def table_controls() -> None:
    """What the table is."""
    st.markdown(SIDE_BY_SIDE)


def table_layout(sight: Sight) -> tuple:
    """Places for the progress, the table, its verdict and what to take along; the rule on screen stands beside."""
    left, right = st.columns([3, 2], gap="medium")
    with left:
        progress, table = progress_row(sight), st.container()
    with right:
        said = st.container()
        choose_rule()
        with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
            USERS.widget(
                st.segmented_control, "Users a cell", (FEW, MANY), format_func=lambda n: f"{n} users", required=True
            )
            st.button("New seed", on_click=new_seed)
    return progress, table, said, st.container()


def table_of(results: Callable[[str, str], Aimed]) -> dict[str, dict[str, Cell]]:
    """The cells by world and rule."""
    table = {}
    for world, declared in WORLDS.items():
        papers = results(world, PAPERS)
        table[world] = {}
        for rule in columns():
            own = results(world, rule)
            complete = min(own.progress, papers.progress) >= 1
            table[world][rule] = Cell(declared.words, own.regret, papers.regret, complete)
    return table


def side_by_side(sight: Sight, places: list) -> None:
    """The table, and what it proves."""
    progress, table_place, said_place, below = places
    rules = columns()
    table = table_of(lambda world, rule: sight.of(in_world(world, rules[rule])))
    names = {rule: rule_name(scenario) for rule, scenario in rules.items()}
    chosen = marked_column()
    said = verdict(names[chosen], [cells[chosen] for cells in table.values()])
    with table_place:
        say_progress(progress, sight)
        scores(figures.rules_and_worlds(names, table, chosen), key="scores", alt=said)
    with said_place:
        say_verdict(said)
        say_notice(NOTICE.value)
    with below:
        with st.expander("How to read it, and how often it is wrong"):
            one = in_world(next(iter(WORLDS)), rules[PAPERS]).scenario
            st.markdown(error_words(len(WORLDS), one.runs))
            st.caption(f"T = {one.horizon}, k = {one.k}, seed {one.seed}.")
        if not sight.running:
            with st.expander("Take it along"):
                take_along({"Table (CSV)": ("rules.csv", lambda: csv(names, table))}, {}, PAGE.address)


def csv(names: Mapping[str, str], table: Mapping[str, Mapping[str, Cell]]) -> str:
    """The table as CSV: a line for every cell."""
    lines = ["world,rule,users,regret,regret_band,change,change_band"]
    for cells in table.values():
        for rule, cell in cells.items():
            if cell.filled:
                numbers = ",".join(f"{value:.5g}" for value in (*cell.paid, cell.change, cell.band))
                lines.append(f'"{cell.world}","{names[rule]}",{cell.runs},{numbers}')
    return "\n".join(lines) + "\n"


# Why


def why_wants() -> list[Work]:
    """Runs with the paper's rule and with the informative one, with utilities as in the picture."""
    base = replace(in_world(next(iter(WORLDS)), current()).scenario, radius=RADIUS.value, formula=Scenario().formula)
    return [Aim(replace(base, ask=rule)) for rule in (PAPERS, INFORMATIVE)]


def why_controls() -> None:
    """What the pictures are about, and how large utilities are in them."""
    st.markdown(WHY)
    picture_controls()


def why_layout(sight: Sight) -> tuple:
    """Places for the progress and the pictures."""
    return progress_row(sight), st.container()


def why(sight: Sight, places: list) -> None:
    """The link's slope, the same history with two questions, and the error along and across the estimate."""
    progress, pictures = places
    with pictures:
        say_progress(progress, sight)
        three_pictures(sight)


def three_pictures(sight: Sight) -> None:
    """The pictures side by side, each with what it says."""
    now = asking()
    aimed = dict(zip(("paper", "informative"), sight.results, strict=True))
    drawn: Drawn = {
        "Slope over the gap": (figures.slope_over_gap(now, NAMES), slope_words(now)),
        "Two questions": (figures.both_questions(now, NAMES), both_words(now)),
        "Along and across": (figures.along_and_across(aimed, NAMES), aim_words(aimed)),
    }
    for column, (title, (figure, said)) in zip(st.columns(3), drawn.items(), strict=True):
        with column:
            chart(figure, key=f"chart_why_{title}", alt=said, height=560)
            if not hidden():
                st.markdown(said)
    say_notice(SHRINKS)
    if not sight.running:
        with st.expander("Take it along"):
            take_along({}, drawn, PAGE.address)


# The report that comes with the project


@st.cache_data(show_spinner=False)
def shipped() -> dict[str, dict[str, Record]]:
    """The results that come with the project, by world and rule."""
    return load()


def report_controls() -> None:
    """What the table is."""
    st.markdown(REPORT)


def report(sight: Sight) -> tuple:
    """The table of the report, and what it proves; nothing in it depends on the controls."""
    try:
        results = shipped()
    except ValueError as missing:
        st.warning(f"The report that comes with the project cannot be shown. {literal(str(missing))}.")
        return ()
    names = {rule: rule_name(record.scenario) for rule, record in next(iter(results.values())).items()}
    table = {
        world: {
            rule: Cell(WORLDS[world].words, record.regret, records[PAPERS].regret, True)
            for rule, record in records.items()
        }
        for world, records in results.items()
    }
    said = {rule: verdict(names[rule], [cells[rule] for cells in table.values()]) for rule in names if rule != PAPERS}
    scores(figures.rules_and_worlds(names, table, INFORMATIVE), key="scores_report", alt=said[INFORMATIVE])
    say_verdict(said[INFORMATIVE])
    one = results[next(iter(results))][PAPERS]
    with st.expander("The other rules, how to read it, and how it was made"):
        if not hidden():
            st.markdown("\n\n".join(text for rule, text in said.items() if rule != INFORMATIVE))
        st.markdown(error_words(len(table), len(one.regret)))
        st.markdown(made_words(one))
    with st.expander("Take it along"):
        take_along({"Table (CSV)": ("questions.csv", lambda: csv(names, table))}, {}, PAGE.address)
    return ()


# The page


def nothing(sight: Sight, places: list) -> None:
    """No part of this view follows runs."""


VIEWS = {
    "one": View("Question", list, picture_controls, one_question, nothing),
    "rules": View("Side by side", table_wants, table_controls, table_layout, side_by_side),
    "why": View("Why", why_wants, why_controls, why_layout, why),
    "report": View("Report", list, report_controls, report, nothing),
}
VIEW = Choice("ask_better.view", "one", values=VIEWS)


def view() -> View:
    """The part of the page that is on screen."""
    return VIEWS[VIEW.value]


def controls() -> None:
    """The parts of the page, and what can be changed in the one on screen."""
    st.html(STYLE)
    choose_view(VIEW, "Part", VIEWS)
    view().controls()


def layout(sight: Sight) -> tuple:
    """The part of the page that is on screen, with places for what follows the runs."""
    with place_of(VIEW.value, VIEWS):
        return view().layout(sight)


SYMBOLS = (
    "informative", "most_uncertain", "greedy", "exploration", "band", "run",
    "information", "slope", "gap", "V", "norm", "x", "y", "z", "theta", "estimate", "regret", "link", "radius", "d",
    "tau", "k", "horizon", "runs", "window", "formula",
)  # fmt: skip
PAGE = Page(
    "Ask better",
    "ask-better",
    controls,
    parameters=(VIEW, RADIUS, YOURS, USERS),
    wants=lambda: view().wants(),
    layout=layout,
    figures=lambda sight, places: view().draw(sight, places),
    opens="Ask better",
    symbols=SYMBOLS,
    teaser="Which question tells most? Write a rule of your own and see where it beats the paper's.",
    fixed=tuple(name for name in KNOBS if name not in USED),
)
