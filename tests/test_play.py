"""python -m roam_core play: what is asked is what Roam asks, and no answer is lost however it ends."""

import io
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from roam_core import Roam
from roam_core.__main__ import main
from roam_core.catalogues import CATALOGUES
from roam_core.terminal import Game, find

RNG = np.random.default_rng(6)
TABLE = "name,sweet,sour,firm\n" + "".join(
    f"fruit {i},{a:.3f},{b:.3f},{c:.3f}\n" for i, (a, b, c) in enumerate(RNG.normal(size=(30, 3)))
)
REPLIES = ["", "y", "n", "y", "", "n", "y", "y", "?", "no", "YES", "n", "y"]  # round 1 asks nothing


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "fruit.csv").write_text(TABLE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def play(monkeypatch, capsys):
    def play(replies, *options, items="fruit.csv"):
        """The exit status and what is printed."""
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{reply}\n" for reply in replies)))
        status = main(["play", "--items", items, *options])
        out, err = capsys.readouterr()
        return status, out, err

    return play


def kept(path="fruit.roam.json"):
    """The game in a file."""
    with open(path, encoding="utf-8") as file:
        return Game.from_json(file.read(), find("fruit.csv"))


def test_it_shows_and_asks_what_roam_does(play):
    status, out, err = play(REPLIES, "--seed", "3", "--ask", "random", "--tau", "2", "--k", "7")
    assert (status, err) == (0, "")
    game, roam = kept(), Roam(d=3, tau=2, radius=3.0, ridge=0.1, ask="random", seed=3)
    items, shown = game.embedding.items, []
    for t, reply in enumerate(REPLIES):
        left = [row for row in range(30) if row not in shown]
        rows = np.random.default_rng((3, t + 1)).choice(left, 7, replace=False)
        shown.append(int(rows[roam.recommend(items[rows])]))
        j = roam.ask()
        assert f"Round {t + 1}. Look at this item: fruit {shown[-1]}" in out
        assert j is None or f"than the one of round {j + 1}? That was fruit {shown[j]}" in out
        roam.answer({"y": True, "n": False}.get(reply.lower()[:1]))
    assert game.rows == shown
    assert game.roam.to_json() == roam.to_json()
    assert "After 10 answers it believes that you like:" in out
    best = [f"fruit {row}" for row in np.argsort(-(items @ roam.estimate))[:5]]
    assert [line.split(":")[0].strip() for line in out.splitlines()[-5:]] == best


@pytest.mark.parametrize("end", ["end of input", "q"])
def test_it_goes_on_where_it_was(play, end):
    play(REPLIES, "--save", "whole.json")
    for first in range(0, len(REPLIES), 2):
        replies = REPLIES[first : first + 2]
        status, out, _ = play([*replies, *(["q"] if end == "q" else [])], "--save", "parts.json")
        assert status == 0
        assert (f"Going on with round {first + 1}." in out) == (first > 0)
    with open("whole.json", encoding="utf-8") as whole, open("parts.json", encoding="utf-8") as parts:
        assert whole.read() == parts.read()


def test_ctrl_c_loses_nothing(play, monkeypatch, capsys):
    replies = iter(REPLIES[:4])

    def interrupted(prompt):
        for reply in replies:
            return reply
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("builtins.input", interrupted)
        assert main(["play", "--items", "fruit.csv"]) == 130
    assert capsys.readouterr().err == "roam_core: stopped\n"
    assert kept().roam.answers == (None, True, False, True)
    play(REPLIES[4:])
    play(REPLIES, "--save", "whole.json")
    assert kept().to_json() == kept("whole.json").to_json()


@pytest.mark.fault
def test_a_killed_process_loses_nothing(play, folder):
    command = [sys.executable, "-m", "roam_core", "play", "--items", "fruit.csv"]
    roots = os.pathsep.join([os.path.dirname(os.path.dirname(__file__)), os.environ.get("PYTHONPATH", "")])
    player = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": roots, "PYTHONUNBUFFERED": "1"},
        encoding="utf-8",
    )
    for reply in REPLIES[:3]:
        player.stdin.write(f"{reply}\n")
    player.stdin.flush()
    while "Round 4" not in player.stdout.readline():
        pass
    player.kill()
    player.communicate()
    assert kept().roam.answers == (None, True, False)
    assert "Going on with round 4." in play(REPLIES[3:])[1]
    assert kept().roam.round == len(REPLIES) + 1


def test_a_disk_that_fails_leaves_the_answers_before(play, monkeypatch):
    play(REPLIES[:5])
    before = kept().to_json()

    def full(*paths):
        raise OSError(28, "No space left on device", "fruit.roam.json")

    with monkeypatch.context() as patch:
        patch.setattr("roam_core.records.os.replace", full)
        assert play(["y"])[::2] == (2, "roam_core: error: fruit.roam.json: No space left on device\n")
    assert kept().to_json() == before


