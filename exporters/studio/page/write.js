// Writing files: formats and their options, a folder, a name, what becomes of files that somebody changed.

import { el, find } from "/shared/common.js";
import { isStale, levelOf, post } from "./api.js";
import { codeBox, commandsOf, showCommand } from "./commands.js";
import { buildRow } from "./controls.js";
import { openDialog } from "./dialogs.js";
import { ownWrite } from "./events.js";
import { folderField } from "./folders.js";
import { tell } from "./notices.js";
import { recall, remember, same } from "./store.js";
import { known } from "./values.js";

const FRESH = { formats: ["json", "godot", "tiled", "ldtk"], options: {}, folder: "levels", name: "", edits: "keep" };
let files = FRESH; // what is written, and where to
let record = null;
let rows = [];
let folder = null;

/** Open the dialog for a record. */
export function openWrite(given) {
  record = given;
  const kept = recall("write");
  const usual = known.described.usual_formats;
  const formats = usual.length ? usual : lastFormats();
  files = { ...FRESH, ...(formats.length ? { formats } : {}), ...(kept && typeof kept === "object" ? kept : {}) };
  const name = el("input", { id: "file-name", value: files.name, spellcheck: false, autocomplete: "off", maxLength: 200 });
  name.addEventListener("input", () => set({ name: name.value.trim() }));
  folder = folderField(files.folder, (path) => set({ folder: path || "." }));
  const go = el("button", { type: "button", id: "write-go", className: "primary" }, "Write files");
  go.addEventListener("click", () => write(go));
  openDialog("write", "Write files",
    el("div", { className: "write" },
      el("fieldset", { className: "formats" }, el("legend", {}, "Formats"), ...known.described.formats.map(formatOf)),
      el("div", { className: "where" }, folder.element,
        el("div", { className: "field wide" }, el("label", { htmlFor: "file-name" }, "Name of the files"), name),
        edits(), el("p", { className: "problem", id: "write-problem", role: "status" }), el("div", {}, go), el("div", { id: "results", role: "status" }),
        el("details", { open: true, className: "again" }, el("summary", {}, el("h3", {}, "The same from a terminal or a script")),
          codeBox("write-command", "Command"), codeBox("write-python", "Python")))));
  showFormats();
  showCommands();
}

const formatsName = () => `formats-${known.described.project.path}`;

/** The formats that were last written in this project, those that are still there. */
function lastFormats() {
  const last = recall(formatsName(), true);
  return known.described.formats.map(({ format }) => format).filter((format) => Array.isArray(last) && last.includes(format));
}

/** Ask again for what the dialog shows, if it is open: files have changed, or the server was away. */
export function refreshWrite() {
  if (find("#write-dialog").open) showCommands();
}

function set(parts) {
  files = { ...files, ...parts };
  remember("write", files);
  showCommands();
}

function formatOf({ format, summary, suffixes, options }) {
  const tick = el("input", { type: "checkbox", id: `format-${format}`, checked: files.formats.includes(format) });
  tick.addEventListener("input", () => {
    set({ formats: tick.checked ? [...files.formats, format] : files.formats.filter((each) => each !== format) });
    showFormats();
  });
  const head = el("label", { className: "format", htmlFor: tick.id }, tick, el("b", {}, format), el("small", {}, suffixes.join(" ")));
  const own = options.map((row) => buildRow(row, { set: (key, value) => setOption(row, key, value), settle: () => {} }));
  rows = [...rows.filter((row) => !own.some((each) => each.key === row.key)), ...own.map((row, i) => Object.assign(row, { row: options[i], format }))];
  const fold = own.length ? [el("details", { className: "options" }, el("summary", {}, "Options"), ...own.map((row) => row.element))] : [];
  const box = el("div", { className: "format-box" }, head, el("p", { className: "help" }, summary), ...fold);
  box.dataset.format = format;
  return box;
}

function setOption(row, key, value) {
  const options = { ...files.options };
  if (value === undefined || same(value, row.default)) delete options[key];
  else options[key] = value;
  set({ options });
  showFormats();
}

/** Bring the formats' options up to date; those of formats that are not written are hidden. */
function showFormats() {
  const values = Object.fromEntries(rows.map(({ row }) => [row.key, files.options[row.key] ?? row.default]));
  for (const row of rows) row.show(values, row.row.default);
  for (const box of find("#write-dialog").querySelectorAll(".format-box")) {
    const fold = box.querySelector(".options");
    if (fold) fold.hidden = !files.formats.includes(box.dataset.format);
  }
  find("#write-go").disabled = files.formats.length === 0;
}

function edits() {
  const radios = known.described.edits.map(({ value, help }) => {
    const radio = el("input", { type: "radio", name: "edits", value, id: `edits-${value}`, checked: files.edits === value });
    radio.addEventListener("input", () => set({ edits: value }));
    return el("label", { className: "radio", htmlFor: radio.id }, radio, help);
  });
  return el("fieldset", { className: "edits" }, el("legend", {}, "If somebody has changed a file"), ...radios);
}

/** Options of the formats that are written. */
const asked = () => ({ ...files, options: Object.fromEntries(Object.entries(files.options).filter(([key]) => files.formats.includes(key.split(".")[0]))) });

function complain(error) {
  const row = rows.find((each) => each.key === error?.control);
  for (const each of rows) each.complain(each === row ? error.message : "");
  const fold = row?.element.closest("details");
  if (fold) fold.open = true;
  folder.complain(error?.control === "folder" ? error.message : "");
  find("#write-problem").textContent = error && !row && error.control !== "folder" ? error.message : "";
}

async function showCommands() {
  try {
    const told = await commandsOf(record, asked());
    complain(null);
    showCommand("write-command", told);
    find("#write-python").textContent = told.python;
    find("#file-name").placeholder = told.name;
  } catch (error) {
    if (!isStale(error)) complain(error);
  }
}

async function write(go) {
  go.disabled = true;
  find("#results").replaceChildren(el("p", { className: "soft" }, "Writing …"));
  try {
    remember(formatsName(), files.formats, true);
    showResults(await ownWrite(post("/api/write", { ...levelOf(record, "files"), ...asked() })));
    complain(null);
  } catch (error) {
    find("#results").replaceChildren();
    if (!isStale(error)) complain(error);
  } finally {
    go.disabled = false;
    if (document.activeElement === document.body) go.focus(); // it lost the focus when it was disabled
  }
}

function showResults(told) {
  const changes = told.changes.map(({ what, said }) => ["changed", what, said]);
  const files = told.files.map((path) => ["written", "written", path]);
  const kept = told.kept.filter((path) => !told.changes.some(({ file }) => file === path)).map((path) => ["kept", "kept", path]);
  const title = told.refused ? "Nothing was written" : `${told.files.length} ${told.files.length === 1 ? "file" : "files"} written`;
  find("#results").replaceChildren(el("h3", {}, title), el("ul", { className: "results" }, ...[...changes, ...files, ...kept].map(([kind, what, text]) =>
    el("li", { className: kind }, el("b", {}, what), " ", text)), ...[...told.misfits.map(({ said }) => said), ...told.notes].map((line) => el("li", { className: "note" }, line))));
  tell(title);
}
