// The keyboard: one table of keys, from which the help is made too.

import { el, keyOf, typed } from "/shared/common.js";
import { recall, remember } from "./store.js";

/** A button; `keys` do the same, if there are some. */
export function keyButton(id, text, title, keys, does) {
  const made = el("button", { type: "button", id, title: keys ? `${title} (${keys})` : title }, text);
  if (!/\w/.test(text)) made.ariaLabel = title;
  if (keys) made.setAttribute("aria-keyshortcuts", keys);
  made.addEventListener("click", does);
  return made;
}

const OFF = "keys-off";
const areOff = () => recall(OFF, true) === true;

/** A checkbox that turns all keys off that are pressed alone: who speaks to the computer could press one by a word. */
export function keysToggle() {
  const tick = el("input", { type: "checkbox", id: "keys-on", checked: !areOff() });
  tick.addEventListener("input", () => remember(OFF, !tick.checked, true));
  return el("label", { className: "radio", htmlFor: tick.id }, tick, "Single-key shortcuts");
}

/** Listen for keys. `keys` are rows {key, shown, does, group, act}; those of `redo` and `undo` are held with Ctrl. */
export function listen(keys, { undo, redo }) {
  const acts = new Map(keys.filter(({ act }) => act).map(({ key, act }) => [key, act]));
  addEventListener("keydown", (event) => {
    const isText = event.target.matches("input:not([type=range], [type=checkbox]), textarea");
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !isText) {
      const key = event.key.toLowerCase();
      if (key === "z" || key === "y") {
        (key === "y" || event.shiftKey ? redo : undo)();
        event.preventDefault();
      }
      return;
    }
    const isModal = document.querySelector("dialog[open]") !== null;
    const isSlider = event.target.matches("input[type=range], input[type=checkbox]");
    if (isModal || areOff() || (isSlider ? event.key.length > 1 || event.key === " " : typed(event))) return;
    const key = event.shiftKey && event.key.length === 1 && /[a-z]/i.test(event.key) ? `Shift+${event.key.toUpperCase()}` : keyOf(event);
    const act = acts.get(key);
    if (!act) return;
    event.preventDefault();
    act(event);
  });
}
