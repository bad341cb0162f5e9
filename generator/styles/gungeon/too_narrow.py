"""Finds the layouts with exits that a hallway or a body is too wide for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from generator.interiors.problems import checked_file
from generator.kinds import Kit
from generator.named_tuple import NamedTuple
from generator.spec import load_spec
from generator.styles.gungeon.dealing import too_narrow
from generator.styles.gungeon.furnishing.gungeon_layouts import images_of
from generator.styles.gungeon.spec import GungeonSpec


class NarrowLayouts(NamedTuple):
    """Files and lines: of layouts that no level can use, and of those that only the preset cannot."""

    of_all: list[tuple[Path, str]]
    of_preset: list[tuple[Path, str]]


def narrow_layouts(files: Sequence[Path], root: Path, kit: Kit) -> NarrowLayouts:
    """Find the narrow layouts in files without problems. `root` holds a drawing's files."""
    preset = load_spec(GungeonSpec.style)
    assert isinstance(preset, GungeonSpec)
    found = NarrowLayouts([], [])
    for file in files:
        checked = checked_file(file, root, kit)
        for layout in (
            entry.layout for entry in checked.layouts if entry.layout.exits and not checked.problems
        ):
            images = images_of(layout)
            if why := too_narrow(images, 1, 1):
                found.of_all.append((file, f"{layout.path}: no level can use it: {why}"))
            elif why := too_narrow(images, preset.hallway_width, preset.body):
                line = f"{layout.path}: the preset {GungeonSpec.style} cannot use it: {why}"
                found.of_preset.append((file, line))
    return found
