// The small pictures of the cards, which are drawn one after another, and what lies over them.

import { el, find } from "./common.js";
import { drawLevel, drawScaled, sheetOf, tilePx } from "./picture.js";

const data = JSON.parse(find("#data").textContent);
const sheet = sheetOf(data);
const scratch = el("canvas"); // of all, so that one is drawn after another
const settings = { rooms: false, markers: false };
let busy = Promise.resolve();

/** Draw a level small, unless it is there already, or nobody wants it any more when its turn comes. */
function drawSmall(canvas, level, wanted) {
  busy = busy.then(async () => {
    const { markers } = settings;
    if (!wanted() || canvas.dataset.drawn === `${markers}`) return;
    await drawLevel(scratch, level, sheet, tilePx(level, sheet, 6e6), markers);
    const box = canvas.parentElement.getBoundingClientRect();
    const scale = Math.min(box.width / scratch.width, box.height / scratch.height) * devicePixelRatio;
    drawScaled(canvas, scratch, scale);
    canvas.dataset.drawn = markers;
  }).catch((error) => console.error(error)); // or no other would be drawn
}

// --- drawing what can be seen: thousands of pictures would fill the memory

const inSight = new Set(); // items

const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) inSight.add(target);
    else inSight.delete(target);
    show(target);
  }
}, { rootMargin: "300px" });

/** Draw a card's picture and what lies over it, or forget both when it is out of sight. */
function show(item) {
  const picture = item.querySelector(".picture");
  const canvas = picture.querySelector("canvas");
  const level = data.levels[item.dataset.number];
  picture.querySelector("svg")?.remove();
  if (inSight.has(item)) {
    drawSmall(canvas, level, () => inSight.has(item));
    const tilePx = Math.min(picture.clientWidth / level.size[0], picture.clientHeight / level.size[1]);
    if (settings.rooms) picture.append(overlayOf(level, data, tilePx, false));
  } else {
    canvas.width = canvas.height = 1;
    delete canvas.dataset.drawn;
  }
}

function toggle(name) {
  settings[name] = !settings[name];
  for (const button of findAll(`.toggle-${name}`)) button.ariaPressed = settings[name];
  inSight.forEach(show);
  if (dialog.open) redrawLarge();
}

for (const name of ["rooms", "markers"]) {
  for (const button of findAll(`.toggle-${name}`)) button.addEventListener("click", () => toggle(name));
}
