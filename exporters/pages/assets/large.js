// The large view: one level, what it is, and the command that makes it again.

const large = { at: -1, zoom: 0, shown: [] }; // `shown`: the levels' numbers in the order of the cards
const ZOOMS = ["Fit", "1 : 1", "2 : 1"];
const dialog = find("#large");

function openLarge(shown, at) {
  large.shown = shown;
  large.at = at;
  large.zoom = 0;
  if (!dialog.open) dialog.showModal();
  find("#stage").focus();
  showLarge();
}

function step(by) {
  const next = large.at + by;
  if (next < 0 || next >= large.shown.length) return;
  large.at = next;
  showLarge();
}

/** The part of the page's address that opens a level; a name may hold half a letter, which no address does. */
const addressOf = (level) => `#${encodeURIComponent(level.name.replace(/\p{Surrogate}/gu, "\ufffd"))}`;

/** A command's words, none of which is broken at a hyphen unless it is too long for a line. */
const wordsOf = (command) => command.split(" ").flatMap((word, i) => [i ? " " : "", el("span", {}, word)]);

const largeLevel = () => data.levels[large.shown[large.at]];

async function showLarge() {
  const level = largeLevel();
  const isAlone = large.shown.length === 1;
  find("#large-name").textContent = isAlone ? level.name : `${level.name}  (${large.at + 1} of ${large.shown.length})`;
  find("#before").hidden = find("#after").hidden = isAlone;
  const isNamed = level.name.includes(level.seed);
  find("#large-about").textContent = [level.values.at(-1), !isNamed && `seed ${level.seed}`, `${level.size.join(" × ")} tiles`]
    .filter(Boolean).join(", ");
  find("#before").disabled = large.at === 0;
  find("#after").disabled = large.at === large.shown.length - 1;
  find("#command").replaceChildren(...wordsOf(level.command));
  find("#copy").textContent = "Copy";
  find("#kinds").replaceChildren(...kindsOf(level, data.colours).map(([kind, count]) =>
    el("li", {}, dot(data, kind), `${kind.replaceAll("_", " ")}${count > 1 ? ` × ${count}` : ""}`)),
  ...keysOf(level, data.signs).map(([name, signs]) => el("li", {}, ...signs, name.replaceAll("_", " "))));
  find("#rooms").replaceChildren(...level.rooms.map(roomItem));
  const untold = (fact, value) => value === null || value === 0 || fact.group === "count"; // kinds stand above
  find("#facts").replaceChildren(...data.facts.flatMap((fact, i) => untold(fact, level.values[i])
    ? [] : [el("tr", {}, el("th", { scope: "row", title: fact.help }, fact.name), el("td", {}, `${level.values[i]}`))]));
  find("#stage").style.setProperty("--aspect", level.size[0] / level.size[1]); // which makes it as high on a phone
  history.replaceState(null, "", addressOf(level));
  await redrawLarge();
}

function roomItem(room, id) {
  const far = room.distance === null ? "hidden" : room.distance ? `${room.distance} away` : "the start";
  const button = el("button", { type: "button" }, dot(data, room.kind), `${room.kind.replaceAll("_", " ")} ${id}`, el("span", {}, far));
  for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => pointAt(id));
  for (const name of ["pointerleave", "blur"]) button.addEventListener(name, () => pointAt(null));
  button.addEventListener("click", () => approach(room));
  return el("li", {}, button);
}

/** Highlight a room in the list and in the picture; null: none. */
function pointAt(id) {
  const room = largeLevel().rooms[id];
  findAll("#rooms button").forEach((button, i) => button.classList.toggle("is-pointed", i === id));
  find("#sheet .marks")?.replaceChildren(...(room ? [svg("path", { class: "pointed", d: pathOf(room) })] : []));
}

/** Look at a room from near. */
function approach(room) {
  large.zoom ||= 1;
  fitLarge();
  const [stage, [x, y]] = [find("#stage"), room.at];
  const px = find("#sheet").clientWidth / largeLevel().size[0];
  stage.scrollTo(x * px - stage.clientWidth / 2, y * px - stage.clientHeight / 2);
}