def test_what_is_not_understood_is_asked_again(play):
    _, out, _ = play(["so", "", "maybe", "1", "y"])
    assert out.count("That was not understood.") == 3
    assert kept().roam.answers == (None, True)


def test_it_ends_when_everything_was_seen(play):
    status, out, _ = play([""] * 40, "--k", "50")
    assert status == 0
    assert sorted(kept().rows) == list(range(30))
    assert out.endswith("No answer yet, so nothing is known of your taste.\n")
    assert play(["y"])[0] == 0


@pytest.mark.parametrize("name", CATALOGUES)
def test_every_catalogue_can_be_played(play, name):
    status, out, err = play(REPLIES, items=name)
    assert (status, err) == (0, "")
    assert "After 10 answers it believes that you like:" in out
    assert "nan" not in out
    assert play(["y"], items=name)[0] == 0


def test_somebody_who_knows_what_they_like_is_understood():
    """Who always takes the sweeter fruit is told so first, without a doubt."""
    catalogue = find("fruit.csv")
    sweet, game = catalogue.values[:, 0], Game.new(catalogue, {})
    for _ in range(25):
        rows = game.offer()
        row = int(rows[game.roam.recommend(game.embedding.items[rows])])
        j = game.roam.ask()
        game.roam.answer(None if j is None else bool(sweet[row] > sweet[game.rows[j]]))
        game.rows.append(row)
    assert game.summary().splitlines()[1] == "  high sweet"


BAD = {
    "no file": (["--items", "none.csv"], "none.csv: No such file"),
    "a folder": (["--items", "."], "directory"),
    "a bad table": (["--items", "bad.csv"], "bad.csv: line 2"),
    "a large table": (["--items", "large.csv"], "larger than 1,000,000 bytes"),
    "a bad setting": (["--items", "fruit.csv", "--link", "linear"], "link = 'linear' is not allowed"),
    "too many features": (["--items", "fruit.csv", "--d", "4"], "from 2 to 3"),
    "a folder that is none": (["--items", "fruit.csv", "--save", "no/such/file"], "No such file"),
    "a table for answers": (["--items", "fruit.csv", "--save", "fruit.csv"], "fruit.csv: the saved text is damaged"),
    "no items": ([], "--items"),
}


@pytest.mark.parametrize(("options", "message"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_said_in_a_line(options, message, folder, capsys):
    (folder / "bad.csv").write_text("name,a,b\nx,1,zwei\n", encoding="utf-8")
    (folder / "large.csv").write_bytes(b"x" * 2_000_000)
    files = sorted(path.name for path in folder.iterdir())
    try:
        status = main(["play", *options])
    except SystemExit as stop:
        status = stop.code
    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert sorted(path.name for path in folder.iterdir()) == files
    assert (folder / "fruit.csv").read_text(encoding="utf-8") == TABLE


def test_answers_of_another_table_or_with_other_settings_are_left_alone(play, folder):
    play(REPLIES)
    before = (folder / "fruit.roam.json").read_text(encoding="utf-8")
    status, _, err = play(["y"], "--tau", "7")
    assert status == 2
    assert "was begun with tau = 5, so 7 is not allowed" in err
    assert play([], "--tau", "5")[0] == 0
    (folder / "fruit.csv").write_text(TABLE.replace("fruit 7", "plum"), encoding="utf-8")
    status, _, err = play(["y"])
    assert status == 2
    assert "these answers are about other items" in err
    assert (folder / "fruit.roam.json").read_text(encoding="utf-8") == before


CHANGES = {
    "nonsense": lambda told: [],
    "a row that is none": lambda told: told | {"rows": [*told["rows"][:-1], 30]},
    "a row twice": lambda told: told | {"rows": [*told["rows"][:-1], told["rows"][0]]},
    "rows of other items": lambda told: told | {"rows": told["rows"][::-1]},
    "a row too few": lambda told: told | {"rows": told["rows"][1:]},
    "no row": lambda told: told | {"rows": [None] * len(told["rows"])},
    "a bad k": lambda told: told | {"k": -3},
    "a bad state": lambda told: told | {"state": told["state"][:-9]},
    "another d": lambda told: told | {"state": Roam(d=9).to_json()},
    "more": lambda told: told | {"more": 1},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_damaged_file_is_refused_and_left_alone(play, folder, change):
    play(REPLIES)
    told = json.loads((folder / "fruit.roam.json").read_text(encoding="utf-8"))
    text = json.dumps(change(told))
    (folder / "fruit.roam.json").write_text(text, encoding="utf-8")
    status, out, err = play(["y"])
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("roam_core: error: fruit.roam.json: ")
    assert (folder / "fruit.roam.json").read_text(encoding="utf-8") == text
