"""The part of the documentation site that is made from the code: a Sphinx extension.

A page says where generated text goes by a comment of its own line, which repository viewers do not show:

    <!-- generated: options -->

The first word there is a function of `GENERATED`, which takes the other words and gives Markdown. So
generated text has headings, links and a place in the search, as written text has. It replaces what stands
right below the comment, which is for repository viewers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata

from website import (
    api,
    art,
    commands,
    contents,
    facts,
    formats,
    links,
    moved,
    packs,
    page_head,
    play,
    rows,
    schemas,
    specs,
    words,
    written,
)

GENERATED: dict[str, Callable[..., str]] = {
    "specs": specs.every_value,
    "facts": facts.every_fact,
    "kit": rows.every_key,
    "rules": rows.every_rule,
    "roster": rows.roster,
    "folders": rows.folders,
    "commands": commands.every_command,
    "formats": formats.every_option,
    "api": api.every_name,
    "names": api.names,
    "schemas": schemas.every_schema,
    "keys": schemas.keys,
    "presets": art.gallery,
    "play": play.page,
}
_PLACE = re.compile(r"^<!-- generated: (\w+)((?: [\w-]+)*) -->\n(?:.+\n)*", re.MULTILINE)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Connect everything to Sphinx's events."""
    app.add_config_value("install_from", ".", "env", types=str)
    app.add_config_value("play_levels", packs.FEW, "", types=int)
    app.connect("builder-inited", _draw)
    app.connect("env-get-outdated", _outdated)
    app.connect("source-read", _fill)
    contents.connect(app)
    links.connect(app)
    api.connect(app)
    page_head.connect(app)
    words.connect(app)
    written.connect(app)
    moved.connect(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _draw(app: Sphinx) -> None:
    """Write what pages show, and no person drew, into the folder of the site."""
    static = Path(app.outdir) / "_static"
    art.draw(static)
    play.draw(static, Path(app.doctreedir) / "play", app.config.play_levels)
    schemas.write(Path(app.outdir) / "_schemas")


def _outdated(app: Sphinx, env: BuildEnvironment, *changes: set[str]) -> list[str]:
    """Pages with generated text are read anew in every run: the code may have changed, or other pages.

    So are those that have words for the search, which Sphinx forgets between two runs.
    """
    texts = {page: Path(env.doc2path(page)).read_text("utf-8") for page in env.found_docs}
    always = {*contents.trees(texts[contents.START]), *words.pages()}
    return [page for page, text in texts.items() if page in always or _PLACE.search(text)]


def _fill(app: Sphinx, page: str, source: list[str]) -> None:
    """Put generated text into a page, and change what stands otherwise in a repository."""
    filled = _PLACE.sub(lambda place: GENERATED[place[1]](*place[2].split()), source[0])
    start = Path(app.srcdir, f"{contents.START}.md").read_text("utf-8")
    filled += contents.trees(start).get(page, "")
    if "/" not in page:
        filled = links.inside(filled, links.shown(Path(app.srcdir)))
    source[0] = links.installed_from(app.config.install_from, filled)
