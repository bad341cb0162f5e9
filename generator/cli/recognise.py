"""Recognises Undercroft's files among those of other programs, for commands that search a folder.

kit.toml             a kit, with the other TOML files beside it and its folder `layouts`
NAME.toml            one of the keys of `TOML_KEYS` at the top
NAME.level.json      always; any other .json with "format": "undercroft-level"
NAME.txt             a line `map:`, as layouts have
NAME.ldtk            the enum RoomKind, as projects have that Undercroft wrote
NAME.ucpack          always
"""

from __future__ import annotations

import codecs
import os
import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from exporters.edits.places import is_aside
from generator.errors import BadInput
from generator.files import read_text
from generator.kinds import SHIPPED
from generator.kinds.kit_files import LAYOUTS
from generator.pattern import pattern

KIT = "kit.toml"
MANIFEST = "undercroft.toml"
MANIFEST_KEYS = frozenset({"group", "campaign"})
THEME_KEYS = frozenset({"tile_size", "tileset"})  # what themes have, and no spec
SPEC_KEYS = frozenset({"style"})
FLOW_KEYS = frozenset({"flow"})
TOML_KEYS = MANIFEST_KEYS | THEME_KEYS | SPEC_KEYS | FLOW_KEYS

_OTHERS = ("__pycache__", "node_modules")  # folders of other programs, like those with a dot
_BACKUP = pattern(r"[\w-]{1,100}_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d(_\w{1,100})?")  # a project's iid and the time
_MAX_BYTES = 1 << 26
_MAX_TOML_BYTES = 1 << 20
_MARKS = {
    ".json": pattern(rb'"format"\s*:\s*"undercroft-level"'),
    ".txt": pattern(rb"^[ \t]*map:[ \t\r]*$", re.MULTILINE),
    ".ldtk": pattern(rb'"identifier"\s*:\s*"RoomKind"'),
}


def files_of_ours(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder, and in folders below it, that are Undercroft's.

    Of a kit, only its kit.toml, which stands for the kit's other files. Hidden files and folders, folders of
    other programs and copies that LDtk keeps are left out, and so is what a write put beside another file.
    """
    for top, folders, names in os.walk(folder):
        is_kit = KIT in names
        left_out = {*_OTHERS, *([LAYOUTS] if is_kit else ())}
        folders[:] = [
            name
            for name in folders
            if not (name.startswith(".") or name in left_out or _BACKUP.fullmatch(name))
        ]
        for path in (Path(top, name) for name in names if not name.startswith(".")):
            if is_kit and path.suffix == ".toml":
                if path.name == KIT:
                    yield path
            elif path.is_file() and not is_aside(path.name) and _is_ours(path):
                yield path


def marks() -> dict[str, dict[str, object]]:
    """Return how files of each kind are recognised, for programs that look through a folder themselves.

    A file has the `suffix` and one of the `keys` at the top of its TOML, or the `line`; or it has the `name`,
    and stands for its folder. Layouts are in `folders` by room kind, and a kit's own in its folder `layouts`.
    """
    toml = {"spec": SPEC_KEYS, "theme": THEME_KEYS, "flow": FLOW_KEYS}
    return {
        **{kind: {"suffix": ".toml", "keys": sorted(keys)} for kind, keys in toml.items()},
        "layouts": {"suffix": ".txt", "line": "map:", "folders": sorted(SHIPPED.rooms)},
        "kit": {"name": KIT, "layouts": LAYOUTS},
    }


def kit_folder_of(path: Path) -> Path | None:
    """Find the folder of the kit that a file or folder is in, if it is in one."""
    above = (path, *path.parents, *path.absolute().parents)  # the first ones as somebody named them
    return next((folder for folder in above if (folder / KIT).is_file()), None)


def top_keys(path: Path) -> set[str]:
    """Read the keys at the top of a TOML file, roughly if it is not valid, or none if it is unreadable."""
    try:
        text = read_text(path, _MAX_TOML_BYTES, BadInput)
    except BadInput:  # whoever reads it next says what is wrong
        return set()
    try:
        return set(tomllib.loads(text))
    except (ValueError, RecursionError):
        head, *tables = re.split(r"^[ \t]*\[+", text, flags=re.MULTILINE)
        keys = re.findall(r"^[ \t]*([\w-]+)[ \t]*[=.]", head, re.MULTILINE)
        return {*keys, *(match[0] for table in tables if (match := re.match(r"[\w-]+", table)))}


def is_manifest(path: Path) -> bool:
    """Check whether a TOML file is a build's manifest."""
    return not MANIFEST_KEYS.isdisjoint(top_keys(path))


def _is_ours(path: Path) -> bool:
    suffix = path.suffix.lower()
    if suffix == ".toml":
        return path.name == MANIFEST or not TOML_KEYS.isdisjoint(top_keys(path))
    if suffix == ".ucpack" or path.name.lower().endswith(".level.json"):
        return True
    return suffix in _MARKS and _MARKS[suffix].search(_start_of(path)) is not None


def _start_of(path: Path) -> bytes:
    """Read the bytes of a regular file up to a limit, or none if it cannot be read."""
    with suppress(OSError), path.open("rb") as file:
        return file.read(_MAX_BYTES).removeprefix(codecs.BOM_UTF8)
    return b""
