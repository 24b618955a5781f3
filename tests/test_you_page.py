"""The page "You are the user": every thing to try, every setting, files that are brought, and what it says."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.duel import KEY
from pages.you import visit as you
from pages.you.keeping import to_json
from pages.you.presets import PRESETS
from pages.you.sitting import LEFT, NEITHER, Settings, Sitting
from pages.you.visit import MOST_SITTINGS, PARAMETERS
from roam_core.catalogues import CATALOGUES
from tests.test_pages import Session, drawn, open_page, says
from tests.test_you import played

FRUIT = b"name,sweet,sour,soft\n" + b"".join(b"fruit%d,%d,%d,%d\n" % (i, i % 5, i % 7, i % 3) for i in range(40))


def shown(app: AppTest) -> dict | None:
    """What the component with the two pictures is told; None when it is over."""
    found = [json.loads(e.proto.json) for e in app.get("bidi_component") if e.proto.component_name == "roam_duel"]
    return found[0] if found else None


def on_screen(app: AppTest) -> Sitting:
    """The sitting that the session ends with."""
    return app.session_state["you.sittings"][-1]


def answer(app: AppTest, many: int = 1, side: str = LEFT) -> AppTest:
    """Answer some questions as the component's callback does, and look at the page."""
    sitting = on_screen(app)
    for _ in range(many):
        if sitting.now:
            sitting.take(sitting.now.number, side)
    app.run()
    assert not app.exception
    return app


def html(app: AppTest) -> str:
    return "".join(e.proto.body for e in app.get("html"))


def test_it_begins_with_one_item_to_look_at():
    app = open_page("you", {})
    told = shown(app)
    assert told["count"] == "Round 1"
    assert told["left"]["label"] == "Seen it: go on"
    assert told["neither"] == told["right"]["label"] == ""
    assert "After 5 random rounds" in told["right"]["words"]
    assert html(app).count('class="later"') == 20
    assert "Nothing is known of your taste yet" in app.get("bidi_component")[-1].proto.json or drawn(app)


def test_then_it_asks_about_the_past_and_says_how_it_chose():
    app = answer(open_page("you", {}), 3)
    told = shown(app)
    assert told["count"] == "Question 3 of 28"
    assert told["question"] == "Do you like the new flower better than the one from round 3?"
    assert (told["left"]["whose"], told["right"]["whose"]) == ("New, at random", "From round 3")
    assert "Round 4 of 5 random ones" in told["said"]
    assert told["right"]["words"] in told["heard"]
    told = shown(answer(app, 2))
    assert told["left"]["whose"] == "New, its pick of 50"
    assert told["said"].startswith("Of 5 past items the question is about the most uncertain one")


def test_a_test_is_announced_opened_and_counted():
    app = answer(open_page("you", {}), 7)
    assert "sealed" in shown(app)["said"]
    assert shown(app)["question"].startswith("A test.")
    assert not says(app, "of 1:")
    sealed = on_screen(app).now
    told = shown(answer(app))
    assert told["said"].startswith(f"Sealed was: the {sealed.predicted} one, ")
    assert ("A hit" in told["said"]) == (sealed.predicted == LEFT)
    assert says(app, "1 of 1: a coin does that in 50% of cases" if sealed.predicted == LEFT else "0 of 1: no better")


def test_the_sealed_prediction_is_not_sent_to_the_browser_before_the_answer():
    app = answer(open_page("you", {}), 7)
    chance = on_screen(app).now.sealed
    assert "sealed" not in shown(app)
    assert f"{max(chance, 1 - chance):.0%}" not in json.dumps({k: v for k, v in shown(app).items() if k != "colours"})


def test_the_end_says_what_was_learnt():
    app = answer(open_page("you", {}), 40)
    assert shown(app) is None
    assert says(app, "From 20 answers")
    assert says(app, "**The test.** ")
    assert says(app, "**Another way to ask.** Simulated persons with exactly the taste that it estimated")
    assert html(app).count('class="you-taught"') == 3
    assert html(app).count('class="you-poster"') == 1
    assert any("90% sure that your taste lies within" in said.value for said in app.markdown)


@pytest.mark.parametrize("side", [LEFT, NEITHER])
def test_who_stops_sees_what_was_learnt_and_can_go_on(side):
    app = answer(open_page("you", {}), 4, side)
    next(b for b in app.button if b.label == "Stop here").click().run()
    assert not app.exception
    assert shown(app) is None
    assert says(app, "From 3 answers" if side == LEFT else "it knows nothing of your taste")
    next(b for b in app.button if b.label == "Go on asking").click().run()
    assert shown(app)["count"] == "Question 4 of 28"


