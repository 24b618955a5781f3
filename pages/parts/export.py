"""Ways to take a result along: CSV, a script, stand-alone HTML."""

import html
import json

from pages.parts.chart import SCRIPT
from roam_core import KNOBS, Result, Scenario


def csv(result: Result) -> str:
    """The curves with the scenario in the header."""
    return "\n".join(result.csv()) + "\n"


def script(scenario: Scenario) -> str:
    """A short program that computes the curves again."""
    changed = {name: getattr(scenario, name) for name in KNOBS if getattr(scenario, name) != KNOBS[name].default}
    arguments = ", ".join(f"{name}={value!r}" for name, value in changed.items())
    return f"""from roam_core import Scenario, simulate

result = simulate(Scenario({arguments}))
for curve in ("regret", "error", "ratio"):
    mean, band = result.mean(curve), result.band(curve)
    print(curve, "at the end:", mean[-1], "+-", band[-1])
with open("roam.csv", "w") as file:
    file.writelines(line + "\\n" for line in result.csv())
"""


def page(figure: dict, title: str, words: str) -> str:
    """A figure as one HTML file that needs nothing else."""
    safe = json.dumps(figure).replace("<", "\\u003c")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<script>{SCRIPT.read_text(encoding='utf-8')}</script></head>"
        f'<body><div id="chart" style="height:90vh"></div><p>{html.escape(words)}</p>'
        f'<script>const f = {safe}; Plotly.newPlot("chart", f.data, f.layout, {{responsive: true}});</script>'
        "</body></html>"
    )
