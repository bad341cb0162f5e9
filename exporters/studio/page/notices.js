// What the page says: lines that come and go, a line for those who listen, and a banner while the server is away.

import { el, find } from "/shared/common.js";
import { get, serverState, setServer, watchServer } from "./api.js";

const STAY = 5000; // ms

/** A line at the edge of the page for a while. */
export function notice(text, { stays = STAY } = {}) {
  const shown = [...find("#notices").children].find((each) => each.textContent === text);
  shown?.remove();
  const line = el("p", { className: "notice" }, text);
  find("#notices").append(line);
  while (find("#notices").children.length > 3) find("#notices").firstChild.remove();
  setTimeout(() => line.remove(), stays);
}

let telling = 0;

/** A line for those who listen, when nothing newer comes at once. */
export function tell(text) {
  clearTimeout(telling);
  telling = setTimeout(() => { find("#told").textContent = text; }, 300);
}

const SAID = {
  gone: ["The studio’s server has stopped.", "Nothing is lost: start “undercroft studio” again, and this page continues by itself."],
  token: ["The studio was restarted.", "Open the address that it printed, in any tab of this browser: this page then continues by itself."],
};

/** Show the banner while the server is away, look for it, and call `back` when it is there again. */
export function watchBanner(back) {
  let wasAway = false;
  const look = async () => {
    if (serverState() === "here") return;
    try {
      await get("/api/described");
      setServer("here");
    } catch {
      setTimeout(look, 1000);
    }
  };
  watchServer((state) => {
    const said = SAID[state];
    find("#banner").replaceChildren(...(said ? [el("b", {}, said[0]), ` ${said[1]}`] : []));
    if (state !== "here" && !wasAway) setTimeout(look, 1000);
    if (state === "here" && wasAway) {
      notice("The server is back.");
      back();
    }
    wasAway = state !== "here";
  });
}
