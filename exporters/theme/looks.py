"""Looks: additional sheets of a theme, each for the levels of a chapter, with all tiles in the same places.

    [look.caverns]              # a chapter; its variants share the look unless they have their own
    image = "crypt-caverns.png"
    torch_light = "#7fe0c8"
    ambient_light = "#20404a"   # beyond the reach of torches

Because the places are the same, the dressed level is the same too; only the sheet changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from exporters.theme import Light, Look, Theme
from exporters.theme.file import MAX_IMAGE_BYTES, Faults, ThemeFiles, ThemeNode, png_size
from exporters.theme.limits import COLOUR
from exporters.theme.sheet import TileSheet
from generator.interiors.chapters import chapter_names, main_chapter
from generator.kinds import shipped_kit
from generator.level import Level

_MAX_BYTES = 2 * MAX_IMAGE_BYTES  # all looks together


def theme_of_level(theme: Theme, level: Level) -> Theme:
    """Choose the look of the level's chapter, or of the chapter that it varies, or the plain look."""
    chapter = level.facts.get("chapter")
    return worn(theme, chapter) if isinstance(chapter, str) else theme


def worn(theme: Theme, chapter: str) -> Theme:
    """Return the theme in a chapter's look, always the same object, or the theme itself without such a look.

    A theme that already has a look keeps it.
    """
    for name in () if theme.look else (chapter, main_chapter(chapter, shipped_kit())):
        if name in theme.looks:
            return _worn(theme, name)
    return theme


@lru_cache(maxsize=64)
def _worn(theme: Theme, name: str) -> Theme:
    look = theme.looks[name]
    light = Light(look.light.torch or theme.light.torch, look.light.ambient or theme.light.ambient)
    return replace(theme, name=f"{theme.name}-{name}", image=look.image, light=light, look=name)


def all_looks(theme: Theme) -> tuple[Theme, ...]:
    """Return the theme in its plain look and in all others."""
    return theme, *(_worn(theme, name) for name in theme.looks)


def read_light(table: ThemeNode) -> Light:
    """Read the colours `torch_light` and `ambient_light`, both optional."""
    return Light(_colour(table, "torch_light"), _colour(table, "ambient_light"))


def _colour(table: ThemeNode, key: str) -> str:
    return table.at(key, "").matching(f"({COLOUR})?", "a colour; give #rrggbb")


def read_looks(
    table: ThemeNode, files: ThemeFiles, sheet: TileSheet, size: tuple[int, int], faults: Faults
) -> Mapping[str, Look]:
    """Read the looks by chapter. Each sheet must have the `size` in px of the theme's own."""
    looks: dict[str, Look] = {}
    with faults.aside():
        table.only(chapter_names(shipped_kit()))
    left = _MAX_BYTES
    for chapter in chapter_names(shipped_kit()):
        if table.has(chapter):
            with faults.aside():
                image, look = _look(table.at(chapter, {}), files, size, min(left, MAX_IMAGE_BYTES))
                left -= len(image)
                looks[chapter] = look._replace(image=sheet.added.image(image))
    return looks


def _look(table: ThemeNode, files: ThemeFiles, size: tuple[int, int], most: int) -> tuple[bytes, Look]:
    image = files.read(table["image"].text(), most, f"{table.path}.image")
    actual = png_size(image, table["image"].place)
    if actual != size:
        problem = (
            f"{actual[0]} x {actual[1]} px; give a sheet of {size[0]} x {size[1]} px, like the theme's own"
        )
        table["image"].fail(f"is {problem}, with the same tiles in the same places")
    light = read_light(table)
    table.done()
    return image, Look(image, light)
