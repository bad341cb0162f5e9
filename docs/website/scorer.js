// How results of the search look and are ordered; Sphinx's searchtools.js says what each figure is for.

// The title of a page and of the section in it that an address leads to, as other results have it.
const sectionTitle = (page, title, anchor) => {
  const number = Search._index.docnames.indexOf(page);
  for (const [heading, places] of Object.entries(Search._index.alltitles)) {
    if (places.some(([file, id]) => file === number && `#${id}` === anchor)) return `${title} > ${heading}`;
  }
  return title;
};

var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 1,
  objPrio: { 0: 15, 1: -5, 2: -10 }, // names of Python below the pages that explain them
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  // Pages that mention everything come last, and those whose own title has the words come first.
  score: (result) => {
    const [page, title, anchor, , score, , kind] = result;
    if (kind === "index") result[1] = sectionTitle(page, title, anchor);
    if (kind !== "object") result[3] = descriptions[page];
    const all = /^(changelog|contributing|architecture|benchmarks|sources|genindex)$|^reference\/python-/;
    const words = (new URLSearchParams(location.search).get("q") || "").toLowerCase().split(/\s+/);
    const own = title.toLowerCase();
    const inTitle = words.filter((word) => word.length > 1 && own.includes(word)).length;
    return score + (kind === "text" ? 4 * inTitle : 0) - (all.test(page) ? 12 : 0);
  },
};
