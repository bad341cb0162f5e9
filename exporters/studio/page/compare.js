// Two levels side by side: B is a record that is held, and what differs from it is listed.

import { el, find } from "/shared/common.js";
import { factWords, shownValue, words } from "./limits.js";
import { keptLevels, nameOf, watchKept } from "./kept.js";
import { keyButton } from "./keys.js";
import { nextSeed } from "./seeds.js";
import { change, current, lastOther, recall, recorded, remember, same, settle } from "./store.js";
import { known, valuesOf } from "./values.js";

let held = null; // the record of B; null: one level is shown
let levels = { a: null, b: null };
let acts = {};

export const heldRecord = () => held;

/** Show two levels, or one again. `draw()` draws B, `changed()` comes after the sides were laid out. */
export function buildCompare(given) {
  acts = given;
  const kept = recall("held");
  find("#side-b").prepend(bar());
  watchKept(fillHeld);
  if (kept) hold(recorded(kept));
}

export function toggleCompare() {
  hold(held ? null : another());
}

function hold(record) {
  held = record;
  levels.b = null;
  remember("held", held);
  find("#side-b").hidden = !held;
  find("#differences").hidden = !held;
  document.body.classList.toggle("is-compared", Boolean(held));
  acts.changed();
  fillHeld();
  if (held) acts.draw(held);
}

/** What is held and what is drawn change places. */
export function swap() {
  if (!held) return;
  const before = current();
  settle();
  const next = held;
  hold(before);
  change(next);
}

/** A record with the seed one place on, or back. */
const stepped = (record, by) => ({ ...record, seed: nextSeed(record.seed, by), rerolls: [], pins: [] });

const stepHeld = (by) => hold(stepped(held, by));

/** What to compare the level with: the one that was shown before it, or else the seed before its own, or after the first. */
function another() {
  const now = current();
  const by = nextSeed(now.seed, -1) === nextSeed(now.seed, 0) ? 1 : -1;
  return lastOther() ?? stepped(now, by);
}

function bar() {
  const pick = el("select", { id: "held", ariaLabel: "Level B" });
  pick.addEventListener("input", () => {
    if (pick.value === "now") hold(current());
    else if (pick.value !== "held") hold(keptLevels()[pick.value]);
  });
  return el("div", { className: "compare-bar", role: "group", ariaLabel: "Level B" }, el("b", {}, "B"), pick,
    el("span", { className: "joined" }, keyButton("held-less", "−", "Previous seed of B", "", () => stepHeld(-1)), keyButton("held-more", "+", "Next seed of B", "", () => stepHeld(1))),
    keyButton("swap", "⇄", "Swap A and B", "X", swap), keyButton("close-compare", "×", "Show one level", "C", toggleCompare));
}

function fillHeld() {
  if (!held) return;
  find("#held").replaceChildren(
    el("option", { value: "held" }, nameOf(held)), el("option", { value: "now" }, "the same as A"),
    ...(keptLevels().length ? [el("optgroup", { label: "Kept" }, ...keptLevels().map((record, i) => el("option", { value: i }, nameOf(record))))] : []));
  find("#held").value = "held";
}

/** A level was drawn on side "a" or "b". */
export function compared(side, level) {
  levels = { ...levels, [side]: level };
  if (held) showDifferences();
}

function rowsOf(name, pairs) {
  if (!pairs.length) return [];
  return [el("tbody", {}, el("tr", { className: "over" }, el("th", { colSpan: 3, scope: "rowgroup" }, name)),
    ...pairs.map(([what, one, other]) => el("tr", {}, el("th", { scope: "row" }, what), el("td", {}, one), el("td", {}, other))))];
}

function showDifferences() {
  const [a, b] = [current(), held];
  const told = (value) => value === undefined ? "–" : shownValue(value);
  const values = { a: valuesOf(a), b: a.spec === b.spec ? valuesOf(b) : b.values };
  const keys = a.spec === b.spec ? known.rows.map((row) => row.key) : [...new Set([...Object.keys(a.values), ...Object.keys(b.values)])];
  const asked = [
    ...[["spec", a.spec, b.spec], ["seed", a.seed || "the style's own", b.seed || "the style's own"], ["theme", a.theme || "built in", b.theme || "built in"]].filter(([, one, other]) => one !== other),
    ...keys.filter((key) => !same(values.a[key], values.b[key])).map((key) => [words(key), told(values.a[key]), told(values.b[key])]),
    ...(same(a.rerolls, b.rerolls) ? [] : [["rooms rolled again", `${a.rerolls.length}`, `${b.rerolls.length}`]]),
  ];
  const facts = (level) => new Map((level?.told ?? []).map(({ fact, value }) => [fact, value]));
  const [one, other] = [facts(levels.a), facts(levels.b)];
  const names = levels.a && levels.b ? [...new Set([...one.keys(), ...other.keys()])] : [];
  const levelRows = names.filter((name) => one.get(name) !== other.get(name)).map((name) => [factWords(name), told(one.get(name)), told(other.get(name))]);
  const head = el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "What differs"), el("th", { scope: "col" }, "A"), el("th", { scope: "col" }, "B")));
  const nothing = !asked.length && !levelRows.length;
  find("#differences").replaceChildren(nothing ? el("p", { className: "soft" }, "A and B are the same. Change a value or the seed, and what differs stands here.")
    : el("table", {}, head, ...rowsOf("Asked for", asked), ...rowsOf("The levels", levelRows)));
}
