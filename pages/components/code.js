// The QR code of the view on screen, as large as the screen allows. The page makes it when it is asked for.

class Code {
  constructor(root, ask) {
    this.ask = ask;
    this.dialog = make(root, "dialog", { class: "code", "aria-label": "The link of this view" });
    this.drawing = make(this.dialog, "div", { role: "img", "aria-label": "QR code of this view" });
    this.warning = make(this.dialog, "p");
    this.link = make(this.dialog, "p", { class: "link" });
    button(this.dialog, "Close", () => this.dialog.close());
    this.dialog.onclose = () => this.ask(false);
  }

  get isOpen() { return this.dialog.open; }

  open() {
    this.dialog.showModal();
    this.ask(true);
  }

  take({ svg = "", warning = "", link = "" }) {
    if (this.drawing.innerHTML !== svg) this.drawing.innerHTML = svg;
    say(this.warning, warning);
    say(this.link, link);
  }
}
