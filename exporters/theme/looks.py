"""Looks: a theme's further sheets, one for the levels of a chapter, with all tiles at the same places.

    [look.caverns]              # a chapter; its variants look like it unless they have a look of their own
    image = "crypt-caverns.png"
    torch_light = "#7fe0c8"
    ambient_light = "#20404a"   # of what no torch reaches

As the places are the same, so is the dressed level: whoever changes the sheet changes the look.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from exporters.theme import Light, Look, Theme
from exporters.theme.file import MOST_IMAGE_BYTES, Faults, Table, ThemeFiles, png_size
from exporters.theme.sheet import TileSheet
from generator.errors import ThemeError, shown
from generator.interiors.chapters import chapter_names, main_chapter
from generator.level import Level

_COLOUR = re.compile("#[0-9a-fA-F]{6}")
_MOST_BYTES = 2 * MOST_IMAGE_BYTES  # of all looks together


def theme_of_level(theme: Theme, level: Level) -> Theme:
    """The theme in the look of the level's chapter, or of that which it varies, or else in the plain one."""
    chapter = level.facts.get("chapter")
    return worn(theme, chapter) if isinstance(chapter, str) else theme


def worn(theme: Theme, chapter: str) -> Theme:
    """The theme in the look for a chapter, the same object each time; itself if it has none for that.

    A theme that is in a look already keeps it: whoever chose one gets that.
    """
    for name in () if theme.look else (chapter, main_chapter(chapter)):
        if name in theme.looks:
            return _worn(theme, name)
    return theme


@lru_cache(maxsize=64)
def _worn(theme: Theme, name: str) -> Theme:
    look = theme.looks[name]
    light = Light(look.light.torch or theme.light.torch, look.light.ambient or theme.light.ambient)
    return replace(theme, name=f"{theme.name}-{name}", image=look.image, light=light, look=name)


def all_looks(theme: Theme) -> tuple[Theme, ...]:
    """The theme in its plain look and in every other."""
    return theme, *(_worn(theme, name) for name in theme.looks)


def read_light(table: Table) -> Light:
    """The colours `torch_light` and `ambient_light`, either of which may be left out."""
    return Light(_colour(table, "torch_light"), _colour(table, "ambient_light"))


def _colour(table: Table, key: str) -> str:
    given = table.text(key) if table.has(key) else ""
    if given and not _COLOUR.fullmatch(given):
        raise ThemeError(f"{table.where(key)}: {shown(given)} is no colour; give #rrggbb")
    return given


def read_looks(
    table: Table, files: ThemeFiles, sheet: TileSheet, size: tuple[int, int], faults: Faults
) -> Mapping[str, Look]:
    """The looks by chapter; each sheet has the `size` in px of the theme's own."""
    found: dict[str, Look] = {}
    with faults.aside():
        table.only(chapter_names())
    left = _MOST_BYTES
    for chapter in chapter_names():
        if table.has(chapter):
            with faults.aside():
                image, look = _look(table.table(chapter), files, size, min(left, MOST_IMAGE_BYTES))
                left -= len(image)
                found[chapter] = look._replace(image=sheet.added.image(image))
    return found


def _look(table: Table, files: ThemeFiles, size: tuple[int, int], most: int) -> tuple[bytes, Look]:
    image = files.read(table.text("image"), most, f"{table.path}.image")
    given = png_size(image, table.where("image"))
    if given != size:
        said = f"{given[0]} x {given[1]} px; give a sheet of {size[0]} x {size[1]} px, as the theme's own"
        raise ThemeError(f"{table.where('image')}: is {said}, with the same tiles at the same places")
    light = read_light(table)
    table.done()
    return image, Look(image, light)
