// Reads level.json of Undercroft and draws it: all that a game needs if it has no importer for Tiled or LDtk.
//
//   const level = readLevel(await (await fetch("isaac-7.level.json")).json());
//   level.terrain(12, 7)    { name: "floor", walk: true, fly: true, shoot: true, hazard: false }
//   level.decor(12, 7)      the thing that stands there, or undefined
//   level.walkable(12, 7)   whether a body can walk there: terrain and things
//   level.roomAt(12, 7)     the room, or undefined in hallways and the void
//   level.doorsOf(room)     its doors; level.beyond(door, room) is the room behind one, through hallways too
//   level.markers("enemy")  markers of a kind: { x, y, room, properties: { name: "shambler", ... } }
function readLevel(file) {
  if (file.format !== "undercroft-level" || file.format_version !== 1) throw new Error("not a level of version 1");
  const { width, height } = file.size;
  const inside = (x, y) => x >= 0 && y >= 0 && x < width && y < height;
  const terrain = (x, y) => file.terrain_kinds[inside(x, y) ? file.terrain[y * width + x] : 0];

  // A thing is told once, at its top left tile; it may be several tiles large.
  const things = new Map();
  file.decor.forEach((number, place) => {
    if (!number) return;
    const [wide, high] = file.decor_kinds[number].size;
    for (let y = 0; y < high; y++)
      for (let x = 0; x < wide; x++) things.set(place + y * width + x, file.decor_kinds[number]);
  });
  const decor = (x, y) => (inside(x, y) ? things.get(y * width + x) : undefined);

  // A room's outline is a ring of corners, and further rings for its holes: a tile is inside of an odd number.
  const crossings = (ring, x, y) =>
    ring.filter(([ax, ay], i) => {
      const [bx, by] = ring[(i + 1) % ring.length];
      return ax === bx && ax > x && Math.min(ay, by) <= y && y < Math.max(ay, by);
    }).length;
  const inRoom = (room, x, y) => room.outline.reduce((sum, ring) => sum + crossings(ring, x, y), 0) % 2 === 1;
  const roomAt = (x, y) => file.rooms.find((room) => inRoom(room, x, y));

  const doorsOf = (room) => file.doors.filter((door) => door.rooms.includes(room.id));
  const beyond = (door, room) => {
    const hallway = file.hallways.find((way) => way.doors.includes(door.id));
    const far = hallway ? file.doors[hallway.doors.find((id) => id !== door.id)].rooms : door.rooms;
    return file.rooms[hallway ? far[0] : far.find((id) => id !== room.id)];
  };
  const walkable = (x, y) => terrain(x, y).walk && (decor(x, y)?.walk ?? true);
  const markers = (kind) => file.markers.filter((marker) => marker.kind === kind);
  return { file, width, height, terrain, decor, walkable, roomAt, doorsOf, beyond, markers };
}

if (typeof module === "object") module.exports = { readLevel };
