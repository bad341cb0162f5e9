// Search: the seeds whose levels meet a condition, as cards while they come.

import { el, find } from "/shared/common.js";
import { isStale, levelOf, lines } from "./api.js";
import { drawSmall, keep } from "./kept.js";
import { showProblem, words } from "./limits.js";
import { tell } from "./notices.js";
import { change, current, recall, remember } from "./store.js";
import { complain, known } from "./values.js";

const MOST_CARDS = 200;
let running = null; // what ends the search
let acts = {};

const field = (label, input, extra = "") => el("div", { className: `field ${extra}` }, el("label", { htmlFor: input.id }, label), input);

/** Build the view; `opened()` is called when a hit was opened. */
export function buildSearch(given) {
  acts = given;
  const kept = recall("search") ?? {};
  const where = el("input", { id: "where", value: kept.where ?? "rooms.boss.distance >= 5", spellcheck: false, autocomplete: "off", maxLength: 1000 });
  where.setAttribute("aria-describedby", "where-problem where-help");
  const number = (id, value, min) => el("input", { id, type: "number", min, step: 1, value });
  const go = el("button", { type: "submit", id: "search-go", className: "primary" }, "Search");
  const stop = el("button", { type: "button", id: "search-stop", disabled: true }, "Stop");
  stop.addEventListener("click", () => running?.abort());
  const facts = el("select", { id: "add-fact", ariaLabel: "Add a fact to the condition" });
  facts.addEventListener("input", addFact);
  const kinds = el("select", { id: "add-kind" });
  kinds.addEventListener("input", () => { if (kinds.value) addOf(kinds.value); });
  const kindField = Object.assign(field("Kind", kinds), { hidden: true });
  const form = el("form", { id: "search-form", noValidate: true },
    field("Condition", where, "wide"), el("div", { className: "field" }, el("label", { htmlFor: "add-fact" }, "Facts"), facts), kindField,
    field("From seed", number("search-from", kept.from ?? 0, 0)), field("Seeds to try", number("search-count", kept.count ?? 500, 1)),
    field("Stop after", number("search-most", kept.most ?? 12, 1)), el("div", { className: "field acts" }, go, stop));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  find("#view-search").append(el("h2", {}, "Search"), form,
    el("p", { className: "soft", id: "where-help" }, "Searches levels of the spec with its current values. For example: rooms.boss.distance >= 9 and loops == 2"),
    el("p", { className: "problem", id: "where-problem", hidden: true }),
    el("p", { id: "search-told", role: "status" }), el("progress", { id: "search-bar", hidden: true, ariaLabel: "Seeds tried" }),
    el("ul", { id: "hits", role: "list", ariaLabel: "Levels found" }));
}

/** Offer the facts of the style. */
export function offerFacts() {
  showKinds([]);
  find("#add-fact").replaceChildren(el("option", { value: "" }, "Add a fact …"),
    ...known.facts.map(({ fact, help }) => el("option", { value: fact, title: help }, fact)));
}

/** Put a condition into the form; nothing is searched yet. */
export function setCondition(text) {
  find("#where").value = text;
  find("#where").focus();
}

const factToAdd = () => known.facts.find((each) => each.fact === find("#add-fact").value);

/** Add a fact to the condition; of a fact about kinds, the kind is asked for first. */
function addFact() {
  const fact = factToAdd();
  showKinds(fact?.of ?? []);
  if (fact?.of.length) find("#add-kind").focus();
  else if (fact) addOf("");
}

function showKinds(of) {
  const kinds = find("#add-kind");
  kinds.parentElement.hidden = !of.length;
  kinds.replaceChildren(el("option", { value: "" }, "Choose a kind …"), ...of.map((kind) => el("option", { value: kind }, words(kind))));
}

function addOf(kind) {
  const where = find("#where");
  const { fact, text } = factToAdd();
  where.value = `${where.value.trim()}${where.value.trim() ? " and " : ""}${fact.replace("KIND", kind)}${text ? ' == ""' : " >= "}`;
  find("#add-fact").value = "";
  showKinds([]);
  where.focus();
}

