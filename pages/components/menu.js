// On a phone the list of pages lies over the page, and Streamlit leaves it there when another page was chosen.

const PHONE = "(max-width: 768px)"; // where Streamlit has the list in its sidebar
const CLOSE = "[data-testid=stSidebarCollapseButton] button"; // is there as long as the list is open

export default function ({ data, parentElement }) {
  elementOf(parentElement, "roam-menu", () => {});
  const { dataset } = document.body, before = dataset.roamPage;
  dataset.roamPage = data.page;
  if (before !== undefined && before !== data.page && matchMedia(PHONE).matches) document.querySelector(CLOSE)?.click();
}
