"""Runs of the `gungeon` style: one level for each chapter that says what its level is like.

The row `[chapter.NAME.gungeon]` gives values of the spec. A value that the spec of a run sets itself holds
for all chapters.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from generator.errors import SpecError, shown, unknown
from generator.interiors.chapters import level_of_chapter, main_chapter
from generator.kinds import Kit, shipped_kit
from generator.kinds.chapters import POOL
from generator.styles.base import RunTables
from generator.styles.gungeon.plan import HeapPlan
from generator.styles.gungeon.spec import GungeonSpec, stage_seed


def stages(spec: GungeonSpec) -> Sequence[GungeonSpec]:
    """List the specs of a run, from the spec's own chapter to the last. Raises SpecError."""
    kit = spec.load_kit()
    for problem in chapter_problems(kit):
        raise SpecError(problem)
    chapters = [row.name for row in kit.rules.main_chapters if row.gungeon is not None]
    if not chapters:
        raise SpecError(
            f"run: {kit.where}: no chapter has a level of gungeon; add a table [chapter.NAME.gungeon]"
        )
    first = spec.chapter if spec.chapter != "none" else chapters[0]
    if main_chapter(first, kit) not in chapters:
        raise SpecError(
            f"run: chapter: {first} has no level in a run; give one of {', '.join(chapters)}, or add "
            f"[chapter.{first}.gungeon] to the kit"
        )
    left = chapters[chapters.index(main_chapter(first, kit)) :]
    return [_level(spec, kit, name) for name in (first, *left[1:])]


def _level(spec: GungeonSpec, kit: Kit, chapter: str) -> GungeonSpec:
    """Return the spec of a chapter's level: the values of its row, except those that the spec sets itself."""
    defaults = {field.name: field.default for field in dataclasses.fields(spec) if field.metadata}
    before: Mapping[str, Any] = {}
    if spec.memory.place and spec.chapter in kit.rules.chapters:  # a level of a run, which goes on
        before = _row(kit, spec.chapter)
    row = _row(kit, chapter)
    values: dict[str, Any] = {"chapter": chapter}
    for key in dict.fromkeys((*before, *row)):
        if key != POOL and getattr(spec, key) == before.get(key, defaults[key]):
            values[key] = row.get(key, defaults[key])
    if spec.rooms or spec.named_pieces:
        values.pop("flow", None)  # flows have rooms of their own
    where = f"{kit.file_of(f'chapter.{chapter}')}: chapter.{chapter}.gungeon"
    return spec.replace(values, where)


def _row(kit: Kit, chapter: str) -> Mapping[str, Any]:
    """Return the row of a chapter's level, in which the paths of flow files count from the row's file."""
    from generator.styles.gungeon.flows.library import beside

    row = level_of_chapter(kit, chapter)
    return {**row, "flow": beside(row["flow"], _folder(kit, chapter))} if "flow" in row else row


def _folder(kit: Kit, chapter: str) -> Path:
    row = kit.rules.chapters[chapter]
    return Path(kit.file_of(f"chapter.{row.replaces if row.gungeon is None else chapter}")).parent


def carry(spec: GungeonSpec, seed: int, plan: HeapPlan) -> RunTables:
    """Return what the player has met and is likely to have after a level."""
    from generator.rng import Stream  # listing styles must not import numpy
    from generator.styles.carry import USUAL_KINDS, state_after
    from generator.styles.gungeon.assemble import sites_of
    from generator.styles.gungeon.furnishing.furnishers import seen_centrepieces
    from generator.styles.gungeon.injections import FACT, first_stage, met_bosses

    rolls = stage_seed(spec, seed)
    kinds = [room.kind for room in plan.rooms]
    memory = spec.memory.with_seen(
        layouts=(*_drawn(plan), *seen_centrepieces(spec, sites_of(plan, spec.load_kit()), rolls)),
        bosses=met_bosses(spec, plan, rolls),
        special_rooms=(kind for kind in kinds if kind not in USUAL_KINDS),
    )
    injections = [name for name in str(plan.facts.get(FACT, "")).split(", ") if name]
    memory = dataclasses.replace(memory, injections=tuple(sorted((*memory.injections, *injections))))
    state = state_after(spec, spec.state, first_stage(spec), kinds, Stream(rolls, "run.carry"))
    return {"memory": memory, "state": state}


def _drawn(plan: HeapPlan) -> Iterator[str]:
    """Yield the layouts of a plan, and its set pieces, each once."""
    from generator.styles.gungeon.piece_drawing import SET_PIECE
    from generator.styles.gungeon.set_pieces import piece_of

    pieces = set()
    for room in plan.rooms:
        if room.layout and (piece := piece_of(room.layout.name)):
            pieces.add(SET_PIECE + piece)
        elif room.layout:
            yield room.layout.file
    yield from sorted(pieces)


def _unknown(layout: str, known: Callable[[str], Sequence[str]]) -> str:
    kind = layout.partition("/")[0]
    if not known(kind):
        return f"{shown(layout)} is not a layout; give one such as normal/fights/cells"
    return unknown(f"{kind} layout", layout, known(kind))


def chapter_problems(kit: Kit) -> Iterator[str]:
    """Find unknown flows and layouts in a kit's own rows of chapters and injections."""
    from generator.styles.gungeon.dealing import pool
    from generator.styles.gungeon.flows.library import beside, choices, load_flow

    spec = GungeonSpec() if kit.is_shipped else GungeonSpec(kit=str(kit.folder))
    names: dict[str, list[str]] = {}

    def known(kind: str) -> list[str]:
        if kind not in names:
            names[kind] = [card.file for card in pool(spec, kind)] if kind in kit.kinds.rooms else []
        return names[kind]

    shipped = () if kit.is_shipped else shipped_kit().rules.chapters.values()
    for row in (row for row in kit.rules.chapters.values() if row not in shipped):
        where = f"{kit.file_of(f'chapter.{row.name}')}: chapter.{row.name}.gungeon"
        values = dict(row.gungeon or ())
        if "flow" in values:
            try:
                for choice in choices(beside(values["flow"], _folder(kit, row.name))):
                    if choice.is_file:
                        load_flow(choice.name, kit)
            except SpecError as error:
                yield f"{where}.flow: {str(error).removeprefix('flow: ')}"
        for layout in values.get(POOL, ()):
            if layout not in known(layout.partition("/")[0]):
                yield f"{where}.{POOL}: {_unknown(layout, known)}"
    given = () if kit.is_shipped else shipped_kit().rules.injections
    for injection in (row for row in kit.rules.injections if row not in given):
        layout = injection.room.layout if injection.room else ""
        if layout and layout not in known(injection.kind):
            where = f"{kit.file_of(f'injection.{injection.name}')}: injection.{injection.name}"
            yield f"{where}.room.layout: {_unknown(layout, known)}"
