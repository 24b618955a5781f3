// Making and changing elements of HTML and SVG.

const SVG = "http://www.w3.org/2000/svg"; // the name of the language, not an address that is fetched
const SVG_TAGS = ["svg", "g", "path", "circle", "ellipse", "line", "rect", "text", "polygon", "polyline",
  "clipPath", "title"];

function make(parent, tag, attributes = {}, text = "") {
  const node = SVG_TAGS.includes(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  set(node, attributes);
  if (text) node.textContent = text;
  parent.append(node);
  return node;
}

function button(parent, text, action, attributes = {}) {
  const { class: name = "", ...others } = attributes;
  const node = make(parent, "button", { type: "button", class: `roam-button ${name}`.trim(), ...others }, text);
  node.onclick = action;
  return node;
}

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

function show(node, visible) {
  node.style.display = visible ? "" : "none";
}

function say(node, text) { // a screen reader hears only what changes
  if (node.textContent !== text) node.textContent = text;
}

// Attributes of a shape that is drawn by its line only.
const hollow = (stroke, width, others = {}) => ({ fill: "none", stroke, "stroke-width": width, ...others });

// A number in a few digits.
const short = (value, digits) => (Number.isFinite(value) ? Number(value.toPrecision(digits)).toString() : "∞");
