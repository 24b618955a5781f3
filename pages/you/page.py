"""You are the user: ROAM asks a person, shows what it believes, and is put to the test."""

from dataclasses import replace
from pathlib import Path

import streamlit as st

from pages.components.chart import chart
from pages.components.duel import duel
from pages.page import Page
from pages.parameters import Kept
from pages.reveal import say_notice, say_verdict
from pages.words import literal
from pages.you import review, words
from pages.you.figures import beliefs, in_the_plane
from pages.you.files import below, bring_table
from pages.you.keeping import OWN
from pages.you.presets import PRESETS
from pages.you.sitting import Sitting
from pages.you.visit import (
    BROUGHT,
    PARAMETERS,
    SITTINGS,
    answered,
    chosen,
    go_on,
    other_catalogue,
    other_luck,
    other_rule,
    put,
    sitting,
    stamp,
    stop,
)
from roam_core.catalogues import CATALOGUES

STYLE = (Path(__file__).parent / "you.css").read_text(encoding="utf-8")


def controls() -> None:
    """The page below its title."""
    st.html(f"<style>{STYLE}</style>")
    notice = things_to_try()
    now = sitting()
    if now is None:
        st.info(words.BRING)
        bring_table("bring")
    else:
        left, right = st.columns([3, 2], gap="large")
        with left, st.container(key="you_question"):
            if now.now is None:
                the_end(now)
            else:
                duel(words.on_screen(now, stamp(now)), on_answer_change=answered)
            buttons(now)
        with right:
            what_it_believes(now, notice)
        the_past(now)
        compared()
    below(now)


def things_to_try() -> str:
    """A button for every sitting to begin; returns what to notice about the one on screen."""
    notice, now = "", replace(chosen(), seed=0)
    with st.container(horizontal=True, gap="small", key="scroll_try"):
        for start in PRESETS:
            on_screen = start.settings == now
            notice = start.notice if on_screen else notice
            kind = "primary" if on_screen else "secondary"
            st.button(start.name, key=f"try {start.name}", type=kind, on_click=put, args=(start.settings,))
    return notice


def buttons(now: Sitting) -> None:
    """Stop, begin anew, settings."""
    with st.container(horizontal=True, gap="small", key="you_buttons"):
        if now.now is not None:
            st.button("Stop here", on_click=stop, disabled=not now.asked, help="See what it has learnt so far.")
        else:
            if now.stopped:
                st.button("Go on asking", on_click=go_on)
            rule, catalogue = other_rule(now.settings), other_catalogue(now.settings)
            st.button(f"Again, asking about {words.RULES[rule.ask]}", key="again rule", on_click=put, args=(rule,))
            st.button(f"Again with {called(catalogue.catalogue)}", key="again items", on_click=put, args=(catalogue,))
        st.button("Begin anew", on_click=other_luck, help="The same settings, other items.")
        with st.popover("Settings", width="content", key="you_settings"):
            settings_widgets(now)


def settings_widgets(now: Sitting | None) -> None:
    """Every setting; another one begins another sitting, and going back finds the first one where it was."""

    def choose(name: str, label: str, say=str, help: str | None = None) -> None:
        parameter = PARAMETERS[name]
        values = [value for value in parameter.values if value != OWN or BROUGHT.value is not None]
        parameter.widget(st.selectbox, label, values, format_func=say, help=help)

    choose("catalogue", "Catalogue", called)
    choose("d", "Features (d)", help="Fewer features are learnt faster.")
    choose("questions", "Questions")
    choose("tau", "Random rounds at first (τ)")
    choose("ask", "Which past item it asks about", lambda rule: words.RULES[rule])
    choose(
        "every",
        "Tests",
        {0: "none", 1: "after every question", 2: "after every second", 4: "after every fourth"}.get,
        "They begin after the random rounds. With the usual settings there are 8, and about half of all simulated "
        "persons have 7 hits or more, which a coin does in 4% of cases: few tests prove little.",
    )
    choose(
        "radius",
        "How decided it takes you to be (r)",
        {3.0: "r = 3: often in two minds", 6.0: "r = 6: decided", 10.0: "r = 10: very decided"}.get,
        "The largest item norm. Where utilities are large, answers are nearly certain.",
    )
    PARAMETERS["guess"].widget(st.toggle, "I play, you guess", help="A friend predicts the answers to the tests.")
    st.caption("Another setting begins another sitting. Go back, and the first one is where it was.")
    if now is not None and now.settings.d != PARAMETERS["d"].value:
        st.caption(f"This table has {now.settings.d} features that vary on their own.")


