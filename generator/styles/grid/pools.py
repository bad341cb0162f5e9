"""Where the layouts of a level on a grid come from."""

from __future__ import annotations

from typing import NamedTuple

from generator.geometry import Point
from generator.interiors.chapters import Chapter
from generator.interiors.own_layouts import OwnLayouts
from generator.interiors.passage import ONE_TILE, Passage
from generator.interiors.pools import (
    SHIPPED_KIT,
    SQUARE,
    Choice,
    Form,
    normal_choices,
    only_choices,
    special_choices,
)
from generator.kinds import Kit


class LevelPools(NamedTuple):
    """Where a level's layouts come from, the size of its cells, and the body that must fit through."""

    chapter: Chapter
    pitch: Point
    own: OwnLayouts
    passage: Passage = ONE_TILE
    only: str = ""  # the layout for every room that it fits
    kit: Kit = SHIPPED_KIT

    def choices(self, kind: str, difficulties: tuple[str, ...], form: Form = SQUARE) -> tuple[Choice, ...]:
        """List the layouts for rooms of a kind and a form. `difficulties` apply to normal rooms."""
        if self.only:
            chosen = only_choices(self.only, kind, self.pitch, self.own, form, self.passage, self.kit)
            if chosen:
                return chosen
        if kind == "normal":
            return normal_choices(
                self.chapter, difficulties, self.pitch, self.own, form, self.passage, self.kit
            )
        return special_choices(kind, self.pitch, self.own, form, self.passage, self.kit)
