"""The navigation of the site: the nested lists of the start page are its tables of contents.

A page of the outer lists is always in the sidebar; those below it are there while one of them is open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

START = "index"
_DEPTH = 2  # of the sidebar: the parts of the reference are on the pages that list them
_LINE = re.compile(
    r"^### (?P<heading>.+)$|^(?P<indent> *)- \[(?P<title>.*?)\]\((?P<page>[\w/-]+)\.md\)", re.MULTILINE
)


def trees(start: str) -> dict[str, str]:
    """By page its hidden tables of contents: those of the start page, and of pages with others below them."""
    tables: dict[tuple[str, str], list[str]] = {}
    heading, parent = "", START
    for line in _LINE.finditer(start):
        if line["heading"]:
            heading = line["heading"]
            continue
        place = (parent, "") if line["indent"] else (START, heading)
        parent = parent if line["indent"] else line["page"]
        tables.setdefault(place, []).append(f"{line['title']} <{line['page']}>".replace("`", ""))
    found: dict[str, str] = {}
    for (page, caption), entries in tables.items():
        found[page] = found.get(page, "") + _tree(caption, entries)
    return found


def connect(app: Sphinx) -> None:
    """Give the sidebar its depth; the theme has no setting for it."""
    app.connect("html-page-context", _shorten, priority=100)  # before the theme, which asks for all of it


def _tree(caption: str, entries: Iterable[str]) -> str:
    options = f":hidden:\n:caption: {caption}" if caption else ":hidden:"
    lines = "\n".join(entries)
    return f"\n```{{toctree}}\n{options}\n\n{lines}\n```\n"


def _shorten(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    if "toctree" in context:
        context["toctree"] = partial(_short, context["toctree"])


def _short(toctree: Callable[..., str], **options: Any) -> str:
    return toctree(**options | {"maxdepth": _DEPTH})
