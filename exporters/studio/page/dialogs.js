// Dialogs: opened and closed alike, and the one with the keys.

import { el, find } from "/shared/common.js";

/** Fill a dialog with a title and its parts, and open it: at its first field, if it has one. */
export function openDialog(id, title, ...parts) {
  const dialog = find(`#${id}-dialog`);
  const close = el("button", { type: "button", className: "close", ariaLabel: "Close", title: "Close (Esc)" }, "×");
  close.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(el("div", { className: "dialog-head" }, el("h2", { id: `${id}-title` }, title), close), el("div", { className: "dialog-body", tabIndex: 0, role: "group", ariaLabel: title }, ...parts));
  if (!dialog.open) dialog.showModal();
  dialog.querySelector(".dialog-body :is(input, select, textarea)")?.focus();
}

/** The keys that do something: shown as, the key of the event, what it does, the group that help lists it in. */
export function helpParts(keys) {
  const groups = new Map();
  for (const each of keys) groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  return [...groups].map(([name, own]) => el("section", {}, el("h3", {}, name),
    el("dl", { className: "keys" }, ...own.map(({ shown, does }) =>
      el("div", {}, el("dt", {}, ...shown.map((key) => el("kbd", {}, key))), el("dd", {}, does))))));
}
