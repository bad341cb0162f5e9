// The small pictures of the cards, which are drawn one after another.

import { el, find } from "./common.js";
import { drawLevel, sheetOf, tilePx } from "./picture.js";

const data = JSON.parse(find("#data").textContent);
const sheet = sheetOf(data);
const scratch = el("canvas"); // of all, so that one is drawn after another
let busy = Promise.resolve();

/** Draw a level small, unless it is there already, or nobody wants it any more when its turn comes. */
function drawSmall(canvas, level, wanted) {
  busy = busy.then(async () => {
    const { markers } = settings;
    if (!wanted() || canvas.dataset.drawn === `${markers}`) return;
    await drawLevel(scratch, level, sheet, tilePx(level, sheet, 6e6), markers);
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
