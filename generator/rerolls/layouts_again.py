"""The kit and the layouts of a team's own that a level was made with, for rooms that are rolled again."""

from __future__ import annotations

from pathlib import Path

from generator.errors import RerollError, shown
from generator.geometry import Point
from generator.interiors.own_layouts import OwnLayouts, team_layouts
from generator.kinds import Kit, read_kit
from generator.kinds.kit_digest import digest_of_kit
from generator.spec import LevelSpec


def spec_again(spec: LevelSpec, kit: str | Path) -> LevelSpec:
    """The spec of a level with the folder of its kit in place of the digest.

    Raises RerollError if that is another kit, or if the folder is missing, and KitError for a bad kit.
    """
    if not kit:
        if not spec.kit:
            return spec
        raise RerollError(
            f"spec.kit: the level was made with a kit of your own (digest {shown(spec.kit)}); "
            "name its folder with --kit"
        )
    digest = digest_of_kit(read_kit(kit))
    if digest != spec.kit:
        had = f"with the kit of digest {shown(spec.kit)}" if spec.kit else "without one"
        raise RerollError(
            f"kit: the level was made {had}, not {shown(str(kit), 200)} ({digest}); "
            "make the level anew to use this"
        )
    return spec.replace({"kit": str(kit)})


def layouts_again(spec: LevelSpec, folder: str | Path, room_size: Point | None, kit: Kit) -> OwnLayouts:
    """The layouts of a kit and of a folder, which must be those that the spec of a level has the digest of.

    `room_size` as for `own_layouts`. Raises RerollError if they are others, or if the folder is missing.
    """
    digest = str(getattr(spec, "layouts", ""))
    if not folder:
        if not digest:
            return team_layouts(kit, "", room_size)
        raise RerollError(
            f"spec.layouts: the level was made with layouts of your own (digest {shown(digest)}); "
            "name their folder with --layouts"
        )
    own = team_layouts(kit, str(folder), room_size)
    if own.digest != digest:
        had = f"with those of digest {shown(digest)}" if digest else "without any"
        raise RerollError(
            f"layouts: the level was made {had}, not those of {shown(str(folder), 200)} ({own.digest}); "
            "make the level anew to use these"
        )
    return own
