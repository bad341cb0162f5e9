"""The files of a kit's folder: found, read and combined, each row with its file.

Links among a kit's files are refused: a link could lead anywhere, and a copy of the kit would lack its
target. The folder itself can be a link: the spec or `extends` names it.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.errors import KitError, shown
from generator.files import is_digest, parsed_toml, read_bytes, read_text, slashes, why_not_read
from generator.kinds.kinds import MAX_NAME
from generator.named_tuple import NamedTuple
from generator.shipped_files import shipped_folder

if TYPE_CHECKING:
    from generator.kinds.kit import Kit

MAX_BYTES = 1 << 20  # of a file
MAX_FILES = 50
LAYOUTS = "layouts"  # the folder with its layouts
_MAX_DEPTH = 20  # of nested tables and lists
MAX_ROWS_GONE = 1000  # named by `without`
KIT_NAME = rf"[A-Za-z0-9][A-Za-z0-9_-]{{0,{MAX_NAME - 1}}}"  # files are called after it
HEAD = {  # keys of kit.toml only
    "name": "the kit's name; files are named after it",
    "extends": 'the kits that this one adds to: "shipped", "none", the folder of another kit, or a list',
    "without": 'rows of that kit that this one leaves out, such as "room.shop"',
}

Stamps = tuple[tuple[str, int, int], ...]  # the files: name, size and time


class KitFiles(NamedTuple):
    """The contents of a kit's files: its head, its rows by table, and the file of each table and row.

    `files` has keys such as `room` and `room.garden`; anything else is in kit.toml.
    """

    head: Mapping[str, Any]
    tables: Mapping[str, Any]
    files: Mapping[str, str]


def stamps_of(root: Path, where: str) -> Stamps:
    """Stamp the TOML files of a kit's folder, which the source `where` names. Raises KitError."""
    label = shown(str(root), 200)
    try:
        if not root.is_dir():
            raise KitError(
                f"{where}: {label} is not a folder; give one that contains a kit.toml{slashes(root)}"
            )
        stamps = []
        with os.scandir(root) as entries:
            for entry in entries:
                _check_spelling(Path(entry.path))
                is_ours = entry.name.endswith(".toml") and not entry.name.startswith(".")
                if is_ours or entry.name == LAYOUTS:
                    check_no_link(Path(entry.path))
                if is_ours and entry.is_file():
                    state = entry.stat()
                    stamps.append((entry.name, state.st_mtime_ns, state.st_size))
    except (OSError, ValueError) as error:  # ValueError: a null byte
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise KitError(f"{where}: {label} cannot be read: {reason}; give another") from None
    if "kit.toml" not in {name for name, *_ in stamps}:
        raise KitError(f"{where}: {label} has no kit.toml; `undercroft kit new` writes one")
    if len(stamps) > MAX_FILES:
        raise KitError(f"{where}: {label} has {len(stamps)} TOML files; a kit has up to {MAX_FILES}")
    return tuple(sorted(stamps))


def _check_spelling(path: Path) -> None:
    """Raise KitError for what looks like part of the kit but would be ignored because of its name."""
    if path.suffix != ".toml" and path.suffix.lower() == ".toml":
        raise KitError(
            f"{path}: is not read, since its name ends in {path.suffix}; rename it to {path.stem}.toml"
        )
    if path.name != LAYOUTS and path.name.casefold() in {LAYOUTS, LAYOUTS.removesuffix("s")}:
        raise KitError(f"{path}: is not read; rename the folder to {LAYOUTS}")


def check_no_link(path: Path) -> None:
    """Raise KitError for a link among a kit's files."""
    if path.is_symlink():
        raise KitError(
            f"{path}: is a link; replace it with a copy, or share a whole kit with `extends` in kit.toml"
        )


@lru_cache(maxsize=64)
def written(root: Path, stamps: Stamps) -> KitFiles:
    """Read the contents of the files. With `stamps`, changed files are read again. Raises KitError."""
    tables: dict[str, Any] = {}
    files: dict[str, str] = {}
    for file, *_ in stamps:
        path = root / file
        contents = _table_of(path)
        if file != "kit.toml":
            for key in HEAD:
                if key in contents:
                    raise KitError(f"{path}: {key}: belongs in kit.toml; move it there")
        merge_file(tables, contents, str(path), files)
    head = {key: tables.pop(key) for key in HEAD if key in tables}
    _check_name(head, root / "kit.toml")
    return KitFiles(head, tables, files)


def _table_of(path: Path) -> dict[str, Any]:
    table = parsed_toml(read_text(path, MAX_BYTES, KitError), str(path), KitError)
    for problem in _odd_values(table, "", 0):
        raise KitError(f"{path}: {problem}")
    return table


