"""The project's folder: paths that the page names, and what is there that a level can be made from.

Paths count from the folder and never lead out of it. Specs, themes, kits, flows and layouts are told apart by
what is in them: a spec has a `style`, a theme an image and a floor, a flow rooms and connections. A file that
cannot be read is passed over here; whoever chooses it is told what is wrong. Layouts are in folders called
`layouts`, and in those that a spec or the manifest names.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from generator.errors import BadInput, shown
from generator.files import read_text
from generator.named_tuple import NamedTuple

# --- paths -------------------------------------------------------------------------------------------

_MAX_TEXT = 1000  # characters of a path


def project() -> Path:
    """Return the project's folder, which is a worker's current folder."""
    return Path(os.path.realpath(Path.cwd()))


def inside(path: str, key: str) -> str:
    """Return a path as written if it lies in the project's folder, links resolved. Raises BadInput."""
    folder = project()
    try:
        real = Path(os.path.realpath(folder / path))
        is_inside = len(path) <= _MAX_TEXT and path.isprintable() and real.is_relative_to(folder)
    except (OSError, ValueError):  # a null, a name that is too long
        is_inside = False
    if not is_inside:
        raise BadInput(f"{key}: {shown(path)} is not a path in the project's folder; pick one there")
    return path


def to_write_in(path: str) -> Path:
    """Return a folder of the project that levels may be written to. Raises BadInput.

    Folders that begin with a dot, such as `.git` and `.github`, belong to programs that act on what is there.
    """
    folder = Path(inside(path, "folder"))
    real = Path(os.path.realpath(folder)).relative_to(project())
    if any(part.startswith(".") and part != ".." for part in (*folder.parts, *real.parts)):
        raise BadInput(f"folder: {shown(path)} is in a folder that begins with a dot; pick another one")
    return folder


def check_texts(values: object, key: str) -> None:
    """Refuse every text among some values that, read as a path, leads out of the project. Raises BadInput.

    Which values name files is for styles and formats to know, those of other packages too. So no text may.
    """
    if isinstance(values, dict):
        for name, item in values.items():
            check_texts(item, str(name) if not key else f"{key}.{name}")
    elif isinstance(values, list):
        for item in values:
            check_texts(item, key)
    elif isinstance(values, str):
        for part in [values, *values.split(",")]:  # a flow's text is a list, such as "a.toml 2, b.toml"
            _check_text(part.strip().strip('"'), key)


def _check_text(text: str, key: str) -> None:
    looks_like_a_path = "/" in text or "\\" in text or text.startswith((".", "~"))
    may_be_a_name = len(text) <= _MAX_TEXT and text.isprintable()  # of a link that leads elsewhere, perhaps
    if looks_like_a_path or may_be_a_name:
        inside(text.replace("\\", "/"), key)


def relative(path: Any) -> str:
    """Return a path relative to the project's folder."""
    return Path(os.path.relpath(path, project())).as_posix()


# --- contents ----------------------------------------------------------------------------------------

MAX_ENTRIES = 10_000  # files and folders that are looked at
MAX_DEPTH = 8
MAX_NAMED = 100  # folders of layouts that are taken from one file
_MAX_BYTES = 1 << 18  # of a TOML file
_PASSED_OVER = {"node_modules", "__pycache__", "venv"}
PARTS = (".toml", ".png", ".txt", ".tmx", ".tmj", ".tsx", ".tsj", ".ldtk", ".json", ".world")


class ProjectPart(NamedTuple):
    """A file or folder of the project, as the page's choices name it."""

    path: str
    what: str  # spec, theme, flow, kit, layouts or manifest
    summary: str


def entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield the files and folders below a folder, except hidden ones and links, up to a number and depth."""
    left = MAX_ENTRIES
    waiting = [(folder, 0)]
    while waiting:
        at, depth = waiting.pop()
        try:
            with os.scandir(at) as scan:
                inner = sorted(scan, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in inner:
            left -= 1
            if left < 0:
                return
            if not _may_be_named(entry.name) or entry.name in _PASSED_OVER or entry.is_symlink():
                continue
            yield entry
            if depth < MAX_DEPTH and entry.is_dir(follow_symlinks=False):
                waiting.append((Path(entry.path), depth + 1))


def _may_be_named(name: str) -> bool:
    """Check that a name is not hidden and fits in JSON: bytes that are not Unicode are surrogates."""
    return not name.startswith(".") and not any("\ud800" <= letter <= "\udfff" for letter in name)


class _PartKind(NamedTuple):
    """What a file or folder is, what is said of it, and the folders of layouts that it names."""

    what: str
    summary: str
    layouts: frozenset[str] = frozenset()


def found_in(folder: Path) -> list[ProjectPart]:
    """List what can be chosen, sorted by path."""
    rows: set[ProjectPart] = set()
    for entry in entries(folder):
        path = Path(entry.path)
        kind = None
        if entry.is_dir(follow_symlinks=False):
            kind = _folder_kind(path)
        elif path.suffix.lower() == ".toml":
            status = entry.stat(follow_symlinks=False)
            kind = _file_kind(path, status.st_mtime_ns, status.st_size)
        if kind:
            rows.add(ProjectPart(path.relative_to(folder).as_posix(), kind.what, kind.summary))
            rows |= {row for name in kind.layouts if (row := _named_layouts(path.parent / name, folder))}
    if (folder / "kit.toml").is_file():
        rows.add(ProjectPart(".", "kit", folder.name))
    return sorted(rows)


def _named_layouts(named: Path, folder: Path) -> ProjectPart | None:
    """Return a folder of layouts that a file names, if it exists in the project, links resolved."""
    try:
        path = Path(os.path.realpath(named)).relative_to(os.path.realpath(folder))
        is_there = named.is_dir() and path != Path() and path.as_posix().isprintable()
    except (OSError, ValueError):  # it is elsewhere; or a null, a name that is too long
        return None
    return ProjectPart(path.as_posix(), "layouts", path.name) if is_there else None


def _folder_kind(path: Path) -> _PartKind | None:
    if (path / "kit.toml").is_file():
        return _PartKind("kit", path.name)
    return _PartKind("layouts", path.name) if path.name == "layouts" else None


@lru_cache(maxsize=4096)
def _file_kind(path: Path, _mtime: int, _size: int) -> _PartKind | None:
    """Find out what a TOML file is, as it is now."""
    try:
        text = read_text(path, _MAX_BYTES, BadInput)
        table: dict[str, Any] = tomllib.loads(text)
    except (BadInput, ValueError, RecursionError):
        return None
    first = text.partition("\n")[0]
    summary = first.lstrip("# ").strip()[:200] if first.startswith("#") else ""
    if isinstance(table.get("style"), str):
        return _PartKind("spec", summary, _texts([table.get("layouts")]))
    if isinstance(table.get("flow"), dict) and "room" in table:
        return _PartKind("flow", summary)
    if ("image" in table or "tileset" in table) and ("floor" in table or "tile_size" in table):
        return _PartKind("theme", summary)
    if path.name == "undercroft.toml" and ("group" in table or "campaign" in table):
        return _PartKind("manifest", summary, _texts(_layouts_in_manifest(table)))
    return None


def _texts(values: Iterable[object]) -> frozenset[str]:
    texts = (text for text in values if isinstance(text, str) and text and text.isprintable())
    return frozenset(islice(texts, MAX_NAMED))


def _layouts_in_manifest(table: Mapping[str, Any]) -> Iterator[object]:
    """Yield what the groups, campaigns and stages of a manifest set as `layouts`, whatever it is."""
    for kind in ("group", "campaign"):
        sections = table.get(kind)
        for section in sections.values() if isinstance(sections, dict) else ():
            stages = section.get("stages") if isinstance(section, dict) else None
            for holder in (section, *(stages if isinstance(stages, list) else ())):
                values = holder.get("set") if isinstance(holder, dict) else None
                yield values.get("layouts") if isinstance(values, dict) else None


def folders_in(folder: Path) -> list[str]:
    """List the names of the folders in a folder, sorted, without hidden ones and links, up to a limit."""
    names = []
    with os.scandir(folder) as scan:
        for count, entry in enumerate(scan):
            if count >= MAX_ENTRIES:
                break
            if _may_be_named(entry.name) and entry.is_dir(follow_symlinks=False):
                names.append(entry.name)
    return sorted(names)
