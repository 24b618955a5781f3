// Something else is on screen: it begins at the top, for those who look and for those who listen or use a keyboard.

export default function ({ data, parentElement }) {
  const root = elementOf(parentElement, "roam-arrival", () => {});
  const before = root.roamName;
  root.roamName = data.name;
  if (before === undefined || before === data.name) return;
  const main = document.querySelector("[data-testid=stMain]");
  main?.scrollTo({ top: 0 });
  const heading = main?.querySelector("h3");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.style.outline = "none"; // it is a place to begin, not a control
  heading.focus({ preventScroll: true });
}
