"""The chapter of a level on a grid, and the pools that its layouts come from."""

from __future__ import annotations

from generator.errors import KitError, SpecError
from generator.geometry import Point
from generator.interiors.chapters import chapter, every_pool
from generator.interiors.passage import ONE_TILE, Passage
from generator.interiors.pools import (
    SHIPPED_KIT,
    SQUARE,
    ChoicePool,
    Form,
    normal_choices,
    only_choices,
    special_choices,
)
from generator.interiors.team_layouts import OwnLayouts, team_layouts
from generator.kinds import Kit
from generator.kinds.chapters import Chapter
from generator.named_tuple import NamedTuple
from generator.shapes import SHAPES
from generator.styles.grid.spec import GridSpec

# The chapter whose layouts a level draws from.


def chapter_of(spec: GridSpec, seed: int) -> Chapter:
    """Return the chapter of the spec's stage, in the variant that the spec names or chance decides.

    Raises KitError, and SpecError for a level's spec whose kit is not available.
    """
    return chapter_of_variant(spec, spec.variant(seed))


def chapter_of_variant(spec: GridSpec, variant: str) -> Chapter:
    """Return the chapter of the spec's stage in a variant, by name. Raises like `chapter_of`."""
    kit = spec.load_kit()
    stage_chapter = chapter((spec.stage - 1) // 2, variant, kit, alternate_path=spec.is_on_alternate_path)
    if spec.mixes_chapters:
        return stage_chapter._replace(pools=tuple(dict.fromkeys((*stage_chapter.pools, *every_pool(kit)))))
    return stage_chapter


class LevelPools(NamedTuple):
    """Where a level's layouts come from, the size of its cells, and the body that must fit through."""

    chapter: Chapter
    pitch: Point
    own: OwnLayouts
    passage: Passage = ONE_TILE
    only: str = ""  # the layout for every room that it fits
    kit: Kit = SHIPPED_KIT

    def choices(self, kind: str, difficulties: tuple[str, ...], form: Form = SQUARE) -> ChoicePool:
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

    def has(self, kind: str, difficulties: tuple[str, ...], shape: str) -> bool:
        """Check whether there is a layout for rooms of a kind and a shape, whichever doors they need."""
        try:
            return bool(
                self.choices(kind, difficulties, Form(shape, frozenset(SHAPES[shape].slots.values())))
            )
        except (SpecError, KitError):
            return False


def level_pools(spec: GridSpec, level_chapter: Chapter, own: OwnLayouts | None = None) -> LevelPools:
    """Return the pools of a spec in a chapter. By default with the layouts of its kit and of its folder.

    Raises SpecError and LayoutError for bad layouts.
    """
    kit = spec.load_kit()
    if own is None:
        own = team_layouts(kit, spec.layouts, spec.room_size)
    passage = Passage(spec.body, spec.door_width)
    return LevelPools(level_chapter, spec.room_size, own, passage, spec.only_layout, kit)
