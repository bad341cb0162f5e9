// The graph over a picture: rooms tinted by their kind, a sign or a node a room, a line a way.

import { el, svg } from "./common.js";

/** The kinds of a level's rooms with their numbers: the start first, kinds of the team's own, plain rooms last. */
export function kindsOf(level, colours) {
  const counts = new Map();
  for (const room of level.rooms) counts.set(room.kind, (counts.get(room.kind) ?? 0) + 1);
  const order = Object.keys(colours);
  return [...counts].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

/** A room's outline as an SVG path. */
export const pathOf = (room) => room.rings.map((ring) => `M${ring.join(" ")}Z`).join("");

/** Whether a place in tiles lies in a room: it is inside of an odd number of its rings. */
export function holds(room, x, y) {
  let inside = false;
  for (const ring of room.rings) {
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
      const crosses = ring[i + 1] > y !== ring[j + 1] > y;
      if (crosses && x < ((ring[j] - ring[i]) * (y - ring[i + 1])) / (ring[j + 1] - ring[i + 1]) + ring[i]) inside = !inside;
    }
  }
  return inside;
}

const EMPTY = "M0 0h9v9h-9z"; // a spot, for what has no sign

/** A sign on its own, as in a list. */
function spot(path, colour, { edge }) {
  const made = svg("svg", { class: "dot", viewBox: "-1 -1 11 11", "aria-hidden": "true" });
  made.append(svg("path", { class: "sign", d: path, fill: colour, stroke: edge }));
  return made;
}

/** The sign of a kind of room, or a spot in its colour. */
export function dot({ colours = {}, signs = { rooms: {}, inks: {} } }, kind) {
  return spot(signs.rooms[kind] ?? EMPTY, signs.inks[kind] ?? colours[kind] ?? "none", signs);
}

/** The numbers of a level's keys, by name: as locks name them, then as they lie. */
function numbersOf(gates) {
  const of = (...kinds) => gates.filter(([kind]) => kinds.includes(kind)).flatMap(([, , , ...names]) => names);
  return new Map([...new Set([...of("lock"), ...of("key", "lever")])].map((name, number) => [name, number]));
}

/** The keys of a level, each with its name and the signs of what is there of it: key, lever, lock. */
export function keysOf(level, signs) {
  const gates = level.gates ?? [];
  return [...numbersOf(gates)].map(([name, number]) => [name, ["key", "lever", "lock"].flatMap((kind) =>
    gates.some(([each, , , ...names]) => each === kind && names.includes(name)) ? [keySpot(kind, number, signs)] : [])]);
}

const nth = (list, number) => list[number % list.length];
const keySpot = (kind, number, signs) => spot(nth(signs[`${kind}s`], number), nth(signs.colours, number), signs);

/** A sign of something round a place, nine dots wide; `turn` in degrees. */
function signAt(what, path, colour, { edge }, [x, y], side, turn = 0) {
  const place = `translate(${x} ${y}) rotate(${turn}) scale(${side / 9}) translate(-4.5 -4.5)`;
  return svg("path", { class: `sign ${what}`, d: path, fill: colour, stroke: edge, transform: place });
}

/** Keys and locks in a colour and a shape for each key, a line from each key to its locks, and arrows where doors let nobody back. */
function addGates(made, gates, signs, side, words) {
  const of = (...kinds) => gates.filter(([kind]) => kinds.includes(kind));
  const numbers = numbersOf(gates);
  const colour = (name) => nth(signs.colours, numbers.get(name));
  for (const [, x, y, name] of of("key", "lever")) {
    for (const [, toX, toY, ...needs] of of("lock")) {
      if (needs.includes(name)) made.append(svg("line", { class: "opens", x1: x, y1: y, x2: toX, y2: toY, stroke: colour(name) }));
    }
  }
  for (const [kind, x, y, dx, dy] of of("one_way", "barred")) {
    made.append(signAt(kind, signs.ways[kind], signs.plain, signs, [x, y], side, (Math.atan2(dy, dx) * 180) / Math.PI));
  }
  for (const [, x, y, icon] of of("door", "exit")) made.append(signAt("door", signs.doors[icon], signs.plain, signs, [x, y], side));
  for (const [, x, y, ...needs] of of("lock")) {
    needs.forEach((name, i) => {
      const left = x + (i - (needs.length - 1) / 2) * 1.1 * side;
      made.append(signAt("lock", nth(signs.locks, numbers.get(name)), colour(name), signs, [left, y], side));
    });
  }
  for (const [kind, x, y, name] of of("key", "lever")) {
    made.append(signAt("key", nth(signs[`${kind}s`], numbers.get(name)), colour(name), signs, [x, y], side));
    if (words) made.append(svg("text", { x, y: y + 0.95 * side, "font-size": 0.45 * side, "stroke-width": 0.12 * side }, name.replaceAll("_", " ")));
  }
}

/** A place moved away from the signs of keys and doors that are nearer than `step`. */
function besideGates([x, y], gates, step) {
  for (const [, left, top] of gates) {
    if (Math.max(Math.abs(x - left), Math.abs(y - top)) >= step) continue;
    if (Math.abs(x - left) > Math.abs(y - top)) x = left + (x > left ? step : -step);
    else y = top + (y > top ? step : -step);
  }
  return [x, y];
}

/** The graph as SVG in tiles, with the colours and signs of its kinds; `tilePx` is how large a tile is shown. With `words`, the rooms' names and numbers are written on them. */
export function overlayOf(level, { colours, signs }, tilePx, words) {
  const [width, height] = level.size;
  const room = Math.sqrt((width * height) / level.rooms.length); // how far apart nodes are
  const unit = words ? Math.max(1, Math.min(7.5 / tilePx, 2)) : Math.min(4.2 / tilePx, room / 8); // of what is written
  const made = svg("svg", { class: "overlay", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  for (const room of level.rooms) {
    made.append(svg("path", { class: "room", d: pathOf(room), fill: colours[room.kind], stroke: colours[room.kind] }));
  }
  for (const [startsShut, ...points] of level.paths) {
    made.append(svg("polyline", { class: startsShut ? "way shut" : "way", points: points.join(" ") }));
  }
  const side = 3 * unit; // of a sign
  const gates = level.gates ?? [];
  for (const [id, room] of level.rooms.entries()) {
    const [x, y] = besideGates(room.at, gates, 1.1 * side);
    const name = room.kind === "normal" ? "" : room.kind.replaceAll("_", " ");
    const sign = signs.rooms[room.kind];
    if (sign) made.append(signAt("node", sign, signs.inks[room.kind], signs, [x, y], side));
    else made.append(svg("circle", { class: "node", cx: x, cy: y, r: 1.3 * unit, fill: colours[room.kind] }));
    if (!words) continue;
    const size = id < 100 ? 1.5 : 1.1; // of a number that fits into its circle
    if (!sign) made.append(svg("text", { x, y: y + 0.34 * size * unit, class: "inside", "font-size": size * unit }, `${id}`));
    const below = sign ? `${name} ${id}` : name;
    if (below) made.append(svg("text", { x, y: y + 3 * unit, "font-size": 1.6 * unit, "stroke-width": 0.4 * unit }, below));
  }
  addGates(made, gates, signs, side, words);
  return made;
}
