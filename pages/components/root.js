// A component's own element. Streamlit calls the component again with every message, and the element must stay.

function elementOf(parentElement, name, prepare) {
  const known = parentElement.querySelector(`.${name}`);
  if (known) return known;
  const root = document.createElement("div");
  root.className = name;
  parentElement.append(root);
  prepare(root);
  return root;
}

function rootOf(parentElement, name, prepare) { // of a picture: what presenting shows one at a time
  return elementOf(parentElement, name, (root) => {
    root.classList.add("roam-picture");
    prepare(root);
  });
}
