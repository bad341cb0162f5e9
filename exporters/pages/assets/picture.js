// Pictures: a level's tiles, drawn from one sheet that holds every tile once.

import { el } from "./common.js";

/**
 * The sheet that levels are drawn from: how large a tile is, and where in the image the tile of a number is.
 * `tiles` are those that it holds, in rows of `columns`; all, if they are not told.
 */
export function sheetOf({ tilePx, layers, columns, tiles, sprite }) {
  const image = el("img", { src: sprite });
  const at = (place) => [place % columns, Math.floor(place / columns)];
  const places = tiles && new Map(tiles.map((tile, i) => [tile + 1, at(i)]));
  const placeOf = places ? (number) => places.get(number) : (number) => at(number - 1);
  return { tilePx, layers, placeOf, image, ready: image.decode() };
}

/** The numbers [layer, y, x] of a level's tiles: 0 for none. */
async function tilesOf(level, sheet) {
  const packed = Uint8Array.from(atob(level.tiles), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(unpacked).arrayBuffer();
  const wide = bytes.byteLength > 2 * sheet.layers * level.size[0] * level.size[1];
  return wide ? new Uint32Array(bytes) : new Uint16Array(bytes);
}

/** How many px a tile may have so that the whole level stays below so many px, at most its own. */
export function tilePx(level, sheet, most) {
  const fit = Math.floor(Math.sqrt(most / (level.size[0] * level.size[1])));
  return Math.max(1, Math.min(sheet.tilePx, fit));
}

/** Draw what another canvas has, smaller: at this scale, but never larger than it is. */
export function drawScaled(canvas, from, scale) {
  const fit = Math.min(scale, 1);
  canvas.width = Math.max(1, Math.round(from.width * fit));
  canvas.height = Math.max(1, Math.round(from.height * fit));
  const pen = canvas.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(from, 0, 0, canvas.width, canvas.height);
}

/** Draw a level onto a canvas that becomes as large as it needs. */
export async function drawLevel(canvas, level, sheet, px, markers) {
  const [width, height] = level.size;
  const tiles = await tilesOf(level, sheet);
  await sheet.ready;
  canvas.width = width * px;
  canvas.height = height * px;
  const pen = canvas.getContext("2d");
  pen.imageSmoothingEnabled = px !== sheet.tilePx;
  const own = sheet.tilePx;
  const end = (markers ? sheet.layers : sheet.layers - 1) * width * height; // the last layer: the markers
  for (let i = 0; i < end; i++) {
    if (tiles[i] === 0) continue;
    const [column, row] = sheet.placeOf(tiles[i]);
    const at = i % (width * height);
    const x = (at % width) * px;
    const y = Math.floor(at / width) * px;
    pen.drawImage(sheet.image, column * own, row * own, own, own, x, y, px, px);
  }
}
