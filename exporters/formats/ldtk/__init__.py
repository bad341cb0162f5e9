"""The exporter `ldtk`: a project for LDtk 1.5.3, painted with rules, and the theme's image."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from exporters.base import Exporter, Job, MainFile, late
from exporters.bundle import Bundle
from generator.values import Value

if TYPE_CHECKING:
    from exporters.theme import Theme
    from generator.interiors.named import NamedLayout

_MANY_ROOMS = 200  # LDtk needs about a minute, and more than 1 GB, for a level of 500


def _export(job: Job) -> Bundle:
    from exporters.formats.ldtk.write_project import is_apart, project

    files = project(job)
    rooms = len(job.level.rooms)
    if rooms > _MANY_ROOMS and not is_apart(job):
        remedy = "give ldtk.levels=rooms for one level per room"
        files.notes.append(f"{job.name}.ldtk: {rooms} rooms in one level make LDtk slow; {remedy}")
    if job.options["simplified"]:
        from exporters.formats.ldtk.write_simplified import simplified

        internal = files
        if job.options["external"]:
            internal = project(job._replace(options={**job.options, "external": False}))
        files.update(Bundle(dict(simplified(json.loads(internal[f"{job.name}.ldtk"]), job.theme, job.name))))
    return files


def _project_of_run(name: str, jobs: Sequence[Job]) -> Bundle:
    from exporters.formats.ldtk.write_run import run_project

    return run_project(f"{name}-run", jobs)  # NAME.ldtk is the project of a single level


def _draw_room(named: NamedLayout, theme: Theme, name: str) -> Bundle:
    from exporters.formats.ldtk.rooms import ldtk_drawing

    return ldtk_drawing([named], theme, name)


_READ = (
    late("exporters.formats.ldtk.read", "read_project"),
    late("exporters.formats.ldtk.read", "identity"),
    late("exporters.formats.ldtk.read", "options"),
)

EXPORTER = Exporter(
    name="ldtk",
    summary="a project for LDtk 1.5.3, with one level per room",
    suffixes=(".ldtk",),
    options={
        "levels": Value(
            "auto",
            "rooms: one level per room; one: one level for all rooms; auto: rooms for styles with a grid, "
            "else one",
            choices=("auto", "rooms", "one"),
        ),
        "simplified": Value(
            False, "also write pictures, tables and data of each level, for engines without an importer"
        ),
        "external": Value(False, "write each level as a separate file, in a folder named after the project"),
        "compact": Value(False, "write the file in one line, as LDtk does for projects with minified JSON"),
        "sync_on_save": Value(
            False, "let LDtk run `undercroft sync` each time that it has saved, and not only from its menu"
        ),
    },
    export=_export,
    main_files=(
        MainFile(
            "ldtk",
            ".ldtk",
            *_READ,
            room_suffixes=(".ldtkl",),
            has_only_taken=late("exporters.merge.ldtk", "has_only_taken"),
        ),
    ),
    mergers={".ldtk": late("exporters.merge.ldtk", "merge_project")},
    draw_room=_draw_room,
    of_run=_project_of_run,
    drawn_rooms={".ldtk": late("exporters.formats.ldtk.drawn_rooms", "ldtk_rooms")},
    drawn_level={".ldtk": late("exporters.formats.ldtk.drawn_rooms", "ldtk_level")},
)