/** Whether a search runs. Of its two buttons one can be used, and the focus goes to it from the other. */
function showRunning(isRunning) {
  const [wanted, other] = isRunning ? ["#search-stop", "#search-go"] : ["#search-go", "#search-stop"];
  find(wanted).disabled = false;
  if (document.activeElement === find(other)) find(wanted).focus();
  find(other).disabled = true;
  find("#search-bar").hidden = !isRunning;
}

const complainWhere = (message) => showProblem(find("#where-problem"), message, find("#where"));

async function search() {
  running?.abort();
  const own = running = new AbortController();
  const [where, from, count, most] = ["#where", "#search-from", "#search-count", "#search-most"].map((id) => find(id).value);
  remember("search", { where, from, count, most });
  complainWhere("");
  find("#hits").replaceChildren();
  showRunning(true);
  const record = { ...current(), rerolls: [], pins: [] };
  const state = { hits: 0, tried: 0, failed: 0 };
  const whole = (text, least) => Math.max(least, Math.trunc(Number(text)) || least);
  const asked = { ...levelOf(record, "search"), where, first: whole(from, 0), count: whole(count, 1), most: whole(most, 1) };
  say(state, asked.count, "");
  find("#search-bar").removeAttribute("value");
  try {
    for await (const line of lines("/api/search", asked, own.signal)) {
      if (own.signal.aborted) break;
      take(line, record, state, asked.count);
    }
    say(state, asked.count, own.signal.aborted ? "stopped" : "done");
  } catch (error) {
    if (isStale(error) || own.signal.aborted) say(state, asked.count, "stopped");
    else {
      find("#search-told").textContent = "";
      if (error.control === "where" || !complain(error)) complainWhere(error.message);
      if (error.more?.place !== undefined) {
        find("#where").focus();
        find("#where").setSelectionRange(error.more.place, find("#where").value.length);
      }
    }
  } finally {
    if (running === own) {
      running = null;
      showRunning(false);
    }
  }
}

function take(line, record, state, count) {
  Object.assign(state, line.progress, line.done);
  if (line.hit) {
    state.hits++;
    if (find("#hits").children.length < MOST_CARDS) find("#hits").append(hit({ ...record, seed: `${line.hit.seed}` }, line.hit));
  }
  say(state, count, "");
}

function say(state, count, how) {
  const seeds = `${state.hits} ${state.hits === 1 ? "level" : "levels"} found, ${state.tried} of ${count} seeds tried`;
  const hint = state.hits > MOST_CARDS ? ` The first ${MOST_CARDS} are shown.` : state.hits ? "" : " Try more seeds, or ask for less.";
  find("#search-told").textContent = how === "stopped" ? `${seeds}; stopped.` : how ? `${seeds}.${hint}` : `${seeds} …`;
  find("#search-bar").max = count;
  find("#search-bar").value = state.tried;
  if (how) tell(seeds);
}

function hit(record, level) {
  const canvas = el("canvas", { width: 1, height: 1, ariaHidden: "true" });
  const facts = Object.entries(level.facts).slice(0, 6).map(([name, value]) => el("span", {}, `${name} `, el("b", {}, `${value}`)));
  const card = el("button", { type: "button", className: "card" }, el("span", { className: "picture" }, canvas),
    el("span", { className: "about" }, el("span", { className: "name" }, `seed ${record.seed}`), el("span", { className: "told" }, ...facts)));
  card.addEventListener("click", () => { change(record); acts.opened(); });
  const hold = el("button", { type: "button", className: "drop", ariaLabel: `Keep seed ${record.seed}`, title: "Keep it in the list" }, "+");
  hold.addEventListener("click", () => keep(record));
  queueMicrotask(() => drawSmall(canvas, record, level));
  return el("li", {}, card, hold);
}
