// The buttons over the picture: how near one looks, and what lies over the tiles.

import { el, find } from "/shared/common.js";
import { keyButton } from "./keys.js";
import { recall, remember } from "./store.js";

const OVERLAYS = [
  ["rooms", "Rooms", "O", "Rooms with their numbers, and connections"],
  ["locks", "Locks", "G", "Locks and keys"],
  ["markers", "Markers", "M", "Enemies, items and other markers"],
];

/** Build the buttons for some stages; `keys` are what the buttons do, by key. */
export function buildTools(stages, { compare, list }) {
  const each = (act) => () => stages.forEach(act);
  const zoom = {
    "+": each((stage) => stage.view.zoomIn()), "-": each((stage) => stage.view.zoomOut()), 0: each((stage) => stage.view.fit()),
    1: each((stage) => stage.view.actual()),
  };
  const shows = { ...stages[0].shows, ...recall("shows") };
  const toggle = (name) => {
    shows[name] = !shows[name];
    find(`#show-${name}`).ariaPressed = shows[name];
    remember("shows", shows);
    for (const stage of stages) stage.show(name, shows[name]);
  };
  find("#tools").append(
    el("span", { className: "joined", role: "group", ariaLabel: "Zoom" },
      keyButton("zoom-out", "−", "Smaller", "-", zoom["-"]), keyButton("zoom-fit", "Fit", "See all of it", "0", zoom[0]),
      keyButton("zoom-in", "+", "Larger", "+", zoom["+"])),
    el("span", { className: "joined", role: "group", ariaLabel: "Shown over the tiles" },
      ...OVERLAYS.map(([name, text, key, title]) => keyButton(`show-${name}`, text, title, key, () => toggle(name)))),
    keyButton("compare", "Compare", "Two levels side by side", "C", compare),
    keyButton("toggle-rooms", "List", "Show or hide the list of rooms", "B", list));
  for (const [name] of OVERLAYS) {
    find(`#show-${name}`).ariaPressed = shows[name];
    for (const stage of stages) stage.shows[name] = shows[name];
  }
  stages[0].zoomed = (scale) => { find("#zoom-fit").textContent = stages[0].view.isFitted ? "Fit" : `${Math.round(scale * 100)} %`; };
  return { ...zoom, "=": zoom["+"], o: () => toggle("rooms"), g: () => toggle("locks"), m: () => toggle("markers") };
}
