"""What the theme's pages lack, put into the written files: for keyboards, screen readers and pictures.

The theme has no settings for these. Each replacement leaves nothing of what it replaces, so that a page that
an earlier run wrote stays as it is.
"""

from __future__ import annotations

import json
import re
from functools import cache
from html import unescape
from pathlib import Path

from PIL import Image
from sphinx.application import Sphinx

_REPLACED = {
    # What may scroll sideways must take the focus, for the arrow keys.
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper colwidths-auto docutils container">': (
        '<div class="table-wrapper docutils container" tabindex="0">'
    ),
    '<th class="head"><p></p></th>': '<td class="head"><p></p></td>',
    # Headings have a level, and landmarks a name of their own.
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="This page">',
    # Results of the search show what their pages are about.
    '\n\n<div id="search-results">': (
        '\n<h1>Search</h1>\n<script src="_static/descriptions.js"></script>\n<div id="search-results">'
    ),
}
# Parameters of Python are no definitions.
_PARAMETERS = re.compile(r'(?<=<span class="sig-paren">\(</span>)\s*<dl>(.*?)</dl>', re.DOTALL)
_IMAGE = re.compile(r'<img (?![^>]*\bwidth=)([^>]*\bsrc="(?!\w+:)([^"]+)"[^>]*)>')

_DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)">')


def connect(app: Sphinx) -> None:
    """Go through the pages when all are written."""
    app.connect("build-finished", _mend)


def _mend(app: Sphinx, failed: Exception | None) -> None:
    folder, descriptions = Path(app.outdir), {}
    for path in [] if failed else sorted(folder.rglob("*.html")):
        text = whole = path.read_text("utf-8")
        for lacking, better in _REPLACED.items():
            text = text.replace(lacking, better)
        text = sized(_PARAMETERS.sub(_parameters, text), path.parent)
        if text != whole:
            path.write_text(text, "utf-8")
        if said := _DESCRIPTION.search(text):
            descriptions[path.relative_to(folder).with_suffix("").as_posix()] = unescape(said[1])
    listed = json.dumps(descriptions, ensure_ascii=False, indent=1)
    (folder / "_static" / "descriptions.js").write_text(f"const descriptions = {listed};\n", "utf-8")


def _parameters(found: re.Match[str]) -> str:
    return f'<div class="parameters">{found[1].replace("<dd>", "<div>").replace("</dd>", "</div>")}</div>'


def sized(text: str, folder: Path) -> str:
    """A page whose pictures have their size, so that nothing moves when they arrive."""

    def image(found: re.Match[str]) -> str:
        width, height = _size(folder / found[2])
        return f'<img {found[1].rstrip(" /")} width="{width}" height="{height}">'

    return _IMAGE.sub(image, text)


@cache
def _size(path: Path) -> tuple[int, int]:
    if path.suffix == ".svg":
        view = re.search(rb'viewBox="0 0 (\d+) (\d+)"', path.read_bytes())
        assert view, path
        return int(view[1]), int(view[2])
    with Image.open(path) as picture:
        return picture.size
