"""Ways to take a result along: CSV, a script, stand-alone HTML."""

import html
import json
import math
from collections.abc import Mapping, Sequence

import numpy as np

from pages.components.downloads import MARK
from roam_core import KNOBS, Result, Scenario
from roam_core.paper import Record
from roam_core.result import COLUMNS, CURVES


def csv(result: Result) -> str:
    """The curves with the scenario in the header."""
    return "\n".join(result.csv()) + "\n"


def script(scenario: Scenario) -> str:
    """A short program that computes the curves again."""
    changed = {name: getattr(scenario, name) for name in KNOBS if getattr(scenario, name) != KNOBS[name].default}
    arguments = ", ".join(f"{name}={value!r}" for name, value in changed.items())
    return f"""# Once, in the project's folder: python -m pip install .
# Then this runs in any folder, and writes roam.csv there.
from roam_core import Scenario, simulate

result = simulate(Scenario({arguments}))
for curve in ("regret", "error", "ratio"):
    mean, band = result.mean(curve), result.band(curve)
    print(curve, "at the end:", mean[-1], "+-", band[-1])
with open("roam.csv", "w", encoding="utf-8") as file:
    file.writelines(line + "\\n" for line in result.csv())
"""


def page(figure: dict, title: str, words: str) -> str:
    """A figure as one HTML file that needs nothing else, once the browser has put its plotting script in."""
    height = f"{figure['layout']['height']}px" if "height" in figure["layout"] else "85vh"
    safe = json.dumps(figure).replace("<", "\\u003c")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<script>{MARK}</script></head>"
        f'<body style="font:17px/1.5 sans-serif"><div id="chart" style="height:{height}"></div>'
        f'<p style="white-space:pre-line;max-width:50em">{html.escape(words)}</p>'
        f'<script>const f = {safe}; Plotly.newPlot("chart", f.data, f.layout, {{responsive: true}});</script>'
        "</body></html>"
    )


def records_csv(records: Mapping[str, Record]) -> str:
    """The curves of an experiment, one row a curve and round, with the scenario of each in the header."""
    lines = [
        f"# {label}: " + ", ".join(f"{name} = {text}" for name, text in record.scenario.to_strings().items())
        for label, record in records.items()
    ]
    lines.append(",".join(["curve", *COLUMNS]))
    for label, record in records.items():
        columns = [column for curve in CURVES for column in record.curves[curve]]
        for t, *row in zip(record.rounds, *columns, strict=True):
            numbers = ["" if math.isnan(value) else f"{value:.6g}" for value in row]
            lines.append(",".join([f'"{label}"', str(t), *numbers]))
    return "\n".join(lines) + "\n"


def richness_csv(rounds: Sequence[int], quantiles: np.ndarray, scenario: Scenario) -> str:
    """Quantiles (3, rounds) of rho(H_t), one row a round, with the scenario in the header."""
    head = [f"# {name} = {text}" for name, text in scenario.to_strings().items()]
    rows = [",".join([str(t), *(f"{value:.6g}" for value in row)]) for t, row in zip(rounds, quantiles.T, strict=True)]
    return "\n".join([*head, "t,beta_10,beta_50,beta_90", *rows, ""])
