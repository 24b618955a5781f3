"""ROAM in a terminal: it shows an item of a catalogue, asks about an earlier one, and keeps every answer in a file."""

import hashlib
import io
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from roam_core import records, saved
from roam_core.catalogues import CATALOGUES, Catalogue, read_csv
from roam_core.roam import QUANTILE, Prediction, Roam
from roam_core.tables import MOST_BYTES

# What makes a person see it work within twenty questions; other settings are those of a scenario. d is at most this.
DEFAULTS = {"d": 5, "tau": 5, "radius": 3.0, "k": 50, "ridge": 0.1}
ANSWERS = {"y": True, "yes": True, "n": False, "no": False, "": None, "?": None}
SHOWN = 5  # features, and items, that are named in the end


def find(items: str) -> Catalogue:
    """The catalogue that a name or a CSV file stands for."""
    if items in CATALOGUES:
        return CATALOGUES[items]
    with open(items, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"{items} is larger than {MOST_BYTES:,} bytes (1 MB), the most that is allowed")
    try:
        return read_csv(data, Path(items).name)
    except ValueError as problem:
        raise ValueError(f"{items}: {problem}") from None


class Game:
    """A catalogue, a Roam, and which of the catalogue's items were shown: one a round, and none twice."""

    def __init__(self, catalogue: Catalogue, roam: Roam, k: int, rows: list[int]):
        self.catalogue, self.roam, self.k, self.rows = catalogue, roam, k, rows
        settings = roam.settings
        self.embedding = catalogue.embedding(settings["d"], settings["radius"])

    @classmethod
    def new(cls, catalogue: Catalogue, settings: Mapping[str, Any]) -> "Game":
        """Before round 1; settings are a Roam's, and how many items (k) are on offer in a round."""
        most = min(DEFAULTS["d"], catalogue.most_features)
        settings = {**DEFAULTS, "d": most, **settings}
        catalogue.check(settings["d"])
        return cls(
            catalogue, Roam(**{name: value for name, value in settings.items() if name != "k"}), settings["k"], []
        )

    def offer(self) -> np.ndarray:
        """The rows on offer in this round: k that were not shown yet, or all of them. None are left in the end."""
        left = np.setdiff1d(np.arange(len(self.catalogue.values)), self.rows)
        rng = np.random.default_rng((self.roam.settings["seed"], self.roam.round))
        return rng.choice(left, min(self.k, len(left)), replace=False)

    def to_json(self) -> str:
        """All of it, between two rounds."""
        told = {"catalogue": self.catalogue.name, "digest": _digest(self.catalogue), "k": self.k, "rows": self.rows}
        return saved.write({**told, "state": self.roam.to_json()})

    @classmethod
    def from_json(cls, text: str, catalogue: Catalogue) -> "Game":
        """The game that `to_json` wrote; ValueError if it is none, or one with another catalogue."""
        told = saved.read(text, {"catalogue": str, "digest": str, "k": int, "rows": list, "state": str})
        if told["digest"] != _digest(catalogue):
            raise ValueError(f"these answers are about other items than those of {catalogue.name}")
        roam, rows, k = Roam.from_json(told["state"]), told["rows"], told["k"]
        n = len(catalogue.values)
        if not all(type(row) is int and 0 <= row < n for row in rows) or len(set(rows)) != len(rows) or k < 2:
            raise ValueError("the saved text is damaged: it tells of items that there are not")
        game = cls(catalogue, roam, k, rows)
        shown = game.embedding.items[rows]
        if roam.awaits != "recommend" or shown.shape != roam.history.shape or not np.allclose(shown, roam.history):
            raise ValueError("the saved text is damaged: its answers are not about the items that it names")
        return game

    def words(self, row: int) -> str:
        """An item's name and what can be said of it."""
        name, words = self.catalogue.names[row], self.embedding.describe(row)
        return words if words.startswith(name) else f"{name}: {words}"

    def summary(self) -> str:
        """What is believed of the taste: the features that matter most, and the items that should be liked best."""
        heard = sum(answer is not None for answer in self.roam.answers)
        if not heard:
            return "No answer yet, so nothing is known of your taste."
        taste = self.embedding.taste(self.roam.estimate)
        reach = QUANTILE * np.sqrt(
            np.einsum("ip,ij,jp->p", self.embedding.axes, self.roam.covariance, self.embedding.axes)
        )
        lines = [f"After {heard} answer{'s' * (heard > 1)} it believes that you like:"]
        for i in np.argsort(-np.abs(taste), kind="stable")[:SHOWN]:
            if self.catalogue.features[i] in self.embedding.features_used:
                sure = "" if abs(taste[i]) > reach[i] else " (not sure: it may be the other way round)"
                lines.append(f"  {self.catalogue.ends[i][int(taste[i] > 0)]}{sure}")
        if len(self.embedding.axes) < len(self.embedding.features_used):
            lines.append("Features that go together in these items cannot be told apart.")
        best = np.argsort(-(self.embedding.items @ self.roam.estimate), kind="stable")[:SHOWN]
        return "\n".join([*lines, "You should like best:", *(f"  {self.words(row)}" for row in best)])


