"""Levels for packs: from a request to sources, from sources to tasks, and from a task to a block of levels.

Blocks are made in any process: their levels are generated and dressed, and their scenes turned into rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from exporters.base import Job
from exporters.builder.inputs import LevelFile, stamp_of, theme_of
from exporters.formats.pack import MAX_BLOCK_BYTES, MAX_LEVELS
from exporters.formats.pack.file import (
    LEVELS_A_BLOCK,
    Block,
    Missing,
    PackEntry,
    compressed,
    digest,
    pack_facts,
)
from exporters.formats.pack.variant import encode
from generator.errors import BadInput, GenerationFailed, LevelError, RerollError, UndercroftError
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:
    from exporters.builder.groups import Group, PlannedRun
    from exporters.bundle import Bundle
    from exporters.formats.godot.syntax.document import Sections
    from exporters.theme.districts import LevelLooks
    from generator.level import Level, RerollRow
    from generator.spec import LevelSpec


class PackSource(NamedTuple):
    """Levels that differ only in their seeds. `options` are those of the format `godot`."""

    group: str
    name: str  # that of the campaign's stage or of the finished level, or empty
    spec: LevelSpec
    seeds: Sequence[int | str]
    theme: Path | None
    theme_digest: bytes
    options: Mapping[str, object]
    run: PlannedRun | None = None  # the campaign that the levels belong to
    place: int = 1
    rerolls: tuple[RerollRow, ...] = ()  # of its one level
    file: LevelFile | None = None  # its one level, finished
    allowed: tuple[str, ...] | None = ()  # rules that new levels may break, None for all


def make_block(task: tuple[PackSource, Sequence[int | str]]) -> Block:
    """Make the levels of some seeds, in a worker. A level that cannot be made is left out."""
    from exporters.formats.pack.rows import Rows, TooLargeError
    from exporters.theme.districts import looks_of
    from generator.batch.many_seeds import level_in_turn
    from generator.checks import check_made

    source, seeds = task
    rows, scenes, entries, failed = Rows(), [], [], []
    for seed in seeds:
        label = f"{source.group}, {source.name or f'seed {seed}'}"
        try:
            if source.file:
                level = source.file.load()
            else:
                spec = source.run.spec(source.place, seed) if source.run else source.spec
                level = level_in_turn(spec, seed, source.rerolls)
                if source.allowed is not None:
                    check_made(level, spec, source.allowed)
        except (GenerationFailed, LevelError, RerollError) as error:  # the last two: of its rerolls or file
            failed.append(Missing(label, str(error)))
            continue
        try:
            scenes.append(rows.scene(_document(level, source)))
        except TooLargeError:
            tiles = level.width * level.height
            failed.append(Missing(label, f"level too large for a pack ({tiles} tiles)"))
            continue
        except TypeError as error:
            raise UndercroftError(f"{label}: cannot be packed: {error}") from None
        facts = pack_facts(level, source.group, source.name, source.place if source.run else 0)
        entries.append(PackEntry(level.seed, bytes.fromhex(level.fingerprint), facts, looks_of(level)))
    raw = encode(
        {**rows.tables(), "rows": [stream for stream, _ in scenes], "cells": [stream for _, stream in scenes]}
    )
    if len(raw) > MAX_BLOCK_BYTES:
        raise UndercroftError(
            f"{source.group}: a block of its levels takes {len(raw)} bytes, which is too large"
        )
    return Block(compressed(raw), len(raw), entries, failed)


def _document(level: Level, source: PackSource) -> Sections:
    from exporters.dress import dressed
    from exporters.formats.godot.setting import setting_of
    from exporters.formats.godot.syntax.document import Sections
    from exporters.formats.godot.write_scene import whole_scene

    look = dressed(level, theme_of(source.theme, source.theme_digest))
    job = Job(level, f"{level.style}-{level.seed}", source.options, lambda: look)
    setting = setting_of(job)
    document = Sections("gd_scene", setting.dialect)
    asked = {name: True for name in _LIGHTS if source.options[name]}
    without = {**source.options, **dict.fromkeys(_LIGHTS, False)}
    whole_scene(setting._replace(job=job._replace(options=without)), document)
    document.nodes[0].properties.update({f"metadata/{name}": value for name, value in asked.items()})
    return document


# --- from a request to tasks -------------------------------------------------------------------------

_LIGHTS = ("lights", "darkness")  # options of `godot` whose nodes the addon makes when it builds a level
_FIXED = {"target": "4.3", "split": "none"}  # options of `godot` that packs fix


def source_of(
    group: str, spec: LevelSpec, seeds: Sequence[int | str], theme: Path | None, options: Mapping[str, object]
) -> PackSource:
    """Make a source with `options` of the format `godot`. Raises BadInput for those that packs forbid."""
    for name, only in _FIXED.items():
        if options[name] != only:
            raise BadInput(f"godot.{name}: packs support only {only}; remove this option")
    if options["player"]:
        raise BadInput(
            "godot.player: the levels of a pack have no player; leave the option out, and add your own player"
        )
    return PackSource(group, "", spec, seeds, theme, stamp_of(theme).digest, options)


def source_of_group(group: Group, seeds: Sequence[int | str], options: Mapping[str, object]) -> PackSource:
    """Make the source of a manifest's group or a campaign's stage. Raises BadInput as `source_of` does."""
    source = source_of(group.name, group.spec, seeds, group.theme, options)
    source = source._replace(name=group.stage_name, run=group.run, place=group.number)
    return source._replace(rerolls=group.rerolls, file=group.file, allowed=group.allowed)


def sources_of_groups(groups: Iterable[Group]) -> list[PackSource]:
    """Make a source for each group and each stage of a campaign. Raises BadInput."""
    from exporters.registry import exporter, options_of

    sources = []
    for group in groups:
        options = group.options.get("godot") or options_of([exporter("godot")], {})["godot"]
        sources.append(source_of_group(group, group.seeds, options))
    return sources


def tasks(sources: Sequence[PackSource]) -> Iterator[tuple[PackSource, Sequence[int | str]]]:
    """Split the sources' seeds into blocks."""
    for source in sources:
        alone = source._replace(seeds=())
        for start in range(0, len(source.seeds), LEVELS_A_BLOCK):
            yield alone, source.seeds[start : start + LEVELS_A_BLOCK]


