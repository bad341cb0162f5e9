"""What the head of each page says: its description, from its first paragraph, a preview, and the icons.

The preview of a link in a chat needs the whole address of its picture. `-D html_baseurl=ADDRESS` gives it,
as in the workflow that puts the site online. Without it, a preview has only texts.
"""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

_MAX = 200  # characters
_SENTENCE_END = re.compile(r"(?<=[.!?]) ")
_OTHERS = {
    "search": "The search of the documentation of Undercroft.",
    "404": "There is no page at this address.",
}


def connect(app: Sphinx) -> None:
    """Add all of it when a page is written."""
    app.connect("html-page-context", describe)
    app.connect("html-page-context", _show_logo)
    app.connect("html-page-context", _widen, priority=900)  # after the theme


def describe(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Put the description of a page, and the preview of links to it, into its head."""
    short = _description(page, tree)
    tags = {"og:type": "website", "og:site_name": app.config.project, "og:title": _title(app, page, context),
            "og:description": short, "twitter:card": "summary_large_image"}  # fmt: skip
    root = app.config.html_baseurl
    if root:
        context["root"] = root = f"{root.rstrip('/')}/"
        tags |= {"og:url": f"{root}{page}.html", "og:image": f"{root}_static/preview.png"}
    lines = [f'<meta name="description" content="{escape(short)}">']
    lines += [f'<meta property="{name}" content="{escape(said)}">' for name, said in tags.items()]
    context["metatags"] = "\n".join([context.get("metatags", ""), *lines, ""])


def _description(page: str, tree: nodes.document | None) -> str:
    """The first sentences of a page, as many as fit, and none that leads to what stands below it."""
    first = next(tree.findall(nodes.paragraph), None) if tree else None
    if first is None:
        return _OTHERS[page]
    sentence, *others = _SENTENCE_END.split(" ".join(first.astext().split()))
    if len(sentence) > _MAX:
        return f"{sentence[:_MAX].rsplit(' ', 1)[0]} …"
    for other in others:
        if len(f"{sentence} {other}") > _MAX or not other.endswith((".", "!", "?")):
            break
        sentence += f" {other}"
    return sentence


def _title(app: Sphinx, page: str, context: dict[str, Any]) -> str:
    if page == app.config.root_doc:
        return str(app.config.html_title)
    return unescape(re.sub(r"<[^>]*>", "", str(context.get("title") or page.capitalize())))


def _show_logo(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Name the pictures here: Sphinx's settings take only those that lie beside them."""
    for name in ("logo", "favicon"):
        context[f"{name}_url"] = context["pathto"](f"_static/{name}.png", resource=True)


def _widen(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """The start page takes the place where other pages list their own headings."""
    if page == app.config.root_doc:
        context["furo_hide_toc"] = True
