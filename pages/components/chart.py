"""One chart for every page: a component that hands a figure to Plotly.react.

Plotly.react changes the plot in place, so nothing flickers while results stream in, and zoom and hidden legend entries
stay as they are. Colours of text and grid follow Streamlit's theme by CSS, also when it changes.
"""

import json
import zlib
from pathlib import Path

import plotly
import streamlit as st

SCRIPT = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
ROUTE = "/assets/plotly.min.js"

_CSS = """
.roam-chart { width: 100%; }
.roam-chart text { font-family: var(--st-font) !important; }
.roam-chart text:not(.bartext, .heatmap-label text) { fill: var(--st-text-color) !important; }
.roam-chart .gridlayer path { stroke: var(--st-text-color) !important; stroke-opacity: 0.14 !important; }
.roam-chart .hoverlayer text { fill: inherit !important; }
.roam-chart .modebar { right: 0 !important; }
"""

_JS = """
let loading;
function plotly(source) {
  if (window.Plotly) return Promise.resolve(window.Plotly);
  loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = new URL(source, document.baseURI).href;
    script.onload = () => done(window.Plotly);
    script.onerror = () => { loading = undefined; failed(new Error("the plotting script did not load")); };
    document.head.append(script);
  });
  return loading;
}

export default function ({ data, parentElement }) {
  let chart = parentElement.querySelector(".roam-chart");
  if (!chart) {
    chart = document.createElement("div");
    chart.className = "roam-chart";
    chart.setAttribute("role", "figure");  // not an image: the toolbar inside can be reached by keyboard
    parentElement.append(chart);
  }
  if (chart.roamStamp === data.stamp) return;  // nothing new to draw
  chart.roamStamp = data.stamp;
  chart.style.height = data.height + "px";
  chart.setAttribute("aria-label", data.alt);
  chart.roamFigure = data.figure;  // drawn below; while the script loads, a newer figure may replace it
  const save = (Plotly, format) => ({
    name: format, title: `Save as ${format.toUpperCase()}`, icon: Plotly.Icons.camera,
    click: (plot) => Plotly.downloadImage(plot, { format, filename: data.name, scale: 2 }),
  });
  const config = (Plotly) => ({
    responsive: true, displaylogo: false, showSendToCloud: false,
    displayModeBar: matchMedia("(hover: none)").matches ? false : "hover",  // on a touch screen it would hide the title
    modeBarButtons: [[save(Plotly, "svg"), save(Plotly, "png"), "zoom2d", "pan2d", "resetScale2d"]],
  });
  plotly(data.source).then(
    (Plotly) => {
      chart.roamConfig ??= config(Plotly);  // another config would make Plotly draw everything anew
      Plotly.react(chart, chart.roamFigure.data, chart.roamFigure.layout, chart.roamConfig);
      for (const drawing of chart.querySelectorAll(".main-svg")) drawing.setAttribute("aria-hidden", "true");
    },
    (problem) => { chart.textContent = String(problem.message); },
  );
}
"""

_component = st.components.v2.component("roam_chart", css=_CSS, js=_JS, isolate_styles=False)


def chart(figure: dict, *, key: str, alt: str, height: int = 380) -> None:
    """Draw a figure (a dict with `data` and `layout`); `alt` says in one sentence what it shows."""
    data = {"figure": figure, "alt": alt, "height": height, "name": key, "source": ROUTE.lstrip("/")}
    stamp = zlib.crc32(json.dumps(data).encode())
    _component(key=key, data={**data, "stamp": stamp}, height=height)
