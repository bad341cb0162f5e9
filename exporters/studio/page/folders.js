// A folder of the project: typed, or picked step by step.

import { el } from "/shared/common.js";
import { get, isStale } from "./api.js";
import { showProblem } from "./limits.js";

/** A field with a list of folders below it; `changed(path)` is called when another one is picked. */
export function folderField(value, changed) {
  const input = el("input", { id: "folder", value, spellcheck: false, autocomplete: "off", maxLength: 500 });
  const list = el("ul", { id: "folder-list", role: "list", ariaLabel: "Folders to pick" });
  const problem = el("p", { className: "problem", id: "folder-problem", hidden: true });
  input.setAttribute("aria-describedby", problem.id);
  const pick = (path) => {
    input.value = path;
    changed(path);
    open(path);
  };
  const open = async (path) => {
    try {
      const told = await get("/api/folders", { path: path || "." });
      const inner = told.path === "." ? "" : `${told.path}/`;
      const up = told.path === "." ? [] : [["↑ up", told.path.includes("/") ? told.path.replace(/\/[^/]*$/, "") : "."]];
      list.replaceChildren(...[...up, ...told.folders.map((name) => [`${name}/`, inner + name])].map(([text, to]) => {
        const button = el("button", { type: "button" }, text);
        button.addEventListener("click", () => { pick(to); input.focus(); });
        return el("li", {}, button);
      }));
    } catch (error) {
      if (!isStale(error)) list.replaceChildren(); // one that is not there yet is made
    }
  };
  input.addEventListener("input", () => changed(input.value.trim()));
  input.addEventListener("change", () => open(input.value.trim()));
  open(value);
  return {
    element: el("div", { className: "field wide" }, el("label", { htmlFor: "folder" }, "Folder in the project, made if it is not there"), input, problem, list),
    complain: (message) => showProblem(problem, message, input),
  };
}
