"""The page "A lesson" without a browser: the whole path with each kind of commitment, links, files."""

import csv
import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages import committing, watching
from pages.bank import figures
from pages.bank.question import Truth
from pages.bank.questions import BANK
from pages.lesson import page as lesson
from pages.lesson.answers import MOST, AnswersParameter
from pages.lesson.words import Row, as_csv, in_lines, table, tally, verdict
from pages.page import Page
from pages.teaching import teaching_files
from tests.test_pages import drawn, open_page, says

PARAMETER = AnswersParameter("lesson.answers")
DRAWN = "0.95.190.285.290.300.305.310.315.320.325"
# One question of each kind: how one commits to it, and what the link says then.
FOUR = {"film": "film-1", "draw": f"draw-{DRAWN}", "item": "item-3", "bound": "bound-ten"}
ALL = "_".join(FOUR.values())


def on_screen(app) -> str:
    """The title of the question on screen."""
    return app.subheader[0].value


def commit(app, key):
    """Press Commit."""
    return app.button(key=f"commit {key}").click().run()


def test_a_number_is_committed_and_decided():
    app = open_page("lesson", {})
    assert on_screen(app) == BANK["film"].title
    assert says(app, "20 to 30 minutes")
    assert drawn(app)[0]["data"] == [], "a slider that nobody moved is no prediction"
    assert app.button(key="commit film").disabled
    app.slider(key="lesson_number_film").set_value(0.5).run()
    assert [trace["name"] for trace in drawn(app)[0]["data"]] == [figures.YOURS]
    assert drawn(app)[0]["data"][0]["y"] == [0, 25]
    assert dict(app.query_params) == {}
    commit(app, "film")
    assert dict(app.query_params) == {"answers": "film-0.5"}
    assert [trace["name"] for trace in drawn(app)[0]["data"]] == ["upper", "lower", "random films", figures.YOURS]
    assert says(app, "**You predicted:** 0.5. That was off (near is within 0.15 of what came out).")
    assert says(app, "**Why.** A random film is worth nothing on average")
    assert "simulation-lab?k=2" in app.get("link_button")[0].proto.url
    app.button(key="lesson next").click().run()
    assert on_screen(app) == BANK["learn"].title
    assert app.query_params["question"] == "learn"
    app.button(key="lesson back").click().run()
    app.button(key="take back").click().run()
    assert dict(app.query_params) == {}
    assert app.button(key="commit film")


def test_a_slider_keeps_its_place_and_says_nothing_that_nobody_said():
    app = open_page("lesson", {})
    app.slider(key="lesson_number_film").set_value(0.5).run()
    app.button(key="lesson skip").click().run()
    app.button(key="lesson back").click().run()
    assert says(app, "**Your prediction:** 0.5")
    assert app.slider(key="lesson_number_film").value == 0.5
    commit(app, "film")
    app.button(key="take back").click().run()
    assert says(app, "**Your prediction:** 0.5")
    assert app.slider(key="lesson_number_film").value == 0.5
    assert drawn(app)[0]["data"][0]["y"] == [0, 25]
    commit(app, "film")
    assert app.query_params["answers"] == "film-0.5"
    again = open_page("lesson", {"answers": "film-0.5"})  # tomorrow, on another machine
    again.button(key="take back").click().run()
    assert says(again, committing.SLIDER)
    assert again.button(key="commit film").disabled


def test_a_choice_waits_until_one_is_chosen():
    app = open_page("lesson", {"question": "bound"})
    assert app.button(key="commit bound").disabled
    assert drawn(app)[0]["data"] == []
    app.radio(key="lesson_choice_bound").set_value("tenthousand").run()
    commit(app, "bound")
    assert app.query_params["answers"] == "bound-tenthousand"
    assert says(app, "That is what came out.")


def test_an_item_is_chosen_in_the_picture_and_a_curve_is_drawn(monkeypatch):
    app = open_page("lesson", {"question": "item"})
    assert app.button(key="commit item").disabled
    app.session_state["lesson.chosen"] = ("lesson_item_item", 12)
    app.run()
    assert says(app, "**Your prediction:** the item of round 12")
    commit(app, "item")
    assert says(
        app,
        "the item of round 12. It tells 100% of what the best one tells. That came near (near is an item that tells",
    )
    app = open_page("lesson", {"question": "draw"})
    assert app.button(key="commit draw").disabled
    monkeypatch.setattr(committing, "hand", lambda commitment, **_: commitment.parse(DRAWN))
    monkeypatch.setattr(committing, "drawn", lambda commitment, key: commitment.parse(DRAWN))
    app.run()
    commit(app, "draw")
    assert app.query_params["answers"] == f"draw-{DRAWN}"
    assert says(app, "That came near (near is within")
    assert drawn(app)[0]["data"][-1]["y"] == [float(part) for part in DRAWN.split(".")]


def test_the_end_has_every_prediction_and_the_link_brings_it_back():
    app = open_page("lesson", {"question": "end", "answers": ALL})
    assert says(app, "You answered 4 of 16 questions. 2 of 4 predictions came near.")
    names = {trace["name"]: trace["x"] for trace in drawn(app)[0]["data"]}
    places = {key: list(BANK).index(key) + 1 for key in FOUR}
    assert names["came near"] == [places["film"], places["draw"]]
    assert names["surprised you"] == [places["item"], places["bound"]]
    assert len(names["no prediction"]) == len(BANK) - 4
    assert all(says(app, f"| {BANK[key].title} |") for key in FOUR)
    assert app.query_params["answers"] == ALL
    assert not app.warning


