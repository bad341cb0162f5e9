// What all pages share: elements, copying, and the choice of light or dark.

export const find = (selector) => document.querySelector(selector);
export const findAll = (selector) => [...document.querySelectorAll(selector)];

/** An element with properties and children; texts are set as texts, never as HTML. */
export function el(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** An SVG element with attributes and children. */
export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Copy a text, and say so on the button for a moment. */
export async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // not allowed for pages opened as files in some browsers
    const area = el("textarea", { value: text });
    (button.closest("dialog") ?? document.body).append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
}

const LOOKS = { "": "◐ Auto", light: "○ Light", dark: "● Dark" };

export function setLook(look) {
  document.documentElement.dataset.look = look;
  find("#look").textContent = LOOKS[look];
  find("#look").ariaLabel = `Colours: ${LOOKS[look].slice(2)}`;
}

export function turnLook() {
  const looks = Object.keys(LOOKS);
  const next = looks[(looks.indexOf(document.documentElement.dataset.look) + 1) % looks.length];
  setLook(next);
  try {
    localStorage.setItem("undercroft-look", next);
  } catch { /* a browser that keeps nothing */ }
}

/** Whether a key is typed into something, where letters are no commands; Escape leaves it. */
export function typed(event) {
  if (!event.target.matches("input, select, textarea")) return false;
  if (event.key === "Escape") event.target.blur();
  return true;
}

/** The name of a key, whatever Shift and Caps Lock say; none with other keys held. */
export const keyOf = (event) => event.ctrlKey || event.metaKey || event.altKey ? "" : event.key.length === 1 ? event.key.toLowerCase() : event.key;

let kept = "";
try {
  kept = localStorage.getItem("undercroft-look") ?? "";
} catch { /* as above */ }
setLook(kept in LOOKS ? kept : "");
find("#look").addEventListener("click", turnLook);
