"""Figures of "Beat ROAM", as Plotly dicts. They only draw."""

from collections.abc import Sequence
from html import escape

import numpy as np

from pages.classroom.beat import GAME, RULES, End, Luck, Turn, outline
from pages.figures import base_layout
from pages.palette import PALETTE, ROLES

DRAWN = 150  # ellipses at most
# How large ellipses are drawn, by the estimate and at the end by the taste: about nine of ten have it inside.
LARGE, LARGE_AT_TASTE = 2.0, 2.5
REACH = 1.68  # radii of the plane that a player sees
RING = 0.19  # how far apart dots are, in radii
SIDEWAYS, BEYOND = (0, 1, -1, 2, -2, 3, -3, 4, -4), (1, 2, 3)  # how many times that a dot stands off its place
NAMED = 12  # players with their names in the plot, if there is room for them
LETTER, LINE, MARK = 0.018, 0.06, 0.03  # how wide and high letters are, and half a mark, as shares of the axes
BESIDE = {"top center": (0, 1), "bottom center": (0, -1), "middle right": (1, 0), "middle left": (-1, 0)}
RULE_LOOKS = dict(
    zip(
        RULES,
        ((PALETTE[0], "star"), (PALETTE[2], "diamond"), (PALETTE[4], "square")),
        strict=True,
    )
)  # colour and symbol


def _plane(title: str, name: str, across: tuple[float, float], up: tuple[float, float]) -> dict:
    layout = base_layout(title, "", "", name)
    axis = {"zeroline": False, "showticklabels": False, "showgrid": False}
    axis |= {"constrain": "domain", "title": None}  # else a plot that changes its size would show ever more around it
    layout["xaxis"] |= {**axis, "range": list(across)}
    layout["yaxis"] |= {**axis, "range": list(up), "scaleanchor": "x"}
    layout["showlegend"] = False
    layout["dragmode"] = False
    return layout


def _circle(radius: float, dash: str = "dot") -> dict:
    ends = {"x0": -radius, "x1": radius, "y0": -radius, "y1": radius}
    return {"type": "circle", **ends, "line": {"color": "#888888", "width": 1, "dash": dash}, "layer": "below"}


def items(now: Turn, chosen: int | None) -> dict:
    """What a player sees: past items to choose from, the new one, the estimate, and where least is known."""
    r = GAME.radius
    reach = (-REACH * r, REACH * r)
    layout = _plane(f"Round {now.round}: compare the star with …", "beat items", reach, reach)
    layout["shapes"] = [_circle(r)]
    layout["annotations"] = [_taste(now)]
    past, new = np.array(now.past), np.array(now.new)
    around = np.argsort(np.arctan2(*past.T), kind="stable")  # so that the arrow keys walk around the circle
    true, past = past, apart(past, new)
    looks = {"color": PALETTE[4], "size": 19, "opacity": 0.85, "line": {"width": 0}}
    moved = np.linalg.norm(past - true, axis=1) > 0
    ways = [point for one, other in zip(true[moved], past[moved], strict=True) for point in (one, other, (None, None))]
    data = [
        _doubt(now),
        {
            "type": "scatter", "mode": "lines+markers", "name": "its place", "x": [point[0] for point in ways],
            "y": [point[1] for point in ways], "line": {"color": PALETTE[4], "width": 1.5}, "hoverinfo": "skip",
            "marker": {"color": PALETTE[4], "size": 6},
        },
        {
            "type": "scatter", "mode": "markers+text", "name": "past item", "meta": "choose",
            "x": past[around, 0].tolist(), "y": past[around, 1].tolist(), "customdata": (around + 1).tolist(),
            "marker": looks, "text": [str(i + 1) for i in around], "textfont": {"size": 13, "color": "#ffffff"},
            "hovertemplate": "item %{customdata}<extra></extra>", "cliponaxis": False,
        },
        {
            "type": "scatter", "mode": "markers", "name": "new item", "x": [new[0]], "y": [new[1]],
            "marker": {"color": ROLES["new"], "size": 26, "symbol": "star"}, "hoverinfo": "skip", "cliponaxis": False,
        },
    ]  # fmt: skip
    if chosen is not None:
        x, y = true[chosen - 1].tolist()
        data.append(
            {
                "type": "scatter", "mode": "lines", "name": "your question", "x": [new[0], x], "y": [new[1], y],
                "line": {"color": ROLES["yours"], "width": 5}, "hoverinfo": "skip",
            }
        )  # fmt: skip
    return {"data": data, "layout": layout}


def apart(past: np.ndarray, new: np.ndarray) -> np.ndarray:
    """(t, 2) where the dots of items (t, 2) of the circle are drawn: none covers another, nor the new item.

    Whatever has room stays in its place; else it stands beyond the circle, near its place.
    """
    placed = np.empty((len(past) + 1, 2))
    placed[0] = new
    for t, item in enumerate(past):
        places = np.vstack([item, _beyond(item)])
        places = places[np.argsort(np.linalg.norm(places - item, axis=1), kind="stable")]
        gaps = np.linalg.norm(places[:, None] - placed[None, : t + 1], axis=2).min(1)
        free = np.flatnonzero(gaps > 0.99 * RING * GAME.radius)
        placed[t + 1] = places[free[0] if len(free) else gaps.argmax()]
    return placed[1:]


