// A stage: the picture of one level, what lies over it, and the room that is chosen or pointed at.

import { el, svg } from "/shared/common.js";
import { holds, overlayOf, pathOf } from "/shared/overlay.js";
import { drawLevel, sheetOf, tilePx } from "/shared/picture.js";
import { PanZoom } from "./panzoom.js";
import { words } from "./limits.js";

const MOST_PX = 16e6; // of a canvas, which is what phones draw
const LAYERS = 6; // of tiles, the markers last
const CAPTION_PX = 36; // at the lower edge, or more if it has several lines
const PLAN_PX = 16; // that a tile of a floorplan is drawn with, until the theme's are known
const sheets = new Map(); // by address, the last used last

/** The sheet of an atlas; kept, for levels of a theme share it. */
function sheetOfAtlas({ image, tile_px: px, columns }, layers) {
  const kept = sheets.get(image) ?? sheetOf({ tilePx: px, layers, columns, sprite: image });
  sheets.delete(image);
  sheets.set(image, kept);
  kept.ready.catch(() => sheets.delete(image)); // gone from the server: the next level brings it again
  if (sheets.size > 24) sheets.delete(sheets.keys().next().value);
  return kept;
}

/** Draw a level onto a canvas, as large as it may be there. */
export async function drawTold(canvas, level, most, markers) {
  const sheet = sheetOfAtlas(level.atlas, LAYERS);
  const px = tilePx(level, sheet, most);
  await drawLevel(canvas, level, sheet, px, markers);
}

/** How far down the bar of a comparison reaches; both pictures keep clear of it, so that they are as large. */
function barPx() {
  const bar = document.querySelector(".is-compared .compare-bar");
  return bar ? bar.offsetTop + bar.offsetHeight : 0;
}

export class Stage {
  /** `chosen` is called with the room that was clicked, `pointed` with the one under the pointer; or with null. */
  constructor(host, { name, chosen, pointed = () => {} }) {
    this.caption = el("div", { className: "caption" });
    this.sheet = el("div", { className: "sheet" });
    this.tip = el("div", { className: "tip", hidden: true });
    this.note = el("div", { className: "stage-note", hidden: true });
    this.frame = el("div", { className: "stage", id: `stage-${name.toLowerCase()}`, tabIndex: 0 }, this.sheet, this.tip, this.note);
    this.frame.setAttribute("role", "group");
    this.frame.ariaLabel = `Picture of level ${name}`;
    host.append(this.caption, this.frame);
    this.name = name;
    this.told = pointed;
    this.shows = { rooms: true, locks: true, markers: true };
    this.level = null; // what is drawn: a level, or a floorplan
    this.chosen = null;
    this.pointed = null;
    this.pins = [];
    this.view = new PanZoom(this.frame, this.sheet, {
      changed: (isResized) => this.#scaled(isResized),
      clicked: (at) => chosen(this.#roomAt(at)),
      covered: () => [barPx(), Math.max(CAPTION_PX, this.caption.offsetHeight + 14)],
      hovered: (at, place) => this.#hover(at && this.#roomAt(at), place),
    });
  }

  get #px() {
    return this.level?.atlas?.tile_px ?? this.px ?? PLAN_PX;
  }

  #roomAt([x, y]) {
    const found = this.level?.rooms.filter((room) => holds(room, x / this.#px, y / this.#px)) ?? [];
    return found[0]?.id ?? null;
  }

  /** Show a floorplan in the frame of the level to come. */
  showPlan(plan) {
    this.level = plan;
    const canvas = plan.places ? this.#drawPlaces(plan) : el("canvas", { width: 1, height: 1 });
    this.#put(canvas, true);
  }

  #drawPlaces({ places, colours }) {
    const [width, height] = places.size;
    const canvas = el("canvas", { width: Math.max(width, 1), height: Math.max(height, 1) });
    const pen = canvas.getContext("2d");
    const bytes = Uint8Array.from(atob(places.data), (letter) => letter.charCodeAt(0));
    const plain = { wall: "#4a4560", door: "#e8c06a", hallway: "#6d6788" };
    bytes.forEach((byte, i) => {
      if (byte === 0) return;
      pen.fillStyle = colours[places.legend[byte - 1]] ?? plain[places.legend[byte - 1]] ?? "#8b84a8";
      pen.fillRect(i % width, Math.floor(i / width), 1, 1);
    });
    return canvas;
  }

  /** Show a whole level. It comes all at once: what was there stays until it is drawn. */
  async showLevel(level, isWanted) {
    const canvas = el("canvas");
    await drawTold(canvas, level, MOST_PX, this.shows.markers);
    if (!isWanted()) return;
    this.level = level;
    this.px = level.atlas.tile_px;
    this.#put(canvas, false);
  }

