// Hands a figure to Plotly.react. The plotting script came with the page; if that failed, it is fetched again.

const PLAIN = 16; // px: the text of a figure, see figures.py
const TOUCH = matchMedia("(hover: none)"); // a finger scrolls the page and cannot zoom back: charts stay as they are
const WIDE = 800; // px: so wide a chart stands alone, and its legend need not break as that of a chart beside it

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
    displayModeBar: TOUCH.matches ? false : "hover", // on a touch screen it would hide the title
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
  chart.on("plotly_click", ({ points: [{ x, y, customdata }] }) => chart.roamClicked?.({ x, y, about: customdata }));
}

// A trace whose meta is "choose" can be chosen from by keyboard too: the arrow keys go from point to point.
function choosable(chart) {
  const curve = (chart.roamFigure?.data ?? []).findIndex(({ meta }) => meta === "choose");
  return curve < 0 ? null : { curve, trace: chart.roamFigure.data[curve] };
}

function goTo(chart, { curve, trace }, place) {
  chart.roamPlace = (place + trace.x.length) % trace.x.length;
  window.Plotly?.Fx.hover(chart, [{ curveNumber: curve, pointNumber: chart.roamPlace }]);
  say(chart.roamStatus, String(trace.text?.[chart.roamPlace] ?? "").replaceAll("<br>", ", "));
}

function choosePoint(chart, event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key], points = chart.roamClicked && choosable(chart);
  const pressed = event.key === "Enter" || event.key === " ";
  if (!points || event.target !== chart || !(by || pressed)) return;
  event.preventDefault();
  event.stopPropagation();
  const { trace } = points, place = chart.roamPlace ?? (by < 0 ? 0 : -1);
  if (by) goTo(chart, points, place + by);
  else if (chart.roamPlace !== undefined) {
    chart.roamClicked({ x: trace.x[place], y: trace.y[place], about: trace.customdata?.[place] });
  }
}

function enlarged(part, times, name = "") { // a part of a figure with larger text, lines and marks
  if (Array.isArray(part)) return part.map((one) => enlarged(one, times));
  if (part?.constructor !== Object) return part;
  const made = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, enlarged(value, times, key)]));
  const larger = (key, least = 0) => { if (made[key] > 0) made[key] = Math.max(least, made[key] * times); };
  if (/font$/.test(name)) larger("size", PLAIN * times);
  if (name === "marker") larger("size");
  if (name === "line") larger("width");
  if (name === "margin") larger("t");
  return made;
}

function draw(chart) { // also when the room for it changes
  const text = parseFloat(getComputedStyle(chart).getPropertyValue("--presented-text")); // px, while it is presented
  const { data, layout } = text ? enlarged(chart.roamFigure, text / PLAIN) : chart.roamFigure;
  if (text && layout.legend && chart.clientWidth > WIDE) {
    for (const width of ["entrywidth", "entrywidthmode"]) delete layout.legend[width];
  }
  if (TOUCH.matches) layout.dragmode = false;
  Plotly.react(chart, data, layout, chart.roamConfig);
  if (!chart.roamListens) listen(Plotly, chart);
  fitTicks(Plotly, chart);
  for (const drawing of chart.querySelectorAll(".main-svg")) drawing.setAttribute("aria-hidden", "true");
}

function fill(chart) {
  if (!chart.roamConfig || !chart.getClientRects().length) return; // not drawn yet, or not to be seen
  draw(chart);
  Plotly.Plots.resize(chart);
}

window.onbeforeprint = () => { // so that the plots can be as wide as the paper
  for (const node of document.querySelectorAll(".roam-chart .main-svg")) {
    const { width, height } = node.getBoundingClientRect();
    node.setAttribute("viewBox", `0 0 ${width} ${height}`);
    node.parentElement.style.setProperty("--shape", width / height);
  }
};
window.onafterprint = () => {
  for (const node of document.querySelectorAll(".roam-chart .main-svg")) node.removeAttribute("viewBox");
};

export default function ({ data, parentElement, setTriggerValue }) {
  const chart = rootOf(parentElement, "roam-chart", (root) => {
    root.setAttribute("role", "figure"); // not an image: the toolbar inside can be reached by keyboard
    root.addEventListener("roam-room", () => fill(root));
    // Plotly would hold the page where a finger touches a chart. A tap still comes to it, as the click of a mouse.
    root.addEventListener("touchstart", (event) => event.stopPropagation(), { capture: true, passive: true });
    root.addEventListener("keydown", (event) => choosePoint(root, event));
    root.roamStatus = make(parentElement, "div", { class: "roam-heard", role: "status" });
  });
  chart.roamClicked = data.clicks ? (point) => setTriggerValue("clicked", point) : undefined;
  if (chart.roamStamp === data.stamp) return; // nothing new to draw
  chart.roamStamp = data.stamp;
  chart.style.height = data.height + "px";
  chart.setAttribute("aria-label", data.alt);
  chart.roamFigure = JSON.parse(data.figure); // drawn below; while the script loads, a newer figure may replace it
  if (data.clicks && choosable(chart)) chart.tabIndex = 0;
  else chart.removeAttribute("tabindex");
  plotly(data.source).then(
    (Plotly) => {
      chart.roamConfig ??= settings(Plotly, data.name); // another one would make Plotly draw everything anew
      const { tickmode, range } = chart.roamFigure.layout.xaxis ?? {};
      chart.roamRange = tickmode === "array" ? [...range] : undefined; // Plotly writes a zoomed one into the layout
      const many = choosable(chart)?.trace.x.length;
      if (chart.roamListens && many !== chart.roamMany) Plotly.Fx.unhover(chart); // it spoke of other points
      chart.roamMany = many;
      draw(chart);
    },
    (problem) => { chart.textContent = String(problem.message); },
  );
}
