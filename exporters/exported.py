"""What the files of a level were exported with, so that they can be exported again in the same way.

The record of a folder has it for each level. For colleagues without the record, it is in NAME.level.json:

    "exported": {
      "godot": {"theme": "../look/crypt.toml", "options": {"scenes": {"enemy": "res://enemies/slime.tscn"}}},
      "png": {"theme": "../look/crypt.toml"}
    }

Options that have their defaults are left out, and so is the built-in theme. A theme's path is relative to the
folder of the files, so it leads to the theme on every machine that has the whole project. A level.json whose
files were all exported with defaults has no `exported`.

A level drawn by hand has one more row, `drawing`, with what the drawing was read with.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any

from exporters.base import Exporter
from generator.errors import BadInput, shown
from generator.files import real_path
from generator.named_tuple import NamedTuple
from generator.node import Node
from generator.pattern import pattern

if TYPE_CHECKING:
    from exporters.bundle import Bundle
    from generator.level import Level

LEVEL = ".level.json"
DRAWING = "drawing"  # in place of a format
_KEY = "exported"
_END = b"\n}\n"
_ROWS = pattern(rb',\n"' + _KEY.encode() + rb'": \{\n(?:"[^\n]+\n)+\}\n\}\n\Z')
_MAX_BYTES = 1 << 26  # of a level.json
_MAX_FORMATS = 100
_HEAD = 1 << 12  # bytes of a level.json that have its fingerprint
_FINGERPRINT = pattern(rb'"fingerprint": ?"([0-9a-f]{32})"')


class ExportedWith(NamedTuple):
    """What a format was exported with: the options that are not their defaults, and the theme.

    `options` have no prefix. `theme` is a path, relative to the folder of the files once these have one, and
    empty for the built-in theme.
    """

    options: Mapping[str, object]
    theme: str = ""

    def dotted(self, format_: str) -> dict[str, object]:
        """Return the options with their format's name."""
        return {f"{format_}.{key}": value for key, value in self.options.items()}


Formats = Mapping[str, ExportedWith]
"""What the files of a level were exported with, by format."""


class ExportedLevel(NamedTuple):
    """A level in a bundle, what its files were exported with, and how to export another level like it."""

    level: Level
    formats: Formats
    ways: tuple[Callable[[Level], Bundle], ...]

    @property
    def fingerprint(self) -> str:
        """The level's fingerprint."""
        return self.level.fingerprint

    def exported(self, level: Level) -> Bundle:
        """Export another level in the same formats, with the same options and themes."""
        first, *others = (way(level) for way in self.ways)
        for other in others:
            first.update(other)
        for stem, again in first.exported.items():
            first.exported[stem] = again._replace(formats={**self.formats, **again.formats})
        return first

    def joined(self, other: ExportedLevel) -> ExportedLevel:
        """Return the same level with the formats of both."""
        return ExportedLevel(other.level, {**self.formats, **other.formats}, (*self.ways, *other.ways))


def is_of_level(path: str, stem: str) -> bool:
    """Check whether a file is named after the level with a stem, and not after one called `STEM.1`."""
    end = path.removeprefix(stem)
    is_one_suffix = end.startswith(".") and end.count(".") == 1
    return end != path and (is_one_suffix or end == LEVEL or end.startswith(("/", "_edit.")))


def fingerprint_in(level: bytes | Path) -> str:
    """Return the fingerprint in a level.json, which is only read at its head, or an empty text."""
    if isinstance(level, Path):
        with level.open("rb") as file:
            level = file.read(_HEAD)
    found = _FINGERPRINT.search(level[:_HEAD])
    return found[1].decode() if found else ""


def exported_with(exporter: Exporter, options: Mapping[str, Any], theme: str) -> ExportedWith:
    """Record what a format was exported with, from all its options and the theme's path."""
    chosen = {key: value for key, value in options.items() if value != exporter.options[key].default}
    return ExportedWith(chosen, theme if exporter.themed else "")


def placed(formats: Formats, folder: Path) -> dict[str, ExportedWith]:
    """Make the themes relative to the folder of the files."""
    return {
        name: with_._replace(theme=way_from(folder, with_.theme) if with_.theme else "")
        for name, with_ in formats.items()
    }


def way_from(folder: Path, path: str) -> str:
    """Return the path of a theme or a kit, relative to a folder."""
    try:
        way = Path(os.path.relpath(real_path(Path(path)), real_path(folder))).as_posix()
        return way.encode("utf-8", "replace").decode()
    except ValueError:  # on another drive, from which no path leads here
        return Path(path).name


