// The steps of a page: its things to try, and its views. Each is a button of the page, and one of a row is on screen.

const TRIED = ["st-key-try-", "st-key-step-"].map((key) => `[class*="${key}"] button`).join(", ");
const CLAIMS = ".st-key-paper-claim button";
const VIEWS = ".st-key-scroll_views button";
const MARKED = "[data-testid='stBaseButton-primary'], [aria-checked='true']";

const named = (button) => button?.textContent.trim() ?? "";

class Row { // of buttons, one of which is on screen. The page marks it as soon as it has followed, or never.
  constructor(selector) { Object.assign(this, { selector, last: "", before: "", pending: [] }); }

  get buttons() { return [...document.querySelectorAll(this.selector)].filter((button) => !button.disabled); }

  get marked() { return named(this.buttons.find((button) => button.matches(MARKED))); }

  get at() { return this.buttons.findIndex((button) => named(button) === this.last); } // -1: before the first one

  pressed(target) { // by hand or by a key
    const button = target.closest?.(this.selector);
    if (!button) return;
    Object.assign(this, { last: named(button), before: this.marked });
    this.pending.push(this.last);
  }

  look() { // a mark that has changed since the last press says what is on screen
    const { marked } = this;
    if (!marked || marked === this.before) return;
    this.before = marked;
    const place = this.pending.indexOf(marked);
    if (place >= 0 && place < this.pending.length - 1) { // the page follows an earlier press: the last one is to come
      this.pending.splice(0, place + 1);
    } else Object.assign(this, { last: marked, pending: [] });
  }

  go(by) {
    const button = this.buttons[this.at + by];
    button?.click();
    return Boolean(button);
  }
}

class Steps { // all steps of the page on screen, the views around the things to try
  constructor() { this.restart(); }

  restart() { this.rows = [new Row(`${TRIED}, ${CLAIMS}`), new Row(VIEWS)]; }

  pressed(target) {
    const [tried, views] = this.rows;
    for (const row of this.rows) row.pressed(target);
    if (target.closest?.(views.selector)) Object.assign(tried, { last: "", before: "", pending: [] });
  }

  look() { for (const row of this.rows) row.look(); }

  go(by) { return this.rows.some((row) => row.go(by)); } // whether there was one

  get isEmpty() { return this.rows.every((row) => !row.buttons.length); }

  get name() { return this.rows.map(({ at, last }) => (at < 0 ? "" : last)).filter(Boolean).join(" · "); }
}
