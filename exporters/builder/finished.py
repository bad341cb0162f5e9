"""Finished levels in a manifest: level.json files that a build only exports.

[group.handmade]
levels = ["handmade/crypt.level.json"]
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from exporters.builder.inputs import LevelFile, read_level
from generator.errors import shown
from generator.files import file_name, real_path
from generator.json_schema import JsonSchema, documented, listed
from generator.node import Node
from generator.spec import LevelSpec

MAX_LEVELS = 10_000  # of a group
NOT_WITH_LEVELS = ("spec", "set", "seeds", "rerolls")

LEVELS: JsonSchema = documented(
    "finished levels to export, in place of spec and seeds: their level.json files",
    listed({"type": "string", "minLength": 1, "maxLength": 1000}, 1, MAX_LEVELS),
)


class FinishedLevel(NamedTuple):
    """A finished level: its name, which is that of its file, and what is known of it."""

    name: str
    spec: LevelSpec
    seed: int | str
    file: LevelFile


def finished_levels(section: Node, folder: Path, out: Path) -> Iterator[FinishedLevel]:
    """Yield the levels of a group. Paths are relative to `folder`. `out` will be built. Raises BadInput."""
    for key in NOT_WITH_LEVELS:
        if section.has(key):
            section[key].fail("does not go with levels, which are finished; leave one of them out")
    remedy = 'write one like ["handmade/crypt.level.json"]'
    nodes = {file.line(1000, 1): file for file in section["levels"].items(MAX_LEVELS, 1, remedy)}
    names: dict[str, str] = {}
    for entry, file in nodes.items():
        path = real_path(folder / entry)
        if path.is_relative_to(out):
            problem = "is in the folder that is built; move it into another one"
            file.fail(f"{shown(entry)} {problem}")
        name = file_name(Path(entry).name.removesuffix(".json").removesuffix(".level"))
        first = names.setdefault(name.casefold(), entry)
        if first != entry:
            problem = f"{shown(first)} and {shown(entry)} have the same name"
            file.fail(f"{problem}; rename one, or put it into another group")
        with file.named():
            level, level_file = read_level(path)
        seed = level.seed if level.seed_text is None else level.seed_text
        yield FinishedLevel(name, level.spec, seed, level_file)