def theme_in(folder: Path, name: str, with_: ExportedWith | None) -> Path | None:
    """Find the theme that a level's files in a folder were exported with, or None for the built-in one.

    Raises BadInput if it is not there.
    """
    if with_ is None or not with_.theme:
        return None
    path = real_path(folder / with_.theme)
    if not path.is_file():
        problem = f"was exported with the theme {path}, which is missing"
        raise BadInput(f"{folder / name}: {problem}; put it there, or name another one with --theme")
    return path


def text_of(formats: Formats) -> str:
    """Format as JSON, for the record."""
    return json.dumps(_table(formats), sort_keys=True, separators=(",", ":"))


def formats_in_text(text: str) -> dict[str, ExportedWith]:
    """Parse the formats of such a text. There are none if it is damaged."""
    try:
        return _formats(Node(json.loads(text), ""))
    except (BadInput, ValueError, RecursionError):
        return {}


def is_usual(formats: Formats) -> bool:
    """Check whether everything was exported with defaults."""
    return not any(with_.options or with_.theme for with_ in formats.values())


def with_files(formats: Formats, stem: Path) -> dict[str, ExportedWith]:
    """Keep the formats that have a file with this stem. Those of other packages are not looked for."""
    from exporters.registry import exporter, format_names

    return {
        name: with_
        for name, with_ in formats.items()
        if name not in format_names()
        or any(os.path.lexists(f"{stem}{suffix}") for suffix in exporter(name).suffixes)
    }


# --- in level.json -----------------------------------------------------------------------------------


def with_exported(level: bytes, formats: Formats) -> bytes:
    """Write the formats into a level.json as Undercroft writes it. Unchanged if all have defaults."""
    if is_usual(formats) or not level.endswith(_END):
        return level
    rows = [
        f"{json.dumps(name)}:{json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(',', ':'))}"
        for name, row in _table(formats).items()
    ]
    text = ",\n".join(rows)
    return level.removesuffix(_END) + f',\n"{_KEY}": {{\n{text}\n}}\n}}\n'.encode()


def without_rows(level: bytes) -> bytes:
    """Remove from a level.json what `with_exported` added, so that the level and a person's edits remain."""
    return _ROWS.sub(_END, level.replace(b"\r\n", b"\n"))


def exported_in(path: Path) -> dict[str, ExportedWith]:
    """Read the formats in a level.json. There are none if it is missing, is not JSON, or has none.

    Raises BadInput if they are not such a table.
    """
    try:
        data = path.read_bytes() if path.is_file() and path.stat().st_size <= _MAX_BYTES else b""
        table = json.loads(data) if f'"{_KEY}"'.encode() in data else {}
    except (OSError, ValueError, RecursionError):
        return {}
    formats = table.get(_KEY, {}) if isinstance(table, dict) else {}
    return _formats(Node(formats, _KEY, Node(None, str(path), is_file=True)))


def said_in(path: Path) -> dict[str, ExportedWith]:
    """Read the same as `exported_in`, but nothing for what is not such a table."""
    try:
        return exported_in(path)
    except BadInput:
        return {}


def without_exported(table: object) -> dict[str, Any]:
    """Drop the formats from a level.json's table. Raises BadInput if it or they are no such table."""
    node = Node(table, "level")
    _formats(node.at(_KEY, {}))
    return {key: value for key, value in node.table().items() if key != _KEY}


def _table(formats: Formats) -> dict[str, dict[str, Any]]:
    return {
        name: {
            **({"theme": with_.theme} if with_.theme else {}),
            **({"options": dict(with_.options)} if with_.options else {}),
        }
        for name, with_ in sorted(formats.items())
    }


def _formats(node: Node) -> dict[str, ExportedWith]:
    """Check a table. What an option may be is checked where it is used. Raises BadInput."""
    remedy = "export the level again"
    node.table(remedy)
    formats = {}
    for name, row in node.pairs(_MAX_FORMATS):
        row.table(remedy)
        theme = row.at("theme", "")
        path = theme.text()
        if PurePosixPath(path).is_absolute() or (os.name == "nt" and PureWindowsPath(path).anchor):
            theme.fail(f"{shown(path)} is not a relative path; {remedy}")
        formats[name] = ExportedWith(row.at("options", {}).table(remedy), path)
    return formats
