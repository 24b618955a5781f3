"""You are the user: ROAM asks a person, shows what it believes, and is put to the test."""

from dataclasses import replace
from pathlib import Path

import streamlit as st

from pages.components.chart import chart
from pages.components.downloads import asked_for, offer
from pages.components.duel import KEY, duel, source
from pages.page import Page
from pages.parameters import Choice, Flag, Kept, Number
from pages.reveal import say_notice, say_verdict
from pages.words import literal
from pages.you import review, words
from pages.you.figures import beliefs, in_the_plane
from pages.you.keeping import MOST_BYTES, OWN, from_json, to_json
from pages.you.poster import poster
from pages.you.presets import PRESETS, Start
from pages.you.sitting import CHOICES, LAST_SEED, Settings, Sitting
from roam_core.catalogues import CATALOGUES, Catalogue, read_csv

MOST_SITTINGS = 6  # that a visit remembers
STYLE = (Path(__file__).parent / "you.css").read_text(encoding="utf-8")
PARAMETERS = {  # the field of the settings that each says
    "catalogue": Choice("you.catalogue", "flowers", values=(*CATALOGUES, OWN)),
    "d": Choice("you.features", 3, values=CHOICES["d"]),
    "questions": Choice("you.asks", 20, values=CHOICES["questions"]),
    "tau": Choice("you.first", 5, values=CHOICES["tau"]),
    "ask": Choice("you.rule", "most_uncertain", values=CHOICES["ask"]),
    "every": Choice("you.tests", 2, values=CHOICES["every"]),
    "radius": Choice("you.decided", 6.0, values=CHOICES["radius"]),
    "guess": Flag("you.guess"),
    "seed": Number("you.luck", 0, low=0, high=LAST_SEED, whole=True),
}
BROUGHT = Kept("you.brought")  # the visitor's own catalogue
SITTINGS = Kept("you.sittings", ())  # the sittings of this visit, the latest last
PROBLEM = Kept("you.problem", "")  # what was wrong with a file
UPLOADS = Kept("you.uploads", 0)  # how many files were read: another number empties the fields for files


# The sitting on screen


def catalogue_of(name: str) -> Catalogue | None:
    """The catalogue of that name; None if it is the visitor's own and was not brought."""
    return BROUGHT.value if name == OWN else CATALOGUES.get(name)


def chosen() -> Settings:
    """The settings on screen; a table may have fewer features than are asked for."""
    settings = Settings(**{name: parameter.value for name, parameter in PARAMETERS.items()})
    found = catalogue_of(settings.catalogue)
    return replace(settings, d=min(settings.d, found.most_features)) if found else settings


def put(settings: Settings) -> None:
    """Put other settings on screen."""
    for name, parameter in PARAMETERS.items():
        parameter.set(getattr(settings, name))
    PROBLEM.set("")


def known(settings: Settings, catalogue: Catalogue) -> Sitting | None:
    """The sitting with these settings, if this visit has one."""
    same = (one for one in SITTINGS.value if one.settings == settings and one.catalogue == catalogue)
    return next(same, None)


def sitting() -> Sitting | None:
    """The sitting on screen; None if its catalogue is not there."""
    settings = chosen()
    catalogue = catalogue_of(settings.catalogue)
    if catalogue is None:
        return None
    found = known(settings, catalogue)
    if found is None:
        found = Sitting(settings, catalogue)
        remember(found)
    return found


def remember(new: Sitting) -> None:
    """Keep a sitting in place of the one with the same settings; those without an answer are forgotten first."""
    others = [one for one in SITTINGS.value if one.settings != new.settings or one.catalogue != new.catalogue]
    begun = [one for one in others if one.learnt]
    SITTINGS.set((*begun[-(MOST_SITTINGS - 1) :], new))


def other_luck() -> None:
    """Begin anew with other items."""
    settings = chosen()
    put(replace(settings, seed=(settings.seed + 1) % (LAST_SEED + 1)))


def other_rule(settings: Settings) -> Settings:
    """The same with another way to ask."""
    return replace(settings, ask="informative" if settings.ask == "most_uncertain" else "most_uncertain")


