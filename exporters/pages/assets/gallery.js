// The gallery: cards in their order, the keys, and what is drawn over the pictures.

const SHORT = { "rooms.boss.distance": "boss", dead_ends: "dead ends", 'markers("enemy")': "enemies" };
const cards = data.levels.map(cardOf);
let shown = []; // numbers of the levels that meet the filters, in the order of the cards

function cardOf(level, number) {
  const picture = el("span", { className: "picture" }, el("canvas", { width: 1, height: 1 }));
  const told = data.facts.flatMap((fact, i) => fact.usual && level.values[i] !== null ? [toldOf(i, level)] : []);
  const special = kindsOf(level, data.colours).filter(([kind]) => kind !== "normal");
  const dots = special.flatMap(([kind, count]) => Array.from({ length: Math.min(count, 6) }, () => dot(data, kind)));
  const words = special.map(([kind]) => kind.replaceAll("_", " ")).join(", ");
  const row = el("span", { className: "dots", title: words }, el("span", { className: "unseen" }, words), ...dots);
  const about = el("span", { className: "about" }, el("span", { className: "name" }, level.name),
    el("span", { className: "told" }, ...told), row);
  const card = el("button", { className: "card", type: "button", tabIndex: -1 }, picture, about);
  card.addEventListener("click", () => openLarge(shown, shown.indexOf(number)));
  card.addEventListener("focus", () => rove(number));
  const item = el("li", {}, card);
  item.dataset.number = number;
  return item;
}

function toldOf(i, level) {
  const made = el("span", {}, `${SHORT[data.facts[i].name] ?? data.facts[i].name} `, el("b", {}, `${level.values[i]}`));
  made.dataset.fact = i;
  return made;
}

// --- order and filters

function buildSorts() {
  const options = (usual) => data.facts.flatMap((fact, i) =>
    varies[i] && fact.usual === usual ? [el("option", { value: i }, fact.name)] : []);
  find("#sort").append(el("option", { value: "" }, "Sort: as made"), ...options(true),
    el("optgroup", { label: "More" }, ...options(false)));
}

const failed = data.failed ? `, ${data.failed} seeds gave none` : "";

function arrange() {
  const by = find("#sort").value === "" ? null : +find("#sort").value;
  const turn = find("#turn").ariaPressed === "true" ? -1 : 1;
  shown = cards.map((_, number) => number).filter(meets);
  shown.sort((a, b) => by === null ? turn * (a - b) : compare(data.levels[a].values[by], data.levels[b].values[by], turn) || a - b);
  find("#levels").replaceChildren(...shown.map((number) => cards[number]));
  for (const part of findAll(".told > span")) part.classList.toggle("sorted", +part.dataset.fact === by);
  find("#count").textContent = cards.length === 1 ? `1 level${failed}` : `${shown.length} of ${cards.length} levels${failed}`;
  find("#none").hidden = shown.length > 0;
  const text = condition();
  find("#where").textContent = text ? `--where ${quoted(text)}` : "no filter is set";
  find("#copy-where").hidden = !text;
  if (shown.length) rove(shown.includes(current) ? current : shown[0]);
}

/** Levels without the fact come last, whichever way it is sorted. */
function compare(a, b, turn) {
  if (a === null || b === null) return (a === null) - (b === null);
  return turn * (a < b ? -1 : a > b ? 1 : 0);
}

// --- the keyboard: one card is in the tab order, the arrows move to others

let current = 0;

function rove(number) {
  cards[current]?.firstChild.setAttribute("tabindex", "-1");
  current = number;
  cards[number].firstChild.setAttribute("tabindex", "0");
}

function walk(key) {
  const at = shown.indexOf(current);
  const top = cards[shown[0]].offsetTop;
  const columns = shown.findIndex((number) => cards[number].offsetTop !== top);
  const row = columns === -1 ? shown.length : columns;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - row, ArrowDown: at + row, Home: 0, End: shown.length - 1 }[key];
  if (to >= 0 && to < shown.length) cards[shown[to]].firstChild.focus();
}

listen(
  { o: () => toggle("rooms"), m: () => toggle("markers"), l: turnLook },
  { f: () => find("#open-filters").click(), "/": () => find("#text").focus() }, (_, key) => walk(key));

// --- start

buildSorts();
const clearFilters = buildFilters(arrange);
const clearAll = () => {
  clearFilters();
  find("#text").value = wanted.text = "";
  arrange();
};
find("#text").addEventListener("input", () => { wanted.text = find("#text").value.trim().toLowerCase(); arrange(); });
find("#sort").addEventListener("input", arrange);
find("#turn").addEventListener("click", () => {
  const down = find("#turn").ariaPressed !== "true";
  find("#turn").ariaPressed = down;
  find("#turn").textContent = down ? "↓" : "↑";
  arrange();
});
find("#open-filters").addEventListener("click", () => {
  find("#filters").hidden = !find("#filters").hidden;
  find("#open-filters").ariaExpanded = !find("#filters").hidden;
});
find("#clear").addEventListener("click", clearAll);
find("#clear-too").addEventListener("click", clearAll);
find("#copy-where").addEventListener("click", () => copy(find("#where").textContent, find("#copy-where")));
arrange();
for (const item of cards) seen.observe(item);
followAddress(
  (number) => { if (shown.includes(number)) openLarge(shown, shown.indexOf(number)); },
  () => cards[large.shown[large.at]].firstChild);
if (cards.length === 1) openLarge(shown, 0);
