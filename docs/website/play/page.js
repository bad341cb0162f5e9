// The page around a played level: what chooses it, the keys, the touch, the address.

const STYLES = {
  isaac: { style: "isaac", says: "Rooms on a grid" },
  rebirth: { style: "rebirth", says: "Rooms of twelve shapes" },
  gungeon: { style: "gungeon", flow: "rooms and hallways" },
  locked: { style: "gungeon", flow: "locks and keys" },
};
const FIRST = { pack: "gungeon", chapter: "caverns", seed: 3 };
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
  const tag = Object.assign(document.createElement("script"), { src: `${HERE}${name}.js`, onload: done });
  tag.onerror = () => failed(new Error(`${name}.js cannot be read`));
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
  const picture = Object.assign(new Image(), { src: HERE + name });
  return once(pictures, name, () => picture.decode().then(() => picture));
}

// --- what is shown -----------------------------------------------------------------------------------

const root = document.querySelector(".play");
const [bar, canvas, status] = ["form", "canvas", ".play-status"].map((one) => root.querySelector(one));
const fields = bar.elements;
const view = new View(canvas);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let game = null;
let choice = { ...FIRST };
let asked = 0;
let noting = 0;

/** Shows the level of a pack that is first, next or nearest to a seed. */
async function show({ pack: name, chapter, seed, group, move = 0, at }) {
  const turn = ++asked;
  const pack = await packOf(name);
  const all = Array.from({ length: pack.count }, (_, index) => ({ index, seed: Number(pack.seedOf(index)), ...pack.factsOf(index) }));
  const chapters = [...new Set(all.map((one) => one.chapter))];
  const wanted = chapters.includes(chapter) ? chapter : chapters[0];
  const list = all.filter((one) => one.chapter === wanted).sort((a, b) => a.seed - b.seed || a.stage - b.stage);
  const same = list.findIndex((one) => one.group === group && one.seed === seed);
  const like = list.findIndex((one) => one.seed >= (seed ?? 0));
  const place = ((same < 0 ? Math.max(like, 0) : same) + move + list.length) % list.length;
  const facts = list[place];
  const level = await pack.build(facts.index);
  const picture = await pictureOf(level);
  if (turn !== asked) return; // another one was asked for meanwhile
  choice = { pack: name, chapter: wanted, seed: facts.seed, group: facts.group };
  game = new PlayedLevel(level, facts);
  if (at) game.put(...at);
  view.show(game, picture);
  moving = null;
  way = [];
  fill(chapters);
  game.say(`Seed ${facts.seed}: ${facts.rooms} rooms${facts.stage ? `, stage ${facts.stage}` : ""}. Find the boss.`);
  tell();
  wake();
}

/** Puts what is shown into the fields. */
function fill(chapters) {
  const options = (list, chosen) => list.map(([value, text]) => new Option(text, value, false, value === chosen));
  const { style } = STYLES[choice.pack];
  const styles = [...new Set(Object.values(STYLES).map((one) => one.style))];
  const flows = Object.entries(STYLES).filter(([, one]) => one.style === style);
  fields.style.replaceChildren(...options(styles.map((one) => [one, one]), style));
  fields.flow.replaceChildren(...options(flows.map(([name, one]) => [name, one.flow ?? "none"]), choice.pack));
  fields.flow.disabled = flows.length < 2;
  fields.chapter.replaceChildren(...options(chapters.map((one) => [one, one.replaceAll("_", " ")]), choice.chapter));
  fields.seed.value = choice.seed;
}

/** Says what happened, for eyes and for screen readers, and keeps it in the address. */
function tell(isMoved = false) {
  if (status.textContent !== game.said) status.textContent = game.said;
  if (isMoved || location.hash.startsWith("#play=")) noting ||= setTimeout(note, 500); // browsers allow few in a second
}

function note() {
  noting = 0;
  const address = `#play=${[choice.pack, choice.group, choice.seed, game.x, game.y].join(",")}`;
  history.replaceState(history.state, "", address); // without an event, which would come when the player is elsewhere
}

/** What an address asks for; nothing if it leads elsewhere. */
function addressed() {
  const [, pack, group, seed, x, y] = /^#play=(\w+),([\w-]+),(\d+)(?:,(\d+),(\d+))?$/.exec(location.hash) ?? [];
  return pack && Object.hasOwn(STYLES, pack) ? { pack, group, seed: Number(seed), at: x && [Number(x), Number(y)] } : null;
}

/** Shows what an address asks for, or else the first level. */
async function showAddressed() {
  const wish = addressed();
  if (!wish) return show(FIRST);
  const pack = await packOf(wish.pack);
  const index = pack.find({}).find((one) => pack.factsOf(one).group === wish.group && Number(pack.seedOf(one)) === wish.seed);
  return show({ ...wish, chapter: index === undefined ? "" : pack.factsOf(index).chapter });
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
  if (!game) return;
  if (hasArrived(time)) act(time);
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

const asks = {
  style: () => show({ pack: Object.keys(STYLES).find((name) => STYLES[name].style === fields.style.value), seed: choice.seed }),
  flow: () => show({ ...choice, pack: fields.flow.value }),
  chapter: () => show({ ...choice, chapter: fields.chapter.value }),
  seed: () => show({ ...choice, group: "", seed: Number(fields.seed.value) || 0 }),
};
/** Keeps in the address what somebody chose, once it is shown; says why if it cannot be. */
const chosen = (showing) => showing?.then(() => tell(true), failed);
const failed = (error) => (status.textContent = error.message);

bar.addEventListener("change", ({ target }) => chosen(asks[target.name]?.()));
bar.addEventListener("submit", (event) => event.preventDefault());
for (const [name, move] of [["back", -1], ["next", 1]])
  fields[name].addEventListener("click", () => chosen(show({ ...choice, move })));
fields.map.addEventListener("click", turnMap);
addEventListener("hashchange", () => {
  const wish = addressed();
  const isHere = wish && game && [wish.group, wish.seed, ...(wish.at ?? [])].join() === [choice.group, choice.seed, game.x, game.y].join();
  if (wish && !isHere) showAddressed().catch(failed);
});

let isSeen = true;
new IntersectionObserver(([entry]) => {
  isSeen = entry.isIntersecting;
  if (isSeen) wake();
}).observe(canvas);
new ResizeObserver(() => wake()).observe(canvas);
calm.addEventListener("change", wake);
Object.assign(undercroftPlay, { game: () => game, view });
showAddressed().catch(failed);
