// Filters: a text, and for each fact a least and a greatest number, or one of its words.

const wanted = { text: "", ranges: new Map(), words: new Map() };
const GROUPS = {
  count: "Rooms of a kind", shapes: "Shapes of rooms", "rooms.KIND.distance": "Distances", doors: "Doors",
  markers: "Markers",
};
const answers = (i) => data.levels.map((level) => level.values[i]);
const varies = data.facts.map((_, i) => new Set(answers(i)).size > 1);
const haystacks = data.levels.map((level) => [
  level.name, level.seed, ...level.rooms.map((room) => room.kind.replaceAll("_", " ")),
  ...level.values.filter((value) => typeof value === "string"),
].join("\n").toLowerCase());

/** Whether a level, by its number, meets all filters. A level without a fact meets no range of it. */
function meets(number) {
  const values = data.levels[number].values;
  for (const [i, [least, most]] of wanted.ranges) {
    if (values[i] === null || values[i] < least || values[i] > most) return false;
  }
  for (const [i, word] of wanted.words) if (values[i] !== word) return false;
  return wanted.text.split(/\s+/).every((part) => haystacks[number].includes(part));
}

/** The filters as a condition for `undercroft search --where`. */
function condition() {
  const parts = [];
  for (const [i, [least, most]] of wanted.ranges) {
    const name = data.facts[i].name;
    if (least === most) parts.push(`${name} == ${least}`);
    else if (least === -Infinity) parts.push(`${name} <= ${most}`);
    else parts.push(most === Infinity ? `${name} >= ${least}` : `${least} <= ${name} <= ${most}`);
  }
  for (const [i, word] of wanted.words) if (data.facts[i].name !== "source") parts.push(`${data.facts[i].name} == ${JSON.stringify(word)}`);
  return parts.join(" and ");
}

/** A text as one word of a shell's command: what a file calls its chapter must not become a command. */
const quoted = (text) => `'${text.replaceAll("'", `'"'"'`)}'`;

/** A row of bars: how many levels have which number, those within the range in another colour. */
function histogram(i) {
  const numbers = answers(i).filter((value) => value !== null);
  const [least, most] = [Math.floor(Math.min(...numbers)), Math.ceil(Math.max(...numbers))]; // some are fractions
  const bins = Math.min(most - least + 1, 36);
  const counts = Array(bins).fill(0);
  const binOf = (value) => Math.floor(((value - least) * bins) / (most - least + 1));
  for (const value of numbers) counts[binOf(value)]++;
  const top = Math.max(...counts);
  const bars = counts.map((count, bin) => svg("rect", {
    x: bin + 0.08, width: 0.84, y: 1 - count / top, height: count / top,
  }));
  const mark = () => {
    const [low, high] = wanted.ranges.get(i) ?? [-Infinity, Infinity];
    bars.forEach((bar, bin) => {
      const [first, last] = [least + (bin * (most - least + 1)) / bins, least + ((bin + 1) * (most - least + 1)) / bins - 1];
      bar.classList.toggle("in", last >= low && first <= high);
    });
  };
  mark();
  const box = { viewBox: `0 0 ${bins} 1`, preserveAspectRatio: "none", "aria-hidden": "true" };
  return { picture: svg("svg", box, ...bars), mark, least, most };
}

function numberFilter(i, changed) {
  const { picture, mark, least, most } = histogram(i);
  const name = data.facts[i].name;
  const box = (word, shown) => el("input", {
    type: "number", step: "any", placeholder: shown, ariaLabel: `${name}, ${word}`, id: `${word}-${i}`,
  });
  const [low, high] = [box("least", least), box("most", most)];
  const read = () => {
    const range = [low.value === "" ? -Infinity : +low.value, high.value === "" ? Infinity : +high.value];
    if (low.value === "" && high.value === "") wanted.ranges.delete(i);
    else wanted.ranges.set(i, range);
    mark();
    changed();
  };
  for (const input of [low, high]) input.addEventListener("input", read);
  const row = el("div", { className: "range" }, el("span", { title: data.facts[i].help }, name), low, high);
  row.insertBefore(picture, low);
  return { row, clear: () => { low.value = high.value = ""; wanted.ranges.delete(i); mark(); } };
}

function wordFilter(i, changed) {
  const words = [...new Set(answers(i))].filter((word) => word !== null).sort();
  const options = words.map((word) => el("option", { value: word }, word));
  const select = el("select", { ariaLabel: data.facts[i].name }, el("option", { value: "" }, "any"), ...options);
  select.addEventListener("input", () => {
    if (select.value === "") wanted.words.delete(i);
    else wanted.words.set(i, select.value);
    changed();
  });
  const row = el("div", { className: "range" }, el("span", { title: data.facts[i].help }, data.facts[i].name), select);
  return { row, clear: () => { select.value = ""; wanted.words.delete(i); } };
}

/** Build the rows of all facts that differ from level to level; returns what clears them all. */
function buildFilters(changed) {
  const folds = new Map();
  const clears = data.facts.flatMap((fact, i) => {
    if (!varies[i]) return [];
    const { row, clear } = fact.text ? wordFilter(i, changed) : numberFilter(i, changed);
    const group = fact.usual ? "Usual" : GROUPS[fact.group] ?? "More";
    if (!folds.has(group)) {
      folds.set(group, el("details", { open: group === "Usual" }, el("summary", {}, group)));
    }
    folds.get(group).append(row);
    return [clear];
  });
  const order = ["Usual", "More", ...Object.values(GROUPS)];
  find("#ranges").append(...order.filter((group) => folds.has(group)).map((group) => folds.get(group)));
  return () => clears.forEach((clear) => clear());
}