def _odd_values(item: object, key: str, depth: int) -> Iterator[str]:
    """Yield the problems of dates, infinite numbers and deeply nested tables, which a row cannot have."""
    if depth > _MAX_DEPTH:
        yield f"{shown(key, 100)[1:-1]}: is nested more than {_MAX_DEPTH} levels deep; use fewer levels"
    elif isinstance(item, Mapping):
        for name, value in item.items():
            yield from _odd_values(value, f"{key}.{name}" if key else name, depth + 1)
    elif isinstance(item, list):
        for value in item:
            yield from _odd_values(value, key, depth + 1)
    elif isinstance(item, float) and not math.isfinite(item):
        yield f"{shown(key, 100)[1:-1]}: {item} is not a valid number here; give a whole number"
    elif not isinstance(item, (str, bool, int, float)):
        yield f"{shown(key, 100)[1:-1]}: {item} is a date or a time; write it in quotes"


def _check_name(head: Mapping[str, Any], where: Path) -> None:
    if "name" not in head:
        raise KitError(f'{where}: name: is missing; give name = "our-kit"')
    name = head["name"]
    if not isinstance(name, str) or not re.fullmatch(KIT_NAME, name) or name.casefold() == "shipped":
        raise KitError(
            f"{where}: name: {shown(name)} cannot be the name of a kit; use up to "
            f'{MAX_NAME} of A-Z, a-z, 0-9, _ and -, a letter or digit first, such as "our-kit"'
        )


def merge_file(
    tables: dict[str, Any], contents: Mapping[str, Any], where: str, files: dict[str, str]
) -> None:
    """Add the tables of a file to those of other files, and record its name in `files`.

    Raises KitError for a row that exists twice.
    """
    for key, value in contents.items():
        if isinstance(value, Mapping) and isinstance(tables.get(key, {}), dict):
            rows = tables.setdefault(key, {})
            files.setdefault(key, where)
            for name, row in value.items():
                if name in rows:
                    raise KitError(
                        f"{where}: {key}.{shown(name)[1:-1]}: is also in another file of this kit; keep one"
                    )
                rows[name] = row
                files[f"{key}.{name}"] = where
        elif key in tables:
            raise KitError(f"{where}: {shown(key)[1:-1]}: is also in another file of this kit; keep one")
        else:
            tables[key] = value
            files[key] = where


def in_its_file(message: str, where: str, files: Mapping[str, str]) -> str:
    """Replace `where` at the beginning of a message about a row by the row's file."""
    rest = message.removeprefix(f"{where}: ")
    if rest == message:
        return message
    key = rest.partition(":")[0]
    row = ".".join(key.split(".")[:2]).partition("[")[0]  # of several rows with one name: all are there
    return f"{files[row]}: {rest}" if row in files else message


# --- a digest of the rows and layouts, wherever the folders are --------------------------------------

_ENDINGS = (".txt", ".tmj", ".tmx", ".tsj", ".tsx", ".ldtk")
_MAX_BYTES = 1 << 24  # of a layout
_MAX_FILES = 20_000

LayoutStamp = tuple[str, int, int]  # a file's path in the folder, its size and its time


def digest_of_kit(kit: Kit) -> str:
    """Compute 20 hexadecimal digits of what a team's files say: their rows, rows left out, and layouts.

    Those of the shipped kit belong to the version. Raises KitError.
    """
    digest = hashlib.blake2b(kit.own_digest.encode(), digest_size=10)
    for folder in kit.layouts:
        digest.update(_of_folder(folder, tuple(sorted(_stamps(folder)))))
    return digest.hexdigest()


def is_former_digest(digest: str) -> bool:
    """Return whether a kit's digest is from before 0.3, when those of the shipped kit's rows were in it.

    It has 16 digits, and cannot be compared with those of later versions.
    """
    return len(digest) == 16 and is_digest(digest)


def _stamps(folder: Path) -> Iterator[LayoutStamp]:
    count = 0
    for root, _, files in os.walk(folder):
        for name in files:
            if name.lower().endswith(_ENDINGS):
                count += 1
                if count > _MAX_FILES:
                    raise KitError(f"kit: {shown(str(folder), 200)} has more than {_MAX_FILES} layouts")
                path = Path(root, name)
                check_no_link(path)
                try:
                    state = path.stat()
                except OSError as error:
                    raise KitError(f"{path}: cannot be read: {why_not_read(error, path)}") from None
                yield path.relative_to(folder).as_posix(), state.st_mtime_ns, state.st_size


@lru_cache(maxsize=64)
def _of_folder(folder: Path, stamps: tuple[LayoutStamp, ...]) -> bytes:
    digest = hashlib.blake2b(digest_size=8)
    for name, *_ in stamps:
        data = read_bytes(folder / name, _MAX_BYTES, KitError)
        data = data.replace(b"\r\n", b"\n")  # line ends of Windows
        digest.update(f"{name}\n{len(data)}\n".encode(errors="surrogateescape") + data)
    return digest.digest()


def new_kit_files(folder: str, first_line: str = "") -> Mapping[str, str]:
    """Return the files of a new kit, a garden with a note for each row, by path.

    It is named after `folder`. `first_line` is a comment for editors.
    """
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", folder).strip("-_")[:MAX_NAME] or "our-kit"
    begun = shipped_folder("generator.kinds") / "begun"
    rows = (begun / "kit.toml").read_text("utf-8").replace("our-kit", name)
    pond = "layouts/garden/pond.txt"
    return {"kit.toml": first_line + rows, pond: (begun / pond).read_text("utf-8")}