def called(name: str) -> str:
    """What a catalogue is called."""
    return CATALOGUES[name].words if name in CATALOGUES else "a table of your own"


def what_it_believes(now: Sitting, notice: str) -> None:
    """Its belief feature by feature, the score of its sealed predictions, and what to notice."""
    found = review.weights(now)
    st.markdown("**What it believes about your taste**, feature by feature, with 95% intervals")
    said = words.beliefs_words(found, now.learnt)
    chart(beliefs(found), key="chart_beliefs", alt=said, height=70 + 62 * max(len(found), 3))
    if now.now is not None:
        with st.container(key="you_tested"):
            st.markdown(words.tested(now))
        say_notice(notice)


def the_past(now: Sitting) -> None:
    """The history, what it would recommend of all, and both as a picture if there are two features."""
    st.markdown("**Your past.** Framed: asked about, and how often.")
    st.html(words.strip(now))
    left, right = st.columns([3, 2], gap="large") if now.settings.d == 2 else (st.container(), None)
    with left:
        best_and_worst(now)
    if right:
        with right:
            alt = "The items of your past as points, and below the estimated taste with the ellipse where it may lie."
            chart(in_the_plane(now), key="chart_plane", alt=alt, height=520)
            st.caption(
                "Above: your history; diamonds are from random rounds, larger ones were asked about more often. Below: "
                "the estimated taste, and the ellipse that holds it with 95%."
            )


def best_and_worst(now: Sitting) -> None:
    """The five that it thinks are liked best, and least."""
    ranking = now.ranking().tolist() if now.learnt else []
    many = f"{len(now.catalogue.names):,} {literal(now.catalogue.words)}"
    st.markdown(f"**Of all {many}** it thinks these are your best and your worst five.")
    fives = words.five(now, ranking[:5], "Best") + words.five(now, ranking[::-1][:5], "Worst")
    st.html(f'<div class="you-fives">{fives}</div>')


def the_end(now: Sitting) -> None:
    """What came of it: features, test, friend, the answers that taught most, another way to ask, a picture."""
    found = review.weights(now)
    st.subheader("What it learnt about you", anchor=False)
    say_verdict(words.learnt_words(now, found, review.spread(now)))
    say_verdict(f"**The test.** {now.score.verdict}")
    if now.settings.guess:
        say_verdict(words.friends_words(now))
    if taught := review.teachers(now):
        st.markdown("**The answers that taught most**")
        told = "".join(words.teacher_words(now, one, degrees) for one, degrees in taught)
        st.html(f'<div class="you-teachers">{told}</div>')
    st.markdown(words.replay_words(replayed(now), now.settings.ask))


def replayed(now: Sitting) -> review.Replay | None:
    """How another rule would have done; computed once for a number of answers."""
    kept = Kept("you.replay", (None, 0, None))
    if kept.value[:2] != (now.name, len(now.answered)):
        kept.set((now.name, len(now.answered), review.replay(now)))
    return kept.value[2]


def compared() -> None:
    """The sittings of this visit, one a row."""
    begun = [one for one in SITTINGS.value if one.learnt]
    if len(begun) < 2:
        return
    st.markdown("**Your sittings side by side**")
    lines = ["| catalogue | features | asks about | answers | its hits | taste known within (90%) |", "|" + "---|" * 6]
    for one in begun:
        s = one.settings
        hits = one.score.words if one.score.of else "no test"
        angle = f"{review.spread(one):.0f}°"
        name = literal(one.catalogue.words)
        lines.append(f"| {name} | {s.d} | {words.RULES[s.ask]} | {one.learnt} | {hits} | {angle} |")
    st.markdown("\n".join(lines))
    st.caption("One person is one person: a difference between two rows may be luck, or that you know the game by now.")


SYMBOLS = ("ROAM", "exploration", "most_uncertain", "informative", "logistic", "ridge", "d", "tau", "k", "radius")
PAGE = Page(
    "You are the user",
    "you",
    controls,
    parameters=tuple(PARAMETERS.values()),
    opens="Let it ask you",
    symbols=SYMBOLS,
    teaser="Answer twenty questions about flowers, and see what ROAM has learnt about you.",
    scenario=False,
)