  #put(canvas, isPlan) {
    canvas.setAttribute("role", "img");
    canvas.ariaLabel = this.describe ?? `Picture of level ${this.name}`;
    this.note.hidden = true;
    this.frame.classList.toggle("is-plan", isPlan);
    this.frame.classList.remove("is-old", "has-failed");
    this.canvas = canvas;
    this.sheet.replaceChildren(canvas);
    this.marks = null;
    this.view.resize(this.level.size.map((side) => side * this.#px));
    this.#redrawOverlay();
  }

  /** The picture's name for those who listen. */
  tell(text) {
    const before = this.caption.offsetHeight;
    this.caption.textContent = text;
    if (this.caption.offsetHeight !== before && this.view.isFitted) this.view.fit();
    this.describe = text;
    if (this.canvas) this.canvas.ariaLabel = text;
  }

  /** Say over the picture why there is none, or that it is an old one; nothing if it is said elsewhere. */
  fail(message) {
    this.note.textContent = message;
    this.note.hidden = !message;
    this.frame.classList.add("is-old", "has-failed");
  }

  /** Show no level at all. */
  clear() {
    this.level = this.canvas = this.marks = null;
    this.sheet.replaceChildren();
    this.tip.hidden = true;
    this.frame.classList.remove("is-plan");
    this.tell("No level");
  }

  /** That what is shown is no longer what is asked for. */
  age(isOld) {
    this.frame.classList.toggle("is-old", isOld);
    this.frame.classList.remove("has-failed");
  }

  async show(name, isShown) {
    this.shows[name] = isShown;
    if (name === "markers" && this.level?.atlas) await this.showLevel(this.level, () => true);
    else this.#redrawOverlay();
  }

  #scaled(isResized) {
    this.frame.classList.toggle("near", this.view.scale >= 1);
    if (isResized) this.#redrawOverlay();
    this.zoomed?.(this.view.scale);
  }

  #redrawOverlay() {
    if (!this.level || this.isPending) return;
    this.isPending = true;
    requestAnimationFrame(() => {
      this.isPending = false;
      if (this.level) this.#drawOverlay();
    });
  }

  #drawOverlay() {
    const isPlan = this.frame.classList.contains("is-plan");
    const { rooms, locks } = this.shows;
    const { level } = this;
    const drawn = { ...level, rooms: rooms || isPlan ? level.rooms : [], paths: rooms || isPlan ? level.paths : [], gates: locks ? level.gates : [] };
    const made = overlayOf(drawn, level, this.#px * this.view.scale, true);
    this.marks = svg("svg", { class: "marks", viewBox: `0 0 ${level.size.join(" ")}`, "aria-hidden": "true" });
    const labels = svg("svg", { class: "overlay", viewBox: `0 0 ${level.size.join(" ")}`, "aria-hidden": "true" });
    labels.append(...made.querySelectorAll("text, .node, .sign")); // over the marks, which would cross them out
    for (const old of this.sheet.querySelectorAll("svg")) old.remove();
    this.sheet.append(made, this.marks, labels);
    this.#drawMarks();
  }

  #drawMarks() {
    if (!this.marks) return;
    const room = (id) => this.level.rooms.find((each) => each.id === id);
    const unit = Math.max(1, Math.min(7.5 / (this.#px * this.view.scale), 2));
    const marks = [];
    for (const id of this.pins) {
      if (!room(id)) continue;
      const [x, y] = room(id).at;
      marks.push(svg("path", { class: "pinned", d: pathOf(room(id)) }));
      marks.push(svg("text", { class: "pin", x: x + 1.9 * unit, y: y - 1 * unit, "font-size": 1.8 * unit, "stroke-width": 0.4 * unit }, "⚲"));
    }
    if (this.pointed !== null && room(this.pointed)) marks.push(svg("path", { class: "pointed", d: pathOf(room(this.pointed)) }));
    if (this.chosen !== null && room(this.chosen)) {
      marks.push(svg("path", { class: "chosen-under", d: pathOf(room(this.chosen)) }), svg("path", { class: "chosen", d: pathOf(room(this.chosen)) }));
    }
    this.marks.replaceChildren(...marks);
  }

  /** Which room is chosen, and which are pinned. */
  mark({ chosen, pins }) {
    if (chosen !== this.chosen && chosen !== null && this.level) {
      const room = this.level.rooms.find((each) => each.id === chosen);
      if (room && !this.view.isFitted) this.view.reveal(room.at.map((part) => part * this.#px));
    }
    this.chosen = chosen;
    this.pins = pins;
    this.#drawMarks();
  }

  /** Highlight a room that is pointed at elsewhere; null: none. */
  point(id) {
    if (id === this.pointed) return;
    this.pointed = id;
    this.#drawMarks();
  }

  #hover(id, place) {
    const isOther = id !== this.pointed;
    this.point(id);
    if (isOther) this.told(id);
    this.frame.classList.toggle("on-room", id !== null);
    const room = id === null ? null : this.level.rooms.find((each) => each.id === id);
    this.tip.hidden = !room;
    if (!room) return;
    if (isOther) {
      const far = room.distance === null ? "behind a secret door" : room.distance === 1 ? "1 room away" : `${room.distance} rooms away`;
      this.tip.replaceChildren(el("b", {}, `${words(room.kind)} ${room.id}`), el("span", {}, far));
    }
    const [width, height] = [this.frame.clientWidth, this.frame.clientHeight];
    this.tip.style.left = `${Math.min(place[0] + 14, width - this.tip.offsetWidth - 6)}px`;
    this.tip.style.top = `${Math.min(place[1] + 16, height - this.tip.offsetHeight - 6)}px`;
  }
}
