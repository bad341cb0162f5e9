"""The level to play on the start page: packs and pictures as files that a page without a server can load.

Browsers refuse modules and `fetch` where a page was opened as a file. So the scripts are joined to a classic
one, and a pack is cut into scripts with its index and with each of its blocks. Pages load what they need.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
from pathlib import Path

from website import packs

_HERE = Path(__file__).parent / "play"
_DRAW = Path(__file__).parents[1] / "examples" / "engines" / "draw-level.js"
_SCRIPTS = (_DRAW, *(_HERE / f"{name}.js" for name in ("game", "view", "page")))


def page() -> str:
    """The HTML of the level and of what one chooses it by."""
    return (_HERE / "play.html").read_text("utf-8") + "\n"


def draw(static: Path, kept: Path, levels: int) -> None:
    """Write the script, the pictures of the levels' themes, and the packs in parts.

    `kept` is where a build of the site finds the packs of the one before. Each preset has so many `levels`.
    """
    folder = static / "play"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    wanted = packs.choices(levels)
    made = packs.make(kept, wanted)
    for path in made.glob("*.png"):
        shutil.copy(path, folder)
    for name in wanted:
        _split(made / f"{name}.ucpack", folder)
    about = {
        name: {"style": one.style, "flow": one.flow, "chapter": one.chapter, "levels": len(one.seeds)}
        for name, one in wanted.items()
    }
    (folder / "play.js").write_text(_script(about), "utf-8")


def _script(about: dict[str, dict[str, object]]) -> str:
    """All scripts as one classic script that leaves no names behind but its own."""
    from exporters.formats.pack.web import web_reader
    from exporters.theme.loader import load_theme

    theme = load_theme()
    icons = {name: tile // theme.columns << 16 | tile % theme.columns for name, tile in theme.icons.items()}
    modules = [web_reader().decode("utf-8"), *(path.read_text("utf-8") for path in _SCRIPTS)]
    code = re.sub("^export ", "", "\n".join(modules), flags=re.MULTILINE)
    known = "".join(
        f"const {name} = {json.dumps(value)};\n" for name, value in (("ICONS", icons), ("PACKS", about))
    )
    return f'"use strict";\n(() => {{\n{known}{code}\n}})();\n'


def _split(path: Path, folder: Path) -> None:
    """Write a pack as scripts: what a reader asks for first, and each block by where it begins."""
    from exporters.formats.pack.file import HEADER
    from exporters.formats.pack.reader import load_pack

    index, data, name = load_pack(path).index, path.read_bytes(), path.stem
    start = HEADER.unpack_from(data)[3]
    first = {0: data[: HEADER.size], start: data[start:]}
    _put(folder / f"{name}.js", name, first, len(data))
    for at, size in zip(index["block_offsets"], index["block_sizes"], strict=True):
        _put(folder / f"{name}-{at}.js", name, {at: data[at : at + size]}, len(data))


def _put(path: Path, name: str, parts: dict[int, bytes], size: int) -> None:
    texts = {at: base64.b64encode(part).decode("ascii") for at, part in parts.items()}
    path.write_text(f"undercroftPlay.take({json.dumps(name)}, {size}, {json.dumps(texts)});\n", "utf-8")
