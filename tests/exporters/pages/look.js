// What a test asks of a page's look: which texts are hard to read, and what is too small for a finger.
(() => {
  const parse = (text) => text.match(/[\d.]+/g).map(Number);
  const linear = (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ratio = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour[3] !== 0) return colour;
    }
    throw new Error("no ground");
  };
  const shown = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 1;
  const modal = document.querySelector("dialog[open]") ?? document.body;
  const all = [...modal.querySelectorAll("*")].filter(shown);
  const told = (element, text, wanted, colour) => {
    const found = ratio(parse(colour), groundOf(element));
    return found >= wanted ? [] : [`${element.tagName}.${element.className} ${text}: ${found.toFixed(2)}`];
  };
  const faint = all.flatMap((element) => {
    const style = getComputedStyle(element);
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const results = [];
    if (own && !element.closest(".overlay") && !element.disabled) {
      results.push(...told(element, "text", 4.5, element.closest("svg") ? style.fill : style.color));
    }
    if (element.placeholder) results.push(...told(element, "placeholder", 4.5, getComputedStyle(element, "::placeholder").color));
    if (element.matches("input, select, button:not(.card)") && style.borderTopWidth !== "0px") {
      results.push(...told(element.parentElement, `border of ${element.id}`, 3, style.borderTopColor));
    }
    return results;
  });
  const small = all.filter((element) => element.matches("button, input, select") && element.getBoundingClientRect().height < 44)
    .map((element) => element.id || element.className);
  return { faint, small, checked: all.length, width: document.documentElement.scrollWidth };
})()
