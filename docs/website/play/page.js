// The page around a played level: what chooses it, the keys, the touch, the address.

const FIRST = { name: "gungeon-led-caverns", seed: 3 };
const FLOWS = { "": "none", led: "no locks" }; // the others are said as they are called
const WAYS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  a: [-1, 0], d: [1, 0], w: [0, -1], s: [0, 1],
};
const HERE = document.currentScript.src.replace(/[^/]*$/, "");

// --- packs, which come in parts ----------------------------------------------------------------------

const parts = new Map(); // by pack and where they begin: bytes
const packs = new Map();
const scripts = new Map();
globalThis.undercroftPlay = {
  pace: 105, // ms a step
  take(name, size, texts) {
    parts.set(name, size);
    for (const [at, text] of Object.entries(texts))
      parts.set(`${name}-${at}`, Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  },
};

/** What was asked for under a name before, or is asked for now; what fails is asked for again. */
function once(found, name, ask) {
  if (!found.has(name)) found.set(name, ask().catch((error) => (found.delete(name), Promise.reject(error))));
  return found.get(name);
}

const script = (name) => once(scripts, name, () => new Promise((done, failed) => {
  const tag = Object.assign(document.createElement("script"), { src: `${HERE}${name}.js` });
  const fail = () => failed(new Error(`${name}.js cannot be read`));
  tag.onload = () => (parts.has(name) ? done() : fail()); // a damaged script is loaded and does nothing
  tag.onerror = fail;
  document.head.append(tag);
}));

async function packOf(name) {
  await script(name);
  const read = async (start) => {
    if (!parts.has(`${name}-${start}`)) await script(`${name}-${start}`);
    return parts.get(`${name}-${start}`);
  };
  return once(packs, name, () => UndercroftPack.open({ size: parts.get(name), read }, name));
}

const pictures = new Map();
function pictureOf(level) {
  const name = level.tile_set.replace(/tres$/, "png");
  return once(pictures, name, () => {
    const picture = Object.assign(new Image(), { src: HERE + name });
    return picture.decode().then(() => picture, () => Promise.reject(new Error(`${name} cannot be read`)));
  });
}

// --- what is shown -----------------------------------------------------------------------------------

const root = document.querySelector(".play");
const [bar, canvas, status] = ["form", "canvas", ".play-status"].map((one) => root.querySelector(one));
const fields = bar.elements;
const view = new View(canvas);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let game = null;
let choice = FIRST;
let asked = 0;
let noting = 0;

/**
 * Shows the level of a pack that has a seed or is nearest to it, or so many further on. What was there goes at once.
 *
 * @returns {Promise<boolean>} whether it is shown; not if it cannot be, or if another one was asked for meanwhile
 */
async function show({ name, seed = 1, move = 0, at }) {
  const turn = ++asked;
  choice = { name, seed, move };
  game = moving = null;
  way = [];
  delete root.dataset.ready;
  fill();
  status.textContent = `Loading ${said(PACKS[name].style)}, ${said(PACKS[name].chapter)} …`;
  wake();
  try {
    const { pack, index } = await found(name, seed, move);
    const level = await pack.build(index);
    const picture = await pictureOf(level);
    if (turn !== asked) return false;
    choice = { name: pack.factsOf(index).group, seed: Number(level.seed), move: 0 };
    game = new PlayedLevel(level);
    if (at) game.put(...at);
    view.show(game, picture);
    const locks = level.markers.some(({ kind }) => kind === "key") ? " Some doors need keys." : "";
    game.say(`Seed ${choice.seed}, level ${index + 1} of ${pack.count}: ${level.rooms.length} rooms.${locks} Find the boss.`);
  } catch (error) {
    if (turn !== asked) return false;
    game = null;
    status.textContent = `${error.message}. Reload the page, or choose another level.`;
    wake();
    return false;
  }
  fill();
  tell();
  wake();
  return true;
}

/** The pack and the index of the level nearest to a seed, or so many after it, which may be of another chapter. */
async function found(name, seed, move) {
  const pack = await packOf(name);
  const seeds = Array.from({ length: pack.count }, (_, index) => Number(pack.seedOf(index)));
  const near = seeds.findIndex((one) => one >= seed);
  const index = (near < 0 ? pack.count - 1 : near) + move;
  if (index >= 0 && index < pack.count) return { pack, index };
  const all = alike(name, ["style", "flow"]);
  const other = all.at((all.indexOf(name) + Math.sign(move)) % all.length);
  const next = await packOf(other);
  return { pack: next, index: move < 0 ? next.count - 1 : 0 };
}

/** The packs that are like one in some ways, or have other `values` there. */
const alike = (name, keys, values = {}) =>
  Object.keys(PACKS).filter((one) => keys.every((key) => PACKS[one][key] === (values[key] ?? PACKS[name][key])));

const said = (name) => FLOWS[name] ?? name.replaceAll("_", " ");

/** Puts what is chosen into the fields. */
function fill() {
  const ways = { style: [], flow: ["style"], chapter: ["style", "flow"] };
  for (const [key, above] of Object.entries(ways)) {
    const values = [...new Set(alike(choice.name, above).map((one) => PACKS[one][key]))];
    const options = values.map((one) => new Option(said(one), one, false, one === PACKS[choice.name][key]));
    fields[key].replaceChildren(...options);
  }
  fields.flow.disabled = fields.flow.length < 2;
  fields.seed.value = choice.seed;
}

/** Says what happened, for eyes and for screen readers, and keeps it in the address. */
function tell(isMoved = false) {
  if (status.textContent !== game.said) status.textContent = game.said;
  if (isMoved || location.hash.startsWith("#play=")) noting ||= setTimeout(note, 500); // browsers allow few in a second
}

function note() {
  noting = 0;
  if (!game) return;
  const address = `#play=${[choice.name, choice.seed, game.x, game.y].join(",")}`;
  history.replaceState(history.state, "", address); // without an event, which would come when the player is elsewhere
}

/** What an address asks for; nothing if it leads elsewhere. */
function addressed() {
  const [, name, seed, x, y] = /^#play=([\w-]+),(\d+)(?:,(\d+),(\d+))?$/.exec(location.hash) ?? [];
  return name && Object.hasOwn(PACKS, name) ? { name, seed: Number(seed), at: x && [Number(x), Number(y)] } : null;
}

// --- moving ------------------------------------------------------------------------------------------

const held = []; // keys, the last one pressed first
let tapped = null; // a key that was pressed during a step, and perhaps let go
let way = []; // steps that are left to where one tapped
let moving = null; // the step that is shown: from where, and since when
let waiting = 0; // for the next picture
let resting = 0; // till the next picture while nothing moves

/** Draws now, and again while something moves and can be seen. */
function frame(time) {
  waiting = 0;
  if (game && hasArrived(time)) act(time);
  if (!game) return view.blank(status.textContent); // the last step may have won it
  const part = moving && !calm.matches ? Math.min(1, Math.max(0, time - moving.since) / undercroftPlay.pace) : 1;
  const from = moving ?? game;
  view.draw([from.x + (game.x - from.x) * part, from.y + (game.y - from.y) * part], calm.matches ? 0 : time);
  root.dataset.ready = "true";
  if (moving || way.length || held.length) wake();
  else if (isSeen && !calm.matches) resting = setTimeout(wake, 80); // for the fires
}

function wake() {
  clearTimeout(resting);
  waiting ||= requestAnimationFrame(frame);
}

/** Whether the last step is over. */
function hasArrived(time) {
  if (moving && time - moving.since >= undercroftPlay.pace) moving = null;
  return !moving;
}

/** Makes the next step, if one is wanted. */
function act(time) {
  const step = WAYS[held[0] ?? tapped] ?? way.shift();
  tapped = null;
  if (!step) return;
  const from = { x: game.x, y: game.y, since: time };
  const open = game.open.size;
  if (game.step(...step)) moving = from;
  else way = [];
  if (game.open.size !== open) for (const door of game.open) view.drawn.setDoor(door, true);
  tell(true);
  if (game.isWon) {
    held.length = way.length = 0;
    chosen(show({ ...choice, move: 1 }));
  }
}

canvas.addEventListener("keydown", (event) => {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === "m") return event.repeat || turnMap();
  if (!WAYS[key] || !game) return;
  event.preventDefault();
  if (event.repeat) return;
  way = [];
  held.unshift(key);
  const now = performance.now();
  if (hasArrived(now)) act(now); // also for a key that is up again before the next picture
  else tapped = key;
  wake();
});
const release = (key) => held.splice(0, held.length, ...held.filter((one) => one !== key));
canvas.addEventListener("keyup", (event) => release(event.key.length === 1 ? event.key.toLowerCase() : event.key));
canvas.addEventListener("blur", () => (held.length = 0));
canvas.addEventListener("click", (event) => {
  if (!game || !view.middle) return;
  way = game.way(...view.tileAt(event.clientX, event.clientY));
  wake();
});

