// What a value may be: its row of `describe`, narrowed while other values are what they are.

/** The limits of a row among values by key: `low`, `high`, `step`, `choices` and `sizes`. */
export function limitsOf(row, values) {
  const limits = { low: row.low, high: row.high, step: row.step ?? 1, choices: row.choices, sizes: row.sizes, off: row.off };
  for (const rule of row.when ?? []) {
    if (!rule.values.includes(values[rule.key])) continue;
    if (rule.low !== undefined) limits.low = Math.max(limits.low, rule.low);
    if (rule.high !== undefined) limits.high = Math.min(limits.high, rule.high);
    for (const name of ["choices", "sizes"]) if (rule[name]) limits[name] = rule[name];
  }
  return limits;
}

/** The limits as people read them: "4 to 63 rooms, or 0". */
export function rangeText(row, limits) {
  if (limits.low === undefined) return "";
  const step = limits.step > 1 ? (limits.step === 2 && limits.low % 2 ? ", odd" : `, in steps of ${limits.step}`) : "";
  const off = limits.off === undefined ? "" : `, or ${limits.off}`;
  return `${limits.low} to ${limits.high}${step}${row.unit ? ` ${row.unit}` : ""}${off}`;
}

/** The nearest number that the limits take. */
export function fitted(number, { low, high, step, off }) {
  if (number === off) return number;
  const near = low + Math.round((Math.min(Math.max(number, low), high) - low) / step) * step;
  return near > high ? near - step : near;
}

/** How far a slider goes: to the end of a short range, else as far as is usual. The box beside it takes the rest. */
export function sliderEnd(limits, own, value) {
  if (limits.high - limits.low <= 128) return limits.high;
  const usual = Math.max(limits.low + 16, 4 * Math.max(...[own, value].flat().map(Number)));
  return Math.min(limits.high, limits.low + Math.ceil((usual - limits.low) / limits.step) * limits.step);
}

/** A key or a kind as words: `enemy_rooms` reads "enemy rooms". */
export const words = (key) => key.replace(/^.*\./, "").replaceAll("_", " ");

/** A fact as words: `rooms.boss.distance` reads "distance to boss", `doors("one_way")` "one way doors". */
export function factWords(fact) {
  const far = fact.match(/^rooms\.(\w+)\.distance$/);
  if (far) return `distance to ${words(far[1])}`;
  const [, name, of] = fact.match(/^(\w+)\("(.+)"\)$/) ?? [];
  const things = { count: " rooms", shapes: " rooms", markers: " markers", doors: " doors", enemies: "" }[name];
  return things === undefined ? words(fact) : `${words(of)}${things}`;
}

/** What a number outside of the range stands for, as the help tells: "…; 0: the ranges decide". */
export function offText(row) {
  const found = row.help.match(new RegExp(`(?:^|[;,:.] )${row.off}: ([^;.]+)`));
  return found ? found[1] : "off";
}

/** Show what is wrong beside its control; nothing if all is well. */
export function showProblem(line, message, ...inputs) {
  line.textContent = message;
  line.hidden = !message;
  for (const each of inputs) each.setAttribute("aria-invalid", Boolean(message));
}

/** A value as a text of TOML, for people. */
export const shownValue = (value) => Array.isArray(value) ? value.join(" to ") : value === "" ? "none" : value === true ? "on" : value === false ? "off" : `${value}`;
