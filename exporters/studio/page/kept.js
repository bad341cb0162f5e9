// Levels that a person kept: a row of small pictures below the level, each a record that opens again.

import { el, find } from "/shared/common.js";
import { drawScaled } from "/shared/picture.js";
import { levelOf, post } from "./api.js";
import { notice, tell } from "./notices.js";
import { drawTold } from "./stage.js";
import { change, current, recall, recorded, remember, same, settle } from "./store.js";

const SMALL_PX = 6e5; // of a picture that is drawn to be shown small
const MOST = 200;
const MOST_STARRED = 24;
let kept = (Array.isArray(recall("kept")) ? recall("kept") : []).map(recorded);
let listeners = [];

/** Call a function when levels are kept or let go. */
export const watchKept = (listener) => listeners.push(listener);
export const keptLevels = () => kept;

/** A record's name as people say it. */
export const nameOf = (record) => `${record.spec.replace(/^.*\//, "").replace(/\.toml$/, "")} ${record.seed}`.trim();

/** What stands behind the name: how many values differ, and rooms that were rolled. */
function extraOf(record) {
  const changed = Object.keys(record.values).length;
  const rolled = record.rerolls.length;
  return [changed && `${changed} set`, rolled && `${rolled} rolled`].filter(Boolean).join(", ");
}

// --- small pictures, one after another, so that what a person moves is not held up

let busy = Promise.resolve();
const scratch = el("canvas");

/** Draw a level small into a canvas of a card; `slot` keeps the request apart from those of the stages. */
export function drawSmall(canvas, record, told = null, signal = undefined) {
  busy = busy.then(async () => {
    if (!canvas.isConnected || signal?.aborted) return;
    const level = told ?? await post("/api/level", levelOf(record, "small"), signal);
    await drawTold(scratch, level, SMALL_PX, false);
    const box = canvas.getBoundingClientRect();
    const scale = Math.min((Math.max(box.width, 120) * devicePixelRatio) / scratch.width, (Math.max(box.height, 80) * devicePixelRatio) / scratch.height);
    drawScaled(canvas, scratch, scale);
    canvas.dataset.drawn = "yes";
  }).catch(() => { canvas.dataset.drawn = "no"; }); // its card opens all the same, and says what is wrong
  return busy;
}

const cards = new Map(); // by record as a text, those with a star behind "*"
let starred = []; // records that the manifest has

function cardOf(record, told, isStarred = false) {
  const canvas = el("canvas", { width: 1, height: 1, ariaHidden: "true" });
  const open = el("button", { type: "button", className: "small-card", title: "Open this level" }, canvas,
    el("span", { className: "small-name" }, `${isStarred ? "★ " : ""}${nameOf(record)}`), el("span", { className: "small-extra" }, extraOf(record)));
  open.addEventListener("click", () => { settle(); change(record); });
  const item = el("li", {}, open);
  item.dataset.made = JSON.stringify({ ...record, pins: [] });
  queueMicrotask(() => drawSmall(canvas, record, told));
  if (isStarred) return item;
  const drop = el("button", { type: "button", className: "drop", ariaLabel: `Remove ${nameOf(record)} from the list`, title: "Remove from the list" }, "×");
  drop.addEventListener("click", () => letGo(record));
  item.append(drop);
  return item;
}

function show(told = null) {
  const wanted = new Map([...kept.map((record) => [JSON.stringify(record), record]), ...starred.map((record) => [`*${JSON.stringify(record)}`, record])]);
  for (const key of cards.keys()) if (!wanted.has(key)) cards.delete(key);
  for (const [key, record] of wanted) if (!cards.has(key)) cards.set(key, cardOf(record, told, key.startsWith("*")));
  find("#kept").hidden = wanted.size === 0;
  find("#kept-list").replaceChildren(...[...wanted.keys()].map((key) => cards.get(key)));
  find("#kept-count").textContent = kept.length ? `${kept.length}` : "";
  markCurrent(current());
  remember("kept", kept);
  for (const listener of listeners) listener();
}

let round = new AbortController(); // ends the drawing of small pictures again: files have changed once more

/** Draw small pictures again: all, because files have changed, or those that could not be drawn. */
export function drawAgain({ isAll }) {
  round.abort();
  round = new AbortController();
  for (const [key, item] of cards) {
    const canvas = item.querySelector("canvas");
    if (isAll) canvas.dataset.drawn = "no";
    if (canvas.dataset.drawn === "no") drawSmall(canvas, JSON.parse(key.replace(/^\*/, "")), null, round.signal);
  }
}

/** Mark the kept level that is shown, if it is one, whatever is pinned in it. */
export function markCurrent(record) {
  const shown = JSON.stringify({ ...record, pins: [] });
  for (const item of cards.values()) item.firstChild.setAttribute("aria-current", item.dataset.made === shown);
}

/** Keep a level; `told` is what it looks like. */
export function keep(record, told = null) {
  if (kept.some((each) => same(each, record))) {
    notice(`${nameOf(record)} is kept already.`);
    return;
  }
  kept = [...kept, recorded(record)].slice(-MOST);
  show(told);
  (find("#kept").checkVisibility() ? tell : notice)(`Kept ${nameOf(record)}.`); // its card is to be seen
}

function letGo(record) {
  const at = kept.findIndex((each) => same(each, record));
  kept = kept.filter((each) => !same(each, record));
  show();
  (find("#kept-list").children[Math.min(at, kept.length - 1)]?.firstChild ?? find("#keep")).focus();
}

/** Show the levels that have a star behind those that are kept. */
export function showStarred(records) {
  starred = records.slice(0, MOST_STARRED).map(recorded);
  show();
}

/** Build the row, with what was kept before a reload. */
export function buildKept() {
  find("#kept").append(el("h2", {}, "Kept ", el("span", { id: "kept-count" })), el("ul", { id: "kept-list", role: "list" }));
  show();
}
