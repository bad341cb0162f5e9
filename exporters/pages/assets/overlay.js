// The graph over a picture: rooms tinted by their kind, a node a room, a line a way.

const COLOURS = {
  start: "#6fdc8c", normal: "#9aa4c4", boss: "#ff6b6b", mini_boss: "#ff9470", shop: "#ffd166", treasure: "#ffe45e",
  chest: "#ffc94d", vault: "#e8c547", secret: "#c792ea", super_secret: "#b072e8", ultra_secret: "#ff7ee2",
  sacrifice: "#e05d7b", dice: "#8ee3ef", library: "#6fb1ff", curse: "#d14d8f", challenge: "#ff9f43",
  boss_challenge: "#ff7f50", arcade: "#4de0c2", planetarium: "#8f9bff", clean_bedroom: "#b5e48c",
  dirty_bedroom: "#a3a164", grave: "#b8b8c8",
};
const colourOf = (kind) => COLOURS[kind] ?? COLOURS.normal;
const SHUT = new Set(["secret", "locked"]);

/** The kinds of a level's rooms with their numbers, the start first and plain rooms last. */
function kindsOf(level) {
  const counts = new Map();
  for (const room of level.rooms) counts.set(room.kind, (counts.get(room.kind) ?? 0) + 1);
  const order = [...Object.keys(COLOURS).filter((kind) => kind !== "normal"), "normal"];
  return [...counts].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

const dot = (kind) => {
  const made = el("span", { className: "dot" });
  made.style.background = colourOf(kind);
  return made;
};

/** The graph as SVG in tiles; `tilePx` is how large a tile is shown, and with `words` rooms are written on. */
function overlayOf(level, tilePx, words) {
  const [width, height] = level.size;
  const unit = words ? Math.max(1, Math.min(7.5 / tilePx, 2)) : 4.2 / tilePx; // of what is written, tiles
  const made = svg("svg", { class: "overlay", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  for (const room of level.rooms) {
    const path = room.rings.map((ring) => `M${ring.join(" ")}Z`).join("");
    made.append(svg("path", { class: "room", d: path, fill: colourOf(room.kind), stroke: colourOf(room.kind) }));
  }
  for (const [kind, ...points] of level.ways) {
    made.append(svg("polyline", { class: SHUT.has(kind) ? "way shut" : "way", points: points.join(" ") }));
  }
  for (const room of level.rooms) {
    const [x, y] = room.at;
    made.append(svg("circle", { cx: x, cy: y, r: 1.3 * unit, fill: colourOf(room.kind) }));
    if (!words) continue;
    const middle = { x, y: y + 0.5 * unit, class: "inside", "font-size": 1.5 * unit };
    made.append(svg("text", middle, room.distance === null ? "?" : `${room.distance}`));
    if (room.kind !== "normal") {
      made.append(svg("text", { x, y: y + 3 * unit, "font-size": 1.6 * unit, "stroke-width": 0.4 * unit }, room.kind.replaceAll("_", " ")));
    }
  }
  return made;
}
