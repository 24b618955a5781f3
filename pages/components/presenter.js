// Presents: a slim bar, a picture on the stage, what to notice below it, the controls in a drawer, and the keys.

const TYPING = "input, textarea, select, [role=slider], [role=combobox], [role=listbox], [contenteditable=true]";
// What Streamlit closes itself, but for the popover that presenting began with: that one is hidden.
const OPEN = "[data-testid='stPopoverBody']:not(:has(.st-key-present)), [data-testid='stDialog'], [role=listbox]";
const SAID = "[data-testid='stMain'] [class*='st-key-said-'] [data-testid='stMarkdownContainer']";
const NO_PICTURE = "The picture is on its way.";

class Presenter {
  constructor(root) {
    Object.assign(this, { root, steps: new Steps(), stage: new Stage(), page: null });
    this.report = new Report(root, () => this.send("picture", this.stage.number));
    this.addBar(root);
    this.said = make(root, "div", { class: "said", "aria-live": "polite" });
    this.code = new Code(root, (isOpen) => this.send("code", isOpen));
    this.watch();
    this.begin();
  }

  addBar(root) {
    const bar = make(root, "div", { class: "bar", role: "toolbar", "aria-label": "Presenting" });
    const add = (parent, text, title, action) => {
      const node = button(parent, text, action, { title });
      node.onmousedown = (event) => event.preventDefault(); // the keys stay with the picture
      return node;
    };
    const group = (back, forward, action) => {
      const row = make(bar, "span", { class: "group" });
      add(row, "‹", back, () => action(-1)).setAttribute("aria-label", back);
      const words = make(row, "span");
      add(row, "›", forward, () => action(1)).setAttribute("aria-label", forward);
      return words;
    };
    this.title = make(bar, "b");
    this.step = group("Step before (page up)", "Next step (page down)", (by) => this.go(by));
    this.count = group("Picture before (up arrow)", "Next picture (down arrow)", (by) => this.turn(by));
    this.drawer = add(bar, "Controls", "The page's controls (d)", () => this.toggleDrawer());
    this.reveal = add(bar, "Show what came of it", "Show what came of it (r)", () => this.uncover());
    add(bar, "QR code", "The link of this view as a QR code (q)", () => this.code.open());
    add(bar, "Leave", "Back to the page (escape)", () => this.leave());
    this.bar = bar;
  }

  watch() { // what the page draws again is put on the stage before it is seen
    this.observer = new MutationObserver(() => this.look());
    this.listening = new AbortController();
    const listen = (kind, act) => addEventListener(kind, act, { capture: true, signal: this.listening.signal });
    listen("keydown", (event) => this.pressed(event));
    listen("click", ({ target }) => this.steps.pressed(target));
    listen("pointerup", ({ target }) => target.matches?.(".presented [type=range]") && target.blur());
    listen("resize", () => this.look());
  }

  get revealed() { return document.querySelector(".st-key-reveal button"); }

  get drawn() { return document.querySelector("[data-testid='stMainBlockContainer']"); }

  take({ title, page, picture, code }) {
    if (this.page !== page) {
      this.steps.restart();
      Object.assign(this.stage, { number: picture });
      Object.assign(this, { page });
    }
    say(this.title, title);
    this.code.take(code);
    if (!this.hasLeft) this.look();
  }

  begin() {
    document.documentElement.classList.add("roam-presenting");
    const marks = ["data-testid", "aria-checked", "disabled", "open"];
    this.observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: marks });
  }

  end() {
    this.observer.disconnect();
    this.listening.abort();
    document.documentElement.classList.remove("roam-presenting", "roam-drawer");
    this.stage.leave();
  }

  leave() {
    this.hasLeft = true;
    this.end();
    this.trigger("left", true);
  }

  look() { // at what the page has drawn
    if (!this.root.isConnected) return this.end();
    this.steps.look();
    say(this.step, this.steps.name || (this.steps.isEmpty ? "Page" : "Step"));
    show(this.reveal, Boolean(this.revealed));
    this.repeat();
    this.stage.look(this.room());
    const { pictures, at } = this.stage;
    say(this.count, pictures.length ? `Picture ${at + 1} of ${pictures.length}` : NO_PICTURE);
  }

  repeat() { // what the page says about the view
    const found = [...document.querySelectorAll(SAID)].filter((node) => !node.closest("details:not([open])"));
    const text = found.map((node) => node.innerHTML).join("");
    if (text === this.repeated) return;
    this.repeated = text;
    this.said.innerHTML = text;
  }

  room() {
    const { clientHeight: top } = this.bar, { clientHeight: below } = this.said;
    const { width, height } = this.drawn.getBoundingClientRect();
    const isOpen = document.documentElement.classList.contains("roam-drawer"), beside = width < innerWidth * 0.9;
    return { left: 0, top, right: isOpen && beside ? width : 0, bottom: isOpen && !beside ? height : below };
  }

  toggleDrawer(isOpen) {
    const on = document.documentElement.classList.toggle("roam-drawer", isOpen);
    this.drawer.setAttribute("aria-expanded", String(on));
    if (!on && this.drawn.contains(document.activeElement)) document.activeElement.blur();
    this.look();
  }

  go(by) {
    clearTimeout(this.uncovering);
    if (!this.steps.go(by)) this.trigger("turn", by);
  }

  uncover(tries = 30) { // a click that meets a page which is being drawn again can get lost
    clearTimeout(this.uncovering);
    if (!this.revealed || !tries) return;
    this.revealed.click();
    this.uncovering = setTimeout(() => this.uncover(tries - 1), 1000);
  }

  turn(by) {
    this.stage.turn(by);
    this.look();
    this.report.soon();
  }

  escape() {
    if (document.documentElement.classList.contains("roam-drawer")) this.toggleDrawer(false);
    else this.leave();
  }

  isOfPicture(key, target) { // an arrow moves a focused item, the run in the plane and the evenings, and answers
    if (target.closest?.("[role=application]")) return key.startsWith("Arrow");
    const moves = ".roam-plane, .roam-lanes, .roam-duel";
    return ["ArrowLeft", "ArrowRight"].includes(key) && this.stage.picture?.matches(moves);
  }

  pressed(event) {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || this.code.isOpen || document.querySelector(OPEN)) return;
    if (target.closest?.(TYPING) && key !== "Escape") return;
    if (this.isOfPicture(key, target)) return;
    const act = {
      PageDown: () => this.go(1), ArrowRight: () => this.go(1), PageUp: () => this.go(-1),
      ArrowLeft: () => this.go(-1), ArrowDown: () => this.turn(1), ArrowUp: () => this.turn(-1),
      d: () => this.toggleDrawer(), r: () => this.uncover(), q: () => this.code.open(),
      Escape: () => this.escape(),
    }[key];
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // a page's own r would start it anew
    act();
  }
}

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const { presenter } = elementOf(parentElement, "roam-presenter", (root) => { root.presenter = new Presenter(root); });
  Object.assign(presenter, { send: setStateValue, trigger: setTriggerValue });
  presenter.take(data);
}
