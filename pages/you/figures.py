"""Figures of the page "You are the user". They only draw."""

from collections.abc import Sequence

import numpy as np
from scipy.stats import chi2

from pages.figures import base_layout, numbers
from pages.one_run.figures import ending, parameter_range
from pages.one_run.scene import Ending
from pages.palette import PALETTE
from pages.you.review import REACH, Weight
from pages.you.sitting import Sitting
from roam_core import Scenario
from roam_core.ellipses import ellipse

LONGEST = 24  # characters of a feature's end
LEVEL = float(np.sqrt(chi2.ppf(0.95, 2)))  # of the ellipse that holds a normal law's 95% in the plane


def beliefs(weights: Sequence[Weight]) -> dict:
    """What is believed about each feature, with intervals of 95%, between its two ends."""
    rows = list(range(len(weights)))
    widest = max(REACH * weight.before for weight in weights)
    far = max(widest, *(max(abs(weight.low), abs(weight.high)) for weight in weights))
    limit = widest * 1.1 * max(1, np.ceil(4 * far / widest) / 4)  # it grows in steps, so that it seldom does
    data = []
    for sure, name, colour, symbol in (
        (True, "it is sure", PALETTE[2], "circle"),
        (False, "it cannot tell yet", PALETTE[3], "circle-open"),
    ):
        some = [(row, weight) for row, weight in zip(rows, weights, strict=True) if weight.matters == sure]
        data.append(
            {
                "type": "scatter", "mode": "markers", "name": name, "y": [row for row, _ in some],
                "x": numbers(np.array([weight.mean for _, weight in some])),
                "error_x": {
                    "type": "data", "array": numbers(np.array([REACH * weight.deviation for _, weight in some])),
                    "thickness": 5, "width": 0, "color": colour,
                },
                "marker": {"color": colour, "symbol": symbol, "size": 14, "line": {"width": 3, "color": colour}},
                "customdata": [f"{weight.name}: {weight.liked}, {weight.sure:.0%} sure" for _, weight in some],
                "hovertemplate": "%{customdata}<extra></extra>",
            }
        )  # fmt: skip
    layout = base_layout("", "", "", "beliefs")
    layout["xaxis"] = {"range": [-limit, limit], "showticklabels": False, "showgrid": False, "zeroline": False}
    layout["yaxis"] = {"range": [len(weights) - 0.4, -0.75], "showticklabels": False, "showgrid": False}
    layout["yaxis"] |= {"zeroline": False, "fixedrange": True}
    layout["shapes"] = [
        {"type": "line", "x0": 0, "x1": 0, "y0": 0, "y1": 1, "yref": "paper", "line": {"color": "#888888", "width": 2}}
    ]
    layout["annotations"] = [
        {"x": x, "xref": "paper", "xanchor": side, "y": row - 0.36, "text": _short(words), "showarrow": False,
         "font": {"size": 16}}
        for row, weight in zip(rows, weights, strict=True)
        for x, side, words in ((0, "left", weight.ends[0]), (1, "right", weight.ends[1]))
    ]  # fmt: skip
    layout["margin"] = {"l": 6, "r": 6, "t": 6, "b": 34}
    layout["showlegend"] = True
    return {"data": data, "layout": layout}


def in_the_plane(sitting: Sitting) -> dict:
    """With two features, the picture of the page "One run in 2-D": the history above, the estimated taste below."""
    history = sitting.roam.history
    asked = [index for index in sitting.roam.asked if index is not None]
    semi_axes, angle = ellipse(np.linalg.inv(sitting.roam.covariance))
    nobody_knows = np.full(2, np.nan)
    end = Ending(
        theta=nobody_knows, history=history, times_asked=np.bincount(asked, minlength=len(history)),
        estimate=sitting.estimate, semi_axes=semi_axes, angle=float(angle), regret=np.zeros(1), error=float("nan"),
    )  # fmt: skip
    s = sitting.settings
    shown = Scenario(d=2, tau=s.tau, radius=s.radius)
    return ending(end, shown, LEVEL, max(1.9, parameter_range([end], LEVEL)), "the taste, with 95%")


def _short(text: str) -> str:
    """Text that fits beside another one."""
    cut = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return cut.replace("&", "&amp;").replace("<", "&lt;")