def _beyond(item: np.ndarray) -> np.ndarray:
    """Places beyond the circle near an item (2,): so many dots to the side, so many off the circle."""
    beside = item + RING * np.array(SIDEWAYS)[:, None] * np.array([-item[1], item[0]])
    beside /= np.linalg.norm(beside, axis=1)[:, None]
    return np.vstack([(1 + step * RING) * GAME.radius * beside for step in BEYOND])


def _doubt(now: Turn) -> dict:
    """The ellipse in the middle that has the shape of what is left to know, drawn large."""
    shape = outline(now) - np.array(now.estimate)
    x, y = (0.55 * GAME.radius / np.linalg.norm(shape, axis=1).max() * shape).T
    return {
        "type": "scatter", "mode": "lines", "name": "what is left to know", "x": x.tolist(), "y": y.tolist(),
        "line": {"color": ROLES["doubt"], "width": 2, "dash": "dash"}, "hoverinfo": "skip", "cliponaxis": False,
    }  # fmt: skip


def _taste(now: Turn) -> dict:
    """An arrow from the middle: the way the estimate points."""
    x, y = 0.4 * GAME.radius * np.array(now.estimate) / max(np.linalg.norm(now.estimate), 1e-9)
    return {
        "x": float(x), "y": float(y), "ax": 0, "ay": 0, "xref": "x", "yref": "y", "axref": "x", "ayref": "y",
        "showarrow": True, "arrowhead": 2, "arrowwidth": 4, "arrowcolor": ROLES["truth"], "text": "",
    }  # fmt: skip


def ellipses(turns: Sequence[Turn], roam: Turn, start: Turn, truth: tuple[float, float] | None = None) -> dict:
    """What every player still has to learn: an ellipse each around the estimate, and ROAM's after the same rounds.

    All began with the ellipse of `start`; the plane is large enough for that one and all others. With the truth the
    ellipses are those of H at the taste: then a bit halves their area.
    """
    how = {"size": LARGE_AT_TASTE, "at_taste": True} if truth else {"size": LARGE}
    drawn = [outline(turn, **how) for turn in turns[:DRAWN]]
    own, first = outline(roam, **how), outline(start, **how)
    per = "one ellipse per player" if len(turns) <= DRAWN else f"ellipses of {DRAWN} of {len(turns)} players"
    layout = _plane(f"Where the taste may be: {per}", "beat ellipses", *_around([own, first, *drawn]))
    layout["shapes"] = [_circle(1.0, "solid")]
    layout["showlegend"] = True
    x, y = ([part for points in drawn for part in (*np.round(points[:, i], 3).tolist(), None)] for i in (0, 1))
    data = [
        {
            "type": "scatter", "mode": "lines", "name": "before the first question", "hoverinfo": "skip",
            "x": first[:, 0].tolist(), "y": first[:, 1].tolist(),
            "line": {"color": "#888888", "width": 2, "dash": "dot"},
        },
        {
            "type": "scatter", "mode": "lines", "name": "players", "x": x, "y": y, "hoverinfo": "skip",
            "line": {"color": ROLES["yours"], "width": 2}, "opacity": 0.8 if len(turns) < 20 else 0.6,
        },
        {
            "type": "scatter", "mode": "lines", "name": "ROAM", "x": own[:, 0].tolist(), "y": own[:, 1].tolist(),
            "line": {"color": PALETTE[0], "width": 4, "dash": "dash"}, "hoverinfo": "skip",
        },
    ]  # fmt: skip
    if truth:
        data.append(
            {
                "type": "scatter", "mode": "markers", "name": "the user's taste", "x": [truth[0]], "y": [truth[1]],
                "marker": {"color": ROLES["truth"], "size": 22, "symbol": "star"}, "hoverinfo": "skip",
            }
        )  # fmt: skip
    return {"data": data, "layout": layout}


def _around(outlines: Sequence[np.ndarray]) -> list[tuple[float, float]]:
    """Ranges of the plane with room for all outlines and the unit circle, in steps: so they seldom change."""
    points = np.vstack(outlines)
    low, high = np.minimum(points.min(0), -1.0), np.maximum(points.max(0), 1.0)
    return list(zip((np.floor(2 * low - 0.2) / 2).tolist(), (np.ceil(2 * high + 0.2) / 2).tolist(), strict=True))


