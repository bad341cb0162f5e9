// Talking with the server: JSON there and back, errors as they are to be shown, and whether it is there at all.

import { tab } from "./store.js";

/** What the server refused: `message` is the line to show, `control` what it stands beside. */
class Refused extends Error {
  constructor({ message, code, control, key, ...more }, status) {
    super(message);
    Object.assign(this, { code, control: control ?? key ?? null, status, more });
  }
}

/** That the server did not answer. */
export class Gone extends Error {}

/** Whether nobody needs to hear of an error: a newer request took the place, or nobody waits any more. */
export const isStale = (error) => error.name === "AbortError" || error.code === "superseded";

const listeners = new Set();
/** Call a function with "here", "gone" or "token" whenever that changes. */
export const watchServer = (listener) => listeners.add(listener);
let state = "here";

export function setServer(next) {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener(next);
}

export const serverState = () => state;

async function fetched(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    setServer("gone");
    throw new Gone("the studio's server does not answer");
  }
}

async function checked(response) {
  if (response.ok) {
    setServer("here");
    return response;
  }
  const told = await response.json().catch(() => null);
  const error = new Refused(told?.error ?? { message: `the server answered ${response.status}` }, response.status);
  setServer(error.code === "token" ? "token" : "here");
  throw error;
}

/** GET something as JSON; the one before it of the same path is given up. */
export async function get(path, parameters = {}) {
  const query = new URLSearchParams({ ...parameters, tab });
  return (await checked(await fetched(`${path}?${query}`, { signal: newest(path) }))).json();
}

function posted(path, body, signal) {
  const options = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ tab, ...body }), signal };
  return fetched(path, options).then(checked);
}

/** POST an object, and get one. */
export const post = async (path, body, signal = undefined) => (await posted(path, body, signal)).json();

function parsedLine(text) {
  const line = JSON.parse(text);
  if (line.error) throw new Refused(line.error, 200);
  return line;
}

/** POST an object; the objects of the answer's lines, one by one as they come. Raises the error of a line. */
export async function* lines(path, body, signal) {
  const reader = (await posted(path, body, signal)).body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    let part;
    try {
      part = await reader.read();
    } catch (error) {
      if (signal.aborted) return;
      setServer("gone");
      throw new Gone("the studio's server stopped in the middle of the answer");
    }
    if (part.done) break;
    const found = (rest + part.value).split("\n");
    rest = found.pop();
    for (const line of found) if (line.trim()) yield parsedLine(line);
  }
  if (rest.trim()) yield parsedLine(rest);
}

const under = new Map(); // what ends the last request of each name

/** A signal for a request; the one of the same name before it is ended, for nobody needs its answer any more. */
export function newest(name) {
  under.get(name)?.abort();
  const own = new AbortController();
  under.set(name, own);
  return own.signal;
}

/** A record of the store as requests have it. */
export const levelOf = (record, slot = "a") => ({
  slot, spec: { name: record.spec, set: record.values }, seed: record.seed, theme: record.theme, rerolls: record.rerolls,
});
