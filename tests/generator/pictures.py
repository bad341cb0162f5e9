"""Levels and floorplans as one text, as `undercroft show` prints them without its legend."""

from __future__ import annotations

from generator import Level
from generator.picture import floorplan_rows, level_rows, room_lines
from generator.styles.base import Plan


def level_text(level: Level) -> str:
    return "\n".join([*level_rows(level)[0], *room_lines(level)])


def floorplan_text(plan: Plan) -> str:
    return "\n".join(floorplan_rows(plan)[0])
