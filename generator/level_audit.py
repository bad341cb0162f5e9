"""The audit of a level.json: everything about it that can be known without a person's eye.

`checks` knows the rules of a level. Here are those of its file, the search for the kit that a level names by
its digest, and the comparison with the level that its seed gives now.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from generator.checks import lacking_rooms, problems
from generator.checks.base import is_as_generated
from generator.checks.record import notes
from generator.checks.told import told
from generator.errors import BadInput, LevelError, UndercroftError, shown
from generator.files import is_digest, read_bytes
from generator.json_schema import JsonSchema
from generator.level import Level
from generator.level_file import is_edited, level_of, parsed_root, said_edited
from generator.named_tuple import NamedTuple
from generator.pipeline import generate
from generator.rerolls.record import changed_by_hand
from generator.serialise import MAX_LEVEL_BYTES
from generator.shipped_files import shipped_folder
from generator.spec.base import FOLDERS
from generator.version import VERSION

_MAX_FOLDERS = 200  # that are looked into for a level's kit
_OF_LATER_VERSIONS = {"bridges-lead-over-pits"}  # rules that levels of older versions did not keep
_MAX_DIFFERENCES = 5  # that are told of a level


class Audit(NamedTuple):
    """How to audit levels: with which kits and layouts at hand, and whether to make them again."""

    kits: tuple[Path, ...] = ()
    layouts: Path | None = None
    accept_edits: bool = False
    again: bool = False


def level_findings(path: Path, audit: Audit, data: bytes | None = None) -> tuple[list[str], list[str]]:
    """List all problems of a level.json, and notes on what is none. `data` are its bytes if they were read.

    Problems are broken rules, unknown keys, and changes by hand unless they are accepted. Raises LevelError
    if it cannot be read.
    """
    data = read_bytes(path, MAX_LEVEL_BYTES, LevelError) if data is None else data
    root = parsed_root(data, str(path))
    level = level_of(root)
    made_by = root["generator_version"].text()
    was_edited = is_edited(root, level)
    found = [f"fingerprint: {said_edited(root, level)}"] if was_edited and not audit.accept_edits else []
    if made_by == VERSION:
        found += unknown_keys(root.value)
        found += odd_values(root.value["spec"], level.spec.saved())
    kit = kit_of(level, path, audit.kits)
    judged = changed_by_hand(level) if was_edited and audit.accept_edits else level
    if kit:
        try:
            judged = replace(judged, spec=level.spec.replace({"kit": str(kit)}))
        except BadInput as error:
            found.append(f"spec: {error}")
    noted = [*notes(judged), *lacking_rooms(judged)]
    if is_digest(judged.spec.kit):
        noted.append(f"spec.kit: {_missing_kit(level.spec.kit, audit.kits)}")
    elif kit and made_by == VERSION and judged.kinds != judged.spec.load_kit().kinds:
        found.append("kinds: are not the rows of the level's kit; generate the level again")
    kept = [
        problem
        for problem in problems(judged)
        if made_by == VERSION or problem.check not in _OF_LATER_VERSIONS
    ]
    found += told(kept, judged)
    if audit.again:
        lines, reason = _compared(judged, level, made_by, audit)
        found += lines
        noted += [f"was not made again to compare: {reason}"] if reason else []
    return [f"{path}: {line}" for line in found], [f"{path}: {line}" for line in noted]


# --- keys --------------------------------------------------------------------------------------------


@cache
def _schema() -> JsonSchema:
    schema: JsonSchema = json.loads((shipped_folder("generator") / "level.schema.json").read_bytes())
    return schema


def unknown_keys(table: Mapping[str, Any]) -> list[str]:
    """List the keys of a level.json that are not in its schema, which allows those that begin with `x_`."""
    return [
        f"{place}: is not a key of a level; remove it, or let its name begin with x_"
        for place in _unknown(table, _schema(), "")
    ]


def _unknown(value: object, schema: JsonSchema, place: str) -> Iterator[str]:
    if isinstance(value, list):
        item = schema.get("items")
        if item and value and isinstance(value[0], (dict, list)):
            for number, each in enumerate(value):
                yield from _unknown(each, item, f"{place}[{number}]")
        return
    if not isinstance(value, dict):
        return
    for choice in schema.get("oneOf", ()):
        schema = choice if choice.get("type") == "object" else schema
    others = schema.get("additionalProperties")
    for key, each in value.items():
        below = f"{place}.{key}" if place else key
        if key in schema.get("properties", {}):
            yield from _unknown(each, schema["properties"][key], below)
        elif isinstance(others, dict):
            yield from _unknown(each, others, below)
        elif others is False and not any(re.match(own, key) for own in schema.get("patternProperties", ())):
            yield below


def odd_values(written: Mapping[str, Any], read: Mapping[str, Any]) -> Iterator[str]:
    """Yield what this version would have written otherwise in a level's spec, which it `read` from there."""
    for key in (key for key in FOLDERS if written.get(key) and not is_digest(written[key])):
        yield f"spec.{key}: {shown(written[key])} is a folder; a level has its digest instead"
    for key in _missing(written, read):
        yield f"spec.{key}: is missing; generate the level again"


