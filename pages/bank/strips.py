"""The numbers that a class predicted: a strip of dots a vote, beside the plot and on its scale. They only draw."""

from collections.abc import Mapping, Sequence

from pages.palette import PALETTE

SHARE = 0.64  # of the width for the plot, the rest for the strips
WIDEST, SPACING = 0.84, 0.16  # of a strip: all dots of one height together, and from one dot to the next


def add(
    figure: dict,
    votes: Mapping[str, Sequence[float]],
    truth: float,
    looks: Sequence[tuple[str, str]],
    scale: Mapping[str, float],
) -> None:
    """Put strips beside a plot: a dot an answer, as high as what it predicts (`votes`), with a line for the truth.

    `looks` are the colour and the mark of each vote; `scale` says how high some answers are, for those who answered.
    """
    layout = figure["layout"]
    layout["annotations"] = [*layout.get("annotations", []), *(_tick(*one) for one in scale.items())]
    layout["margin"]["r"] = 20 + 9 * max(map(len, scale), default=0)
    layout["xaxis"]["domain"] = [0, SHARE]
    layout["xaxis2"] = {
        "domain": [SHARE + 0.05, 1], "anchor": "y", "range": [-0.5, len(votes) - 0.5], "fixedrange": True,
        "tickmode": "array", "tickvals": list(range(len(votes))), "ticktext": list(votes), "tickfont": {"size": 16},
        "automargin": True, "showgrid": False, "zeroline": False,
    }  # fmt: skip
    for number, ((whose, heights), (colour, symbol)) in enumerate(zip(votes.items(), looks, strict=False)):
        figure["data"].append(
            {
                "type": "scatter", "mode": "markers", "name": whose, "xaxis": "x2", "showlegend": False,
                "x": [number + place for place in _beside(heights)], "y": list(heights), "cliponaxis": False,
                "marker": {"color": colour, "symbol": symbol, "size": 10, "opacity": 0.85},
                "hovertemplate": f"{whose}: %{{y:.4g}}<extra></extra>",
            }
        )  # fmt: skip
    figure["data"].append(
        {
            "type": "scatter", "mode": "lines", "name": "what came out", "xaxis": "x2", "showlegend": False,
            "x": [-0.5, len(votes) - 0.5], "y": [truth, truth], "hoverinfo": "skip",
            "line": {"color": PALETTE[0], "width": 3, "dash": "dot"},
        }
    )  # fmt: skip


def _tick(words: str, height: float) -> dict:
    """An answer to the right of the strips, where it stands on the plot's scale."""
    place = {"xref": "paper", "x": 1.01, "xanchor": "left", "y": height, "yanchor": "middle", "showarrow": False}
    return {**place, "text": words, "font": {"size": 15}}


def _beside(heights: Sequence[float]) -> list[float]:
    """How far each dot is from the middle of its strip: those of one height stand side by side."""
    many = {height: heights.count(height) for height in set(heights)}
    step = min(SPACING, WIDEST / max(many.values(), default=1))
    seen: dict[float, int] = dict.fromkeys(many, 0)
    places = []
    for height in heights:
        places.append(round(step * (seen[height] - (many[height] - 1) / 2), 4))
        seen[height] += 1
    return places
