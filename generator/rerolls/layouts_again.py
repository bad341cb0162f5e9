"""Finds the kit and the own layouts that a level was made with, to roll its rooms again."""

from __future__ import annotations

from pathlib import Path

from generator.errors import RerollError, shown
from generator.geometry import Point
from generator.interiors.own_layouts import OwnLayouts, team_layouts
from generator.kinds import Kit, read_kit
from generator.kinds.kit_files import digest_of_kit
from generator.spec import LevelSpec


def spec_again(spec: LevelSpec, kit: str | Path) -> LevelSpec:
    """Return the spec of a level with the folder of its kit instead of the digest.

    Raises RerollError if it is another kit or the folder is missing, and KitError for a bad kit.
    """
    if not kit:
        if not spec.kit:
            return spec
        raise RerollError(
            f"spec.kit: the level was made with your own kit (digest {shown(spec.kit)}); give its folder "
            "with --kit"
        )
    digest = digest_of_kit(read_kit(kit))
    if digest != spec.kit:
        had = f"with the kit of digest {shown(spec.kit)}" if spec.kit else "without a kit"
        raise RerollError(
            f"kit: the level was made {had}, not with {shown(str(kit), 200)} ({digest}); "
            "generate the level again to use this kit"
        )
    return spec.replace({"kit": str(kit)})


def layouts_again(spec: LevelSpec, folder: str | Path, room_size: Point | None, kit: Kit) -> OwnLayouts:
    """Read the layouts of a kit and of a folder, which must match the digest in a level's spec.

    `room_size` as for `own_layouts`. Raises RerollError if they are others, or if the folder is missing.
    """
    digest = str(getattr(spec, "layouts", ""))
    if not folder:
        if not digest:
            return team_layouts(kit, "", room_size)
        raise RerollError(
            f"spec.layouts: the level was made with your own layouts (digest {shown(digest)}); give their "
            "folder with --layouts"
        )
    own = team_layouts(kit, str(folder), room_size)
    if own.digest != digest:
        had = f"with the layouts of digest {shown(digest)}" if digest else "without own layouts"
        raise RerollError(
            f"layouts: the level was made {had}, not with {shown(str(folder), 200)} ({own.digest}); "
            "generate the level again to use these layouts"
        )
    return own