def test_the_end_without_an_answer_leads_to_the_beginning():
    app = open_page("lesson", {"question": "end"})
    assert says(app, "You have answered no question yet.")
    app.button(key="lesson begin").click().run()
    assert on_screen(app) == BANK["film"].title


def test_every_question_can_be_skipped_to(at_a_glance):
    app = open_page("lesson", {})
    for key in [*BANK][1:]:
        app.button(key="lesson skip").click().run()
        assert not app.exception
        assert on_screen(app) == BANK[key].title
    app.button(key="lesson skip").click().run()
    assert on_screen(app) == "What you predicted and what came out"
    app.button(key="go rounds").click().run()
    assert on_screen(app) == BANK["rounds"].title


def test_nothing_is_said_before_it_is_complete(at_a_glance):
    app = open_page("lesson", {"question": "wrong", "answers": "wrong-50"})
    assert says(app, "The simulation is deciding") or says(app, "**Why.**")
    assert says(app, "The simulation is deciding") != says(app, "**Why.**")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("film-9", ""), ("film-1_film-1", "film-1"), ("film-1_nonsense-2", "film-1"), ("", ""), ("_", ""),
        ("x" * 5000, ""), ("rounds-tau25_film-1_<b>-1", "film-1_rounds-tau25"), (f"draw-{DRAWN}.1", ""),
    ],
)  # fmt: skip
def test_a_bad_link_gives_a_message_and_keeps_what_is_good(text, kept, at_a_glance):
    app = open_page("lesson", {"question": "proof", "answers": text})
    assert "is not a list of answers" in app.warning[0].value.replace("\\", "")
    assert "<b>" not in app.warning[0].value
    assert dict(app.query_params).get("answers", "") == kept


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(
    st.lists(
        st.tuples(st.sampled_from([*BANK, "", "x"]), st.text("0123456789.-eatu_", max_size=12)).map("-".join),
        max_size=20,
    ).map("_".join)
)
def test_any_text_becomes_answers_that_come_back(text):
    found = PARAMETER.nearest(text)
    if found:
        assert PARAMETER.parse(PARAMETER.format(found)) == found
    assert len({key for key, _ in found}) == len(found)


def test_the_longest_link_can_be_read():
    longest = {"choice": lambda c: max(c.options, key=len), "number": lambda c: float(c.high - c.step),
               "curve": lambda c: (c.top,) * len(c.rounds), "item": lambda c: c.count()}  # fmt: skip
    every = tuple((key, longest[q.commitment.kind](q.commitment)) for key, q in BANK.items())
    text = PARAMETER.format(every)
    assert len(text) < MOST / 2
    assert re.fullmatch("[a-z0-9._-]+", text)
    assert PARAMETER.parse(text) == every


def test_the_file_has_a_row_for_every_question():
    results_of = Truth("tenthousand", 3.0, (1.0, 2.0), (0.1, 0.1), ("tenthousand",))
    rows = [Row(q, None, None) for q in BANK.values()]
    rows[14] = Row(BANK["bound"], "ten", results_of)
    read = list(csv.DictReader(io.StringIO(as_csv(rows))))
    assert len(read) == len(BANK)
    assert read[14] == {
        "number": "15", "question": BANK["bound"].title, "prediction": "about 10 times",
        "what came out": "about 10,000 times", "95% band": "", "came near": "no",
    }  # fmt: skip
    rows[0] = Row(BANK["film"], 0.5, Truth(0.97, 0.01, facts={"short": "0.97 ± 0.01"}))
    assert next(csv.DictReader(io.StringIO(as_csv(rows))))["95% band"] == "0.01", (
        "a number has a band, a choice has none"
    )
    assert in_lines(rows).splitlines() == [
        "You answered 2 of 16 questions. 0 of 2 predictions came near.",
        "1. What does a poor film cost? You: 0.5. What came out: 0.97 ± 0.01 (off).",
        "15. How good is the theorem's promise? You: about 10 times. What came out: about 10,000 times (off).",
    ]
    assert read[0]["prediction"] == read[0]["came near"] == ""
    assert table(rows).count("\n") == 3
    assert tally(rows) == "You answered 2 of 16 questions. 0 of 2 predictions came near."
    assert verdict(rows[14]).endswith("What came out is another: **about 10,000 times**.")
    tied = results_of.__class__("hundred", 3.0, right=("hundred", "ten"))
    assert verdict(Row(BANK["bound"], "ten", tied)).endswith("The runs cannot tell that from what came out.")


def test_the_numbers_of_the_notes_are_computed_when_they_are_asked_for(monkeypatch, at_a_glance):
    wanted, look = [], watching.look
    monkeypatch.setattr(watching, "look", lambda works: wanted.append(set(works)) or look(works))
    monkeypatch.setattr(lesson, "missing", lambda: 12)
    app = open_page("lesson", {"question": "film"})
    assert wanted[-1] == set()
    app.button(key="lesson prepare").click().run()
    assert not app.exception
    assert wanted[-1] == {runs for asked in BANK.values() for runs in asked.runs}
    assert drawn(app)[0]["data"] == [], "the question on screen still waits for an answer"
    assert not any(button.key == "lesson prepare" for button in app.button)


def test_what_is_taken_along_is_made_from_the_bank(monkeypatch):
    monkeypatch.setattr(Page, "address", "http://example.org/lesson?answers=film-1")
    files = teaching_files(lesson._plain_address())
    texts = [content() for _, content in files.values()]
    assert all("http://example.org/lesson" in text and "answers=" not in text for text in texts)
    assert "Question 1: What does a poor film cost?" in texts[1]
