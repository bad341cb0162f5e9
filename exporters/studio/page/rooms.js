// The rooms as a list: what the picture shows, for keys and for those who listen; and what can be done with one.

import { el, find } from "/shared/common.js";
import { dot } from "/shared/overlay.js";
import { keyButton } from "./keys.js";
import { factWords, words } from "./limits.js";

const far = (distance) => distance === null ? "behind a secret door" : distance === 0 ? "the start" : `${distance} away`;
const count = (number, one, more = `${one}s`) => `${number} ${number === 1 ? one : more}`;

/** A text that may be broken after its slashes, as names of layouts. */
const broken = (text) => text.split(/(?<=\/)/).flatMap((part) => [part, el("wbr")]);

/** The rooms beside each room, through whatever joins them: [{id, kind of door}] by room. */
function neighbours(level) {
  const beside = new Map(level.rooms.map((room) => [room.id, []]));
  const join = (a, b, kind) => {
    beside.get(a)?.push({ id: b, kind });
    beside.get(b)?.push({ id: a, kind });
  };
  for (const { rooms: [a, b], kind } of level.doors ?? []) if (b !== null && a !== null) join(a, b, kind);
  for (const hallway of level.hallways ?? []) {
    if (!level.doors || !hallway.doors) continue;
    const [one, other] = hallway.doors.map((id) => level.doors.find((door) => door.id === id));
    const kind = [one, other].map((door) => door.kind).find((each) => each !== "open") ?? "open";
    join(one.rooms[0] ?? one.rooms[1], other.rooms[0] ?? other.rooms[1], kind);
  }
  return beside;
}

