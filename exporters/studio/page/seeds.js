// The seed: typed, thrown, stepped.

import { find } from "/shared/common.js";
import { change, current, settle } from "./store.js";
import { known } from "./values.js";

const MOST = (1n << 64n) - 1n;

/** A seed at random: short enough to be read out. */
export function throwSeed() {
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  change({ seed: `${1 + (number % 999_999)}` });
}

/** The seed one place on, or back. Of a text, the number at its end is counted: `crypt`, `crypt 1`, `crypt 2`. */
export function nextSeed(seed, by) {
  const text = seed === "" ? known.seed.default ?? "0" : seed.trim();
  if (/^\d{1,20}$/.test(text)) {
    const number = BigInt(text) + BigInt(by);
    return `${number < 0n ? 0n : number > MOST ? MOST : number}`;
  }
  const [, stem, digits] = text.match(/^(.*\S)\s+(\d{1,15})$/) ?? [null, text, "0"];
  const number = Number(digits) + by;
  return number > 0 ? `${stem} ${number}` : stem;
}

export const stepSeed = (by) => change({ seed: nextSeed(current().seed, by) });

export function showSeed(record) {
  const input = find("#seed");
  if (document.activeElement !== input) input.value = record.seed;
  input.placeholder = known.seed.default ?? "0";
}

export function buildSeeds() {
  const input = find("#seed");
  input.addEventListener("input", () => change({ seed: input.value.trim() }, "seed"));
  input.addEventListener("change", settle);
  input.addEventListener("blur", () => showSeed(current()));
  find("#seed-less").addEventListener("click", () => stepSeed(-1));
  find("#seed-more").addEventListener("click", () => stepSeed(1));
  find("#throw").addEventListener("click", throwSeed);
}
