// The panel of values: one row each, in groups that fold, found by typing; marked where they differ from the spec.

import { el, find } from "/shared/common.js";
import { Gone, get, isStale, newest, post } from "./api.js";
import { buildRow } from "./controls.js";
import { showProblem, words } from "./limits.js";
import { change, current, recall, remember, same, setValue, settle } from "./store.js";

const CLOSED = new Set(["State of the game", "Room sizes", "Special rooms"]); // until they are opened
const THEME = {
  key: "theme", type: "string", default: "", unit: "", group: "Look",
  help: "the theme's TOML; empty: the built-in look", form: "theme",
};

/** What the server knows of the project; and of the spec that is chosen: its rows, and the values it gives itself. */
export const known = { described: null, rows: [], own: {}, style: "", facts: [], flows: [], canReroll: false, seed: {} };

let rows = [];
let asked = null; // what the rows were asked for

/** All values by key, those of the spec and those that were changed. */
export const valuesOf = (record) => ({ ...known.own, ...record.values });

/** Read again what there is in the project. */
export async function describe() {
  known.described = await get("/api/described");
}

const found = (what) => known.described.found.filter((each) => each.what === what).map((each) => each.path);

function offeredOf(key) {
  if (key === "theme") return ["", ...found("theme")];
  if (key === "flow") return ["random", ...known.flows, ...found("flow")];
  if (key === "kit" || key === "layouts") return ["", ...found(key)];
  return [];
}

/** Fill the list of specs: presets, files of the project, and styles. */
export function buildSpecs() {
  const { presets, styles } = known.described;
  const option = (value, title, text = value) => el("option", { value, title }, text);
  const group = (label, options) => options.length ? [el("optgroup", { label }, ...options)] : [];
  const others = Object.entries(styles).filter(([name]) => !presets.some((preset) => preset.name === name));
  const chosen = current().spec;
  const paths = found("spec");
  const stems = paths.map((path) => path.replace(/^.*\//, "").replace(/\.toml$/i, ""));
  const isAlone = (stem) => ![...presets.map(({ name }) => name), ...Object.keys(styles)].includes(stem) && stems.indexOf(stem) === stems.lastIndexOf(stem);
  const all = [...presets.map((each) => each.name), ...paths, ...others.map(([name]) => name)];
  find("#spec").replaceChildren(
    ...group("Presets", presets.map((each) => option(each.name, each.summary))),
    ...group("Specs of the project", paths.map((path, i) => option(path, path, isAlone(stems[i]) ? stems[i] : path))),
    ...group("Styles", others.map(([name, style]) => option(name, style.summary))),
    ...(chosen && !all.includes(chosen) ? [option(chosen, "not found")] : []),
  );
  find("#spec").value = chosen;
}

/** What the rows of a record's spec depend on. */
const partsOf = ({ spec, values }) => [spec, values.kit ?? "", values.layouts ?? ""];

/** Whether the rows of a record's spec are at hand, or asked for. */
export const isLearnt = (record) => same(asked, partsOf(record));

/** Ask for the rows of the spec of a record, if they may be others than those at hand. Raises what the server says. */
export async function learn(record) {
  const wanted = partsOf(record);
  if (isLearnt(record)) return;
  asked = wanted;
  const signal = newest("spec");
  const spec = (set) => post("/api/spec", { slot: Object.keys(set).length ? "with" : "own", spec: { name: record.spec, set } }, signal);
  try {
    const own = await spec({});
    const set = Object.fromEntries(Object.entries(record.values).filter(([key]) => key === "kit" || key === "layouts"));
    const told = Object.keys(set).length ? await spec(set).catch((error) => { if (error instanceof Gone || isStale(error)) throw error; return own; }) : own;
    if (asked !== wanted) return; // it was asked for again, as files have changed
    Object.assign(known, {
      rows: told.values, own: { ...told.given, ...own.given }, // a kit adds values that the spec alone does not have
      style: told.style, facts: told.facts, flows: told.flows,
      canReroll: told.can_reroll, seed: told.seed,
    });
    build();
  } catch (error) {
    if (asked === wanted) asked = null;
    if (!isStale(error)) throw error;
  }
}

/** Whatever was learnt may be out of date. */
export function forget() {
  asked = null;
}

function build() {
  const focused = document.activeElement?.closest?.(".value")?.dataset.key;
  rows = [THEME, ...known.rows].map((row) => buildRow(row, {
    set: row.key === "theme" ? setTheme : (key, value, merge) => setValue(key, value, known.own[key], merge),
    settle,
  }));
  const groups = new Map();
  for (const row of rows) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  const folds = recall("folds") ?? {};
  find("#groups").replaceChildren(...[...groups].map(([name, own]) => {
    const fold = el("details", { open: folds[name] ?? !CLOSED.has(name) },
      el("summary", {}, el("h2", {}, name), el("span", { className: "count" })), ...own.map((row) => row.element));
    fold.dataset.group = name;
    fold.querySelector("summary").addEventListener("click", () => remember("folds", { ...recall("folds"), [name]: !fold.open }));
    return fold;
  }));
  showValues(current());
  filterValues();
  if (focused) rows.find((row) => row.key === focused)?.focus();
}

const setTheme = (_, value, merge) => change({ theme: value ?? "" }, merge);

/** Bring all rows up to date. */
export function showValues(record) {
  const values = valuesOf(record);
  for (const row of rows) {
    if (row.key === "theme") row.show({ theme: record.theme }, "", offeredOf("theme"));
    else row.show(values, known.own[row.key], offeredOf(row.key));
  }
  for (const fold of find("#groups").children) {
    const changed = rows.filter((row) => row.group === fold.dataset.group && row.isChanged).length;
    fold.querySelector(".count").textContent = changed ? `${changed} changed` : "";
  }
  const changed = rows.filter((row) => row.isChanged).length;
  find("#reset-all").disabled = changed === 0;
  find("#values-told").textContent = changed ? `${changed} ${changed === 1 ? "value differs" : "values differ"} from ${record.spec}` : `all as in ${record.spec}`;
}

/** Write an error beside its control; null clears them all. Returns whether there is such a control. */
export function complain(error) {
  for (const row of rows) row.complain(row.key === error?.control ? error.message : "");
  const row = rows.find((each) => each.key === error?.control);
  const fold = row?.element.closest("details");
  if (fold) fold.open = true;
  find("#spec-problem").textContent = error && !row && error.control !== "seed" ? error.message : "";
  showProblem(find("#seed-problem"), error?.control === "seed" ? error.message : "", find("#seed"));
  return Boolean(row);
}

function filterValues() {
  const parts = find("#find-value").value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of rows) row.element.hidden = !parts.every((part) => row.text.includes(part));
  for (const fold of find("#groups").children) {
    fold.hidden = !rows.some((row) => row.group === fold.dataset.group && !row.element.hidden);
    if (parts.length) fold.open = true;
    else fold.open = (recall("folds") ?? {})[fold.dataset.group] ?? !CLOSED.has(fold.dataset.group);
  }
  const left = rows.filter((row) => !row.element.hidden).length;
  if (parts.length) find("#values-told").textContent = left ? `${left} of ${rows.length} values` : "No value has these words.";
  else if (known.rows.length) showValues(current());
}

find("#find-value").addEventListener("input", filterValues);
find("#reset-all").addEventListener("click", () => change({ values: {}, theme: "" }));
find("#spec").addEventListener("input", () => change({ spec: find("#spec").value, values: {} }));
