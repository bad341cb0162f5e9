"""Links that lead out of `docs`, and install lines: right in a repository, changed for the site."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

_README = {"../README.md": "index.md"}  # what the start page stands for
_INCLUDE = re.compile(r"^```\{include\} (\.\./\S+\.md)$", re.MULTILINE)
_OUTSIDE = re.compile(r"\[([^][]+)\]\((\.\./[^)#]+\.md)(#[^)]*)?\)")
_INSTALL = re.compile(r"pip install (?P<quote>'?)\.(?P<extras>\[[\w,]+\])?(?P=quote)(?=[\s`;]|$)")


def installed_from(place: str, text: str) -> str:
    """A page with its install lines for another place than a checkout, such as `undercroft` on an index."""
    return text if place == "." else _INSTALL.sub(rf"pip install \g<quote>{place}\g<extras>\g<quote>", text)


def shown(folder: Path) -> dict[str, str]:
    """Markdown of the repository outside of `docs`, as pages link to it, and the pages that include it."""
    found = {
        file: path.name for path in folder.glob("*.md") for file in _INCLUDE.findall(path.read_text("utf-8"))
    }
    return _README | found


def inside(text: str, pages: Mapping[str, str]) -> str:
    """A page whose links to Markdown outside of `docs` lead to the pages that show it, or to a copy of it."""

    def link(found: re.Match[str]) -> str:
        label, file, place = found.groups()
        if file in pages:
            return f"[{label}]({pages[file]}{place or ''})"
        name = label.replace("`", "")
        return f"{{download}}`{name} <{file}>`"

    return _OUTSIDE.sub(link, text)


def connect(app: Sphinx) -> None:
    """Resolve links to folders, which Sphinx does not know; it copies single files itself."""
    app.connect("doctree-read", _resolve_folders)


def _resolve_folders(app: Sphinx, tree: nodes.document) -> None:
    """A link to a folder of `docs` leads to the folder as a zip archive."""
    for node in [*tree.findall(pending_xref)]:
        folder = Path(app.srcdir, app.env.docname).parent / node["reftarget"]
        if node["reftype"] == "myst" and folder.is_dir():
            name = folder.resolve().name
            _pack(folder, Path(app.outdir) / "_folders" / f"{name}.zip")
            above = "../" * app.env.docname.count("/")
            node.replace_self(nodes.reference("", "", *node.children, refuri=f"{above}_folders/{name}.zip"))


def _pack(folder: Path, archive: Path) -> None:
    """Write the files of a folder into an archive, without those that Python compiled."""
    archive.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            if "__pycache__" not in path.parts:
                packed.write(path, path.relative_to(folder))
