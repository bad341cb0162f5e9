"""The words that readers type into the search, from `words.toml`, and what the search thinks of pages."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

WORDS = Path(__file__).with_name("words.toml")


def asked() -> Mapping[str, list[str]]:
    """By the address of a place on the site what readers type to find it."""
    found: dict[str, list[str]] = tomllib.loads(WORDS.read_text("utf-8"))
    return found


def pages() -> set[str]:
    """The pages that have such words."""
    return {address.partition(".html")[0] for address in asked()}


def connect(app: Sphinx) -> None:
    """Give the words of a page to the index of the search."""
    app.connect("doctree-read", _add)


def _add(app: Sphinx, tree: nodes.document) -> None:
    for address, phrases in asked().items():
        file, _, place = address.partition("#")
        if file != f"{app.env.docname}.html":
            continue
        entries = [("single", phrase, place, "main", None) for phrase in phrases]
        # The words one by one too, so that they are found in any order.
        words = sorted({word for phrase in phrases for word in phrase.lower().split()})
        tree.insert(0, addnodes.index(entries=entries))
        tree.insert(0, nodes.meta(name="keywords", content=",".join(words)))
