"""The chapter whose layouts a level draws from."""

from __future__ import annotations

from generator.interiors.chapters import Chapter, chapter, every_pool
from generator.styles.grid.spec import GridSpec
from generator.styles.grid.stage_variant import stage_variant


def chapter_of(spec: GridSpec, seed: int) -> Chapter:
    """Return the chapter of the spec's stage, in the variant that the spec names or chance decides.

    Raises KitError, and SpecError for a level's spec whose kit is not available.
    """
    kit = spec.load_kit()
    stage_chapter = chapter((spec.stage - 1) // 2, stage_variant(spec, seed), kit)
    if spec.mixes_chapters:
        return stage_chapter._replace(pools=tuple(dict.fromkeys((*stage_chapter.pools, *every_pool(kit)))))
    return stage_chapter
