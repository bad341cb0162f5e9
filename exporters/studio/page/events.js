// What changes on disk while one looks: a line per change, until the page is left.

import { get, setServer } from "./api.js";
import { tab } from "./store.js";

const written = new Set(); // paths that this page wrote itself: nothing that is drawn follows from them
let writing = Promise.resolve();

/** Wait for the answer to a write. That its files changed is no news, even if it is told before the answer comes. */
export function ownWrite(answer) {
  writing = answer.then(({ files }) => files.forEach((path) => written.add(path)), () => {});
  return answer;
}

/** Call a function with the paths of files that changed. */
export function watchEvents(changed) {
  const source = new EventSource(`/api/events?${new URLSearchParams({ tab })}`);
  source.addEventListener("changed", async (event) => {
    await writing;
    const files = JSON.parse(event.data).files.filter((path) => !written.delete(path));
    if (files.length) changed(files);
  });
  source.addEventListener("error", () => {
    get("/api/described").catch(() => {}); // which tells whether the server is gone
    if (source.readyState === EventSource.CLOSED) setTimeout(() => watchEvents(changed), 3000);
  });
  source.addEventListener("open", () => setServer("here"));
  addEventListener("pagehide", () => source.close());
}
