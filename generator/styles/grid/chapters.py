"""Which chapter's layouts a level draws from."""

from __future__ import annotations

from generator.interiors.chapters import Chapter, chapter, every_pool
from generator.styles.grid.spec import GridSpec
from generator.styles.grid.stage_variant import stage_variant


def chapter_of(spec: GridSpec, seed: int) -> Chapter:
    """The chapter of the spec's stage, or another variant of it, as the spec says or chance decides.

    Raises KitError, and SpecError for the spec of a level whose kit is not at hand.
    """
    kit = spec.load_kit()
    found = chapter((spec.stage - 1) // 2, stage_variant(spec, seed), kit)
    if spec.mixes_chapters:
        return found._replace(pools=tuple(dict.fromkeys((*found.pools, *every_pool(kit)))))
    return found
