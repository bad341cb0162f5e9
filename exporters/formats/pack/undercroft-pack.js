/**
 * Reads packs in a browser or in Node: files with many levels, which `undercroft pack` writes.
 *
 *     import { UndercroftPack } from "./undercroft-pack.js";
 *     const pack = await UndercroftPack.open(await fetch("dungeon.ucpack"));
 *     const [first] = pack.find({ style: "isaac", rooms: [8, 12] });
 *     const level = await pack.build(first);
 *
 * Needs nothing else. A pack is not trusted: what is damaged or lies is an Error of one line, sizes are checked
 * before memory is used, and nothing in a pack is run. The documentation of packs describes every byte, and
 * every field of a level.
 *
 * @typedef {ArrayBuffer | ArrayBufferView} Bytes
 * @typedef {{ size: number, read(start: number, end: number): Bytes | Promise<Bytes> }} PackSource
 *   A file that is read in parts: its size in bytes, and its bytes from start up to end.
 * @typedef {[number, number]} Point x and y; in tiles if nothing else is said
 * @typedef {number | string | [number, number]} Wish a whole number, a text, or the least and the most
 * @typedef {Record<string, any>} Facts
 *
 * @typedef {object} PackLevel Names are those of level.json and of scenes for Godot.
 * @property {string} style
 * @property {string} seed a number of up to 64 bits, as text
 * @property {string} fingerprint
 * @property {Facts} facts of the level itself, such as its chapter
 * @property {Facts} spec what it was made from
 * @property {number} tile_size in px
 * @property {number} width in tiles
 * @property {number} height in tiles
 * @property {string} tile_set the theme's file for Godot; its picture has the same name and ends in .png
 * @property {PackLayer[]} layers from bottom to top; draw bodies between Decor and Overlay
 * @property {PackRoom[]} rooms by id
 * @property {PackDoor[]} doors by id
 * @property {PackHallway[]} hallways by id
 * @property {PackMarker[]} markers sorted by id, which may have gaps
 * @property {PackThing[]} things decor that is a scene of the game
 * @property {Region[]} navigation where bodies can be while shut doors are shut, as convex polygons
 * @property {Uint8Array} walk by y * width + x: 1 where the middle of a tile is open to walkers if all doors are
 *
 * @typedef {object} PackLayer
 * @property {string} name Ground, Walls, Doors, Decor or Overlay
 * @property {Int32Array} tiles by y * width + x: -1, or 65536 * row + column in the theme's picture
 *
 * @typedef {object} PackRoom
 * @property {number} id
 * @property {string} kind
 * @property {string} shape
 * @property {number} distance in rooms from the start; -1 where only secret doors lead
 * @property {number} depth
 * @property {number} difficulty
 * @property {string} layout
 * @property {string} [zone]
 * @property {string} [name]
 * @property {Point[]} cells of the floorplan's grid
 * @property {{ x: number, y: number, width: number, height: number }} bounds with walls
 * @property {Point[][]} outline polygons without holes, which together cover the room with its walls
 *
 * @typedef {object} PackDoor
 * @property {number} id
 * @property {string} kind
 * @property {boolean} starts_shut
 * @property {boolean} secret
 * @property {string} side as seen from the first room
 * @property {number[]} rooms one room, if a hallway begins at the door, or else two
 * @property {number} [hallway]
 * @property {Point[]} cells its tiles
 * @property {Point[]} open_tiles for each cell, column and row of what the layer Doors shows while it is open
 * @property {Point[]} shut_tiles the same for a shut door
 * @property {string[]} [needs] the keys that open it
 * @property {boolean} [one_way]
 * @property {number} [opens_from] the room from which it opens
 * @property {string} [joins]
 * @property {string} [scene] the game's scene that it is
 * @property {Region[]} ways where bodies can be once it is open
 *
 * @typedef {object} PackHallway
 * @property {number} id
 * @property {number[]} doors
 * @property {number[]} rooms
 * @property {Point[]} cells its tiles
 * @property {Point[][]} outline
 *
 * @typedef {object} PackMarker
 * @property {number} id
 * @property {string} kind
 * @property {number} x
 * @property {number} y
 * @property {number | null} room
 * @property {number | null} hallway
 * @property {Facts} properties
 * @property {string} [scene] the game's scene that it is
 *
 * @typedef {object} PackThing
 * @property {string} scene
 * @property {number} x of its middle, in px
 * @property {number} y of its middle, in px
 * @property {Facts} facts
 *
 * @typedef {object} Region
 * @property {boolean} walk whether walkers can be here
 * @property {boolean} fly whether flyers can
 * @property {Point[][]} polygons in px
 */

const MAGIC = "UCPACK\r\n";
const FORMAT_VERSION = 1;
const HEADER = 64;
const NONE = -(2 ** 31); // stands for a fact that a level does not have
const MAX_RATIO = 1032; // of zlib
const MAX_LEVELS = 100_000;
const MAX_INDEX_BYTES = 1 << 26; // unpacked
const MAX_BLOCK_BYTES = 1 << 24; // unpacked
const MAX_LEVEL_BYTES = 15 << 16; // rows and cells
const MAX_ROWS = 8192;
const MAX_COPIED = 1 << 22; // bytes of the tables and lists that a level's rows refer to
const MAX_OF_BLOCK = { forms: 4096, palettes: 1024, rows: 1024, cells: 1024 };
const MAX_KEYS = 64;
const MAX_NAME = 256;
const MAX_NAME_NUMBERS = 8;
const MAX_DEPTH = 32; // of values
const MAX_VALUES = 1 << 21; // of a block or the index
const MAX_KEPT = 4; // blocks
const MAX_MESSAGE = 1000; // characters
const MAX_SHOWN = 60; // of a value in a message
const WALKERS = 1; // bits of navigation layers
const FLYERS = 2;

