/** A level while it is played: who is where, what is open, and what was seen and taken. No pixels. */
class PlayedLevel {
  /** @param {import("../../../exporters/formats/pack/undercroft-pack.js").PackLevel} level */
  constructor(level) {
    this.level = level;
    this.doors = new Map(); // by tile
    for (const door of level.doors) for (const [x, y] of door.cells) this.doors.set(this.place(x, y), door);
    this.open = new Set(level.doors.filter((door) => !door.starts_shut));
    this.rooms = this.owners();
    this.markers = new Map(level.markers.map((marker) => [this.place(marker.x, marker.y), marker]));
    this.keys = { key: 1 };
    this.seen = new Set();
    const start = level.markers.find(({ kind }) => kind === "player_start");
    [this.x, this.y] = [start.x, start.y];
    this.markers.delete(this.place(start.x, start.y)); // the player is drawn where they are now
    this.said = "";
    this.isWon = false;
    this.enter();
  }

  place(x, y) {
    return y * this.level.width + x;
  }

  /** The room of each tile, walls included; undefined elsewhere. */
  owners() {
    const rooms = new Array(this.level.width * this.level.height);
    for (const room of this.level.rooms)
      for (const ring of room.outline) {
        const rows = ring.map(([, y]) => y);
        for (let y = Math.min(...rows); y < Math.max(...rows); y++) {
          const crossed = ring.filter(([, ay], i) => (ay > y) !== (ring[(i + 1) % ring.length][1] > y)).map(([x]) => x);
          crossed.sort((a, b) => a - b);
          for (let i = 0; i < crossed.length; i += 2) rooms.fill(room, this.place(crossed[i], y), this.place(crossed[i + 1], y));
        }
      }
    return rooms;
  }

  get room() {
    return this.rooms[this.place(this.x, this.y)];
  }

  /** The hallway behind a door, or undefined. */
  hallway(door) {
    return this.level.hallways[door.hallway];
  }

  /** Puts the player on a tile, if one can be there. */
  put(x, y) {
    if (x >= this.level.width || !this.level.walk[this.place(x, y)]) return;
    [this.x, this.y] = [x, y];
    this.enter();
  }

  /** Whether a step to a neighbouring tile is made; doors open if they can. */
  step(dx, dy) {
    const to = this.place(this.x + dx, this.y + dy);
    if (!this.level.walk[to]) return false;
    const door = this.doors.get(to);
    if (door && !this.passes(door)) return false;
    this.x += dx;
    this.y += dy;
    this.take(to);
    this.enter();
    return true;
  }

  /** Whether the player gets into a door; says why not. */
  passes(door) {
    const inDoor = this.doors.get(this.place(this.x, this.y)) === door;
    if (door.one_way && !inDoor && this.room?.id === door.rooms[0]) return this.refuse("It fell shut: there is no way back.");
    if (this.open.has(door)) return true;
    if (door.opens_from !== undefined && this.room?.id !== door.opens_from) return this.refuse("Barred from the other side.");
    const needs = door.needs ?? (door.kind === "locked" ? ["key"] : door.kind === "red" ? ["red_key"] : []);
    const left = { ...this.keys };
    const missing = needs.filter((key) => !(left[key]-- > 0)); // a name that is there twice is a cost of two
    if (missing.length)
      return this.refuse(door.kind === "red" ? "A wall, with the outline of a door." : `Locked: find ${missing.map(titled).join(" and ")}.`);
    for (const key of needs) if (key === "key" || this.isConsumed(key)) this.keys[key] -= 1;
    this.open.add(door);
    this.say(door.secret ? "The wall gives way!" : needs.length ? `You opened the door with ${needs.map(titled).join(" and ")}.` : "The door opens.");
    return true;
  }

  isConsumed(key) {
    return this.level.markers.some(({ kind, properties }) => kind === "key" && properties.opens === key && properties.consumed);
  }

  /** Takes or beats what stands on a tile. */
  take(at) {
    const marker = this.markers.get(at);
    const { kind, properties: { opens, item, name } = {} } = marker ?? {};
    if (!["key", "pickup", "chest", "item", "enemy", "boss", "exit"].includes(kind)) return;
    if (kind === "exit") {
      this.isWon = true;
      return;
    }
    this.markers.delete(at);
    const got = kind === "key" ? opens : kind === "chest" ? "key" : item;
    if (kind === "key" || got === "key") this.keys[got] = (this.keys[got] ?? 0) + 1;
    if (kind === "enemy") this.say(`You beat ${titled(name)}.`);
    else if (kind === "boss") this.say(`You beat the boss${name ? `, ${name}` : ""}. The exit is open.`);
    else this.say(kind === "chest" ? "A chest, with a key in it." : `You found ${titled(got && got !== "any" ? got : "item")}.`);
  }

  /** The player is somewhere: its room is seen, and what lies beyond its open doors can be guessed. */
  enter() {
    const room = this.room;
    if (!room || this.entered === room) return;
    this.entered = room;
    const isNew = !this.seen.has(room);
    this.seen.add(room);
    if (isNew && this.seen.size > 1) this.say(`${capital(titled(room.kind === "normal" ? "room" : `${room.kind} room`))}, ${this.seen.size} of ${this.level.rooms.length} seen.`);
  }

  say(what) {
    this.said = what;
  }

  refuse(what) {
    this.say(what);
    return false;
  }

  /** The steps to a tile, or as near to it as one gets, by tiles that are open now. */
  way(x, y) {
    const { width, walk } = this.level;
    const from = this.place(this.x, this.y);
    const before = new Map([[from, from]]);
    let [best, least] = [from, Infinity];
    for (const at of before.keys()) {
      const away = Math.hypot((at % width) - x, Math.floor(at / width) - y);
      if (away < least) [best, least] = [at, away];
      for (const to of [at - 1, at + 1, at - width, at + width]) {
        const door = this.doors.get(to);
        const isShut = door && !this.open.has(door) && to !== this.place(x, y);
        if (walk[to] && !before.has(to) && !isShut) before.set(to, at);
      }
      if (away === 0) break;
    }
    const steps = [];
    for (let at = best; at !== from; at = before.get(at)) {
      const moved = at - before.get(at);
      steps.unshift(Math.abs(moved) === 1 ? [moved, 0] : [0, Math.sign(moved)]);
    }
    return steps;
  }
}

/** @param {string} name an identifier, as one says it */
function titled(name) {
  const said = String(name ?? "something").replaceAll("_", " ");
  return `${/^[aeiou]/.test(said) ? "an" : "a"} ${said}`;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
