"""Starred levels: written into the project's manifest, which `undercroft build` builds.

    [group.starred]
    spec = "isaac"
    seeds = [7, 12]
    set = {stage = 3}

A level with re-rolled rooms has a group of its own, with its `rerolls`.

What people wrote in the manifest stays, their comments too. It is read and checked before and after, and only
replaced when it is sound.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.exceptions import TOMLKitError

from exporters.builder.groups import dotted
from exporters.builder.manifest import DEFAULT_NAME, load_manifest
from exporters.durable import flush, flush_folders
from exporters.schemas import directive_for
from exporters.studio.making import made_level, spec_asked, theme_of
from exporters.studio.project import inside
from exporters.studio.requests import LevelRequest, Reply, packed
from generator.errors import BadInput, UndercroftError
from generator.files import read_text, real_path
from generator.level import RerollRow
from generator.rerolls.record import MAX_ROOMS, read_rows, rows_of
from generator.styles.registry import style

_MAX_BYTES = 1 << 20  # as of any manifest
_MAX_TOML = (1 << 63) - 1
# Nothing is added to a group with other keys too, a person's.
_OURS = {"spec", "seeds", "set", "theme", "rerolls"}


def star(request: LevelRequest) -> Reply:
    """Add a level to the manifest: to the group that it belongs to, or to a new one."""
    theme_of(request)
    path, old, seed = _at_hand(request)
    if request.rerolls:
        made_level(request)  # it has these rooms, and they can be what the rows say
    name, new = _added(old or "", request, seed)
    if new is not None:
        _replace(path, old, new)
    data = {
        "manifest": DEFAULT_NAME,
        "group": name,
        "seed": str(seed),
        "added": new is not None,
        "command": "undercroft build",
    }
    return Reply(200, packed(data))


def unstar(request: LevelRequest) -> Reply:
    """Take a level out of the groups of the manifest that list it as the studio does."""
    path, old, seed = _at_hand(request)
    document, row = _document(old or ""), _row(request)
    removed = []
    for name, group in list(document.get("group", {}).items()):
        if _is_like(group, row) and seed in group["seeds"].unwrap():
            group["seeds"].remove(seed)
            removed.append(name)
            if not group["seeds"]:
                del document["group"][name]
    if removed:
        _replace(path, old, _without_empty_end(tomlkit.dumps(document)))
    return Reply(200, packed({"manifest": DEFAULT_NAME, "groups": removed, "seed": str(seed)}))


def _document(text: str) -> TOMLDocument:
    """Parse a manifest and keep all that people wrote between its values."""
    try:
        return tomlkit.parse(text)
    except (TOMLKitError, ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0]
        raise BadInput(f"{DEFAULT_NAME}: cannot be changed here: {reason}; change it yourself") from None


def _without_empty_end(text: str) -> str:
    """Remove the empty lines that a deleted last group leaves at the end of a text."""
    body = text.rstrip("\r\n")
    return body and body + ("\r\n" if text[len(body) :].startswith("\r\n") else "\n")


def _at_hand(request: LevelRequest) -> tuple[Path, str | None, int | str]:
    """Return the manifest's path, its text (None without one), and the seed as written there.

    Raises BadInput for a bad spec or seed, and for a broken manifest.
    """
    spec = spec_asked(request)
    number, text = style(spec.style).read_seed(request.seed)
    seed = text if text is not None else number if number <= _MAX_TOML else str(number)
    path = Path(inside(DEFAULT_NAME, "manifest"))
    old = read_text(path, _MAX_BYTES, BadInput) if path.exists() else None
    if old is not None and _asks_for_levels(old):
        load_manifest(path)
    return path, old, seed


def _asks_for_levels(text: str) -> bool:
    """Check whether a manifest has groups or campaigns. Without any it is valid here, not for `build`."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError):
        return True  # whoever reads it will say what is wrong
    return "group" in table or "campaign" in table


def _added(old: str, request: LevelRequest, seed: int | str) -> tuple[str, str | None]:
    """Add the level to a group. Return its name and the new manifest, or None if it is there already."""
    document, row = _document(old), _row(request)
    groups = document.get("group", {})
    for name, group in groups.items():
        if not _is_like(group, row):
            continue
        seeds = group["seeds"]
        if seed in seeds.unwrap():
            return name, None
        if request.rerolls:
            continue  # they are those of another level
        seeds.append(seed)
        return name, tomlkit.dumps(document)
    name = _free_name({*groups, *document.get("campaign", {})})
    return name, _with_group(document, old, name, {"spec": row["spec"], "seeds": [seed], **row})


