// The chart: for each value a row of levels, walked by keys, and each row in the large view.

const lists = findAll(".levels");
const itemsOf = (list) => [...list.children];
const numbersOfList = (list) => itemsOf(list).map((item) => +item.dataset.number);
let opened; // the card that the large view was opened from

function openFrom(item) {
  opened = item.firstChild;
  openLarge(numbersOfList(item.parentElement), itemsOf(item.parentElement).indexOf(item));
}

function walk(card, key) {
  const list = card.closest(".levels");
  const items = itemsOf(list);
  const at = items.indexOf(card.parentElement);
  const left = lists.filter((each) => !each.closest("[hidden]"));
  const row = left[left.indexOf(list) + { ArrowUp: -1, ArrowDown: 1 }[key]];
  const to = row ? row.children[Math.min(at, row.children.length - 1)]
    : { ArrowLeft: items[at - 1], ArrowRight: items[at + 1], Home: items[0], End: items.at(-1) }[key];
  to?.firstChild.focus();
}

listen({ o: () => toggle("rooms"), m: () => toggle("markers") }, {}, walk);

for (const list of lists) {
  list.firstElementChild.firstChild.tabIndex = 0; // one card of a row is in the tab order
  for (const item of itemsOf(list)) {
    item.firstChild.addEventListener("click", () => openFrom(item));
    item.firstChild.addEventListener("focus", () => {
      for (const other of itemsOf(list)) other.firstChild.tabIndex = other === item ? 0 : -1;
    });
    seen.observe(item);
  }
}
toggle("markers");
followAddress(
  (number) => openFrom(find(`.levels [data-number="${number}"]`)),
  () => opened.closest(".levels").children[large.at].firstChild);
