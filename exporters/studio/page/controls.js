// One control per value: a slider and a box, a pair of them, a list, a tick, a text.

import { el } from "/shared/common.js";
import { fitted, limitsOf, offText, rangeText, showProblem, shownValue, sliderEnd, words } from "./limits.js";

let numbers = 0;

/**
 * The row of a value. `set(key, value, merge)` is called when a person changes it, `settle()` at the end of a move.
 * `show(values, own, choices)` brings it up to date; `complain(message)` writes a line beside it.
 */
export function buildRow(row, { set, settle }) {
  const id = `value-${numbers++}`;
  const name = words(row.key);
  const change = (value, merge = row.key) => set(row.key, value, merge);
  const told = el("span", { className: "limits" });
  const reset = el("button", { type: "button", className: "reset", hidden: true }, "↺");
  reset.addEventListener("click", () => { set(row.key, undefined); label.control?.focus(); });
  const help = el("p", { className: "help", id: `${id}-help` }, row.help);
  const problem = el("p", { className: "problem", id: `${id}-problem`, hidden: true });
  const control = CONTROLS[kindOf(row)](row, { id, name, change, settle });
  const label = el("label", { htmlFor: id, className: "name" }, name[0].toUpperCase() + name.slice(1));
  const head = el("div", { className: "value-head" }, label, told, reset);
  const element = el("div", { className: "value" }, head, control.element, problem, help);
  element.dataset.key = row.key;
  for (const each of control.inputs) {
    each.setAttribute("aria-describedby", `${help.id} ${problem.id}`);
    each.addEventListener("change", settle);
  }
  return {
    key: row.key, group: row.group ?? "More", element, isChanged: false,
    text: `${row.key} ${name} ${row.help} ${row.group ?? ""}`.toLowerCase(),
    show(values, own, offered) {
      const limits = limitsOf(row, values);
      told.textContent = rangeText(row, limits);
      this.isChanged = JSON.stringify(values[row.key]) !== JSON.stringify(own);
      element.classList.toggle("is-changed", this.isChanged);
      reset.hidden = !this.isChanged;
      reset.title = reset.ariaLabel = `Reset ${name} to ${shownValue(own)}`;
      control.show(values[row.key], limits, own, offered);
    },
    complain(message) {
      element.classList.toggle("is-wrong", Boolean(message));
      showProblem(problem, message, ...control.inputs);
    },
    focus: () => control.inputs[0].focus(),
  };
}

function kindOf(row) {
  if (row.type === "boolean") return "tick";
  if (row.type === "integer") return "number";
  if (row.type === "integers") return row.parts?.length === 2 && row.ordered && row.low !== undefined ? "pair" : "numbers";
  if (row.type === "texts") return "table";
  return row.choices ? "list" : row.form === "colour" ? "colour" : "text";
}

/** Fill in what a person is not just typing. */
function fill(input, value) {
  if (document.activeElement !== input || input.type === "range" || input.dataset.typed !== "yes") input.value = value;
}

/** A box for a whole number; half-typed ones change nothing. */
function box(id, name, change) {
  const input = el("input", { type: "number", inputMode: "numeric", step: "any", className: "box" });
  if (id) input.id = id;
  else input.ariaLabel = name;
  input.addEventListener("input", () => {
    input.dataset.typed = "yes";
    const value = input.valueAsNumber;
    if (Number.isSafeInteger(value)) change(value);
  });
  input.addEventListener("blur", () => {
    input.dataset.typed = "no";
    input.value = input.dataset.value;
  });
  return input;
}

function showBox(input, value, limits) {
  input.dataset.value = value;
  input.min = limits.low ?? "";
  input.max = limits.high ?? "";
  input.step = "any";
  fill(input, value);
}

function slider(name, change) {
  const input = el("input", { type: "range", ariaLabel: `${name}, slider` });
  input.addEventListener("input", () => change(input.valueAsNumber));
  return input;
}

function showSlider(input, value, limits, own) {
  input.min = limits.low;
  input.max = sliderEnd(limits, own, value);
  input.step = limits.step;
  input.value = value;
  input.style.setProperty("--at", (value - limits.low) / Math.max(input.max - limits.low, 1));
}