@pytest.mark.catalogue
@pytest.mark.parametrize("start", PRESETS, ids=lambda start: start.name)
def test_every_thing_to_try_is_played_to_its_end(start):
    app = open_page("you", {})
    app.button(key=f"try {start.name}").click().run()
    assert not app.exception
    assert says(app, start.notice)
    assert on_screen(app).settings == start.settings
    assert len(drawn(app)) == (2 if start.settings.d == 2 else 1)
    answer(app, 7)
    told = shown(app)
    assert told["question"].startswith("Friend only" if start.settings.guess else "A test")
    answer(app, 60)
    assert shown(app) is None
    assert says(app, "**You guess, it guesses.**") == start.settings.guess
    text = json.dumps([said.value for said in app.markdown]) + html(app)
    assert "nan" not in text.replace("finance", "").lower().split()


@pytest.mark.catalogue
@pytest.mark.parametrize("name", [name for name in PARAMETERS if name not in ("guess", "seed")])
def test_every_setting_can_be_chosen_and_is_in_the_link(name):
    app, parameter = open_page("you", {}), PARAMETERS[name]
    for value in [value for value in parameter.values if value != "own"]:
        next(box for box in app.selectbox if box.key == parameter.key).set_value(value).run()
        assert not app.exception
        assert getattr(on_screen(app).settings, name) == value
        expected = {} if value == parameter.default else {parameter.name: parameter.format(value)}
        assert dict(app.query_params) == expected
        answer(app, 8)


def test_the_friend_is_a_switch_and_luck_a_number_in_the_link():
    app = open_page("you", {"luck": "7", "tests": "1"})
    next(t for t in app.toggle if t.key == "you.guess").set_value(True).run()
    assert dict(app.query_params) == {"luck": "7", "tests": "1", "guess": "1"}
    assert on_screen(app).settings == Settings(seed=7, every=1, guess=True)
    next(b for b in app.button if b.label == "Begin anew").click().run()
    assert app.query_params["luck"] == "8"
    assert open_page("you", {"luck": "9999"}).session_state["you.luck"] == 9999


def test_the_answers_are_not_in_the_link():
    app = answer(open_page("you", {"catalogue": "colours"}), 5)
    assert dict(app.query_params) == {"catalogue": "colours"}
    assert says(app, "they are not in the link")


def test_another_setting_begins_another_sitting_and_going_back_finds_the_first():
    app = answer(open_page("you", {}), 6)
    first = on_screen(app)
    app.button(key="try Handwriting").click().run()
    assert shown(app)["count"] == "Round 1"
    assert not says(app, "side by side")
    answer(app, 5)
    assert says(app, "**Your sittings side by side**")
    app.button(key="try Flowers").click().run()
    assert shown(app)["count"] == "Question 6 of 28"
    assert first in app.session_state["you.sittings"]
    assert [line for said in app.markdown for line in said.value.splitlines() if line.startswith("| flowers | 3")]


def test_it_can_be_played_again_with_another_rule_or_catalogue():
    app = answer(open_page("you", {}), 40)
    app.button(key="again rule").click().run()
    assert on_screen(app).settings == Settings(ask="informative")
    answer(app, 40)
    app.button(key="again items").click().run()
    assert on_screen(app).settings == Settings(ask="informative", catalogue="colours")


def test_a_visit_remembers_a_few_sittings_only():
    app = open_page("you", {})
    for _ in range(MOST_SITTINGS + 3):
        answer(app, 3)
        next(b for b in app.button if b.label == "Begin anew").click().run()
    assert len(app.session_state["you.sittings"]) == MOST_SITTINGS


# Files


def bring(app: AppTest, label: str, name: str, data: bytes) -> AppTest:
    field = next(f for f in app.file_uploader if f.label.startswith(label))
    field.set_value((name, data, "text/plain")).run()
    assert not app.exception
    return app


def test_a_table_of_ones_own_is_played_with_and_stays_in_the_visit():
    app = bring(open_page("you", {}), "A table", "fruit.csv", FRUIT)
    assert dict(app.query_params) == {"catalogue": "own"}
    assert on_screen(app).catalogue.names[0] == "fruit0"
    answer(app, 40)
    assert says(app, "From 20 answers")
    assert not app.error
    elsewhere = open_page("you", {"catalogue": "own"})
    assert "bring it here again" in elsewhere.info[0].value
    assert shown(elsewhere) is None
    bring(elsewhere, "A table", "fruit.csv", FRUIT)
    assert shown(elsewhere)["count"] == "Round 1"
    assert not elsewhere.info


