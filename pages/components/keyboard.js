// Keys that work wherever the page has the focus, but for other controls: they keep their own.

const PRESSED = "button, a, summary"; // by space and by Enter
const CONTROLS = "input, textarea, select, button, [role=slider], [role=combobox], [contenteditable]";

function listenToKeys(root, actions) { // actions: key -> what to do
  const pressed = (event) => {
    if (!root.isConnected) return document.removeEventListener("keydown", pressed);
    const control = event.target.closest?.(CONTROLS);
    const ours = control?.tagName === "BUTTON" && root.contains(control);
    const presses = [" ", "Enter"].includes(event.key) && event.target.closest?.(PRESSED);
    const action = actions[event.key];
    if (!action || presses || event.ctrlKey || event.metaKey || event.altKey || (control && !ours)) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  document.addEventListener("keydown", pressed);
}
