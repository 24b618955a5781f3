// Buttons that ask the page for a file, and save what it answers. The page repeats its answer until it is told that the
// file was saved: what it sends may be replaced by its next message before it is seen here.

function save(name, text) {
  const kind = name.endsWith(".html") ? "text/html" : "text/plain";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: `${kind};charset=utf-8` }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function complete(name, text, mark, source) {
  if (!name.endsWith(".html") || !text.includes(mark)) return text;
  const script = await (await fetch(new URL(source, document.baseURI))).text();
  return text.replace(mark, () => script);
}

export default function ({ data, parentElement, setStateValue }) {
  const root = elementOf(parentElement, "roam-downloads", (made) => {
    made.waiting = new Map(); // number of a click -> its label
  });
  const buttons = data.labels.map((label) => {
    const button = [...root.children].find((node) => node.textContent === label) ?? document.createElement("button");
    button.className = "roam-button";
    button.textContent = label;
    button.onclick = () => {
      root.waiting.set(Math.random().toString(36).slice(2), label);
      setStateValue("asked", [...root.waiting]);
    };
    return button;
  });
  if (buttons.length !== root.children.length || buttons.some((button, i) => button !== root.children[i])) {
    root.replaceChildren(...buttons);
  }
  for (const { number, name, text } of data.ready) {
    if (root.waiting.delete(number)) complete(name, text, data.mark, data.source).then((whole) => save(name, whole));
  }
  if (data.ready.length) setStateValue("asked", [...root.waiting]);
}