def test_a_table_with_two_features_is_played_with_two():
    app = bring(
        open_page("you", {}),
        "A table",
        "two.csv",
        b"name,a,b\n" + b"".join(b"%d,%d,%d\n" % (i, i, i * i) for i in range(9)).replace(b"\n0,", b"\nzero,"),
    )
    assert on_screen(app).settings.d == 2
    answer(app, 40)
    assert says(app, "From 8 answers")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (b"name,a\nx,1", "number column"),
        (b"name,a,b\nx,1,2\ny,3,nan\nz,1,1", "not a number"),
        (b"\xff\xfe\x00", "UTF"),
        (b"name,a,b\n" + b"x" * 1_000_001, "at most"),
        (b"name,a,b\n=cmd(),1,2\ny,3,1\nz,1,1", "formula"),
        (b"name,**a**,b\nx,1,2\ny,1,3\nz,1,1", "same number"),
    ],
)  # fmt: skip
def test_a_table_that_is_no_good_gives_a_plain_message(data, why):
    app = answer(open_page("you", {}), 4)
    bring(app, "A table", "bad.csv", data)
    assert len(app.error) == 1
    assert "This table cannot be used" in app.error[0].value.replace("\\", "")
    assert why in app.error[0].value.replace("\\", "")
    assert "**a**" not in app.error[0].value
    assert shown(app)["count"] == "Question 4 of 28"  # nothing was lost


def test_saved_answers_are_gone_on_from_with_their_settings():
    sitting = played(Settings(catalogue="wines", every=1), most=12)
    app = bring(open_page("you", {}), "Go on", "answers.json", to_json(sitting).encode())
    assert dict(app.query_params) == {"catalogue": "wines", "tests": "1"}
    assert on_screen(app).answered == sitting.answered
    assert shown(app)["count"] == "Question 12 of 35"
    assert not app.error


@pytest.mark.parametrize("data", [b"", b"{", b"[" * 50_000, b"x" * 200_000, b'{"kind": "<b>"}'])
def test_a_hostile_file_gives_a_plain_message(data):
    app = answer(open_page("you", {}), 4)
    bring(app, "Go on", "answers.json", data)
    assert "This file cannot be gone on from" in app.error[0].value.replace("\\", "")
    assert shown(app)["count"] == "Question 4 of 28"
    app.button(key="try Flowers").click().run()
    assert not app.error


def test_answers_about_a_table_want_the_table_first():
    sitting = played(Settings(), most=3)
    text = to_json(sitting).replace('"flowers"', '"own"')
    app = bring(open_page("you", {}), "Go on", "answers.json", text.encode())
    assert "bring that CSV file first" in app.error[0].value.replace("\\", "")


# Without a page


@pytest.fixture
def visit(monkeypatch):
    """A session without a page, with the settings that a visitor finds."""
    session = Session({parameter.key: parameter.default for parameter in PARAMETERS.values()})
    for room in ("pages.parameters.st.session_state", "pages.you.visit.st.session_state"):
        monkeypatch.setattr(room, session)
    return session


class Told:
    def __init__(self, answer):
        self.answer = answer


def test_an_answer_counts_for_the_question_it_was_given_to_only(visit):
    sitting = you.sitting()
    first = you.stamp(sitting)
    for said in (None, "left", {}, {"stamp": "x", "side": "left"}, {"stamp": first, "side": "both"}):
        visit[KEY] = Told(said)
        you.answered()
        assert sitting.answered == []
    visit[KEY] = Told({"stamp": first, "side": "left"})
    you.answered()
    you.answered()  # a second click before the next question was on screen
    assert len(sitting.answered) == 1
    visit[KEY] = Told({"stamp": you.stamp(sitting), "side": "right"})
    you.answered()
    assert [one.side for one in sitting.answered] == ["left", "right"]


def test_the_friend_and_the_player_answer_one_after_the_other(visit):
    visit["you.guess"] = True
    sitting = you.sitting()
    while not sitting.now.is_test:
        sitting.take(sitting.now.number, LEFT)
    stamps = []
    for side in ("left", "right"):
        stamps.append(you.stamp(sitting))
        visit[KEY] = Told({"stamp": stamps[-1], "side": side})
        you.answered()
    assert stamps[0] != stamps[1]
    assert (sitting.answered[-1].friend, sitting.answered[-1].side) == ("left", "right")


def test_every_catalogue_is_offered():
    assert list(PARAMETERS["catalogue"].values) == [*CATALOGUES, "own"]
