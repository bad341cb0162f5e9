// The studio: what a person changes is a record; whatever is shown follows it.

import { find, turnLook } from "/shared/common.js";
import { isStale, levelOf, newest, post } from "./api.js";
import { buildCommands, showCommands } from "./commands.js";
import { buildCompare, compared, heldRecord, swap, toggleCompare } from "./compare.js";
import { helpParts, openDialog } from "./dialogs.js";
import { Drawing } from "./drawing.js";
import { watchEvents } from "./events.js";
import { buildKept, drawAgain, keep, markCurrent, nameOf } from "./kept.js";
import { keysToggle, listen } from "./keys.js";
import { buildLayouts, showLayouts } from "./layouts.js";
import { words } from "./limits.js";
import { notice, tell, watchBanner } from "./notices.js";
import { RoomList } from "./rooms.js";
import { buildSearch, offerFacts, setCondition } from "./search.js";
import { buildSeeds, showSeed, stepSeed, throwSeed } from "./seeds.js";
import { Stage } from "./stage.js";
import { readStars, showStar, star } from "./stars.js";
import { begin, canRedo, canUndo, change, current, madeOf, redo, same, undo, watch } from "./store.js";
import { buildTools } from "./tools.js";
import { buildSpecs, complain, describe, forget, isLearnt, known, learn, showValues, valuesOf } from "./values.js";
import { buildRoomToggle, buildViews, currentView, openView, toggleRoomList, watchViews } from "./views.js";
import { openWrite, refreshWrite } from "./write.js";

let chosen = null; // the room that is chosen
let shown = null; // the level that is drawn, and the record that it was made from
let warned = new Set(); // lines about the theme that were told
let answer = null; // a level that came with a roll: it need not be asked for again

const pitchOf = (record) => valuesOf(record).room_size ?? [15, 9];
const stageA = new Stage(find("#side-a"), { name: "A", chosen: choose, pointed: (id) => rooms.point(id) });
const stageB = new Stage(find("#side-b"), { name: "B", chosen: () => {} });
const rooms = new RoomList(find("#rooms"), { choose, roll, pin, rollRest, point: (id) => stageA.point(id), search: searchFor });
const drawing = new Drawing(stageA, "a", { pitchOf, planned, drawn, failed });
const other = new Drawing(stageB, "b", {
  pitchOf, failed: () => { compared("b", null); },
  drawn: (level, record) => { stageB.tell(summaryOf(level, record)); compared("b", level); },
});

function summaryOf(level, record) {
  const boss = level.rooms.filter((room) => room.kind === "boss" && room.distance !== null).map((room) => room.distance);
  const far = boss.length ? `, boss ${Math.max(...boss)} rooms away` : "";
  return `${nameOf(record)}: ${level.rooms.length} rooms${far}`;
}

function searchFor(condition) {
  openView("search");
  setCondition(condition);
}

function planned(told) {
  if (currentView() === "level" && chosen === null) rooms.told.textContent = `${told.rooms.length} rooms`;
}

function drawn(level, record) {
  complain(null);
  shown = { level, record };
  if (!level.rooms.some((room) => room.id === chosen)) chosen = null;
  stageA.tell(summaryOf(level, record));
  tell(`Drawn: ${summaryOf(level, record)}`);
  if (record.theme) for (const line of level.warnings) if (!warned.has(line)) notice(line);
  warned = new Set([...warned, ...level.warnings]);
  showRooms();
  compared("a", level);
  showCommands(record);
  showLayouts();
}

function failed(error, record) {
  complain(error.control ? error : { control: null, message: error.message });
  tell(error.message);
  if (shown && shown.record.spec !== record.spec) {
    shown = chosen = null;
    rooms.clear();
    compared("a", null);
  }
  return error.control === "seed"; // which is always in sight
}

function showRooms() {
  const { pins } = current();
  stageA.mark({ chosen, pins });
  if (shown) rooms.show(shown.level, { chosen, pins, canReroll: known.canReroll });
}

// --- rooms

function choose(id) {
  chosen = id;
  showRooms();
  const room = shown?.level.rooms.find((each) => each.id === id);
  if (room) tell(`${words(room.kind)} ${room.id} chosen`);
}

