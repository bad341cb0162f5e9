// Pictures: a level's tiles, drawn from one sheet that holds every tile once.

const data = JSON.parse(find("#data").textContent);
const ICONS = data.layers - 1; // the last layer: the markers
const sheet = el("img", { src: data.sprite });
const sheetReady = sheet.decode();
const places = new Map(data.tiles.map((tile, i) => [tile + 1, [i % data.columns, Math.floor(i / data.columns)]]));

/** The numbers [layer, y, x] of a level's tiles: 0 for none. */
async function tilesOf(level) {
  const packed = Uint8Array.from(atob(level.tiles), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(unpacked).arrayBuffer();
  const wide = bytes.byteLength > 2 * data.layers * level.size[0] * level.size[1];
  return wide ? new Uint32Array(bytes) : new Uint16Array(bytes);
}

/** How many px a tile may have so that the whole level stays below so many px, at most its own. */
function tilePx(level, most) {
  const fit = Math.floor(Math.sqrt(most / (level.size[0] * level.size[1])));
  return Math.max(1, Math.min(data.tilePx, fit));
}

/** Draw a level onto a canvas that becomes as large as it needs. */
async function drawLevel(canvas, level, px, markers) {
  const [width, height] = level.size;
  const tiles = await tilesOf(level);
  await sheetReady;
  canvas.width = width * px;
  canvas.height = height * px;
  const pen = canvas.getContext("2d");
  pen.imageSmoothingEnabled = px !== data.tilePx;
  const own = data.tilePx;
  const end = (markers ? data.layers : ICONS) * width * height;
  for (let i = 0; i < end; i++) {
    if (tiles[i] === 0) continue;
    const [column, row] = places.get(tiles[i]);
    const at = i % (width * height);
    const x = (at % width) * px;
    const y = Math.floor(at / width) * px;
    pen.drawImage(sheet, column * own, row * own, own, own, x, y, px, px);
  }
}

const scratch = el("canvas"); // of all, so that one is drawn after another
let busy = Promise.resolve();

/** Draw a level small, unless it is there already, or nobody wants it any more when its turn comes. */
function drawSmall(canvas, level, wanted) {
  busy = busy.then(async () => {
    const { markers } = settings;
    if (!wanted() || canvas.dataset.drawn === `${markers}`) return;
    await drawLevel(scratch, level, tilePx(level, 6e6), markers);
    const box = canvas.parentElement.getBoundingClientRect();
    const scale = Math.min(box.width / scratch.width, box.height / scratch.height) * devicePixelRatio;
    canvas.width = Math.max(1, Math.round(scratch.width * Math.min(scale, 1)));
    canvas.height = Math.max(1, Math.round(scratch.height * Math.min(scale, 1)));
    const pen = canvas.getContext("2d");
    pen.imageSmoothingQuality = "high";
    pen.drawImage(scratch, 0, 0, canvas.width, canvas.height);
    canvas.dataset.drawn = markers;
  }).catch((error) => console.error(error)); // or no other would be drawn
}
