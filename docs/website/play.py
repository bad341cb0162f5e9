"""The level to play on the start page: packs and pictures as files that a page without a server can load.

Browsers refuse modules and `fetch` where a page was opened as a file. So the scripts are joined to a classic
one, and a pack is cut into scripts with its index and with each of its blocks. Pages load what they need.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import tempfile
from pathlib import Path

LEVELS = 96  # of each stage in a pack, at most
_ROOT = Path(__file__).parents[2]
_PACKS = _ROOT / "godot_addon" / "demo" / "levels"
_HERE = Path(__file__).parent / "play"
_DRAW = _ROOT / "docs" / "examples" / "engines" / "draw-level.js"
_SCRIPTS = (_DRAW, *(_HERE / f"{name}.js" for name in ("game", "view", "page")))


def page() -> str:
    """The HTML of the level and of what one chooses it by."""
    return (_HERE / "play.html").read_text("utf-8") + "\n"


def draw(static: Path) -> None:
    """Write the script, the pictures of the levels' themes, and the packs in parts."""
    folder = static / "play"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "play.js").write_text(_script(), "utf-8")
    for path in _PACKS.glob("*.png"):
        shutil.copy(path, folder)
    with tempfile.TemporaryDirectory() as temporary:
        for path in sorted(_PACKS.glob("*.ucpack")):
            whole = Path(temporary) / path.name
            cut(path, whole)
            _split(whole, folder)


def _script() -> str:
    """All scripts as one classic script that leaves no names behind but its own."""
    from exporters.formats.pack.web import web_reader
    from exporters.theme.loader import load_theme

    theme = load_theme()
    icons = {name: tile // theme.columns << 16 | tile % theme.columns for name, tile in theme.icons.items()}
    modules = [web_reader().decode("utf-8"), *(path.read_text("utf-8") for path in _SCRIPTS)]
    code = re.sub("^export ", "", "\n".join(modules), flags=re.MULTILINE)
    return f'"use strict";\n(() => {{\nconst ICONS = {json.dumps(icons)};\n{code}\n}})();\n'


def cut(source: Path, target: Path) -> None:
    """Write a pack with the first levels of each stage of another one, whose blocks stay as they are."""
    from exporters.formats.pack.file import Block, PackEntry, PackWriter
    from exporters.formats.pack.reader import load_pack
    from exporters.theme.districts import LevelLooks

    pack, data, taken = load_pack(source), source.read_bytes(), dict[str, int]()
    index = pack.index
    levels: dict[int, list[int]] = {}
    for level, block in enumerate(index["blocks"]):
        levels.setdefault(block, []).append(level)
    with PackWriter(target) as writer:
        for block, here in sorted(levels.items()):
            stage = str(pack.facts(here[0])["group"])
            taken[stage] = taken.get(stage, 0) + len(here)
            if taken[stage] > LEVELS:
                continue
            prints = [bytes.fromhex(pack.fingerprint(one)) for one in here]
            entries = [
                PackEntry(pack.seed(one), print_, pack.facts(one), LevelLooks("", ()))
                for one, print_ in zip(here, prints, strict=True)
            ]
            at, size = index["block_offsets"][block], index["block_sizes"][block]
            writer.add(Block(data[at : at + size], index["block_raw_sizes"][block], entries, []))
        writer.finish()


def _split(path: Path, folder: Path) -> None:
    """Write a pack as scripts: what a reader asks for first, and each block by where it begins."""
    from exporters.formats.pack.file import HEADER
    from exporters.formats.pack.reader import load_pack

    data, index, name = path.read_bytes(), load_pack(path).index, path.stem
    start = HEADER.unpack_from(data)[3]
    first = {0: data[: HEADER.size], start: data[start:]}
    _put(folder / f"{name}.js", name, first, len(data))
    for at, size in zip(index["block_offsets"], index["block_sizes"], strict=True):
        _put(folder / f"{name}-{at}.js", name, {at: data[at : at + size]}, len(data))


def _put(path: Path, name: str, parts: dict[int, bytes], size: int) -> None:
    texts = {at: base64.b64encode(part).decode("ascii") for at, part in parts.items()}
    path.write_text(f"undercroftPlay.take({json.dumps(name)}, {size}, {json.dumps(texts)});\n", "utf-8")
