// What changes on disk while one looks: a line per change, until the page is left.

import { get, setServer } from "./api.js";
import { tab } from "./store.js";

const written = new Map(); // files that this page wrote itself, each with the stamp that it then had: nothing that is drawn follows from them
let writing = Promise.resolve();

/** Wait for the answer to a write. That its files changed is no news, even if it is told before the answer comes. */
export function ownWrite(answer) {
  writing = answer.then(({ stamps }) => Object.entries(stamps).forEach(([path, stamp]) => written.set(path, stamp)), () => {});
  return answer;
}

/** Call a function with the paths of files that changed. */
export function watchEvents(changed) {
  const source = new EventSource(`/api/events?${new URLSearchParams({ tab })}`);
  source.addEventListener("changed", async (event) => {
    await writing;
    const { files, stamps } = JSON.parse(event.data);
    const news = files.filter((path) => stamps[path] !== written.get(path));
    if (news.length) changed(news);
  });
  source.addEventListener("error", () => {
    get("/api/described").catch(() => {}); // which tells whether the server is gone
    if (source.readyState === EventSource.CLOSED) setTimeout(() => watchEvents(changed), 3000);
  });
  source.addEventListener("open", () => setServer("here"));
  addEventListener("pagehide", () => source.close());
}
