// Tells the page what is on screen, once the visitor rests: every message makes the server draw the page again.

const REPORT_AFTER = 350; // milliseconds

class Report {
  constructor(root, tell) { Object.assign(this, { root, tell }); }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.root.isConnected && this.tell(), REPORT_AFTER);
  }
}
