"""Pages that have moved: their old addresses lead on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MOVED = {
    "completion.html": "commands.html#completion",
    "csharp.html": "runtime.html#c-games",
    "not.html": "beside-others.html#what-undercroft-does-not-do",
    "merge.html": "edits.html#merge-your-work-into-a-new-level",
    "good-levels.html": "many-levels.html#what-is-a-good-level",
    "procedural.html": "how-levels-are-made.html#procedural",
    "room-kinds.html": "kits.html#add-a-room-kind",
}
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="description" content="This page has moved.">
<meta http-equiv="refresh" content="0; url={to}">
<title>Moved</title>
<p>This page has moved: <a href="{to}">{to}</a></p>
</html>
"""


def connect(app: Sphinx) -> None:
    """Write a page at each old address when all others are written."""
    app.connect("build-finished", _lead_on)


def _lead_on(app: Sphinx, failed: Exception | None) -> None:
    for old, to in MOVED.items():
        (Path(app.outdir) / old).write_text(_PAGE.format(to=to), "utf-8")
