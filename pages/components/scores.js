// A table whose cells have a number, its band and a colour. Only what changes is drawn again.

const shadeOf = ({ shade }, { better, worse }) => (
  shade ? `color-mix(in srgb, ${shade < 0 ? better : worse} ${Math.round(Math.abs(shade) * 100)}%, transparent)` : ""
);

function addCell(row, cell, data) {
  const node = make(row, "td", { class: cell.kind });
  node.style.backgroundColor = shadeOf(cell, data);
  make(node, "span", { class: "number" }, cell.text);
  if (cell.band) make(node, "small", {}, cell.band);
  if (cell.said) node.title = cell.said;
}

function head(row, { name, note = "" }, scope, chosen) {
  const kind = [chosen && "chosen", name.startsWith("“") && "formula"].filter(Boolean).join(" ");
  const node = make(row, "th", { scope, class: kind }, name);
  if (note) make(node, "small", {}, note);
}

function table(root, data) {
  const drawn = make(root, "table");
  make(drawn, "caption", {}, data.alt);
  const top = make(make(drawn, "thead"), "tr");
  make(top, "th", { scope: "col" }, data.corner);
  for (const column of data.columns) head(top, column, "col", column.chosen);
  const body = make(drawn, "tbody");
  for (const { cells, ...row } of data.rows) {
    const line = make(body, "tr");
    head(line, row, "row");
    for (const cell of cells) addCell(line, cell, data);
  }
}

export default function ({ data, parentElement }) {
  const root = rootOf(parentElement, "roam-scores", () => {});
  if (root.roamStamp === data.stamp) return;
  root.roamStamp = data.stamp;
  const before = root.firstChild;
  table(root, data);
  before?.remove();
}