// How a property is stored; the upper four bits of a kind are its unit.
const [VALUE, INT, VECTOR2, VECTOR2I, RECT2I, INTS, TILES, POINTS, RINGS, INDEXES, RESOURCE, FILE, CELLS] =
  Array(13).keys();
const EXACT = 15; // the unit of 32-bit floats
const STEPS = [1, 1, 2, 2, 4, 0, 0, 0, 0, 0, 1, 1, 0]; // differences from the previous row, by kind

/** @type {(what: string) => never} Whatever a file or a caller put into it, the message is one line that ends. */
const fail = (what) => {
  const line = what.slice(0, MAX_MESSAGE).replace(/[\p{C}\u2028\u2029]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
  throw new Error(what.length > MAX_MESSAGE ? `${line}...` : line);
};

/** @param {unknown} value of a file or a caller, for a message */
const shown = (value) => {
  const text = typeof value === "string" ? JSON.stringify(value) : value && typeof value === "object" ? "this object" : String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
};

/** Many levels in one file. */
export class UndercroftPack {
  /** @type {Map<number, Promise<Block>>} */
  #kept = new Map();
  #name;
  #source;
  #index;

  /**
   * Opens a pack; only the index is read.
   *
   * @param {ArrayBuffer | ArrayBufferView | Blob | Response | PackSource} from
   * @param {string} [name] what messages call it
   * @returns {Promise<UndercroftPack>}
   */
  static async open(from, name) {
    const called = name ?? ((globalThis.Response && from instanceof Response && from.url) || "pack");
    try {
      const source = await sourceOf(from);
      return new UndercroftPack(called, source, await readIndex(source));
    } catch (error) {
      return fail(`${called}: ${told(error)}`);
    }
  }

  /**
   * Use `open`.
   *
   * @param {string} name @param {PackSource} source @param {Index} index
   */
  constructor(name, source, index) {
    this.#name = name;
    this.#source = source;
    this.#index = index;
    /** The number of levels. */
    this.count = index.count;
  }

  /** @returns {string[]} the names of all facts */
  facts() {
    return [...this.#index.facts.keys()];
  }

  /**
   * @param {number} index of a level
   * @returns {Facts} its facts by name: numbers and texts
   */
  factsOf(index) {
    this.#has(index);
    const known = [...this.#index.facts].filter(([, column]) => column[index] !== NONE);
    return Object.fromEntries(
      known.map(([fact, column]) => [fact, this.#index.texts.get(fact)?.[column[index]] ?? column[index]]),
    );
  }

  /**
   * @param {number} index of a level
   * @returns {string} its seed, which may be larger than a number of JavaScript
   */
  seedOf(index) {
    this.#has(index);
    return String(BigInt.asUintN(64, this.#index.seeds[index]));
  }

  /**
   * @param {number} index of a level
   * @returns {string} the fingerprint in its level.json
   */
  fingerprintOf(index) {
    this.#has(index);
    const bytes = this.#index.fingerprints.subarray(index * 16, index * 16 + 16);
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /**
   * The indexes of all levels with certain facts, as in `{ rooms: [12, 20], stage: 3 }`. Throws an Error for a
   * fact or a wish that cannot be.
   *
   * @param {Record<string, Wish>} wanted
   * @returns {number[]}
   */
  find(wanted) {
    if (!wanted || typeof wanted !== "object")
      fail(`${this.#name}: ${shown(wanted)} is not an object of facts such as { rooms: [8, 12] }`);
    let found = Array.from({ length: this.count }, (_, index) => index);
    for (const [fact, wish] of Object.entries(wanted)) {
      const [column, least, most] = this.#bounds(fact, wish);
      found = found.filter((index) => column[index] >= least && column[index] <= most);
    }
    return found;
  }

  /**
   * The index of a level for any seed: the level with this seed if there is one, or else one that the seed
   * decides, the same as in Godot. Only levels with the wanted facts count; -1 if no level has them.
   *
   * @param {bigint | number | string} seed
   * @param {Record<string, Wish>} [wanted]
   * @returns {number}
   */
  pick(seed, wanted = {}) {
    const number = this.#seed(seed);
    const found = this.find(wanted);
    const same = found.find((index) => this.#index.seeds[index] === number);
    if (same !== undefined || !found.length) return same ?? -1;
    const count = BigInt(found.length);
    return found[Number(((mixed(number) % count) + count) % count)];
  }

  /**
   * Makes a level, a new one each time.
   *
   * @param {number} index
   * @returns {Promise<PackLevel>}
   */
  async build(index) {
    this.#has(index);
    const number = this.#index.blocks[index];
    let where = `block ${number}`;
    try {
      const block = await this.#block(number);
      where = `level ${index}`;
      const place = this.#index.places[index];
      if (place >= Math.min(block.rows.length, block.cells.length)) fail("is not in its block");
      return levelOf(new Rows(block, place).read());
    } catch (error) {
      return fail(`${this.#name}: ${where}: ${told(error)}`);
    }
  }

  /** @param {number} number */
  #block(number) {
    const found = this.#kept.get(number) ?? readBlock(this.#source, this.#index, number);
    this.#kept.delete(number);
    this.#kept.set(number, found); // the one that was asked for last is dropped last
    found.catch(() => this.#kept.delete(number)); // what could not be read may be asked for again
    if (this.#kept.size > MAX_KEPT) this.#kept.delete([...this.#kept.keys()][0]);
    return found;
  }

  /** @param {number} index */
  #has(index) {
    if (!Number.isInteger(index) || index < 0 || index >= this.count)
      fail(`${this.#name}: has no level ${shown(index)}, only ${this.count} levels`);
  }

  /** @param {unknown} seed */
  #seed(seed) {
    const isText = typeof seed === "string" && /^-?\d{1,20}$/.test(seed);
    if (typeof seed === "bigint" || isText || Number.isSafeInteger(seed))
      return BigInt.asIntN(64, BigInt(/** @type {bigint} */ (seed)));
    const problem = Number.isInteger(seed) ? "is beyond 2^53; give it as a bigint or a text" : "is not a whole number";
    return fail(`${this.#name}: seed ${shown(seed)} ${problem}`);
  }

  /** @param {string} fact @param {Wish} wish @returns {[Int32Array, number, number]} */
  #bounds(fact, wish) {
    const { facts, texts } = this.#index;
    const known = texts.get(fact);
    if (known) {
      if (typeof wish !== "string") return fail(`${this.#name}: ${fact}: ${shown(wish)} is not a text`);
      const place = known.indexOf(wish);
      return [/** @type {Int32Array} */ (facts.get(fact)), place, place < 0 ? NONE : place];
    }
    const ends = Array.isArray(wish) ? wish : [wish, wish];
    if (ends.length !== 2 || !ends.every(Number.isInteger))
      return fail(`${this.#name}: ${fact}: ${Array.isArray(wish) ? `[${wish.slice(0, 3).map(shown).join(", ")}]` : shown(wish)} is not a whole number or [min, max]`);
    return [this.#column(fact), Math.max(Number(ends[0]), NONE + 1), Number(ends[1])];
  }

  /** @param {string} fact */
  #column(fact) {
    const column = this.#index.facts.get(fact);
    if (column) return column;
    // The index leaves out what no level has.
    if (/^(count|markers)\./.test(fact)) return new Int32Array(this.count);
    if (/^rooms\..*\.distance$/.test(fact)) return new Int32Array(this.count).fill(NONE);
    return fail(`${this.#name}: unknown fact ${fact}; known facts: ${this.facts().join(", ")}`);
  }
}

/**
 * A layer as rows of numbers, as Phaser and others take it.
 *
 * @param {PackLevel} level
 * @param {string} name of the layer
 * @param {number} columns of the theme's picture: its width divided by `level.tile_size`
 * @returns {number[][]} -1, or the place of the tile in the picture
 */
export function tileRows(level, name, columns) {
  if (!Number.isInteger(columns) || columns < 1)
    fail(`columns ${shown(columns)} is not a whole number from 1; give the picture's width divided by level.tile_size`);
  const layer = level.layers.find((one) => one.name === name) ?? fail(`the level has no layer ${name}`);
  const places = Array.from(layer.tiles, (tile) => (tile < 0 ? -1 : (tile >> 16) * columns + (tile & 0xffff)));
  return Array.from({ length: level.height }, (_, y) => places.slice(y * level.width, (y + 1) * level.width));
}

/** @param {bigint} number The last step of SplitMix64: similar seeds give very different numbers. */
function mixed(number) {
  let word = BigInt.asUintN(64, number);
  for (const [shift, factor] of [[30n, 0xbf58476d1ce4e5b9n], [27n, 0x94d049bb133111ebn]])
    word = BigInt.asUintN(64, (word ^ (word >> shift)) * factor);
  return BigInt.asIntN(64, word ^ (word >> 31n));
}

/** @param {unknown} error */
const told = (error) => (error instanceof Error ? error.message : String(error));

// --- the file ----------------------------------------------------------------------------------------

/**
 * @typedef {object} Index
 * @property {number} count
 * @property {Int32Array} blocks @property {Int32Array} places
 * @property {BigInt64Array} seeds @property {Uint8Array} fingerprints
 * @property {Map<string, Int32Array>} facts @property {Map<string, string[]>} texts
 * @property {BigInt64Array} block_offsets @property {Int32Array} block_sizes
 * @property {Int32Array} block_raw_sizes @property {Uint8Array} block_digests
 */

/** @param {any} from @returns {Promise<PackSource>} */
async function sourceOf(from) {
  if (globalThis.Response && from instanceof Response) {
    if (!from.ok) fail(`cannot be read: the server answered ${from.status}`);
    return sourceOf(await from.arrayBuffer());
  }
  if (globalThis.Blob && from instanceof Blob)
    return { size: from.size, read: async (start, end) => bytesOf(await from.slice(start, end).arrayBuffer()) };
  if (from instanceof ArrayBuffer || ArrayBuffer.isView(from)) {
    const bytes = bytesOf(from);
    return { size: bytes.length, read: (start, end) => bytes.subarray(start, end) };
  }
  if (typeof from?.read === "function" && Number.isSafeInteger(from.size)) return from;
  if (from instanceof Promise) return fail("is opened from a Promise; await it first");
  return fail("is none of what a pack is opened from: bytes, a Blob, a Response, or { size, read }");
}

/** @param {Bytes} data */
const bytesOf = (data) =>
  data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

/** @param {PackSource} source @param {number} start @param {number} end */
async function partOf(source, start, end) {
  const data = await source.read(start, end);
  const bytes = data instanceof ArrayBuffer || ArrayBuffer.isView(data) ? bytesOf(data) : fail("its read gave no bytes");
  return bytes.length === end - start ? bytes : fail(`its read gave ${bytes.length} bytes instead of ${end - start}`);
}

/** @param {PackSource} source @returns {Promise<Index>} */
async function readIndex(source) {
  const header = await partOf(source, 0, Math.min(HEADER, source.size));
  const head = new DataView(header.buffer, header.byteOffset, header.byteLength);
  if (header.length < HEADER || String.fromCharCode(...header.subarray(0, 8)) !== MAGIC)
    fail("not an Undercroft pack; make one with `undercroft pack`");
  const [version, count] = [head.getUint32(8, true), head.getUint32(12, true)];
  if (version !== FORMAT_VERSION)
    fail(`format version is ${version}, and this reader reads ${FORMAT_VERSION}; take the one of the pack's generator`);
  if (count < 1 || count > MAX_LEVELS) fail(`level count ${count} is out of range (1 to ${MAX_LEVELS})`);
  const [start, size] = [Number(head.getBigUint64(16, true)), head.getUint32(24, true)];
  if (start < HEADER || start + size !== source.size) fail("the file is truncated; copy it again");
  const packed = await partOf(source, start, start + size);
  const raw = await unpacked(packed, head.getUint32(28, true), MAX_INDEX_BYTES, header.subarray(32, 64), "index: ");
  const index = new Variant(raw).whole();
  const wrong = wrongWith(index, count, start);
  if (wrong) fail(`index: ${wrong}`);
  return { ...Object.fromEntries(index), count };
}

/**
 * The bytes of a zlib stream, which are as many as it says. Where the page has no cryptography, because it came
 * over plain HTTP, the stream's own checksum must do.
 *
 * @param {Uint8Array} packed @param {number} size @param {number} most @param {Uint8Array} digest
 * @param {string} [where]
 */
async function unpacked(packed, size, most, digest, where = "") {
  if (size < 1 || size > Math.min(most, packed.length * MAX_RATIO))
    fail(`${where}claims an impossible unpacked size of ${size} bytes`);
  const hashing = globalThis.crypto?.subtle;
  const sum = hashing && new Uint8Array(await hashing.digest("SHA-256", /** @type {BufferSource} */ (packed)));
  if (sum && digest.some((byte, place) => byte !== sum[place]))
    fail(`${where}is damaged; copy the pack again, or rebuild it`);
  const raw = new Uint8Array(size);
  const stream = new Blob([/** @type {BlobPart} */ (packed)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const reader = stream.getReader();
  let at = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (at + part.value.length > size) fail("too long");
      raw.set(part.value, at);
      at += part.value.length;
    }
  } catch {
    reader.cancel().catch(() => {});
    at = -1;
  }
  if (at !== size) fail(`${where}does not contain ${size} bytes`);
  return raw;
}

/** @param {Map<any, any>} index @param {number} count @param {number} end The first inconsistency, or nothing. */
function wrongWith(index, count, end) {
  const digests = index.get("block_digests");
  const blocks = digests instanceof Uint8Array ? Math.floor(digests.length / 16) : 0;
  const wanted = /** @type {[string, any, number][]} */ ([
    ["blocks", Int32Array, count], ["places", Int32Array, count], ["seeds", BigInt64Array, count],
    ["block_offsets", BigInt64Array, blocks], ["block_sizes", Int32Array, blocks],
    ["block_raw_sizes", Int32Array, blocks], ["fingerprints", Uint8Array, 16 * count],
  ]);
  for (const [name, type, length] of wanted)
    if (!(index.get(name) instanceof type) || index.get(name).length !== length) return `${name}: are not ${length}`;
  const [offsets, sizes] = [index.get("block_offsets"), index.get("block_sizes")];
  for (let block = 0; block < blocks; block++) {
    const at = Number(offsets[block]);
    if (sizes[block] < 1 || at < HEADER || at + sizes[block] > end) return `block ${block} is outside the file`;
  }
  for (let level = 0; level < count; level++) {
    const block = index.get("blocks")[level];
    if (block < 0 || block >= blocks || index.get("places")[level] < 0) return "a level is in a block that does not exist";
  }
  return wrongWithFacts(index.get("facts"), index.get("texts"), count);
}

/** @param {any} facts @param {any} texts @param {number} count */
function wrongWithFacts(facts, texts, count) {
  if (!(facts instanceof Map) || !(texts instanceof Map)) return "facts: are not tables";
  for (const [name, column] of facts)
    if (typeof name !== "string" || !(column instanceof Int32Array) || column.length !== count)
      return `facts: ${shown(name)} is not a list of ${count} numbers`;
  for (const [name, known] of texts) {
    if (!facts.has(name) || !isTexts(known)) return `texts: ${shown(name)} is not a list of texts for a fact`;
    for (const number of facts.get(name))
      if (number !== NONE && (number < 0 || number >= known.length))
        return `facts: ${shown(name)} names a text that does not exist`;
  }
  return "";
}

/** @param {any} value */
const isTexts = (value) => Array.isArray(value) && value.every((one) => typeof one === "string");

/**
 * Godot's binary form of values, as far as packs have it. Dictionaries become Maps, so that no key means anything
 * to JavaScript.
 */
class Variant {
  /** @param {Uint8Array} data */
  constructor(data) {
    this.data = data;
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    this.at = this.values = 0;
    /** @type {Map<any[], number[]>} by list: how many bytes each of its items takes */
    this.sizes = new Map();
  }

  /** @returns {Map<any, any>} the table that is all of the data */
  whole() {
    const value = this.value(0);
    if (this.at !== this.data.length) fail("continues after its value");
    return value instanceof Map ? value : fail("does not contain a table");
  }

  /** @param {number} size moves on by so many bytes, and gives the place before them */
  take(size) {
    const at = this.at;
    if (size > this.data.length - at) fail("ends too early");
    this.at += size;
    return at;
  }

  /** @param {number} least how many items follow, of at least so many bytes each */
  count(least) {
    const count = this.view.getUint32(this.take(4), true);
    return count * least > this.data.length - this.at ? fail(`counts ${count} items, more than there are bytes for`) : count;
  }

  bytes() {
    const size = this.count(1);
    const at = this.take(size);
    this.at = Math.min(this.at + (-size & 3), this.data.length);
    return this.data.subarray(at, at + size);
  }

  text() {
    return new TextDecoder("utf-8", { fatal: true }).decode(this.bytes()).replace(/\0$/, "");
  }

  /** @param {any} type of array @param {number} size of its items */
  numbers(type, size) {
    const count = this.count(size);
    const at = this.take(count * size);
    return new type(this.data.slice(at, at + count * size).buffer);
  }

  /** @param {number} depth @returns {any} */
  value(depth) {
    if (++this.values > MAX_VALUES) fail(`has more than ${MAX_VALUES} values`);
    if (depth > MAX_DEPTH) fail(`is nested more than ${MAX_DEPTH} deep`);
    const kind = this.view.getUint32(this.take(4), true);
    switch (kind) {
      case 0: return null;
      case 1: return this.view.getUint32(this.take(4), true) !== 0;
      case 2: return this.view.getInt32(this.take(4), true);
      case 0x10002: return Number(this.view.getBigInt64(this.take(8), true));
      case 0x10003: return this.view.getFloat64(this.take(8), true);
      case 4: return this.text();
      case 27: return this.table(depth);
      case 28: return this.list(depth);
      case 29: return this.bytes();
      case 30: return this.numbers(Int32Array, 4);
      case 31: return this.numbers(BigInt64Array, 8);
      case 34: return Array.from({ length: this.count(4) }, () => this.text());
      default: return fail(`has a value of the unknown kind ${kind}`);
    }
  }

  /** @param {number} depth */
  list(depth) {
    /** @type {number[]} */
    const sizes = [];
    const list = Array.from({ length: this.count(4) }, () => {
      const at = this.at;
      const item = this.value(depth + 1);
      sizes.push(this.at - at);
      return item;
    });
    this.sizes.set(list, sizes);
    return list;
  }

  /** @param {number} depth */
  table(depth) {
    const table = new Map();
    for (let left = this.count(8); left > 0; left--) {
      const key = this.value(depth + 1);
      if (typeof key !== "string" && typeof key !== "number") fail("has a key that is neither a text nor a number");
      table.set(key, this.value(depth + 1));
    }
    return table;
  }
}

// --- the rows of a level -----------------------------------------------------------------------------

/**
 * @typedef {object} Block
 * @property {any[][]} forms @property {any[]} values @property {number[]} value_sizes
 * @property {string[]} files @property {BigInt64Array[]} palettes
 * @property {Uint8Array[]} rows @property {Uint8Array[]} cells
 *
 * @typedef {object} Row What a form and numbers say: a node, or a resource.
 * @property {string} type @property {string} scene @property {string} name
 * @property {string[]} groups @property {number} parent
 * @property {Map<string, any>} properties @property {Map<string, any>} metadata
 */

/** @param {PackSource} source @param {Index} index @param {number} number @returns {Promise<Block>} */
async function readBlock(source, index, number) {
  const at = Number(index.block_offsets[number]);
  const digest = index.block_digests.subarray(16 * number, 16 * number + 16);
  const packed = await partOf(source, at, at + index.block_sizes[number]);
  const raw = new Variant(await unpacked(packed, index.block_raw_sizes[number], MAX_BLOCK_BYTES, digest));
  const table = raw.whole();
  for (const [name, most] of Object.entries(MAX_OF_BLOCK)) {
    const list = table.get(name);
    if (!Array.isArray(list)) fail(`has no list ${name}`);
    if (list.length > most) fail(`has ${list.length} ${name}, more than ${most}`);
  }
  if (!Array.isArray(table.get("values"))) fail("has no list values");
  if (!isTexts(table.get("files")) || table.get("files").length % 2) fail("has no list files");
  for (const path of table.get("files").filter((/** @type {any} */ _, /** @type {number} */ i) => i % 2))
    if (!isInside(path))
      fail(`needs ${shown(path)}, which is neither in res:// nor beside the pack`);
  table.get("forms").forEach(checkForm);
  if (!table.get("palettes").every((/** @type {any} */ one) => one instanceof BigInt64Array)) fail("has no palettes");
  for (const name of ["rows", "cells"])
    if (!table.get(name).every((/** @type {any} */ one) => one instanceof Uint8Array)) fail(`has no ${name}`);
  return /** @type {any} */ ({ ...Object.fromEntries(table), value_sizes: raw.sizes.get(table.get("values")) });
}

/** @param {string} part of a path */
const isNowhere = (part) => part === "" || part === "." || part === "..";

/** @param {any} path Whether it is in res:// or beside the pack. */
const isInside = (path) =>
  typeof path === "string" && /^(res:\/\/)?[^:\\]+$/.test(path) && !path.replace(/^res:\/\//, "").split("/").some(isNowhere);

/** @param {any} form @param {number} number Refuses a form that is inconsistent. */
function checkForm(form, number) {
  const [type, file, name, groups, keys, kinds] = Array.isArray(form) && form.length === 6 ? form : [];
  const fits = typeof type === "string" && Number.isInteger(file) && typeof name === "string";
  if (!fits || !isTexts(groups) || !isTexts(keys) || !(kinds instanceof Uint8Array)) fail(`form ${number} is not a form`);
  const numbers = name.split("%d").length - 1;
  if (keys.length !== kinds.length || Math.max(keys.length, groups.length) > MAX_KEYS || name.length > MAX_NAME ||
      numbers !== name.split("%").length - 1 || numbers > MAX_NAME_NUMBERS)
    fail(`form ${number} is inconsistent`);
  kinds.forEach((/** @type {number} */ byte, /** @type {number} */ at) => {
    const [kind, unit] = [byte & 15, byte >> 4];
    const isScaled = kind === VECTOR2 || kind === POINTS || kind === RINGS;
    if (kind > CELLS || (unit && !(isScaled && (unit <= 4 || unit === EXACT))))
      fail(`form ${number}: kind ${kind} cannot have the unit ${unit}`);
    const name = keys[at].replace(/^metadata\//, "");
    const isName = file || name !== keys[at] ? /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) : /^[A-Za-z_][\w/]*$/.test(name);
    if (!isName || keys[at] === "script")
      fail(`form ${number}: ${shown(keys[at])} is not a property that a pack can set`);
  });
}

/** Reads the rows of one level, number by number. */
class Rows {
  /** @param {Block} block @param {number} place */
  constructor(block, place) {
    const [stream, cells] = [block.rows[place], block.cells[place]];
    if (stream.length % 2) fail("its rows are no numbers");
    if (stream.length + cells.length > MAX_LEVEL_BYTES) fail(`takes more than ${MAX_LEVEL_BYTES} bytes`);
    this.block = block;
    this.bytes = stream.slice();
    this.numbers = new Int16Array(this.bytes.buffer);
    this.cells = cells;
    this.at = 0;
    this.cell = 0;
    this.copied = 0;
    /** @type {number[][]} by form: the numbers of its last row */
    this.last = [];
    /** @type {Row[]} */
    this.resources = [];
    /** @type {Row[]} */
    this.nodes = [];
  }

  read() {
    const [resources, nodes] = [this.next(), this.next()];
    if (nodes < 1) fail("has no root");
    if (Math.max(resources, nodes) > MAX_ROWS) fail(`has more than ${MAX_ROWS} nodes or resources`);
    for (let left = resources; left > 0; left--) this.resources.push(this.row(-1));
    for (let node = 0; node < nodes; node++) this.nodes.push(this.row(node));
    if (this.at !== this.numbers.length || this.cell !== this.cells.length) fail("has more rows or cells than it says");
    return this.nodes;
  }

  next() {
    if (this.at >= this.numbers.length) fail("its rows end too early");
    return this.numbers[this.at++];
  }

  /** @param {number} count of numbers, which must be there; gives the place of the first */
  skip(count) {
    const at = this.at;
    if (count < 0 || at + count > this.numbers.length) fail("its rows end too early");
    this.at += count;
    return at;
  }

  /** @param {number} node its number, or -1 for a resource @returns {Row} */
  row(node) {
    const number = this.next();
    const [type, file, name, groups, keys, kinds] = this.block.forms[number] ?? fail(`has a row of form ${number}`);
    const last = (this.last[number] ??= []);
    let slot = 0;
    const step = () => (last[slot] = (((last[slot++] ?? 0) + this.next()) << 16) >> 16);
    const parent = node < 0 ? -1 : step();
    if (node > 0 && (parent < 0 || parent >= node)) fail(`the parent of node ${node} does not exist`);
    const called = node < 0 ? "" : name.replace(/%d/g, () => String(step()));
    const scene = file ? this.block.files[2 * file - 1] ?? fail("needs a scene that does not exist") : "";
    /** @type {Row} */
    const row = { type, scene, name: called, groups, parent, properties: new Map(), metadata: new Map() };
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at];
      const value = this.value(kinds[at] & 15, kinds[at] >> 4, step);
      if (key.startsWith("metadata/")) row.metadata.set(key.slice(9), value);
      else row.properties.set(key, value);
    }
    return row;
  }

  /** @param {number} kind @param {number} unit @param {() => number} step @returns {any} */
  value(kind, unit, step) {
    if (kind === VECTOR2 && unit === EXACT) return this.exact(1)[0];
    if (STEPS[kind]) {
      const number = step();
      if (kind === VALUE) return this.plain(number & 0xffff);
      if (kind === INT) return number;
      if (kind === VECTOR2) return [number / (1 << unit), step() / (1 << unit)];
      if (kind === VECTOR2I) return [number, step()];
      if (kind === RECT2I) return { x: number, y: step(), width: step(), height: step() };
      if (kind === RESOURCE) return this.resources[number] ?? fail("needs a resource that does not exist");
      return this.block.files[2 * number + 1] ?? fail("needs a file that does not exist");
    }
    const count = this.next();
    if (kind === INTS) return Array.from(this.numbers.subarray(this.skip(count), this.at));
    if (kind === TILES || kind === POINTS) return this.rings([count], unit)[0];
    if (kind === CELLS) return Array.from({ length: count < 0 ? 0 : count }, () => this.rectangle());
    const sizes = Array.from(this.numbers.subarray(this.skip(count), this.at));
    return kind === RINGS ? this.rings(sizes, unit) : this.indexes(sizes);
  }

  /** @param {number} place @returns {any} a value of the block, as a separate copy */
  plain(place) {
    const value = this.block.values[place];
    if (value === undefined) fail("needs a value that does not exist");
    if (typeof value !== "object" || value === null) return value;
    this.copied += this.block.value_sizes[place];
    if (this.copied > MAX_COPIED) fail(`repeats values of more than ${MAX_COPIED} bytes`);
    return copied(value);
  }

  /** @param {number[]} sizes @param {number} unit @returns {Point[][]} */
  rings(sizes, unit) {
    if (unit === EXACT) return sizes.map((size) => this.exact(size));
    const part = 1 / (1 << unit);
    let [x, y] = [0, 0];
    return sizes.map((size) => {
      /** @type {Point[]} */
      const ring = [];
      for (let at = this.skip(2 * size); at < this.at; at += 2)
        ring.push([(x += this.numbers[at]) * part, (y += this.numbers[at + 1]) * part]);
      return ring;
    });
  }

  /** @param {number} size @returns {Point[]} */
  exact(size) {
    const at = this.skip(4 * size);
    const view = new DataView(this.bytes.buffer);
    return Array.from({ length: size }, (_, i) =>
      [view.getFloat32(2 * at + 8 * i, true), view.getFloat32(2 * at + 8 * i + 4, true)]);
  }

  /** @param {number[]} sizes */
  indexes(sizes) {
    let index = 0;
    return sizes.map((size) => {
      const list = this.numbers.subarray(this.skip(size), this.at);
      return Array.from(list, (number) => (index += number));
    });
  }

  /** A rectangle of cells, and what each number there stands for. */
  rectangle() {
    const [x, y, width, height, palette] = [this.next(), this.next(), this.next(), this.next(), this.next()];
    const tiles = this.block.palettes[palette] ?? fail(`has a layer of palette ${palette}, which does not exist`);
    if (Math.min(width, height) < 1 || width * height > this.cells.length - this.cell)
      fail("has a layer with more cells than there are");
    const cells = this.cells.subarray(this.cell, (this.cell += width * height));
    const parts = new Uint16Array(tiles.buffer); // of each tile: source, column, row, alternative
    return { x, y, width, height, cells, parts };
  }
}

/** @param {any} value @returns {any} */
function copied(value) {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, copied(item)]));
  return Array.isArray(value) ? value.map(copied) : ArrayBuffer.isView(value) ? Array.from(/** @type {any} */ (value)) : value;
}

// --- a level of rows ---------------------------------------------------------------------------------

const MAX_TILES = 1 << 22; // of a level
const MAX_LAYERS = 8;
const MAX_COVERED = 32; // how often polygons may cover the level, each counted once for each of its corners
const OF_MARKERS = ["kind", "id", "room", "hallway", "properties"];

/** @param {Row[]} nodes @returns {PackLevel} */
function levelOf(nodes) {
  const about = nodes[0].metadata;
  const size = about.get("tile_size");
  const [width, height] = pointOf(about.get("size"));
  if (![size, width, height].every((side) => Number.isInteger(side) && side > 0) || width * height > MAX_TILES)
    fail("does not say how large it is");
  /** @type {PackLevel} */
  const level = {
    style: String(about.get("style")), seed: String(about.get("seed")), fingerprint: String(about.get("fingerprint")),
    facts: about.get("facts") ?? {}, spec: parsed(about.get("spec")), tile_size: size, width, height, tile_set: "",
    layers: [], rooms: [], doors: [], hallways: [], markers: [], things: [], navigation: [],
    walk: new Uint8Array(width * height),
  };
  let left = MAX_COVERED * width * height;
  const owners = /** @type {(PackRoom | PackDoor | PackHallway | undefined)[]} */ ([]); // by the number of their node
  for (const [number, node] of nodes.entries()) {
    if (node.type === "TileMapLayer") {
      if (level.layers.length === MAX_LAYERS) fail(`has more than ${MAX_LAYERS} layers`);
      level.layers.push({ name: node.name, tiles: tilesOf(node, width, height) });
      level.tile_set = node.properties.get("tile_set") ?? level.tile_set;
      if (level.tile_set && !isInside(level.tile_set)) fail("needs a file that is not in its folder");
    } else if (node.type === "CollisionPolygon2D") {
      const ring = node.properties.get("polygon")?.map((/** @type {Point} */ [x, y]) => [x / size, y / size]);
      /** @type {any} */ (owners[node.parent])?.outline?.push(ring ?? []);
    } else if (node.type === "NavigationRegion2D") {
      const region = regionOf(node);
      const door = /** @type {PackDoor | undefined} */ (owners[node.parent]);
      (door?.ways ?? level.navigation).push(region);
      if (region.walk) for (const polygon of region.polygons) left = mark(level, polygon, left);
    } else if (node.type === "CollisionShape2D") giveCells(owners[node.parent], nodes[node.parent], node, size);
    else owners[number] = add(level, node);
  }
  for (const name of /** @type {const} */ (["rooms", "doors", "hallways"]))
    if (Array.from(/** @type {any[]} */ (level[name])).some((one, id) => one?.id !== id)) fail(`its ${name} are not numbered from 0`);
  for (const { one_way: isOneWay, cells } of level.doors) // a link leads through these, and no region
    for (const [x, y] of isOneWay ? cells : []) if (x >= 0 && x < width && y >= 0 && y < height) level.walk[y * width + x] = 1;
  level.markers.sort((a, b) => a.id - b.id);
  return level;
}

/** @param {PackLevel} level @param {Row} node Adds what a node of a group is. @returns {any} */
function add(level, node) {
  const scene = node.scene ? { scene: node.scene } : {};
  const about = Object.fromEntries(node.metadata);
  const own = { ...about, ...scene };
  const isNew = (/** @type {any[]} */ list) =>
    (Number.isInteger(about.id) && about.id >= 0 && about.id < MAX_ROWS && !list[about.id]) || fail("has an id twice");
  if (node.groups.includes("room") && isNew(level.rooms)) return (level.rooms[about.id] = /** @type {any} */ ({ ...own, outline: [] }));
  if (node.groups.includes("hallway") && isNew(level.hallways))
    return (level.hallways[about.id] = /** @type {any} */ ({ ...own, outline: [] }));
  if (node.groups.includes("door") && isNew(level.doors)) return (level.doors[about.id] = /** @type {any} */ ({ ...own, ways: [] }));
  if (!node.groups.includes("marker") && !node.groups.includes("decor")) return undefined;
  const [x, y] = pointOf(node.properties.get("position"));
  if (node.groups.includes("decor")) level.things.push({ scene: node.scene, x, y, facts: about });
  else {
    const others = Object.entries(about).filter(([key]) => !OF_MARKERS.includes(key));
    level.markers.push({
      id: about.id, kind: about.kind, x: Math.floor(x / level.tile_size), y: Math.floor(y / level.tile_size),
      room: about.room ?? null, hallway: about.hallway ?? null,
      properties: { ...about.properties, ...Object.fromEntries(others) }, ...scene,
    });
  }
  return undefined;
}

/** @param {any} owner @param {Row} door @param {Row} shape @param {number} size A theme may draw no tiles of a door. */
function giveCells(owner, door, shape, size) {
  if (!owner?.ways || owner.cells?.length) return;
  const [[x, y], [width, height]] = [door.properties.get("position"), shape.properties.get("shape")?.properties?.get("size")].map(pointOf);
  const [left, top] = [Math.floor((x - width / 2) / size), Math.floor((y - height / 2) / size)];
  const [columns, rows] = [Math.round(width / size), Math.round(height / size)];
  if (columns * rows > MAX_ROWS) fail("has a door that is too large");
  owner.cells = Array.from({ length: columns * rows }, (_, i) => [left + (i % columns), top + Math.floor(i / columns)]);
}

/** @param {Row} node @param {number} width @param {number} height */
function tilesOf(node, width, height) {
  const tiles = new Int32Array(width * height).fill(-1);
  for (const part of node.properties.get("tile_map_data") ?? []) {
    const { x: left, y: top, cells, parts } = part;
    if (left < 0 || top < 0 || left + part.width > width || top + part.height > height) fail("has cells outside the level");
    for (let y = 0, at = 0; y < part.height; y++)
      for (let to = (top + y) * width + left, end = to + part.width; to < end; to++, at++) {
        const place = cells[at] * 4;
        if (place > parts.length) fail("has a cell that is not in its palette");
        if (place) tiles[to] = parts[place - 3] | (parts[place - 2] << 16);
      }
  }
  return tiles;
}

/** @param {Row} node @returns {Region} */
function regionOf(node) {
  const layers = node.properties.get("navigation_layers") ?? WALKERS;
  const shape = /** @type {Row | undefined} */ (node.properties.get("navigation_polygon"))?.properties;
  const vertices = /** @type {Point[]} */ (shape?.get("vertices") ?? []);
  const polygons = /** @type {number[][]} */ (shape?.get("polygons") ?? []).map((corners) =>
    corners.map((corner) => vertices[corner] ?? fail("has polygons with corners that do not exist")));
  return { walk: (layers & WALKERS) !== 0, fly: (layers & FLYERS) !== 0, polygons };
}

/**
 * Marks the tiles whose middle is in a convex polygon.
 *
 * @param {PackLevel} level @param {Point[]} polygon @param {number} left how many tiles may still be held against a corner
 */
function mark({ walk, width, height, tile_size: size }, polygon, left) {
  const [xs, ys] = [polygon.map(([x]) => x / size - 0.5), polygon.map(([, y]) => y / size - 0.5)];
  const [first, last] = [Math.max(0, Math.ceil(Math.min(...xs))), Math.min(width - 1, Math.floor(Math.max(...xs)))];
  const [top, bottom] = [Math.max(0, Math.ceil(Math.min(...ys))), Math.min(height - 1, Math.floor(Math.max(...ys)))];
  const rest = left - Math.max(0, last - first + 1) * Math.max(0, bottom - top + 1) * xs.length;
  if (rest < 0) fail("has polygons that cover the level too often");
  for (let y = top; y <= bottom; y++)
    for (let x = first; x <= last; x++) {
      let [isRight, isLeft] = [false, false];
      for (let i = 0, j = xs.length - 1; i < xs.length; j = i++) {
        const turn = (xs[i] - xs[j]) * (y - ys[j]) - (ys[i] - ys[j]) * (x - xs[j]);
        isRight ||= turn > 0;
        isLeft ||= turn < 0;
      }
      if (!isRight || !isLeft) walk[y * width + x] = 1;
    }
  return rest;
}

/** @param {any} value @returns {Point} */
const pointOf = (value) => (Array.isArray(value) && value.length === 2 ? /** @type {Point} */ (value) : [NaN, NaN]);

/** @param {any} text @returns {Facts} */
function parsed(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
