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
  if (typed(event)) return;
  if (keyOf(event) === "/") find("#text").focus();
  else if (keyOf(event) === "l") turnLook();
  else return;
  event.preventDefault();
});
