"""A handout on two pages of paper and a lecturer's notes, both made of the bank, as HTML files. No Streamlit here."""

import html
from collections.abc import Mapping, Sequence

import numpy as np

from pages.ask_better.asking import one_round
from pages.bank.commitments import Curve
from pages.bank.plans import LECTURE, Part, in_a_room, on_paper
from pages.bank.question import Question, Scene, Truth
from pages.bank.questions import BANK

FIRST_PAGE = 8  # questions on it
CLOSE = 0.2  # of the radius: so near to each other dots of the picture are close
STYLE = """
@page { size: A4; margin: 11mm 12mm; }
* { box-sizing: border-box; }
body { font: 9.5pt/1.3 "Noto Sans", "DejaVu Sans", Arial, sans-serif; color: #000; background: #fff; margin: 0 auto;
  max-width: 190mm; }
h1 { font-size: 15pt; margin: 0 0 1mm; } h2 { font-size: 12pt; margin: 4mm 0 1mm; }
p { margin: 0 0 1.2mm; } a { color: inherit; }
.sheet { break-after: page; } .sheet:last-child { break-after: auto; }
.grid { display: grid; grid-template-columns: 1fr 1fr; gap: 2.5mm 6mm; margin-top: 2mm; }
.one { border-top: 0.5mm solid #0077BB; padding-top: 1mm; break-inside: avoid; }
.one h3 { font-size: 10.5pt; margin: 0 0 0.8mm; }
.field { border-bottom: 0.3mm solid #000; display: inline-block; width: 22mm; }
.wide { width: 48mm; }
ul { list-style: "☐  "; margin: 0 0 1mm; padding-left: 5mm; }
svg { display: block; width: 100%; height: 36mm; } svg text { font-size: 9px; }
svg.items { height: 50mm; } svg .n { font-size: 5px; }
table { border-collapse: collapse; width: 100%; } th, td { border: 0.2mm solid #888; padding: 1mm 2mm; text-align: left;
  vertical-align: top; }
"""


def handout(address: str) -> str:
    """Every question with room for a prediction and for what came out. It has no answer in it."""
    asked = list(BANK.values())
    numbered = [_to_fill_in(number, question) for number, question in enumerate(asked, start=1)]
    head = (
        "<h1>Regret once, ask many: predict, then see</h1>"
        '<p>Name: <span class="field wide"></span> A recommender learns your taste from comparisons: was tonight’s '
        "film better than one you watched before? A poor film costs you <b>regret</b>; being asked about it again "
        "costs nothing. Write down what you expect <i>before</i> the simulation decides, then what came out. "
        f"The lesson is at {_linked(address)}.</p>"
    )
    sheets = [head + _grid(numbered[:FIRST_PAGE]), _grid(numbered[FIRST_PAGE:])]
    return _file("Handout: regret once, ask many", "".join(f'<section class="sheet">{one}</section>' for one in sheets))


def notes(address: str, known: Mapping[str, Truth]) -> str:
    """Two plans minute by minute, and each question with what came out, as far as that is known, and why."""
    told = "".join(_told(address, number, q, known.get(q.key)) for number, q in enumerate(BANK.values(), start=1))
    room = _linked(f"{address.rpartition('/')[0]}/class")
    return _file(
        "Lecturer's notes: regret once, ask many",
        f"<h1>Lecturer’s notes for {LECTURE} minutes</h1>"
        f"<p>The class takes part on its phones (the first plan, at {room}) or on paper (the second one, at "
        f"{_linked(address)}, with the handout). Why always comes last: first everybody commits.</p>"
        "<h2>With phones: a room</h2><p>For each question: read it aloud, put it, close the vote when most have "
        "answered, show the answers, let neighbours convince each other for a minute, vote again, reveal. If nearly "
        f"all agree, reveal at once.</p>{_plan(in_a_room())}"
        "<h2>On paper</h2><p>For each question: read it aloud, let everybody commit on paper, let neighbours argue for "
        f"a minute, commit yourself on the projector, and watch the runs come in.</p>{_plan(on_paper())}"
        f"<h2>Every question, with what came out</h2>{told}",
    )


def _plan(parts: Sequence[Part]) -> str:
    rows = "".join(
        f"<tr><td>{part.begin}–{part.end}</td><td>{html.escape(part.what)}</td><td>{html.escape(part.how)}</td></tr>"
        for part in parts
    )
    return f"<table><tr><th>minute</th><th>what</th><th>how, and what to ask</th></tr>{rows}</table>"


def _file(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{STYLE}</style></head><body>{body}</body></html>"
    )


