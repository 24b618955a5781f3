// A component's own element. Streamlit calls the component again with every message, and the element must stay.

function rootOf(parentElement, name, prepare) {
  const known = parentElement.querySelector(`.${name}`);
  if (known) return known;
  const root = document.createElement("div");
  root.className = name;
  parentElement.append(root);
  prepare(root);
  return root;
}
