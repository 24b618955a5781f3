"""Figures of "Beat ROAM", as Plotly dicts. They only draw."""

from collections.abc import Sequence
from html import escape

import numpy as np

from pages.classroom.beat import GAME, RULES, End, Luck, Turn, outline
from pages.figures import base_layout
from pages.palette import PALETTE, ROLES

DRAWN = 150  # ellipses at most
LARGE = 2.0  # how large ellipses are drawn: the taste is inside in some 95% of rounds (tests/test_beat.py)
NAMED = 12  # players with their names in the plot
RULE_LOOKS = dict(zip(RULES, ((PALETTE[0], "star"), (PALETTE[2], "diamond"), (PALETTE[4], "square")), strict=True))


def _plane(title: str, name: str, reach: float) -> dict:
    layout = base_layout(title, "", "", name)
    axis = {"range": [-reach, reach], "zeroline": False, "showticklabels": False, "showgrid": False}
    axis |= {"constrain": "domain", "title": None}  # else a plot that changes its size would show ever more around it
    layout["xaxis"] |= axis
    layout["yaxis"] |= {**axis, "scaleanchor": "x"}
    layout["showlegend"] = False
    layout["dragmode"] = False
    return layout


def _circle(radius: float) -> dict:
    ends = {"x0": -radius, "x1": radius, "y0": -radius, "y1": radius}
    return {"type": "circle", **ends, "line": {"color": "#888888", "width": 1, "dash": "dot"}, "layer": "below"}


def items(now: Turn, chosen: int | None) -> dict:
    """What a player sees: past items to choose from, the new one, the estimate, and where least is known."""
    r = GAME.radius
    layout = _plane(f"Round {now.round}: compare the star with …", "beat items", 1.25 * r)
    layout["shapes"] = [_circle(r)]
    layout["annotations"] = [_taste(now)]
    past, new = np.array(now.past), np.array(now.new)
    around = np.argsort(np.arctan2(*past.T), kind="stable")  # so that the arrow keys walk around the circle
    looks = {"color": PALETTE[4], "size": 21, "opacity": 0.85, "line": {"width": 0}}
    data = [
        _doubt(now),
        {
            "type": "scatter", "mode": "markers+text", "name": "past item", "meta": "choose",
            "x": past[around, 0].tolist(), "y": past[around, 1].tolist(), "customdata": (around + 1).tolist(),
            "marker": looks, "text": [str(i + 1) for i in around], "textfont": {"size": 13, "color": "#ffffff"},
            "hovertemplate": "item of round %{customdata}<extra></extra>", "cliponaxis": False,
        },
        {
            "type": "scatter", "mode": "markers", "name": "new item", "x": [new[0]], "y": [new[1]],
            "marker": {"color": ROLES["new"], "size": 26, "symbol": "star"}, "hoverinfo": "skip", "cliponaxis": False,
        },
    ]  # fmt: skip
    if chosen is not None:
        x, y = past[chosen - 1]
        data.append(
            {
                "type": "scatter", "mode": "lines", "name": "your question", "x": [new[0], x], "y": [new[1], y],
                "line": {"color": ROLES["yours"], "width": 5}, "hoverinfo": "skip",
            }
        )  # fmt: skip
    return {"data": data, "layout": layout}


def _doubt(now: Turn) -> dict:
    """The ellipse around the new item that has the shape of what is left to know, drawn large."""
    shape = outline(now) - np.array(now.estimate)
    shape *= 0.8 * GAME.radius / np.linalg.norm(shape, axis=1).max()
    x, y = (shape + np.array(now.new)).T
    return {
        "type": "scatter", "mode": "lines", "name": "what is left to know", "x": x.tolist(), "y": y.tolist(),
        "line": {"color": ROLES["doubt"], "width": 2, "dash": "dash"}, "hoverinfo": "skip", "cliponaxis": False,
    }  # fmt: skip


def _taste(now: Turn) -> dict:
    """An arrow from the middle: the way the estimate points."""
    x, y = 0.45 * GAME.radius * np.array(now.estimate) / max(np.linalg.norm(now.estimate), 1e-9)
    return {
        "x": float(x), "y": float(y), "ax": 0, "ay": 0, "xref": "x", "yref": "y", "axref": "x", "ayref": "y",
        "showarrow": True, "arrowhead": 2, "arrowwidth": 4, "arrowcolor": ROLES["truth"], "text": "",
    }  # fmt: skip


def ellipses(turns: Sequence[Turn], roam: Turn, start: Turn, truth: tuple[float, float] | None = None) -> dict:
    """What every player still has to learn: an ellipse each around the estimate, and ROAM's after the same rounds.

    All began with the ellipse of `start`; the plane is large enough for that one and all others.
    """
    drawn = [outline(turn, size=LARGE) for turn in turns[:DRAWN]]
    own, first = outline(roam, size=LARGE), outline(start, size=LARGE)
    reach = max(1.2, 1.05 * float(np.abs([own, first, *drawn]).max()))
    layout = _plane("Where the taste may be: an ellipse a player", "beat ellipses", reach)
    layout["shapes"] = [_circle(1.0)]
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
            "line": {"color": ROLES["yours"], "width": 2}, "opacity": 0.8 if len(turns) < 20 else 0.45,
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


def board(ends: Sequence[tuple[str, End]], luck: Luck) -> dict:
    """What everybody's questions told and the error it came to; the rules', and ROAM's with other answers."""
    layout = base_layout(
        "Better questions to the right, luck up and down", "what the questions told (bits)", "error of the estimate",
        "beat board",
    )  # fmt: skip
    others = np.array([(end.told, end.error) for end in luck.others])
    mine = np.array([(end.told, end.error) for _, end in ends]).reshape(-1, 2)
    rules = np.array([(end.told, end.error) for end in luck.rules.values()])
    highest = np.vstack([np.quantile(others, 0.97, axis=0)[None], mine, rules]).max(0)
    layout["xaxis"] |= {"range": [0, 1.12 * highest[0]]}
    layout["yaxis"] |= {"range": [0, 1.15 * highest[1]]}
    layout["showlegend"] = True
    best = sorted(range(len(mine)), key=lambda i: -mine[i, 0])[:NAMED]
    names = [escape(name) if i in best else "" for i, (name, _) in enumerate(ends)]
    data = [
        {
            "type": "scatter", "mode": "markers", "name": "ROAM, had the user answered otherwise", "hoverinfo": "skip",
            "x": np.round(others[:, 0], 4).tolist(), "y": np.round(others[:, 1], 4).tolist(),
            "marker": {"color": "#888888", "size": 8, "opacity": 0.5},
        },
        {
            "type": "scatter", "mode": "markers+text", "name": "players", "x": mine[:, 0].tolist(),
            "y": mine[:, 1].tolist(), "text": names, "textposition": "top center", "textfont": {"size": 16},
            "marker": {"color": ROLES["yours"], "size": 13}, "hovertemplate": "%{x:.2f}, %{y:.2f}<extra></extra>",
            "cliponaxis": False,
        },
    ]  # fmt: skip
    for rule, end in luck.rules.items():
        colour, symbol = RULE_LOOKS[rule]
        data.append(
            {
                "type": "scatter", "mode": "markers", "name": RULES[rule], "x": [end.told], "y": [end.error],
                "marker": {"color": colour, "size": 21, "symbol": symbol, "line": {"width": 2, "color": "#ffffff"}},
                "hovertemplate": f"{RULES[rule]}: %{{x:.2f}}, %{{y:.2f}}<extra></extra>", "cliponaxis": False,
            }
        )  # fmt: skip
    return {"data": data, "layout": layout}
