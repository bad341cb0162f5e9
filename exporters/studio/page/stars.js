// Stars: levels that the project's manifest builds.

import { find } from "/shared/common.js";
import { Gone, get, isStale, levelOf, post } from "./api.js";
import { nameOf, showStarred } from "./kept.js";
import { notice } from "./notices.js";
import { current, same } from "./store.js";
import { known } from "./values.js";

let groups = [];

const sorted = (values) => Object.entries(values).sort(([a], [b]) => a < b ? -1 : 1);

/** A seed as the manifest has it: 011 is 11 there, and no seed is the style's own. */
const writtenSeed = (seed) => seed === "" ? known.seed.default : /^\d{1,20}$/.test(seed) ? `${BigInt(seed)}` : seed;

/** The group of the manifest that has a record's level; undefined if there is none. */
function groupOf(record) {
  const { spec, values, theme, seed, rerolls } = record;
  return groups.find((group) => group.spec === spec && same(sorted(group.set), sorted(values)) && group.theme === theme
    && group.seeds.includes(writtenSeed(seed)) && same(group.rerolls, rerolls));
}

/** Read the manifest again. What is wrong with it is told, unless it is only read because other files changed. */
export async function readStars({ isTold = true } = {}) {
  try {
    groups = (await get("/api/stars")).groups;
    showStarred(groups.flatMap(({ spec, set, theme, seeds, rerolls }) => seeds.map((seed) => ({ spec, values: set, theme, seed, rerolls }))));
  } catch (error) {
    if (isTold && !isStale(error) && !(error instanceof Gone)) notice(error.message, { stays: 9000 });
  }
  showStar(current());
}

/** Whether the level that is shown has a star. */
export function showStar(record) {
  const group = groupOf(record);
  const star = find("#star");
  star.ariaPressed = Boolean(group);
  star.querySelector(".icon").textContent = group ? "★" : "☆";
  star.querySelector(".word").textContent = group ? "Starred" : "Star";
}

/** Write the level into the manifest, or take it out again. */
export async function star() {
  const record = current();
  try {
    if (groupOf(record)) {
      const told = await post("/api/unstar", levelOf(record));
      notice(told.groups.length ? `${nameOf(record)} is no longer in ${told.manifest}.` : `${nameOf(record)} is in a group of ${told.manifest} that you wrote yourself; remove it there.`);
      await readStars();
      return;
    }
    const told = await post("/api/star", levelOf(record));
    notice(`${nameOf(record)} ${told.added ? "is now" : "was already"} in ${told.manifest}, group ${told.group}. “${told.command}” makes its files.`, { stays: 9000 });
    await readStars();
  } catch (error) {
    if (!isStale(error)) notice(error.message, { stays: 9000 });
  }
}
