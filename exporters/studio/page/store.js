// What is drawn, and how it came to be so: one record per tab, its undo list, and where both are kept.

/** What a level is made from. Records are never changed, only replaced. */
const NOTHING = Object.freeze({ spec: "", values: {}, seed: "", theme: "", rerolls: [], pins: [] });

const MOST_STEPS = 300;
const listeners = new Set();
let now = NOTHING;
let past = [];
let future = [];
let merging = null; // the control whose steps become one

export const current = () => now;
export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

/** Call a function with the record and the one before it whenever it changes. */
export const watch = (listener) => listeners.add(listener);

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** What a level is made from: all of a record but the pins. */
export const madeOf = ({ pins: _, ...made }) => made;

/** The last record with another level than the current one; undefined if there is none. */
export const lastOther = () => past.findLast((record) => !same(madeOf(record), madeOf(now)));

/** Replace parts of the record. Steps of one control (`merge`) are undone together until `settle` is called. */
export function change(parts, merge = null) {
  const next = { ...now, ...parts };
  const isNewFloorplan = !same([next.spec, next.values, next.seed], [now.spec, now.values, now.seed]);
  if (isNewFloorplan) { // rooms have other numbers there
    next.rerolls = parts.rerolls ?? [];
    next.pins = parts.pins ?? [];
  }
  if (same(next, now)) return;
  if (merge === null || merge !== merging) past = [...past.slice(1 - MOST_STEPS), now];
  merging = merge;
  future = [];
  become(next);
}

/** Set or unset a value of the spec; one that is the spec's own is not kept. */
export function setValue(key, value, own, merge = null) {
  const values = { ...now.values };
  if (value === undefined || same(value, own)) delete values[key];
  else values[key] = value;
  change({ values }, merge);
}

/** What comes next is a step of its own. */
export function settle() {
  merging = null;
}

function step(from, to) {
  const next = from.pop();
  if (next === undefined) return;
  to.push(now);
  settle();
  become(next);
}

export const undo = () => step(past, future);
export const redo = () => step(future, past);

function become(next) {
  const before = now;
  now = Object.freeze(next);
  for (const listener of listeners) listener(now, before);
  keep();
}

// --- the address of the page holds the record, so that it can be sent and reloaded

/** A record as the part of an address after `#`. */
function addressOf(record) {
  const parts = new URLSearchParams();
  parts.set("spec", record.spec);
  if (record.seed !== "") parts.set("seed", record.seed);
  if (record.theme) parts.set("theme", record.theme);
  for (const [key, value] of Object.entries(record.values)) parts.set(`set.${key}`, JSON.stringify(value));
  if (record.rerolls.length) parts.set("rerolls", JSON.stringify(record.rerolls));
  if (record.pins.length) parts.set("pins", JSON.stringify(record.pins));
  return `#${parts}`;
}

/** The record of an address; null if there is none in it. What is odd in it is left out. */
function recordOf(address) {
  const parts = new URLSearchParams(address.replace(/^#/, ""));
  if (!parts.get("spec")) return null;
  const values = {};
  for (const [name, text] of parts) {
    const value = name.startsWith("set.") ? parsed(text) : undefined;
    if (value !== undefined && value !== null) values[name.slice(4)] = value;
  }
  return recorded({
    spec: parts.get("spec"), seed: parts.get("seed") ?? "", theme: parts.get("theme") ?? "", values,
    rerolls: parsed(parts.get("rerolls")), pins: parsed(parts.get("pins")),
  });
}

/** A record made of whatever was kept: with all its parts, each of its type. */
export function recorded(given) {
  const text = (value) => typeof value === "string" ? value : "";
  const list = (value, fits) => Array.isArray(value) ? value.filter(fits) : [];
  return {
    spec: text(given?.spec), seed: text(given?.seed), theme: text(given?.theme),
    values: given?.values && typeof given.values === "object" && !Array.isArray(given.values) ? given.values : {},
    rerolls: list(given?.rerolls, (row) => row && typeof row === "object"),
    pins: list(given?.pins, Number.isInteger),
  };
}

function parsed(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return undefined;
  }
}

// --- what a tab keeps over a reload; `sessionStorage` is the tab's own, so that two do not disturb each other

const NAME = "undercroft-studio";
const MOST_KEPT = 60; // steps over a reload

/** The tab's name in requests. A tab that was duplicated has a copy of the storage, but no name of its own yet. */
export const tab = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const storage = (isForAll) => isForAll ? localStorage : sessionStorage;

/** Something that the tab keeps under a name; or the browser, for all tabs, later ones too. */
export function remember(name, value, isForAll = false) {
  try {
    storage(isForAll).setItem(`${NAME}-${name}`, JSON.stringify(value));
  } catch { /* full, or not allowed: the page goes on, and forgets */ }
}

export function recall(name, isForAll = false) {
  try {
    return parsed(storage(isForAll).getItem(`${NAME}-${name}`));
  } catch {
    return undefined;
  }
}

let lastProject = "";
let writes = []; // when the address was written lately: browsers refuse more than 200 in ten seconds
let waiting = 0;

/** Write the record down at once, or, while a slider is moved, a little later. */
function keep() {
  clearTimeout(waiting);
  const time = performance.now();
  writes = writes.filter((when) => time - when < 10_000);
  if (writes.length < 100) writeDown();
  else waiting = setTimeout(writeDown, 250);
}

addEventListener("pagehide", () => {
  if (lastProject) writeDown();
});

function writeDown() {
  writes.push(performance.now());
  history.replaceState(null, "", addressOf(now));
  remember("now", now);
  remember("steps", { past: past.slice(-MOST_KEPT), future: future.slice(-MOST_KEPT) });
  try {
    localStorage.setItem(`${NAME}-last-${lastProject}`, addressOf(now)); // for a tab that is opened later
  } catch { /* as above */ }
}

addEventListener("hashchange", () => { // a link to a level was opened in this tab
  const there = lastProject && recordOf(location.hash);
  if (!there) return;
  settle();
  change(there);
});

/** Begin where this tab was, or where the last one in this project was; else with `first`. */
export function begin(project, first) {
  lastProject = project;
  const mine = recall("now");
  const here = recordOf(location.hash) ?? (mine?.spec ? recorded(mine) : null);
  let last = null;
  try {
    last = recordOf(localStorage.getItem(`${NAME}-last-${project}`) ?? "");
  } catch { /* a browser that keeps nothing */ }
  const steps = here && same(here, recorded(mine)) ? recall("steps") : undefined; // those of another record lead nowhere
  const list = (given) => Array.isArray(given) ? given.map(recorded) : [];
  past = list(steps?.past);
  future = list(steps?.future);
  become(here ?? last ?? recorded(first));
}