function turnMap() {
  view.isMapLarge = !view.isMapLarge;
  fields.map.setAttribute("aria-pressed", String(view.isMapLarge));
  wake();
}

/** Shows the first pack with another style, flow or chapter, of the same chapter if there is one. */
function choose(key) {
  const keys = ["style", "flow", "chapter"];
  const fit = alike(choice.name, keys.slice(0, keys.indexOf(key) + 1), { [key]: fields[key].value });
  const same = fit.find((one) => PACKS[one].chapter === PACKS[choice.name].chapter);
  return show({ name: same ?? fit[0], seed: choice.seed });
}

/** Keeps in the address what somebody chose, once it is shown. */
const chosen = (showing) => showing.then((isShown) => isShown && tell(true));

bar.addEventListener("change", ({ target: { name, value } }) =>
  chosen(name === "seed" ? show({ name: choice.name, seed: Number(value) || 1 }) : choose(name)));
bar.addEventListener("submit", (event) => event.preventDefault());
for (const [name, move] of [["back", -1], ["next", 1]])
  fields[name].addEventListener("click", () => chosen(show({ ...choice, move: choice.move + move })));
fields.map.addEventListener("click", turnMap);
addEventListener("hashchange", () => {
  const wish = addressed();
  const isHere = wish && game && [wish.name, wish.seed, ...(wish.at ?? [])].join() === [choice.name, choice.seed, game.x, game.y].join();
  if (wish && !isHere) show(wish);
});

let isSeen = true;
new IntersectionObserver(([entry]) => {
  isSeen = entry.isIntersecting;
  if (isSeen) wake();
}).observe(canvas);
new ResizeObserver(() => wake()).observe(canvas);
calm.addEventListener("change", wake);
Object.assign(undercroftPlay, { game: () => game, view });
const count = Object.values(PACKS).reduce((sum, { levels }) => sum + levels, 0);
root.querySelector(".play-count").textContent = `These ${count.toLocaleString("en")} levels`;
show(addressed() ?? FIRST);