def _missing(written: Mapping[str, Any], read: Mapping[str, Any]) -> Iterator[str]:
    for key, value in read.items():
        if key not in written:
            yield key
        elif isinstance(value, dict):
            yield from (f"{key}.{below}" for below in _missing(written[key], value))


# --- the kit -----------------------------------------------------------------------------------------


def kit_of(level: Level, path: Path, kits: tuple[Path, ...] = ()) -> Path | None:
    """Find the folder of a level's kit by its digest: among these, or else near the level's file.

    Near are the file's folder, those above it up to that of a manifest, and the folders in each of them. None
    if the level has the shipped kit, or its kit is not there.
    """
    digest = level.spec.kit
    if not is_digest(digest):
        return None
    near = (each for folder in _above(path.absolute().parent) for each in _kits_in(folder))
    return next((folder for folder in (*kits, *near) if _digest_of(folder) == digest), None)


def _missing_kit(digest: str, given: tuple[Path, ...]) -> str:
    """Say that a level's kit is not at hand, and what is not checked therefore."""
    unchecked = "so its rules of enemies, budgets, difficulties and special rooms were not checked"
    if not given:
        return (
            f"the kit of digest {digest} is not at hand, {unchecked}; give the folder of that kit with --kit"
        )
    others = " and ".join(
        f"{folder} has {_digest_of(folder) or 'rows that cannot be read'}" for folder in given
    )
    return (
        f"the level was made with a kit of digest {digest}, but {others}, {unchecked}; give the kit as it "
        "was then, or generate the level again"
    )


def _above(folder: Path) -> Iterator[Path]:
    for each in (folder, *folder.parents):
        yield each
        if _is_there(each / "undercroft.toml") or _is_there(each / ".git"):
            return


def _kits_in(folder: Path) -> tuple[Path, ...]:
    try:
        inside = sorted(folder.iterdir())[:_MAX_FOLDERS]
    except OSError:
        return ()
    return tuple(each for each in (folder, *inside) if _is_there(each / "kit.toml"))


def _is_there(path: Path) -> bool:
    """Check whether there is a path, as far as this user may know."""
    with suppress(OSError):
        return path.exists()
    return False


def _digest_of(folder: Path) -> str:
    from generator.kinds.kit import read_kit
    from generator.kinds.kit_files import digest_of_kit

    try:
        return digest_of_kit(read_kit(folder))
    except BadInput:  # told when the kit itself is checked
        return ""


# --- the level made again ----------------------------------------------------------------------------


def _compared(judged: Level, level: Level, made_by: str, audit: Audit) -> tuple[list[str], str]:
    """Return where a level differs from what its seed gives now, or why that cannot be said."""
    if not is_as_generated(judged):
        return [], "a person edited it"
    if made_by != VERSION:
        return [], f"version {made_by} made it, and this is {VERSION}"
    spec = judged.spec
    try:
        if "layouts" in spec.digests():
            if not audit.layouts:
                return [], "it has layouts of your own; give their folder with --layouts"
            spec = spec.replace({"layouts": str(audit.layouts)})
        seed = level.seed if level.seed_text is None else level.seed_text
        again = generate(spec, seed, rerolls=level.rerolls)
    except UndercroftError as error:
        return [], str(error)
    found = list(islice(_differences(level.to_dict(), again.to_dict(), ""), _MAX_DIFFERENCES + 1))
    rest = ["differs in more places from the level that its seed gives"] * (len(found) > _MAX_DIFFERENCES)
    return found[:_MAX_DIFFERENCES] + rest, ""


def _differences(found: Any, made: Any, place: str) -> Iterator[str]:
    if type(found) is type(made) and isinstance(found, dict):
        for key in {**found, **made}:
            if key not in _NOT_COMPARED or place:
                below = f"{place}.{key}" if place else key
                yield from _differences(found.get(key, _MISSING), made.get(key, _MISSING), below)
    elif isinstance(found, list) and isinstance(made, list) and len(found) == len(made):
        for number, pair in enumerate(zip(found, made, strict=True)):
            yield from _differences(*pair, f"{place}[{number}]")
    elif found != made or type(found) is not type(made):
        yield f"{place}: is {_said(found)}, but the level's seed gives {_said(made)}"


_MISSING = object()
_NOT_COMPARED = ("fingerprint", "generator_version")


def _said(value: object) -> str:
    return "nothing" if value is _MISSING else shown(value)