const CONTROLS = {
  tick(row, { id, change }) {
    const input = el("input", { type: "checkbox", id, className: "switch" });
    input.addEventListener("input", () => change(input.checked, null));
    return { element: el("div", { className: "tick" }, input), inputs: [input], show: (value) => { input.checked = value; } };
  },

  number(row, { id, name, change }) {
    const number = box(id, name, change);
    if (row.low === undefined) return { element: number, inputs: [number], show: (value, limits) => showBox(number, value, limits) };
    let limits = limitsOf(row, {});
    const range = slider(name, (value) => change(fitted(value, { ...limits, off: undefined })));
    const line = el("div", { className: "slide" }, range, number);
    const inputs = [number, range];
    const element = el("div", {}, line);
    let off = null;
    if (row.off !== undefined && (row.off < row.low || row.off > row.high)) {
      off = el("input", { type: "checkbox", id: `${id}-off` });
      off.addEventListener("input", () => change(off.checked ? row.off : fitted(Math.max(row.low, 12), limits), null));
      element.prepend(el("label", { className: "off" }, off, ` ${offText(row)}`));
      inputs.push(off);
    }
    return {
      element, inputs,
      show(value, now, own) {
        limits = now;
        showBox(number, value, now);
        showSlider(range, value, now, own);
        line.classList.toggle("is-off", value === row.off);
        if (off) off.checked = value === row.off;
      },
    };
  },

  pair(row, { id, name, change }) {
    let now = [];
    let limits = limitsOf(row, {});
    const set = (i) => (value) => {
      const next = [...now];
      next[i] = value;
      if (next[0] > next[1]) next[1 - i] = value; // the one pushes the other
      change(next);
    };
    const parts = row.parts.map((part, i) => ({
      range: slider(`${name}, ${part}`, (value) => set(i)(fitted(value, { ...limits, off: undefined }))),
      number: box(i === 0 ? id : null, `${name}, ${part}`, set(i)),
    }));
    parts[0].number.ariaLabel = `${name}, ${row.parts[0]}`;
    const track = el("div", { className: "double" }, ...parts.map((part) => part.range));
    const element = el("div", { className: "slide pair" }, parts[0].number, track, parts[1].number);
    return {
      element, inputs: parts.flatMap((part) => [part.number, part.range]),
      show(value, given, own) {
        [now, limits] = [value, given];
        parts.forEach((part, i) => {
          showBox(part.number, value[i], given);
          showSlider(part.range, value[i], given, own);
          part.range.max = sliderEnd(given, own, value);
        });
        const long = Math.max(parts[0].range.max - given.low, 1);
        track.style.setProperty("--from", (value[0] - given.low) / long);
        track.style.setProperty("--to", (value[1] - given.low) / long);
      },
    };
  },

  numbers(row, { id, name, change }) {
    let now = [...row.default];
    const parts = row.default.map((_, i) => row.parts?.[i] ?? `number ${i + 1}`);
    const boxes = parts.map((part, i) => box(i === 0 ? id : null, `${name}, ${part}`, (value) => change(now.map((old, j) => i === j ? value : old))));
    boxes[0].ariaLabel = `${name}, ${parts[0]}`;
    const labelled = boxes.map((each, i) => el("span", { className: "part" }, each, el("span", { ariaHidden: "true" }, parts[i])));
    const sizes = el("select", { ariaLabel: `${name}, sizes that there are layouts for` });
    sizes.addEventListener("input", () => change(JSON.parse(sizes.value), null));
    return {
      element: el("div", { className: "numbers" }, ...labelled, sizes), inputs: [...boxes, sizes],
      show(value, limits) {
        now = value;
        boxes.forEach((each, i) => showBox(each, value[i], limits));
        const offered = [...(limits.sizes ?? [])];
        if (!offered.some((size) => `${size}` === `${value}`)) offered.push(value);
        sizes.hidden = offered.length < 2;
        sizes.replaceChildren(...offered.map((size) => el("option", { value: JSON.stringify(size) }, size.join(" × "))));
        sizes.value = JSON.stringify(value);
      },
    };
  },

  list(row, { id, change }) {
    const select = el("select", { id });
    select.addEventListener("input", () => change(select.value, null));
    return {
      element: select, inputs: [select],
      show(value, limits) {
        const choices = limits.choices.includes(value) ? limits.choices : [...limits.choices, value];
        const text = (choice) => choice === "" ? "none" : choice.replaceAll("_", " ");
        const isSame = choices.length === select.options.length && choices.every((choice, i) => select.options[i].value === choice);
        if (!isSame) select.replaceChildren(...choices.map((choice) => el("option", { value: choice }, text(choice))));
        select.value = value;
      },
    };
  },

  text(row, { id, name, change }) {
    const offers = el("datalist", { id: `${id}-offers` });
    const input = el("input", { id, type: "text", autocomplete: "off", spellcheck: false, maxLength: 1000 });
    const [none, hint] = { folder: ["none", "none; a folder of the project"], resource: ["", "res://…"], theme: ["built in", "built in"] }[row.form] ?? ["none", ""];
    input.setAttribute("list", offers.id);
    input.addEventListener("input", () => {
      input.dataset.typed = "yes";
      if (input.value === "" || [...offers.options].some((option) => option.value === input.value)) change(input.value);
    });
    input.addEventListener("change", () => change(input.value));
    input.addEventListener("blur", () => { input.dataset.typed = "no"; });
    const pick = el("select", { ariaLabel: `Choose ${name}`, title: `Choose ${name}` }); // browsers offer only what begins like the text
    pick.addEventListener("input", () => change(pick.value, null));
    const picker = el("span", { className: "picker" }, pick);
    return {
      element: el("div", { className: "typed" }, input, offers, picker), inputs: [input, pick],
      show(value, limits, own, offered = []) {
        fill(input, value);
        offers.replaceChildren(...offered.map((each) => el("option", { value: each })));
        picker.hidden = offered.length < 2;
        input.placeholder = picker.hidden ? hint : none;
        const all = offered.includes(value) ? offered : [...offered, value];
        pick.replaceChildren(...all.map((each) => el("option", { value: each }, each || none)));
        pick.value = value;
      },
    };
  },

  colour(row, { id, change }) {
    const input = el("input", { id, type: "text", autocomplete: "off", placeholder: "#rrggbb", maxLength: 40 });
    const spot = el("span", { className: "spot" });
    input.addEventListener("change", () => change(input.value));
    return {
      element: el("div", { className: "slide" }, input, spot), inputs: [input],
      show(value) { fill(input, value); spot.style.background = value || "none"; },
    };
  },

  table(row, { id, change }) {
    const area = el("textarea", { id, rows: 2, spellcheck: false, placeholder: "name = text, one a line" });
    area.addEventListener("change", () => change(Object.fromEntries(area.value.split("\n").filter((line) => line.includes("="))
      .map((line) => [line.slice(0, line.indexOf("=")).trim(), line.slice(line.indexOf("=") + 1).trim()]))));
    return {
      element: area, inputs: [area],
      show: (value) => fill(area, Object.entries(value ?? {}).map(([key, text]) => `${key} = ${text}`).join("\n")),
    };
  },
};