const isFresh = () => shown !== null && same(shown.record.values, current().values) && shown.record.seed === current().seed && shown.record.spec === current().spec;

async function roll(ids, what, pins = null) {
  const record = current();
  if (!known.canReroll || !isFresh() || (!pins && !ids.length)) return;
  stageA.age(true);
  try {
    const level = await post("/api/reroll", { ...levelOf(record), ...(pins ? { pins } : { rooms: ids }), what }, newest("reroll"));
    if (!same(madeOf(current()), madeOf(record))) return;
    answer = level;
    change({ rerolls: level.rerolls, pins: current().pins });
    answer = null;
    const told = level.changed.length === 1 ? `room ${level.changed[0]}` : `${level.changed.length} rooms`;
    notice(level.changed.length ? `Rolled ${told} again.` : "Nothing else fits there: no room changed.");
    if (!level.changed.length) stageA.age(false);
  } catch (error) {
    if (isStale(error)) return;
    stageA.age(false);
    notice(error.message, { stays: 9000 });
  }
}

const rollChosen = (what) => chosen === null ? notice("Choose a room first: click it, or press ] to go through them.") : roll([chosen], what);

function rollRest() {
  const { pins } = current();
  if (!pins.length) notice("Pin the rooms that stay first: choose one, and press P.");
  else roll([], "layout", pins);
}

function pin(id) {
  if (id === null) return;
  const { pins } = current();
  change({ pins: pins.includes(id) ? pins.filter((each) => each !== id) : [...pins, id].sort((a, b) => a - b) });
}

// --- whatever follows the record

async function update(record, before) {
  const isOther = !before || !same(madeOf(record), madeOf(before));
  const making = isOther ? make(record, before) : null; // first of all: it is made while the page follows
  showValues(record);
  showSeed(record);
  markCurrent(record);
  find("#spec").value = record.spec;
  if (find("#spec").value !== record.spec) buildSpecs(); // one that is not there: it is listed as such
  find("#undo").disabled = !canUndo();
  find("#redo").disabled = !canRedo();
  document.title = `${nameOf(record)} – Undercroft Studio`;
  showStar(record);
  if (!isOther) showRooms();
  await making;
}

/** Ask for a record, and draw it. */
async function make(record, before) {
  const told = answer;
  answer = null;
  if (!isLearnt(record)) {
    try {
      const style = known.style;
      await learn(record);
      if (known.style !== style) offerFacts();
      showSeed(record);
      showStar(record);
    } catch (error) {
      if (current() === record) drawing.refuse(error, record);
      return;
    }
    if (current() !== record) return;
  }
  if (before?.rerolls?.length && !record.rerolls.length && !same(before.values, record.values)) notice("The floorplan is another one: rolled rooms are gone. Undo brings them back.");
  const slow = setTimeout(() => tell("Working …"), 1500); // for those who do not see it
  await drawing.draw(record, told);
  clearTimeout(slow);
}

function changedOnDisk(paths) {
  if (paths.every((path) => path === "undercroft.toml")) { // the manifest: nothing that is drawn follows from it
    readStars();
    return;
  }
  again({ haveChanged: true, isTold: paths.includes("undercroft.toml") });
  notice(`${paths.slice(0, 3).join(", ")}${paths.length > 3 ? " …" : ""} changed on disk.`);
}

/** Ask for everything again: files have changed, or the server was away. */
function again({ haveChanged = false, isTold = true } = {}) {
  forget();
  describe().then(buildSpecs).catch(() => {}); // if the server is gone, the banner says so
  readStars({ isTold });
  update(current(), null).then(offerFacts);
  drawAgain({ isAll: haveChanged });
  refreshWrite();
  if (heldRecord()) other.redraw();
}

const keepNow = () => keep(current(), shown && isFresh() ? shown.level : null);
const help = () => openDialog("help", "Keys", keysToggle(), ...helpParts(KEYS.filter(({ does }) => does)));
const write = () => openWrite(current());
const focusOn = (id) => () => { find(id).focus(); find(id).select?.(); };

let KEYS = [];