function pointFrom(event) {
  const level = largeLevel();
  const box = find("#sheet").getBoundingClientRect();
  const [x, y] = [(event.clientX - box.x) / box.width * level.size[0], (event.clientY - box.y) / box.height * level.size[1]];
  const at = level.rooms.findIndex((room) => holds(room, x, y));
  pointAt(at < 0 ? null : at);
}

async function redrawLarge() {
  const level = largeLevel();
  const canvas = el("canvas", { role: "img", ariaLabel: `Picture of ${level.name}` });
  await drawLevel(canvas, level, sheet, tilePx(level, sheet, 16e6), settings.markers); // 16 million px is what phones draw
  if (!dialog.open || level !== largeLevel()) return; // gone on meanwhile
  const marks = svg("svg", { class: "marks", viewBox: `0 0 ${level.size.join(" ")}`, "aria-hidden": "true" });
  const overlay = settings.rooms ? [overlayOf(level, data, data.tilePx * fitScale(level), true)] : [];
  find("#sheet").replaceChildren(canvas, marks, ...overlay);
  fitLarge();
}

/** How many px of the screen a px of the level has where all of it is seen. */
function fitScale(level) {
  const [width, height] = level.size.map((side) => side * data.tilePx);
  return Math.min(find("#stage").clientWidth / width, find("#stage").clientHeight / height, 4);
}

function fitLarge() {
  if (!dialog.open) return;
  const stage = find("#stage");
  const [width, height] = largeLevel().size.map((side) => side * data.tilePx);
  const fit = fitScale(largeLevel());
  const scale = large.zoom === 0 ? fit : large.zoom / devicePixelRatio * Math.max(1, Math.round(devicePixelRatio));
  find("#sheet").style.width = `${width * scale}px`;
  find("#sheet").style.height = `${height * scale}px`;
  stage.classList.toggle("near", large.zoom > 0 || fit >= 1);
  find("#zoom").textContent = ZOOMS[large.zoom];
  find("#zoom").ariaLabel = `Zoom: ${ZOOMS[large.zoom]}`;
}

function turnZoom() {
  large.zoom = (large.zoom + 1) % ZOOMS.length;
  fitLarge();
}

/** What a key does while the large view is open. */
const LARGE_KEYS = {
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), z: turnZoom, c: () => find("#copy").click(),
};

const WALKS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

/** Listen for keys: some act at any time, `deskKeys` while the large view is shut, and `walk(card, key)` goes from card to card. */
function listen(keys, deskKeys, walk) {
  addEventListener("keydown", (event) => {
    if (typed(event)) return;
    const key = keyOf(event);
    const scrolls = event.target.id === "stage" && large.zoom > 0 && WALKS.has(key);
    const act = keys[key] ?? (dialog.open ? !scrolls && LARGE_KEYS[key] : deskKeys[key]);
    if (act) act();
    else if (!dialog.open && WALKS.has(key) && event.target.classList.contains("card")) walk(event.target, key);
    else return;
    event.preventDefault();
  });
}

/** Open the level that the page's address names; when the view is shut again, `cardShown()` gets the focus. */
function followAddress(open, cardShown) {
  const openAsked = () => {
    const asked = data.levels.findIndex((level) => addressOf(level) === location.hash);
    if (asked >= 0) open(asked);
  };
  dialog.addEventListener("close", () => {
    history.replaceState(null, "", location.pathname);
    cardShown().focus();
  });
  addEventListener("hashchange", openAsked);
  openAsked();
}

find("#before").addEventListener("click", () => step(-1));
find("#after").addEventListener("click", () => step(1));
find("#zoom").addEventListener("click", turnZoom);
find("#stage").addEventListener("click", turnZoom);
find("#sheet").addEventListener("pointermove", pointFrom);
find("#sheet").addEventListener("pointerleave", () => pointAt(null));
find("#close").addEventListener("click", () => dialog.close());
find("#copy").addEventListener("click", () => copy(find("#command").textContent, find("#copy")));
addEventListener("resize", fitLarge);
