"""The navigation of the site: the lists of the start page are its tables of contents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

START = "index"
OTHERS = {"tutorial-": "Tutorials", "reference-": "Reference", "": "Make levels"}
"""The sections of pages that the start page does not name, by how their names begin."""
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_ENTRY = re.compile(r"^- \[(.*?)\]\(([\w/-]+)\.md\)", re.MULTILINE)


def with_navigation(text: str, pages: Iterable[str]) -> str:
    """The start page with a hidden table of contents for each of its sections."""
    trees = "".join(_tree(heading, entries) for heading, entries in sections(text, pages).items())
    return f"{text}\n{trees}"


def sections(text: str, pages: Iterable[str]) -> Mapping[str, dict[str, str]]:
    """By section of the start page its pages with their titles there, then other pages without titles.

    A section whose lines begin with other words than a link, such as the one for new readers, is left out.
    """
    _, *parts = _SECTION.split(text)
    found = {}
    for heading, part in zip(parts[::2], parts[1::2], strict=True):
        entries = {page: title.replace("`", "") for title, page in _ENTRY.findall(part)}
        if entries:
            found[heading] = entries
    listed = {START, *(page for entries in found.values() for page in entries)}
    for page in sorted(set(pages) - listed):
        prefix = next(prefix for prefix in OTHERS if page.startswith(prefix))
        found[OTHERS[prefix]][page] = ""
    return found


def pages_of(folder: Path) -> list[str]:
    """The pages that lie in a folder itself."""
    return [path.stem for path in folder.glob("*.md")]


def _tree(heading: str, entries: Mapping[str, str]) -> str:
    lines = "\n".join(f"{title} <{page}>" if title else page for page, title in entries.items())
    return f"```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{lines}\n```\n\n"