function buildKeys(tools) {
  const row = (group, key, does, act, shown = [key.toUpperCase()]) => ({ group, key, does, act, shown });
  KEYS = [
    row("Level", "d", "a seed at random", throwSeed), row("Level", ",", "the previous seed", () => stepSeed(-1), [","]),
    row("Level", ".", "the next seed", () => stepSeed(1), ["."]),
    row("Level", "s", "keep the level in the list", keepNow), row("Level", "f", "star: write the level into the manifest", star),
    row("Level", "c", "two levels side by side", toggleCompare), row("Level", "x", "swap A and B", swap),
    row("Level", "w", "write files", write), row("Level", "", "undo", null, ["Ctrl", "Z"]), row("Level", "", "redo", null, ["Ctrl", "Shift", "Z"]),
    row("Rooms", "]", "the next room", () => rooms.step(1), ["]"]), row("Rooms", "[", "the previous room", () => rooms.step(-1), ["["]),
    row("Rooms", "r", "another inside for the room", () => rollChosen("layout")),
    row("Rooms", "e", "move its enemies and items", () => rollChosen("markers")),
    row("Rooms", "k", "another kind of room", () => rollChosen("kind")), row("Rooms", "p", "pin the room", () => pin(chosen)),
    row("Rooms", "Shift+R", "another inside for all rooms but the pinned", rollRest, ["Shift", "R"]),
    row("Picture", "+", "larger", tools["+"]), row("Picture", "=", "", tools["="]), row("Picture", "-", "smaller", tools["-"], ["−"]),
    row("Picture", "0", "see all of it", tools[0]), row("Picture", "1", "actual size", tools[1]),
    row("Picture", "", "move it, when it has the focus", null, ["←", "↑", "↓", "→"]),
    row("Picture", "o", "rooms and connections", tools.o), row("Picture", "g", "locks and keys", tools.g), row("Picture", "m", "markers", tools.m),
    row("Page", "/", "find a value", focusOn("#find-value"), ["/"]), row("Page", "n", "type a seed", focusOn("#seed")),
    row("Page", "v", "the level", () => openView("level")), row("Page", "h", "search", () => openView("search")),
    row("Page", "y", "layouts", () => openView("layouts")), row("Page", "b", "the list of rooms", toggleRoomList),
    row("Page", "l", "light or dark", turnLook), row("Page", "?", "these keys", help, ["?"]),
  ].filter(({ does, act }) => does || act);
}

const ARROWS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function buildStageKeys(stage) {
  stage.frame.addEventListener("keydown", (event) => {
    const move = ARROWS[event.key];
    if (!move || event.target !== stage.frame || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const step = event.shiftKey ? 200 : 50;
    stage.view.pan(move[0] * step, move[1] * step);
  });
}

function build() {
  buildSeeds();
  buildViews();
  buildKeys(buildTools([stageA, stageB], { compare: toggleCompare, list: toggleRoomList }));
  buildRoomToggle();
  buildKept();
  buildCommands();
  buildSearch({ opened: () => openView("level") });
  buildLayouts();
  buildCompare({
    draw: (record) => other.draw(record),
    changed: () => { find("#compare").ariaPressed = heldRecord() !== null; },
  });
  for (const stage of [stageA, stageB]) buildStageKeys(stage);
  for (const [id, act] of [["#undo", undo], ["#redo", redo], ["#keep", keepNow], ["#write", write], ["#help", help], ["#star", star]]) {
    find(id).addEventListener("click", act);
  }
  watchViews((view) => { if (view === "layouts") showLayouts(); });
  listen(KEYS, { undo, redo });
  watchBanner(() => again());
  watchEvents(changedOnDisk);
}

async function start() {
  await describe();
  const { project, presets, found } = known.described;
  watch(update);
  build();
  find("#project").textContent = project.name;
  const own = found.find(({ what }) => what === "spec")?.path;
  begin(project.path, { spec: own ?? presets.find(({ name }) => name === "gungeon")?.name ?? presets[0].name });
  buildSpecs();
  readStars();
  document.body.dataset.ready = "yes";
}

start().catch((error) => {
  find("#banner").textContent = error.message;
});
