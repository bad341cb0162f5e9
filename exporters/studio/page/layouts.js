// Pools of layouts: what lies in each as a contact sheet, and how often levels draw it.

import { el, find } from "/shared/common.js";
import { isStale, levelOf, post } from "./api.js";
import { showProblem } from "./limits.js";
import { current, recall, remember, setValue } from "./store.js";
import { known } from "./values.js";
import { currentView, openView } from "./views.js";

const COUNTED = 100; // levels
let pool = recall("pool") ?? "";
let counted = 0;
let asking = null;

/** Build the view. */
export function buildLayouts() {
  const pick = el("select", { id: "pool", ariaLabel: "Pool" });
  pick.addEventListener("input", () => {
    pool = pick.value;
    counted = 0;
    remember("pool", pool);
    showLayouts();
  });
  const count = el("button", { type: "button", id: "count-layouts" }, `Count their use in ${COUNTED} levels`);
  count.addEventListener("click", () => {
    counted = COUNTED;
    showLayouts();
  });
  const large = el("button", { type: "button", id: "large-sheet", ariaPressed: false }, "Full size");
  large.addEventListener("click", () => { large.ariaPressed = find("#contact").classList.toggle("large"); });
  find("#view-layouts").append(
    el("div", { className: "layouts-head" }, el("h2", {}, "Layouts"), pick, count, large, el("p", { className: "soft", id: "layouts-told", role: "status" })),
    el("p", { className: "problem", id: "layouts-problem", hidden: true }),
    el("div", { className: "layouts-body" },
      el("div", { className: "contact", id: "contact", tabIndex: 0, role: "group", ariaLabel: "Contact sheet" }),
      el("div", { className: "layouts-list" }, el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Layout"), el("th", { scope: "col", id: "layouts-used" }, "Used"))), el("tbody", { id: "layout-rows" })))));
}

/** Ask for the pools, and for the one that is chosen; if the view is open. */
export async function showLayouts() {
  if (currentView() !== "layouts") return;
  asking?.abort();
  const own = asking = new AbortController();
  find(".layouts-body").classList.add("is-old");
  find("#layouts-told").textContent = counted ? `counting in ${counted} levels …` : "reading …";
  const ask = (wanted) => post("/api/layouts", { ...levelOf(current(), "layouts"), rerolls: [], pool: wanted, levels: counted }, own.signal);
  try {
    const told = await ask(pool).catch((error) => {
      if (pool && error.control === "pool") return ask(""); // another spec, which does not have this pool
      throw error;
    });
    pool = told.pool;
    fillPools(told.pools);
    complain("");
    show(told);
  } catch (error) {
    if (isStale(error) || own.signal.aborted) return;
    find("#layouts-told").textContent = "";
    complain(error.message);
  } finally {
    if (own === asking) find(".layouts-body").classList.remove("is-old");
  }
}

const complain = (message) => showProblem(find("#layouts-problem"), message);

function fillPools(pools) {
  const groups = new Map();
  for (const each of pools) {
    const group = each.pool.includes("/") ? each.pool.replace(/\/[^/]*$/, "") : "";
    groups.set(group, [...(groups.get(group) ?? []), each]);
  }
  const option = ({ pool: name, layouts }) => el("option", { value: name }, `${name} (${layouts})`);
  find("#pool").replaceChildren(...[...groups].flatMap(([label, own]) => label ? [el("optgroup", { label }, ...own.map(option))] : own.map(option)));
  find("#pool").value = pool;
}

function show({ layouts = [], sheet, levels }) {
  const rooms = layouts.reduce((sum, each) => sum + (each.drawn ?? 0), 0);
  find("#layouts-told").textContent = levels ? `${layouts.length} layouts, used for ${rooms} rooms of ${levels} levels` : `${layouts.length} layouts`;
  find("#contact").replaceChildren(...(sheet ? [el("img", { src: sheet, alt: `Contact sheet of the pool ${pool}: ${layouts.length} layouts` })] : []));
  find("#layouts-used").hidden = !levels;
  const most = Math.max(1, ...layouts.map((each) => each.drawn ?? 0));
  const hasPlace = known.rows.some((row) => row.key === "only_layout");
  find("#layout-rows").replaceChildren(...layouts.map(({ name, drawn, fitting, why }) => {
    const bar = el("meter", { max: most, value: drawn ?? 0, ariaLabel: `${name}, how often it is used` });
    const place = el("button", { type: "button", className: "link", title: "See it in place: every room gets it that it fits" }, name);
    place.addEventListener("click", () => {
      setValue("only_layout", name, known.own.only_layout);
      openView("level");
    });
    const told = levels ? [el("td", {}, ...(fitting ? [bar, ` ${drawn} of ${fitting}`] : []), ...(why ? [el("small", {}, why)] : []))] : [];
    return el("tr", {}, el("th", { scope: "row" }, hasPlace ? place : name), ...told);
  }));
}
