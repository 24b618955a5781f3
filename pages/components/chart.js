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

export default function ({ data, parentElement }) {
  const chart = rootOf(parentElement, "roam-chart", (root) => {
    root.setAttribute("role", "figure"); // not an image: the toolbar inside can be reached by keyboard
  });
  if (chart.roamStamp === data.stamp) return; // nothing new to draw
  chart.roamStamp = data.stamp;
  chart.style.height = data.height + "px";
  chart.setAttribute("aria-label", data.alt);
  chart.roamFigure = JSON.parse(data.figure); // drawn below; while the script loads, a newer figure may replace it
  plotly(data.source).then(
    (Plotly) => {
      chart.roamConfig ??= settings(Plotly, data.name); // another one would make Plotly draw everything anew
      Plotly.react(chart, chart.roamFigure.data, chart.roamFigure.layout, chart.roamConfig);
      for (const drawing of chart.querySelectorAll(".main-svg")) drawing.setAttribute("aria-hidden", "true");
    },
    (problem) => { chart.textContent = String(problem.message); },
  );
}