def _row(request: LevelRequest) -> dict[str, Any]:
    """Return a group's keys for such levels, except the seeds. Raises LevelError for bad rerolls."""
    row: dict[str, Any] = {"spec": request.name}
    values: dict[str, Any] = {}
    for key, value in request.values.items():
        head, dot, last = key.partition(".")
        if dot:
            values.setdefault(head, {})[last] = value
        else:
            values[head] = value
    extras = {"set": values, "theme": request.theme, "rerolls": _in_order(request.rerolls)}
    return row | {key: value for key, value in extras.items() if value}


def _in_order(rerolls: Iterable[RerollRow]) -> list[dict[str, Any]]:
    """Sort rows as a level has them, in the order of its rooms."""
    rolls, is_edited = read_rows(rerolls, MAX_ROOMS)
    return [dict(row) for row in rows_of(rolls, is_edited=is_edited)]


def _is_like(group: Any, row: Mapping[str, Any]) -> bool:
    """Check whether a group of the manifest is one of ours, with a list of seeds, for such levels."""
    table = group.unwrap()
    same = {key: value for key, value in table.items() if key != "seeds"} == row
    return same and isinstance(table.get("seeds"), list) and table.keys() <= _OURS


def _free_name(taken: set[str]) -> str:
    names = ("starred", *(f"starred-{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def _with_group(document: TOMLDocument, old: str, name: str, row: Mapping[str, Any]) -> str:
    """Add a group to the manifest, after the other groups."""
    table = tomlkit.table()
    for key, value in row.items():
        table[key] = _written(value)
    try:
        if "group" not in document:
            document["group"] = tomlkit.table(is_super_table=True)
        document["group"][name] = table
        text = tomlkit.dumps(document)
    except (TOMLKitError, ValueError) as error:
        own = tomlkit.dumps({"group": {name: table}}).strip().replace("\n", "; ")
        reason = str(error).splitlines()[0]
        raise BadInput(f"{DEFAULT_NAME}: group: cannot be added to: {reason}; add yourself: {own}") from None
    return text if old else directive_for(Path(), "manifest") + text.lstrip("\n")


def _written(value: Any) -> Any:
    """Format a value on one line, but several tables on one line each."""
    if isinstance(value, dict):
        table = tomlkit.inline_table()
        for key, item in value.items():
            table[key] = _written(item)
        return table
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        rows = tomlkit.array()
        rows.extend(map(_written, value))
        return rows.multiline(len(value) > 1)
    return value


def _replace(path: Path, old: str | None, new: str) -> None:
    """Replace the manifest if the new one is sound and the old one is still what was read."""
    target = real_path(path)
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_text(new, "utf-8", newline="")
        try:
            if _asks_for_levels(new):
                load_manifest(beside)
        except UndercroftError as error:
            reason = str(error).replace(str(beside), DEFAULT_NAME)
            raise BadInput(f"{reason} (with the starred level; the manifest is as it was)") from None
        flush([beside])
        if old is not None:
            beside.chmod(target.stat().st_mode & 0o777)
        if (read_text(path, _MAX_BYTES, BadInput) if path.exists() else None) != old:
            raise BadInput(f"{DEFAULT_NAME}: was changed meanwhile; star the level again")
        beside.replace(target)
        flush_folders([target.parent])
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(f"{DEFAULT_NAME}: cannot be written: {reason}; see that the folder can be") from None
    finally:
        with suppress(OSError):
            beside.unlink()


def stars() -> Reply:
    """List the groups of the manifest that list their seeds. Raises BadInput for a broken manifest."""
    path = Path(inside(DEFAULT_NAME, "manifest"))
    if not path.exists():
        return Reply(200, packed({"manifest": None, "groups": []}))
    text = read_text(path, _MAX_BYTES, BadInput)
    if _asks_for_levels(text):
        load_manifest(path)
    table = tomllib.loads(text)
    groups = [
        {
            "group": name,
            "spec": group.get("spec", ""),
            "set": dotted(group.get("set", {})),
            "theme": group.get("theme", ""),
            "rerolls": _in_order(group.get("rerolls", [])),
            "seeds": [str(seed) for seed in group["seeds"]],
        }
        for name, group in table.get("group", {}).items()
        if isinstance(group.get("seeds"), list)
    ]
    return Reply(
        200, packed(json.loads(json.dumps({"manifest": DEFAULT_NAME, "groups": groups}, default=str)))
    )
