"""A project that was exported anew, from a level with a person's edits: its ids are those of that level."""

from __future__ import annotations

import pytest

import exporters
import generator
from exporters.edits.merging import CannotMerge
from exporters.merge.ldtk import merge_project


def test_a_project_of_another_level_is_not_taken_for_a_new_version() -> None:
    """Whoever merges it gives the version from which it was made, as `sync` and `--edits merge` do."""
    level = generator.generate("isaac", 7)
    base, mine, new = (
        exporters.export(each, "ldtk", name="cellar")["cellar.ldtk"]
        for each in (level, generator.reroll(level, room=2), generator.reroll(level, room=1))
    )
    with pytest.raises(CannotMerge, match="shows another level than the version from which it was made"):
        merge_project(base, mine, new)
