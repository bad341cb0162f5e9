// The graph over a picture: rooms tinted by their kind, a node a room, a line a way. `colours` are those of the kinds.

import { el, svg } from "./common.js";

const KEY_COLOURS = ["#ffd84d", "#9fd8ff", "#ff8ad8", "#8df58d", "#ffa25e", "#c9a6ff"]; // one for each key of a level, in turn

/** The kinds of a level's rooms with their numbers: the start first, kinds of the team's own, plain rooms last. */
export function kindsOf(level, colours) {
  const counts = new Map();
  for (const room of level.rooms) counts.set(room.kind, (counts.get(room.kind) ?? 0) + 1);
  const order = Object.keys(colours);
  return [...counts].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

/** A spot of a colour. */
export function dot(colour) {
  const made = el("span", { className: "dot" });
  made.style.background = colour;
  return made;
}

/** Keys and locks in a colour for each key, a line from each key to its locks, and arrows where doors let nobody back. */
function addGates(made, gates, unit, words) {
  const of = (...kinds) => gates.filter(([kind]) => kinds.includes(kind));
  const names = [...new Set([...of("lock"), ...of("key", "lever")].flatMap(([, , , ...those]) => those))];
  const colour = (name) => KEY_COLOURS[names.indexOf(name) % KEY_COLOURS.length];
  for (const [, x, y, name] of of("key", "lever")) {
    for (const [, toX, toY, ...needs] of of("lock")) {
      if (needs.includes(name)) made.append(svg("line", { class: "opens", x1: x, y1: y, x2: toX, y2: toY, stroke: colour(name) }));
    }
  }
  for (const [kind, x, y, dx, dy] of of("one_way", "barred")) {
    const at = (along, aside) => `${x + (dx * along - dy * aside) * unit} ${y + (dy * along + dx * aside) * unit}`;
    made.append(svg("path", { class: kind, d: `M${at(-1.2, -1.2)}L${at(1.2, 0)}L${at(-1.2, 1.2)}${kind === "barred" ? "Z" : ""}` }));
  }
  for (const [, x, y, ...needs] of of("lock")) {
    needs.forEach((name, i) => {
      const left = x + (i - needs.length / 2) * 1.6 * unit;
      made.append(svg("rect", { class: "lock", x: left, y: y - 0.8 * unit, width: 1.6 * unit, height: 1.6 * unit, fill: colour(name) }));
    });
  }
  for (const [kind, x, y, name] of of("key", "lever")) {
    const size = 1.1 * unit;
    const sides = kind === "key" ? [[0, -size], [size, 0], [0, size], [-size, 0]] : [[0, -size], [size, size], [-size, size]];
    const corners = sides.map(([right, down]) => `${x + right} ${y + down}`);
    made.append(svg("path", { class: "key", d: `M${corners.join("L")}Z`, fill: colour(name) }));
    if (words) made.append(svg("text", { x, y: y + 2.6 * unit, "font-size": 1.3 * unit, "stroke-width": 0.35 * unit }, name.replaceAll("_", " ")));
  }
}

/** The graph as SVG in tiles; `tilePx` is how large a tile is shown, and with `words` rooms are written on. */
export function overlayOf(level, colours, tilePx, words) {
  const [width, height] = level.size;
  const room = Math.sqrt((width * height) / level.rooms.length); // how far apart nodes are
  const unit = words ? Math.max(1, Math.min(7.5 / tilePx, 2)) : Math.min(4.2 / tilePx, room / 8); // of what is written
  const made = svg("svg", { class: "overlay", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  for (const room of level.rooms) {
    const path = room.rings.map((ring) => `M${ring.join(" ")}Z`).join("");
    made.append(svg("path", { class: "room", d: path, fill: colours[room.kind], stroke: colours[room.kind] }));
  }
  for (const [startsShut, ...points] of level.paths) {
    made.append(svg("polyline", { class: startsShut ? "way shut" : "way", points: points.join(" ") }));
  }
  addGates(made, level.gates ?? [], unit, words);
  for (const room of level.rooms) {
    const [x, y] = room.at;
    made.append(svg("circle", { cx: x, cy: y, r: 1.3 * unit, fill: colours[room.kind] }));
    if (!words) continue;
    const middle = { x, y: y + 0.5 * unit, class: "inside", "font-size": 1.5 * unit };
    made.append(svg("text", middle, room.distance === null ? "?" : `${room.distance}`));
    if (room.kind !== "normal") {
      made.append(svg("text", { x, y: y + 3 * unit, "font-size": 1.6 * unit, "stroke-width": 0.4 * unit }, room.kind.replaceAll("_", " ")));
    }
  }
  return made;
}
