// The statistics: facts filtered by their names and helps, and the keys.

find("#text").addEventListener("input", () => {
  const words = find("#text").value.toLowerCase().split(/\s+/);
  let left = 0;
  for (const fact of findAll(".fact")) {
    const text = `${fact.dataset.name} ${fact.querySelector(".help").textContent}`.toLowerCase();
    fact.hidden = !words.every((word) => text.includes(word));
    left += !fact.hidden;
  }
  find("#none").hidden = left > 0;
});

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.key === "/") find("#text").focus();
  else if (event.key === "l") turnLook();
  else return;
  event.preventDefault();
});
