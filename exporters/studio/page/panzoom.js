// A sheet that is moved and enlarged: by mouse, wheel, fingers and keys.

const MOST = 8; // px of the screen that a px of the level may have
const STEP = 1.25;

export class PanZoom {
  /**
   * `changed` is called with whether only the place changed; `clicked` and `hovered` with the place on the sheet.
   * `covered()` is how many px at the frame's upper and lower edge something covers.
   */
  constructor(frame, sheet, { changed, clicked, hovered, covered }) {
    Object.assign(this, { frame, sheet, changed, clicked, hovered, covered });
    this.size = [1, 1];
    this.at = [0, 0];
    this.scale = 1;
    this.isFitted = true;
    this.pointers = new Map();
    this.moved = 0;
    frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    for (const [name, act] of [["down", this.#down], ["move", this.#move], ["up", this.#up], ["cancel", this.#up]]) {
      frame.addEventListener(`pointer${name}`, (event) => act.call(this, event));
    }
    frame.addEventListener("pointerleave", () => this.hovered(null));
    new ResizeObserver(() => this.isFitted ? this.fit() : this.#show(false)).observe(frame);
  }

  /** The sheet has another size in px; where all was seen, all is. */
  resize(size) {
    const isOther = size[0] !== this.size[0] || size[1] !== this.size[1];
    this.size = size;
    if (this.isFitted || isOther) this.fit();
    else this.#show(true);
  }

  get #room() {
    return [this.frame.clientWidth, this.frame.clientHeight];
  }

  /** What of it nothing covers. */
  get #free() {
    const [above, below] = this.covered();
    return [this.frame.clientWidth, Math.max(this.frame.clientHeight - above - below, 1)];
  }

  /** The scale at which all is seen; whole where it enlarges. */
  get fitScale() {
    const [width, height] = this.#free;
    const fit = Math.min((width - 24) / this.size[0], (height - 16) / this.size[1], 4);
    return Math.max(fit > 1 ? Math.floor(fit * 2) / 2 : fit, 0.01);
  }

  fit() {
    if (!this.frame.clientWidth) return;
    this.scale = this.fitScale;
    const start = [0, this.covered()[0]];
    this.at = this.#free.map((side, axis) => start[axis] + (side - this.size[axis] * this.scale) / 2);
    this.isFitted = true;
    this.#show(true);
  }

  /** Enlarge by a factor; what lies at a place of the frame stays there, by default its middle. */
  zoom(factor, place = this.#room.map((side) => side / 2)) {
    const scale = Math.min(Math.max(this.scale * factor, Math.min(this.fitScale, 1) / 2), MOST);
    this.at = this.at.map((at, axis) => place[axis] - (place[axis] - at) * (scale / this.scale));
    this.scale = scale;
    this.isFitted = false;
    this.#show(true);
  }

  zoomIn = () => this.zoom(STEP);
  zoomOut = () => this.zoom(1 / STEP);
  actual = () => this.zoom(1 / this.scale);

  pan(dx, dy) {
    this.at = [this.at[0] + dx, this.at[1] + dy];
    this.isFitted = false;
    this.#show(false);
  }

  /** Move the sheet so that a place on it is seen. */
  reveal([x, y]) {
    const room = this.#room;
    const seen = [x, y].map((part, axis) => part * this.scale + this.at[axis]);
    const [dx, dy] = seen.map((part, axis) => part < 40 || part > room[axis] - 40 ? room[axis] / 2 - part : 0);
    if (dx || dy) this.pan(dx, dy);
  }

  #show(isResized) {
    this.at = this.at.map((at, axis) => { // some of the sheet stays in sight
      const wide = this.size[axis] * this.scale;
      return Math.min(Math.max(at, 60 - wide), this.#room[axis] - 60);
    });
    const { style } = this.sheet;
    style.width = `${this.size[0] * this.scale}px`;
    style.height = `${this.size[1] * this.scale}px`;
    style.transform = `translate(${Math.round(this.at[0])}px, ${Math.round(this.at[1])}px)`;
    this.changed(isResized);
  }

  #place(event) {
    const box = this.frame.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #onSheet(place) {
    return place.map((part, axis) => (part - this.at[axis]) / this.scale);
  }

  #wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    if (event.shiftKey) this.pan(-event.deltaY * lines, 0);
    else this.zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)), this.#place(event));
  }

  #down(event) {
    if (event.button > 1 || event.target.closest("button, a, select")) return;
    this.frame.setPointerCapture(event.pointerId);
    this.moved = this.pointers.size === 0 ? 0 : Infinity; // two fingers never click
    this.pointers.set(event.pointerId, this.#place(event));
  }

  #move(event) {
    const place = this.#place(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.hovered(event.target.closest("button") ? null : this.#onSheet(place), place);
      return;
    }
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, each]) => each);
    this.pointers.set(event.pointerId, place);
    const [dx, dy] = [place[0] - before[0], place[1] - before[1]];
    this.moved += Math.abs(dx) + Math.abs(dy);
    if (others.length === 1) this.#pinch(others[0], before, place);
    else if (this.moved > 4) {
      this.hovered(null);
      this.pan(dx, dy);
    }
  }

  #pinch(still, before, place) {
    const apart = (one, other) => Math.max(Math.hypot(one[0] - other[0], one[1] - other[1]), 1);
    const middle = (one, other) => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
    const [from, to] = [middle(still, before), middle(still, place)];
    this.zoom(apart(still, place) / apart(still, before), from);
    this.pan(to[0] - from[0], to[1] - from[1]);
  }

  #up(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (event.type === "pointerup" && this.moved <= 4 && this.pointers.size === 0) this.clicked(this.#onSheet(this.#place(event)));
  }
}
