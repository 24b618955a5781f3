// Hands a figure to Plotly.react. The plotting script came with the page; if that failed, it is fetched again.

let loading;

function plotly(source) {
  if (window.Plotly) return Promise.resolve(window.Plotly);
  const address = new URL(source, document.baseURI).href;
  loading ??= new Promise((done, failed) => {
    const underWay = [...document.scripts].find((script) => script.src === address);
    const script = underWay ?? document.createElement("script");
    script.addEventListener("load", () => done(window.Plotly));
    script.addEventListener("error", () => {
      loading = undefined;
      script.remove();
      failed(new Error("the plotting script did not load"));
    });
    if (underWay) return;
    script.src = address;
    document.head.append(script);
  });
  return loading;
}

function settings(Plotly, filename) {
  const save = (format) => ({
    name: format, title: `Save as ${format.toUpperCase()}`, icon: Plotly.Icons.camera,
    click: (plot) => Plotly.downloadImage(plot, { format, filename, scale: 2 }),
  });
  return {
    responsive: true, displaylogo: false, showSendToCloud: false,
    displayModeBar: matchMedia("(hover: none)").matches ? false : "hover", // on a touch screen it would hide the title
    modeBarButtons: [[save("svg"), save("png"), "zoom2d", "pan2d", "resetScale2d"]],
  };
}

// Ticks that end at the last round are for the whole axis: of a part of it they may leave none.
function fitTicks(Plotly, chart) {
  if (!chart.roamRange) return;
  const { tickmode, range } = chart.layout.xaxis;
  const whole = chart.roamRange.every((end, i) => Math.abs(end - range[i]) < 1e-6 * Math.abs(end) + 1e-6);
  const fitting = whole ? "array" : "auto";
  if (tickmode !== fitting) Plotly.relayout(chart, { "xaxis.tickmode": fitting });
}

function listen(Plotly, chart) {
  chart.roamListens = true;
  chart.on("plotly_relayout", () => fitTicks(Plotly, chart));
  chart.on("plotly_click", ({ points: [{ x, y }] }) => chart.roamClicked?.({ x, y }));
}

export default function ({ data, parentElement, setTriggerValue }) {
  const chart = rootOf(parentElement, "roam-chart", (root) => {
    root.setAttribute("role", "figure"); // not an image: the toolbar inside can be reached by keyboard
  });
  chart.roamClicked = data.clicks ? (point) => setTriggerValue("clicked", point) : undefined;
  if (chart.roamStamp === data.stamp) return; // nothing new to draw
  chart.roamStamp = data.stamp;
  chart.style.height = data.height + "px";
  chart.setAttribute("aria-label", data.alt);
  chart.roamFigure = JSON.parse(data.figure); // drawn below; while the script loads, a newer figure may replace it
  plotly(data.source).then(
    (Plotly) => {
      chart.roamConfig ??= settings(Plotly, data.name); // another one would make Plotly draw everything anew
      const { tickmode, range } = chart.roamFigure.layout.xaxis ?? {};
      chart.roamRange = tickmode === "array" ? [...range] : undefined; // Plotly writes a zoomed one into the layout
      Plotly.react(chart, chart.roamFigure.data, chart.roamFigure.layout, chart.roamConfig);
      if (!chart.roamListens) listen(Plotly, chart);
      fitTicks(Plotly, chart);
      for (const drawing of chart.querySelectorAll(".main-svg")) drawing.setAttribute("aria-hidden", "true");
    },
    (problem) => { chart.textContent = String(problem.message); },
  );
}
