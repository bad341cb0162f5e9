"""The project of a run: all its levels in one world, side by side in their order, linked at their exits.

    Level_1_Room_0_start  Level_1_Room_1_boss   |   Level_2_Room_0_start ...
                          Exit: leads_to ------------> PlayerStart

LDtk 1.5 can also keep several worlds in one project, as a preview. Then its list `levels` is empty, so an
importer that does not know `worlds` finds no level.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from exporters.base import Job
from exporters.bundle import Bundle
from exporters.formats.ldtk.areas import WHOLE, AreaPlan
from exporters.formats.ldtk.syntax import Iids
from exporters.formats.ldtk.write_project import (
    LevelPart,
    LevelWriter,
    compiled_for_run,
    indent_of,
    plan_of_job,
    project_of,
)
from generator.links import place_of

_APART = 4  # tiles between two levels, at least; on a grid, one cell


def run_project(name: str, jobs: Sequence[Job]) -> Bundle:
    """Write `NAME.ldtk` with the levels of all jobs, whose looks are in one theme."""
    jobs = [job._replace(options={**job.options, "simplified": False}) for job in jobs]
    levels = [job.level for job in jobs]
    iids = Iids(sha256(" ".join(level.ids_from for level in levels).encode()).hexdigest())
    known = compiled_for_run(levels, jobs[0].theme, indent_of(jobs[0]))
    plans = [plan_of_job(job) for job in jobs]
    grid = plans[0].grid if len({plan.grid for plan in plans}) == 1 else None
    numbers = [place_of(level.spec) or number for number, level in enumerate(levels, 1)]
    parts: list[LevelPart] = []
    left, before, next_start = 0, sum(len(plan.areas) for plan in plans), None
    widths = [_width(plan, grid) for plan in plans]
    # From the last to the first, so that each exit knows where it leads.
    for index in reversed(range(len(jobs))):
        before -= len(plans[index].areas)
        left = sum(widths[:index])
        plan = _named(_moved(plans[index], left), f"{WHOLE}_{numbers[index]}")
        is_next = index + 1 < len(jobs) and numbers[index + 1] == numbers[index] + 1
        writer = LevelWriter(
            jobs[index],
            plan,
            known,
            iids.of("world"),
            before=before,
            next_start=next_start if is_next else None,
        )
        next_start = writer.start()
        parts.insert(0, LevelPart(jobs[index], plan, writer))
    project = project_of(name, parts, known, iids, grid)
    project.notes += jobs[0].theme.left_out
    return project


def _width(plan: AreaPlan, grid: tuple[int, int] | None) -> int:
    """Return the width of a level with the space beside it, in tiles: on a grid, whole cells."""
    width = max(area.rect.right for area in plan.areas) - min(area.rect.x for area in plan.areas)
    return width + (grid[0] if grid else _APART)


def _moved(plan: AreaPlan, left: int) -> AreaPlan:
    """Move the world's origin, so that the leftmost LDtk level begins `left` tiles beside it, at its top."""
    x, y = (min(area.rect[axis] for area in plan.areas) for axis in (0, 1))
    return plan._replace(origin=(x - left, y))


def _named(plan: AreaPlan, name: str) -> AreaPlan:
    """Name the LDtk levels after our level."""
    return plan._replace(
        areas=[
            area._replace(identifier=name if area.identifier == WHOLE else f"{name}_{area.identifier}")
            for area in plan.areas
        ]
    )