/** How many markers of each kind stand in a room. */
function markersIn(level, id) {
  const counts = new Map();
  for (const marker of level.markers ?? []) if (marker.room === id) counts.set(marker.kind, (counts.get(marker.kind) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a < b ? -1 : 1);
}

export class RoomList {
  /** `choose(id)`, `roll(ids, what)` and `pin(id)` do what a person asks for; `point(id)` hears which room is looked at, `search(condition)` opens the search. */
  constructor(host, acts) {
    this.acts = acts;
    this.level = null;
    this.chosen = null;
    this.pins = [];
    this.pointed = null;
    this.list = el("ul", { id: "room-list", role: "listbox", ariaLabel: "Rooms" });
    this.list.addEventListener("keydown", (event) => this.#key(event));
    this.about = el("div", { className: "about-room", id: "about-room", hidden: true });
    for (const part of [this.list, this.about]) this.#watchPointing(part);
    new ResizeObserver(() => this.#reveal(this.list.querySelector('[aria-selected="true"]'), 0.5)).observe(this.list); // or it comes into sight
    this.title = el("h2", {}, "Rooms");
    this.told = el("p", { className: "soft" });
    this.facts = el("tbody");
    this.factsFold = el("details", { className: "facts", open: true, hidden: true }, el("summary", {}, el("h2", {}, "Facts")), el("table", {}, this.facts));
    this.rollRest = el("button", { type: "button", id: "roll-rest", hidden: true }, "Re-roll all but the pinned");
    this.rollRest.setAttribute("aria-keyshortcuts", "Shift+R");
    this.rollRest.addEventListener("click", () => acts.rollRest());
    host.append(el("div", { className: "panel-head" }, this.title, this.told), this.list, this.rollRest, this.about, this.factsFold);
  }

  /** Show the rooms of a level, or of a floorplan. */
  show(level, { chosen, pins, canReroll }) {
    const isOther = level !== this.level;
    Object.assign(this, { level, chosen, pins, canReroll });
    if (isOther) this.beside = neighbours(level);
    this.told.textContent = count(level.rooms.length, "room");
    const hadFocus = this.list.contains(document.activeElement);
    this.list.replaceChildren(...level.rooms.map((room) => this.#item(room)));
    this.#rove(hadFocus);
    this.#showAbout();
    this.rollRest.hidden = !canReroll || pins.length === 0;
    if (isOther && level.told) {
      this.factsFold.hidden = false;
      this.facts.replaceChildren(...level.told.filter(({ fact, value }) => value !== 0 && !fact.startsWith("count(")).map(({ fact, value, help }) =>
        el("tr", {}, el("th", { scope: "row" }, this.#factButton(fact, value, help)), el("td", {}, `${value}`))));
    }
  }

  /** There is no level, and so no room. */
  clear() {
    this.level = this.chosen = null;
    this.told.textContent = "";
    this.list.replaceChildren();
    for (const part of [this.rollRest, this.about, this.factsFold]) part.hidden = true;
  }

  /** A fact's name, which searches for levels that are the same in this. */
  #factButton(fact, value, help) {
    const condition = `${fact} == ${JSON.stringify(value)}`;
    const button = el("button", { type: "button", className: "fact", title: `${help}. Search for: ${condition}` }, factWords(fact));
    button.addEventListener("click", () => this.acts.search(condition));
    return button;
  }

  /** Whatever names a room here points at it, under the mouse or with the focus. It is seen only: nothing is said. */
  #watchPointing(part) {
    const at = ({ target, pointerType }) => {
      const room = target.closest("[data-room]")?.dataset.room;
      if (pointerType !== "touch") this.#pointAt(room === undefined ? null : +room);
    };
    for (const name of ["pointerover", "focusin"]) part.addEventListener(name, at);
    for (const name of ["pointerleave", "focusout"]) part.addEventListener(name, () => this.#pointAt(null));
  }

  #pointAt(id) {
    this.point(id, false);
    this.acts.point(id);
  }

  /** Highlight the item of a room that is pointed at; null: none. */
  point(id, bringIntoSight = true) {
    this.pointed = id;
    for (const item of this.list.children) item.classList.toggle("is-pointed", +item.dataset.room === id);
    if (bringIntoSight && id !== null) this.#reveal(this.list.querySelector(".is-pointed"), 0);
  }

  /** Scroll the list, and nothing else, so that an item is seen; `share` of the list's height lies above it then. */
  #reveal(item, share) {
    if (!item) return;
    const top = item.offsetTop - this.list.offsetTop;
    const bottom = top + item.offsetHeight;
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop) this.list.scrollTop = top - clientHeight * share;
    else if (bottom > scrollTop + clientHeight) this.list.scrollTop = bottom - clientHeight * (1 - share);
  }

  #item(room) {
    const isChosen = room.id === this.chosen;
    const doors = this.beside.get(room.id).length;
    const pinned = this.pins.includes(room.id);
    const item = el("li", { role: "option", ariaSelected: isChosen, tabIndex: -1 },
      dot(this.level, room.kind),
      el("span", { className: "room-name" }, words(room.kind), el("small", {}, ` ${room.id}`)),
      el("span", { className: "room-far" }, room.distance === null ? "hidden" : far(room.distance)));
    if (this.level.doors?.length) item.append(el("span", { className: "unseen" }, `, ${count(doors, "door")}${pinned ? ", pinned" : ""}`));
    if (pinned) item.append(el("span", { className: "pin-mark", ariaHidden: "true", title: "pinned" }, "⚲"));
    item.dataset.room = room.id;
    item.classList.toggle("is-pointed", room.id === this.pointed);
    item.addEventListener("click", () => { this.acts.choose(room.id); this.#rove(true); });
    return item;
  }

  /** One item is in the tab order; it gets the focus if the list has it. */
  #rove(focus) {
    const item = this.list.querySelector('[aria-selected="true"]') ?? this.list.firstElementChild;
    if (!item) return;
    for (const each of this.list.children) each.tabIndex = each === item ? 0 : -1;
    if (focus) item.focus();
    else if (this.chosen !== null) this.#reveal(item, 0.5);
  }

  #key(event) {
    const items = [...this.list.children];
    const at = items.indexOf(event.target.closest("li"));
    const page = 10;
    const to = {
      ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1,
      PageDown: Math.min(at + page, items.length - 1), PageUp: Math.max(at - page, 0), Enter: at, " ": at,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const item = items[to];
    if (item) this.acts.choose(+item.dataset.room);
    this.#rove(true);
  }

  #showAbout() {
    const room = this.level.rooms.find((each) => each.id === this.chosen);
    this.about.hidden = !room;
    if (!room) return;
    const isPinned = this.pins.includes(room.id);
    const pin = keyButton("pin-room", isPinned ? "Pinned" : "Pin", "Keep this room when the others are rolled", "P", () => this.acts.pin(room.id));
    pin.ariaPressed = isPinned;
    const rolls = this.canReroll ? [
      keyButton("roll-layout", "Re-roll", "Another inside", "R", () => this.acts.roll([room.id], "layout")),
      keyButton("roll-markers", "Markers", "Move its enemies, pickups and chests", "E", () => this.acts.roll([room.id], "markers")),
      keyButton("roll-kind", "Kind", "Another kind of room", "K", () => this.acts.roll([room.id], "kind")), pin] : [];
    const focused = this.about.contains(document.activeElement) ? document.activeElement.id : "";
    const beside = this.beside.get(room.id).map(({ id, kind }) => {
      const other = this.level.rooms.find((each) => each.id === id);
      const link = el("button", { type: "button", className: "link" }, `${words(other.kind)} ${id}`);
      link.dataset.room = id;
      link.addEventListener("click", () => this.acts.choose(id));
      return el("li", {}, link, kind === "open" ? "" : ` (${words(kind)})`);
    });
    const facts = [
      ["From the start", far(room.distance)], ["Shape", room.shape && words(room.shape)], ["Layout", room.layout],
      ["Difficulty", room.difficulty], ["Zone", room.zone],
      ...markersIn(this.level, room.id).map(([kind, number]) => [words(kind), number]),
    ].filter(([, value]) => value !== undefined && value !== null && value !== "");
    this.about.replaceChildren(
      el("h3", { id: "about-title" }, dot(this.level, room.kind), ` ${words(room.kind)} ${room.id}`),
      el("div", { className: "acts", role: "group", ariaLabel: "This room" }, ...rolls),
      el("dl", {}, ...facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, ...broken(`${value}`))))),
      ...(beside.length ? [el("h4", {}, "Beside it"), el("ul", { className: "beside" }, ...beside)] : []));
    if (focused) find(`#${focused}`)?.focus();
  }

  /** Choose the room that is so many places on in the list. */
  step(by) {
    const ids = this.level?.rooms.map((room) => room.id) ?? [];
    if (!ids.length) return;
    const at = ids.indexOf(this.chosen);
    this.acts.choose(ids[at === -1 ? (by > 0 ? 0 : ids.length - 1) : (at + by + ids.length) % ids.length]);
  }
}