def check_sources(sources: Sequence[PackSource]) -> int:
    """Count the levels. Raises BadInput for too many, or for more than one theme."""
    levels = sum(len(source.seeds) for source in sources)
    if levels > MAX_LEVELS:
        raise BadInput(f"a pack of {levels} levels is too large; make several of at most {MAX_LEVELS}")
    if len({source.theme for source in sources}) > 1:
        raise BadInput("the levels have several themes; make one pack per theme")
    return levels


def came_with_packs(folder: Path) -> Callable[[str, Path], bool]:
    """Return a function that says whether a theme's file in a folder came with the packs there."""

    @cache
    def known() -> set[tuple[str, bytes]]:
        from exporters.formats.pack.reader import load_pack

        digests: set[tuple[str, bytes]] = set()
        for path in sorted(folder.glob("*.ucpack")):
            with suppress(BadInput):
                files = load_pack(path).index.get("theme_files")
                if isinstance(files, dict):
                    digests |= {(name, value) for name, value in files.items() if isinstance(value, bytes)}
        return digests

    return lambda name, file: (name, digest(file.read_bytes())) in known()


def theme_files(sources: Sequence[PackSource], looks: Iterable[LevelLooks]) -> Bundle:
    """Make the files beside a pack: a TileSet and image for each look, unless the game has its own TileSet.

    `looks` are those of its levels.
    """
    from exporters.bundle import Bundle
    from exporters.formats.godot.write_tileset import tileset_file
    from exporters.theme.districts import theme_in
    from exporters.theme.loader import fitted

    theme = theme_of(sources[0].theme, sources[0].theme_digest)
    bundle = Bundle()
    if not all(source.options["tileset"] for source in sources):
        kits = dict.fromkeys(
            source.file.load().kinds if source.file else source.spec.load_kit().kinds for source in sources
        )
        fit = [theme_in(fitted(theme, kinds), level_looks) for kinds in kits for level_looks in sorted(looks)]
        for look in dict.fromkeys(fit):
            for name, data in ((f"{look.name}.tres", tileset_file(look)), (f"{look.name}.png", look.image)):
                if bundle.get(name, data) != data:
                    raise BadInput(f"{name}: differs between levels of different kits; make one pack per kit")
                bundle.add(name, data)
    bundle.guard(theme.sources)
    return bundle