def play(items: str, save: str | None, settings: Mapping[str, Any]) -> int:
    """Play, from the start or from where the file has it, until the user stops or has seen everything."""
    catalogue = find(items)
    path = Path(save or f"{Path(items).stem}.roam.json")
    game = _begin(catalogue, path, settings)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    print(f"Every answer is kept in {path}; the same command goes on from there. Stop with q.")
    if game.roam.round > 1:
        print(f"Going on with round {game.roam.round}.")
    try:
        while len(game.rows) < len(catalogue.values) and _round(game):
            records.write(path, [game.to_json()])
    except KeyboardInterrupt:
        print()
        raise
    print(f"\n{game.summary()}")
    return 0


def _begin(catalogue: Catalogue, path: Path, settings: Mapping[str, Any]) -> Game:
    """The game in the file, or a new one, which the file then has."""
    if not path.exists():
        game = Game.new(catalogue, settings)
        records.write(path, [game.to_json()])
        return game
    try:
        with open(path, encoding="utf-8") as file:
            game = Game.from_json(file.read(saved.MOST_CHARACTERS + 1), catalogue)
    except ValueError as problem:
        raise ValueError(f"{path}: {problem}. Another file of answers is --save FILE") from None
    has = game.roam.settings | {"k": game.k}
    for name, value in settings.items():
        if has[name] != value:
            raise ValueError(f"{path} was begun with {name} = {has[name]}, so {value} is not allowed; leave the option")
    return game


def _round(game: Game) -> bool:
    """One round; False if the user stops, then the file has the round before it."""
    roam = game.roam
    rows = game.offer()
    row = int(rows[roam.recommend(game.embedding.items[rows])])
    j = roam.ask()
    print(f"\nRound {roam.round}. Look at this {game.catalogue.one}: {game.words(row)}")
    if j is None:
        said = _reply("Press Enter to go on: ", {"": None})
    else:
        print(f"Did you like it better than the one of round {j + 1}? That was {game.words(game.rows[j])}")
        said = _reply("y yes, n no, Enter can't say, q stop: ", ANSWERS)
    if said is ...:
        return False
    expected = None if j is None else roam.predict(roam.recommended, roam.history[j])
    roam.answer(said)
    game.rows.append(row)
    if said is not None:
        print(_judged(expected, said))
    return True


def _judged(expected: Prediction, said: bool) -> str:
    """How likely an answer was before it was given."""
    p, low, high = expected
    if low <= 0.5 <= high:
        return "It could not tell what you would say."
    if not said:
        p, low, high = 1 - p, 1 - high, 1 - low
    return f"It had given this answer {p:.0%} (from {low:.0%} to {high:.0%})."


def _reply(prompt: str, answers: Mapping[str, bool | None]) -> Any:
    """What the user says; `...` for "stop" and where the input ends."""
    while True:
        try:
            said = input(prompt).strip().lower()
        except EOFError:
            print()
            return ...
        if said in ("q", "quit"):
            return ...
        if said in answers:
            return answers[said]
        print("That was not understood.")


def _digest(catalogue: Catalogue) -> str:
    """What tells a catalogue from one with other items."""
    told = (
        repr((catalogue.features, catalogue.names)).encode() + np.ascontiguousarray(catalogue.values, "<f8").tobytes()
    )
    return hashlib.sha256(told).hexdigest()[:32]