def other_catalogue(settings: Settings) -> Settings:
    """The same with the catalogue that comes next."""
    names = list(CATALOGUES)
    place = names.index(settings.catalogue) + 1 if settings.catalogue in names else 0
    return replace(settings, catalogue=names[place % len(names)])


def stop() -> None:
    """End the sitting on screen."""
    now = sitting()
    if now is not None:
        now.stopped = True


def go_on() -> None:
    """Go on with a sitting that was stopped."""
    now = sitting()
    if now is not None:
        now.stopped = False


def stamp(now: Sitting) -> str:
    """What tells the question on screen from all others."""
    return f"{now.name}.{now.now.number}{'.friend' * now.asks_friend}"


def answered() -> None:
    """Take over an answer, if it is one to what is on screen."""
    said, now = st.session_state[KEY].answer, sitting()
    if now is None or now.now is None or not isinstance(said, dict) or said.get("stamp") != stamp(now):
        return
    now.take(now.now.number, str(said.get("side")))


# What stands on the page


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
            st.button(start.name, key=f"try {start.name}", type=kind, on_click=start_with, args=(start,))
    return notice


def start_with(start: Start) -> None:
    """Put a sitting to begin on screen, or go on with it."""
    put(start.settings)


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


def below(now: Sitting | None) -> None:
    """Files to save and to bring, and what happens to them."""
    with st.expander("Save, go on, bring your own items"):
        st.markdown(words.PRIVATE)
        if now is not None:
            files = {"Save my answers": ("roam-answers.json", lambda: to_json(now))}
            if now.learnt:
                files["Save the picture"] = ("my-taste.svg", lambda: poster(now, review.weights(now)))
            ready = [
                {"number": number, "name": files[label][0], "text": files[label][1]()}
                for number, label in asked_for()
                if label in files
            ]
            offer(list(files), ready)
        left, right = st.columns(2, gap="large")
        with left:
            st.file_uploader(
                "Go on from saved answers",
                type="json",
                key=f"you_answers_{UPLOADS.value}",
                on_change=take_answers,
                max_upload_size=1,
            )
        with right:
            if now is not None:
                bring_table("table")
    with st.container():  # also if it is empty: what follows keeps its place
        if PROBLEM.value:
            st.error(literal(PROBLEM.value))
    if now is not None and now.now is None and now.learnt:
        with st.expander("The picture to save"):
            about = "A poster with the best and the worst five, the features and the score of the test."
            drawn = source(poster(now, review.weights(now)))
            st.html(f'<img class="you-poster" src="{drawn}" alt="{about}">')


def bring_table(key: str) -> None:
    """A field for a table of one's own."""
    st.file_uploader(
        "A table of your own (CSV)",
        type="csv",
        key=f"you_{key}_{UPLOADS.value}",
        on_change=take_table,
        args=(key,),
        max_upload_size=1,
    )
    st.caption(words.TABLE)


def take_table(key: str) -> None:
    """Read a visitor's table, or say what is wrong with it."""
    file = st.session_state[f"you_{key}_{UPLOADS.value}"]
    if file is None:
        return
    UPLOADS.set(UPLOADS.value + 1)
    try:
        BROUGHT.set(read_csv(file.getvalue(), Path(file.name).stem))
    except ValueError as problem:
        PROBLEM.set(f"This table cannot be used: {problem}.")
        return
    put(Settings(catalogue=OWN))


def take_answers() -> None:
    """Go on from a file with answers, or say what is wrong with it."""
    file = st.session_state[f"you_answers_{UPLOADS.value}"]
    if file is None:
        return
    UPLOADS.set(UPLOADS.value + 1)
    try:
        if file.size > MOST_BYTES:
            raise ValueError(f"it has {file.size:,} bytes, and such a file has at most {MOST_BYTES:,}")
        found = from_json(file.getvalue(), catalogue_of)
    except ValueError as problem:
        PROBLEM.set(f"This file cannot be gone on from: {problem}.")
        return
    put(found.settings)
    remember(found)


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