def board(ends: Sequence[tuple[str, End]], luck: Luck) -> dict:
    """What everybody's questions told and the error it came to; the rules', and ROAM's with other answers."""
    layout = base_layout(
        "To the right: questions that told more; below: less error",
        "what the questions told (bits)", "error of the estimate", "beat board",
    )  # fmt: skip
    others = np.array([(end.told, end.error) for end in luck.others])
    outcomes, counts = np.unique(others.round(4), axis=0, return_counts=True)
    mine = np.array([(end.told, end.error) for _, end in ends]).reshape(-1, 2)
    rules = np.array([(end.told, end.error) for end in luck.rules.values()])
    highest = np.vstack([np.quantile(others, 0.97, axis=0)[None], mine, rules]).max(0)
    layout["xaxis"] |= {"range": [0, 1.12 * highest[0]]}
    layout["yaxis"] |= {"range": [0, 1.15 * highest[1]]}
    layout["showlegend"] = True
    low, high = luck.spread
    layout["shapes"] = [_between(low.error, high.error)]
    layout["annotations"] = [_beside(high.error)]
    note = (0.16, high.error / highest[1] + LINE / 2, 0.16, LINE / 2)  # what `_beside` says
    beside, places = _with_room([name for name, _ in ends], mine / highest, rules / highest, note)
    called = [escape(name, quote=False) for name, _ in ends]
    data = [
        {
            "type": "scatter", "mode": "markers", "name": f"ROAM with other answers ({len(others)} games)",
            "x": outcomes[:, 0].tolist(), "y": outcomes[:, 1].tolist(), "customdata": counts.tolist(),
            "hovertemplate": "%{customdata} of the games<extra></extra>",  # many end alike: the larger the dot
            "marker": {"color": "#888888", "size": (5 + 3 * np.sqrt(counts)).round(1).tolist(), "opacity": 0.6},
        },
        {
            "type": "scatter", "mode": "markers+text", "name": "players", "x": mine[:, 0].tolist(),
            "y": mine[:, 1].tolist(), "text": [name if i in places else "" for i, name in enumerate(called)],
            "textposition": [places.get(i, "top center") for i in range(len(ends))], "textfont": {"size": 16},
            "marker": {"color": ROLES["yours"], "size": 13},
            "customdata": called, "hovertemplate": "%{customdata}: %{x:.2f}, %{y:.2f}<extra></extra>",
            "cliponaxis": False,
        },
    ]  # fmt: skip
    for rule, end in luck.rules.items():
        colour, symbol = RULE_LOOKS[rule]
        data.append(
            {
                "type": "scatter", "mode": "markers+text", "name": RULES[rule], "x": [end.told], "y": [end.error],
                "text": [f"<b>{RULES[rule]}</b>"], "textposition": beside[rule], "showlegend": False,
                "marker": {"color": colour, "size": 21, "symbol": symbol, "line": {"width": 2, "color": "#ffffff"}},
                "hovertemplate": f"{RULES[rule]}: %{{x:.2f}}, %{{y:.2f}}<extra></extra>", "cliponaxis": False,
            }
        )  # fmt: skip
    return {"data": data, "layout": layout}


Box = tuple[float, float, float, float]  # its middle, and half of its sides


def _with_room(
    names: Sequence[str], mine: np.ndarray, rules: np.ndarray, note: Box
) -> tuple[dict[str, str], dict[int, str]]:
    """Where the names of rules and of players (n, 2) stand, in shares of the axes: over no mark and no other words.

    Every rule has its name, where it covers least; of the players the best, as far as there is room.
    """
    taken = [note, *((x, y, MARK / 2, MARK / 2) for x, y in (*mine, *rules, *rules, *rules))]  # rules matter most

    def place(at: np.ndarray, name: str, *, always: bool) -> str | None:
        boxes = {beside: _box(at, name, beside) for beside in BESIDE}
        covers = {
            beside: sum(_overlap(box, other) for other in taken)
            for beside, box in boxes.items()
            if box[2] < box[0] < 1.1 - box[2]
        }
        best = min(covers, key=covers.get, default=next(iter(BESIDE)) if always else None)
        if best is None or (covers.get(best, 0) and not always):
            return None
        taken.append(boxes[best])
        return best

    beside = {rule: place(at, RULES[rule], always=True) for at, rule in zip(rules, RULES, strict=True)}
    best = sorted(range(len(mine)), key=lambda i: -mine[i, 0])[:NAMED]
    return beside, {i: found for i in best if (found := place(mine[i], names[i], always=False))}


def _box(at: np.ndarray, name: str, beside: str) -> Box:
    """What a name covers that stands beside a mark."""
    (across, up), wide, high = BESIDE[beside], LETTER * len(name) / 2, LINE / 2
    return at[0] + across * (MARK + wide), at[1] + up * (MARK + high), wide, high


def _overlap(one: Box, other: Box) -> bool:
    return abs(one[0] - other[0]) < one[2] + other[2] and abs(one[1] - other[1]) < one[3] + other[3]


def _between(low: float, high: float) -> dict:
    """Where luck ends: the band in which 90% of ROAM's errors lie."""
    return {
        "type": "rect", "xref": "paper", "x0": 0, "x1": 1, "y0": low, "y1": high, "layer": "below",
        "fillcolor": "#888888", "opacity": 0.18, "line": {"width": 0},
    }  # fmt: skip


def _beside(high: float) -> dict:
    return {
        "xref": "paper", "x": 0, "xanchor": "left", "y": high, "yanchor": "bottom", "showarrow": False,
        "text": "90% of ROAM's games",
    }  # fmt: skip