def _linked(address: str) -> str:
    safe = html.escape(address)
    return f'<a href="{safe}">{safe}</a>'


def _grid(cells: list[str]) -> str:
    return f'<div class="grid">{"".join(cells)}</div>'


def _to_fill_in(number: int, question: Question) -> str:
    commitment = question.commitment
    if commitment.kind == "choice":
        field = "<ul>" + "".join(f"<li>{html.escape(words)}</li>" for words in commitment.options.values()) + "</ul>"
    elif commitment.kind == "number":
        unit = html.escape(commitment.unit.format("\u0000")).replace("\u0000", '<span class="field"></span>')
        field = f"<p>{html.escape(commitment.label)} {unit} ({commitment.low:g} to {commitment.high:g})</p>"
    else:
        field = _axes(commitment) if commitment.kind == "curve" else _items(question.plot)
    return (
        f'<div class="one"><h3>{number}. {html.escape(question.title)}</h3><p>{html.escape(question.text)}</p>{field}'
        '<p>What came out: <span class="field wide"></span></p></div>'
    )


def _axes(curve: Curve) -> str:
    """Empty axes to draw into."""
    lines = "".join(
        f'<line x1="{30 + 15 * i}" x2="{30 + 15 * i}" y1="8" y2="88" stroke="#bbb"/>' for i in range(len(curve.rounds))
    ) + "".join(f'<line x1="30" x2="180" y1="{8 + 20 * i}" y2="{8 + 20 * i}" stroke="#bbb"/>' for i in range(5))
    return (
        f'<svg viewBox="0 0 190 104" role="img" aria-label="Empty axes">{lines}<text x="26" y="14" text-anchor="end">'
        f'{curve.top}</text><text x="26" y="90" text-anchor="end">0</text><text x="30" y="100">0</text>'
        f'<text x="182" y="100" text-anchor="end">round {curve.rounds[-1]}</text></svg>'
    )


def _items(plot: Scene) -> str:
    """The picture of the round, its items numbered."""
    now = one_round(plot.scenario)
    scale = 32 / np.abs(np.concatenate([now.history, now.x[None]])).max()
    around = np.argsort(np.arctan2(*now.history.T))
    dots, before = "", 0
    for place, item in enumerate(around):  # neighbours that lie close have their numbers nearer and farther out
        x, y = scale * now.history[item]
        close = (
            place and np.linalg.norm(now.history[item] - now.history[around[place - 1]]) < CLOSE * plot.scenario.radius
        )
        before = (before + 1) % 3 if close else 0
        out = (1.16, 1.34, 1.52)[before]
        near = out - 0.1
        dots += f'<circle cx="{75 + x:.1f}" cy="{52 - y:.1f}" r="1.2"/><line stroke="#999" stroke-width="0.3" '
        dots += f'x1="{75 + x:.1f}" y1="{52 - y:.1f}" x2="{75 + near * x:.1f}" y2="{52 - near * y:.1f}"/>'
        dots += f'<text x="{75 + out * x:.1f}" y="{54 - out * y:.1f}" text-anchor="middle" class="n">{item + 1}</text>'
    x, y = now.x
    dots += f'<text x="{75 + scale * x:.1f}" y="{56 - scale * y:.1f}" text-anchor="middle">★</text>'
    dots += (
        f'<circle cx="75" cy="52" r="{scale * plot.scenario.radius:.1f}" fill="none" stroke="#bbb" stroke-width="0.3"/>'
    )
    dots += '<path d="M75 62V42m-2 4l2-4l2 4" fill="none" stroke="#555" stroke-width="0.7"/>'
    dots += '<text x="79" y="53" class="n">looks better</text>'
    picture = f'<svg class="items" viewBox="0 0 150 104" role="img" aria-label="Past items, numbered">{dots}</svg>'
    return f'{picture}<p>The item with number <span class="field"></span></p>'


def _told(address: str, number: int, question: Question, truth: Truth | None) -> str:
    came = (
        html.escape(question.outcome(truth).replace("*", ""))
        if truth
        else "on the page “A lesson”, under “Take it along”, compute the numbers; then these notes, downloaded again, "
        "have it here."
    )
    why = html.escape((question.why.format(**truth.facts) if truth else question.why).replace("*", ""))
    trial = _linked(f"{address.rpartition('/')[0]}/{question.trial.link}")
    return (
        f'<div class="one"><h3>{number}. {html.escape(question.title)}</h3>'
        f"<p>{html.escape(question.text)}</p><p><b>What came out:</b> {came}</p><p><b>Why:</b> {why}</p>"
        f"<p><b>Try:</b> {html.escape(question.trial.text)} ({trial})</p></div>"
    )
