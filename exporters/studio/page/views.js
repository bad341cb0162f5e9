// What of the page is seen: the level, the search or the layouts; on a phone one panel at a time below the level.

import { el, find, findAll } from "/shared/common.js";
import { recall, remember } from "./store.js";

const VIEWS = [["level", "Level", "▦"], ["search", "Search", "⌕"], ["layouts", "Layouts", "▤"]];
const PANES = [["values", "Values", "☰"], ["rooms", "Rooms", "◫"]]; // tabs of a phone only

const listeners = [];
/** Call a function with the view's name when another one is opened. */
export const watchViews = (listener) => listeners.push(listener);
export const currentView = () => document.body.dataset.view;

/** Open a view. */
export function openView(name) {
  document.body.dataset.view = name;
  document.body.dataset.pane = name;
  for (const [each] of VIEWS) find(`#view-${each}`).hidden = each !== name;
  mark();
  remember("view", name);
  for (const listener of listeners) listener(name);
}

function openPane(name) {
  if (currentView() !== "level") openView("level");
  document.body.dataset.pane = name;
  mark();
}

function mark() {
  const { view, pane } = document.body.dataset;
  for (const button of findAll("#views button")) {
    const { view: own, pane: panel } = button.dataset;
    if (own) button.setAttribute("aria-current", own === view && (own !== "level" || !isPhone() || pane === "level") ? "page" : "false");
    else button.ariaPressed = panel === pane;
  }
}

const phone = matchMedia("(max-width: 56rem)");
const isPhone = () => phone.matches;

/** Build the tabs. */
export function buildViews() {
  const tab = ([name, text, icon], isPane) => {
    const made = el("button", { type: "button", className: isPane ? "pane-tab" : "view-tab" },
      el("span", { className: "icon", ariaHidden: "true" }, icon), ` ${text}`);
    made.dataset[isPane ? "pane" : "view"] = name;
    made.addEventListener("click", () => isPane ? openPane(name) : openView(name));
    return made;
  };
  const [level, ...others] = VIEWS.map((view) => tab(view, false));
  const [values, rooms] = PANES.map((pane) => tab(pane, true));
  find("#views").append(values, level, rooms, ...others);
  phone.addEventListener("change", mark);
  const asked = recall("view");
  openView(VIEWS.some(([name]) => name === asked) ? asked : "level");
}

/** Show or hide the list of rooms, where there is place for it. */
export function toggleRoomList() {
  const isHidden = document.body.classList.toggle("no-rooms");
  find("#toggle-rooms").ariaPressed = !isHidden;
  remember("no-rooms", isHidden);
}

export function buildRoomToggle() {
  document.body.classList.toggle("no-rooms", recall("no-rooms") === true);
  find("#toggle-rooms").ariaPressed = recall("no-rooms") !== true;
}
