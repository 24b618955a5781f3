// The stage: one of the page's pictures, on the whole screen but for the bar, what is said below it and the drawer.

const PICTURE = ":is(.roam-picture, .drawing)";
const NARROWEST = 640; // px: a picture that is laid out narrower than this is meant for a phone
const LARGEST = 2.5; // times: how much a picture is enlarged, unless its style says otherwise
const SMALLEST = 0.6;

class Stage {
  constructor() { Object.assign(this, { number: 1, picture: null, room: "" }); }

  get pictures() { // in their order, but for parts of others and those in something that is folded
    return [...document.querySelectorAll(`[data-testid="stMain"] ${PICTURE}`)].filter((node) => (
      !node.parentElement.closest(PICTURE) && !node.closest("details:not([open])")
    ));
  }

  turn(by) { this.number = limitTo(this.at + 1 + by, this.pictures.length); }

  get at() { return this.pictures.indexOf(this.picture); }

  look(left) { // what is on screen now; `left` is the room that others leave for it
    const { pictures } = this, picture = pictures[limitTo(this.number, pictures.length) - 1] ?? null;
    for (const node of document.querySelectorAll(".presented")) if (node !== picture) this.release(node);
    picture?.classList.add("presented");
    const room = Object.values(left).join(" ");
    if (picture === this.picture && room === this.room) return this.shrink();
    Object.assign(this, { picture, room, left });
    for (const [side, length] of Object.entries(left)) {
      document.documentElement.style.setProperty(`--stage-${side}`, `${length}px`);
    }
    this.fit();
  }

  release(node) {
    node.classList.remove("presented");
    node.style.removeProperty("--enlarged");
    node.dispatchEvent(new Event("roam-room"));
  }

  leave() {
    for (const node of this.pictures) this.release(node);
    Object.assign(this, { picture: null, room: "" });
  }

  get scales() { return this.picture && !this.picture.matches(".roam-chart"); } // a chart makes its own text larger

  fit() { // enlarge the picture as far as it stays complete
    if (!this.picture) return;
    if (this.scales) {
      const { left } = this, wide = (innerWidth - left.left - left.right) / NARROWEST;
      const most = Number(getComputedStyle(this.picture).getPropertyValue("--most-enlarged")) || LARGEST;
      let [low, high] = [SMALLEST, Math.max(1, Math.min(most, wide))];
      if (this.isComplete(high)) return;
      while (high - low > 0.02) {
        const middle = (low + high) / 2;
        if (this.isComplete(middle)) low = middle;
        else high = middle;
      }
      this.isComplete(low);
    } else {
      this.picture.dispatchEvent(new Event("roam-room"));
    }
  }

  isComplete(enlarged) {
    this.picture.style.setProperty("--enlarged", enlarged);
    return this.picture.scrollHeight <= this.picture.clientHeight + 1;
  }

  shrink() { // what grew since
    if (this.scales && this.picture.scrollHeight > this.picture.clientHeight + 1) this.fit();
  }
}

const limitTo = (number, most) => Math.max(1, Math.min(number, most));
