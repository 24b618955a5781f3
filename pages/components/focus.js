// A panel that has just opened gets the keyboard: Streamlit puts it at the end of the page, many stops away.

const PANEL = "[data-testid=stPopoverBody]", FRAMES = 60; // its fields may come a little later

function enter(root, frames) {
  const field = root.closest(PANEL)?.querySelector("input");
  if (field) field.focus();
  else if (frames) requestAnimationFrame(() => enter(root, frames - 1));
}

export default function ({ parentElement }) {
  const byTouch = matchMedia("(hover: none)").matches; // there a field that has the keyboard brings one on screen
  elementOf(parentElement, "roam-focus", (root) => byTouch || enter(root, FRAMES));
}
