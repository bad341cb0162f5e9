// The command line and the Python that make the level again, to copy.

import { copy, el, find } from "/shared/common.js";
import { isStale, levelOf, newest, post } from "./api.js";
import { current } from "./store.js";

/** A text of code with a button that copies it. */
export function codeBox(id, name) {
  const code = el("code", { id });
  const button = el("button", { type: "button", ariaLabel: `Copy the ${name}` }, "Copy");
  button.addEventListener("click", () => copy(code.textContent, button));
  return el("div", { className: "code" }, el("h3", {}, name), el("pre", { tabIndex: 0, role: "region", ariaLabel: name }, code), button);
}

/** Show a command, or why there is none. Browsers break lines after hyphens, but not within an option's name here. */
export function showCommand(id, { command, why }) {
  const parts = (command ?? `There is no command for this: ${why}.`).split(/(--[a-z-]+)/);
  find(`#${id}`).replaceChildren(...parts.map((part, i) => i % 2 ? el("span", { className: "unbroken" }, part) : part));
}

export function buildCommands() {
  const fold = el("details", { className: "again", id: "again" },
    el("summary", {}, el("h2", {}, "Make it again")), codeBox("command", "Command"), codeBox("python", "Python"));
  fold.addEventListener("toggle", () => showCommands(current()));
  find("#rooms").append(fold);
}

/** What makes a record, and the files of `files` if they are told. */
export function commandsOf(record, files = {}) {
  const slot = files.formats ? "files" : "again";
  return post("/api/commands", { ...levelOf(record, slot), ...files }, newest(`commands ${slot}`));
}

/** Show what makes a record, if somebody looks. */
export async function showCommands(record) {
  if (!find("#again").open) return;
  try {
    const told = await commandsOf(record);
    showCommand("command", told);
    find("#python").textContent = told.python;
  } catch (error) {
    if (!isStale(error)) find("#command").textContent = error.message;
  }
}
