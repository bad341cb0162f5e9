"""Pools of layouts: the shipped ones and a team's own, chosen by chapter, difficulty and room kind."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from generator.errors import LayoutError, SpecError
from generator.interiors.layouts import Layout, load_layout
from generator.kinds import ROOM_KINDS
from generator.rng import Stream
from generator.spec import IsaacSpec

_SHIPPED = Path(str(resources.files("generator") / "interiors" / "layouts"))
_MOST_FILES = 10_000

# A team's folders as they were when their layouts were last read.
_stamps: dict[str, list[tuple[Path, int, int]]] = {}

# The remake's scale of difficulty, which `Room.difficulty` uses for all styles (rebirth-wiki, step 12).
DIFFICULTIES = {"easy": 1, "medium": 5, "hard": 10}

# Markers that a room of a kind cannot do without: exactly one each.
_NEEDED = {"start": "player_start", "boss": "boss"}


class Choice(NamedTuple):
    """A layout that a room may get: its name in the level, and its difficulty."""

    name: str
    layout: Layout
    difficulty: int


class Chapter(NamedTuple):
    """A chapter or its alternative: where normal layouts come from."""

    name: str
    pools: tuple[str, ...]
    without: frozenset[str]


@cache
def _chapters() -> list[dict[str, Any]]:
    text = (resources.files("generator") / "interiors" / "chapters.toml").read_text("utf-8")
    chapters: list[dict[str, Any]] = tomllib.loads(text)["chapter"]
    return chapters


def _chapter_names() -> list[str]:
    return [row["name"] for chapter in _chapters() for row in (chapter, chapter["alternative"])]


def chapter_of(spec: IsaacSpec, seed: int) -> Chapter:
    """The chapter of the spec's stage, or its alternative, as the spec says or chance decides."""
    row = _chapters()[(spec.stage - 1) // 2]
    variant = spec.stage_variant
    if variant == "random":
        variant = Stream(seed, "isaac.chapter").pick(("main", "alternative"))
    if variant == "alternative":
        row = row["alternative"]
    return Chapter(row["name"], tuple(row["pools"]), frozenset(row.get("without", ())))


def difficulties_of(spec: IsaacSpec, curse: str) -> tuple[str, ...]:
    """Easy and medium on a chapter's first stage, medium and hard on its second, all in a labyrinth."""
    if curse == "labyrinth":
        return ("easy", "medium", "hard")
    return ("easy", "medium") if spec.stage % 2 else ("medium", "hard")


@lru_cache(maxsize=64)
def normal_choices(
    chapter: Chapter, difficulties: tuple[str, ...], size: tuple[int, int], own: str
) -> tuple[Choice, ...]:
    """The layouts of normal rooms, `size` tiles inside. Raises SpecError if there are none."""
    choices = []
    for difficulty in difficulties:
        for pool in dict.fromkeys((*chapter.pools, chapter.name, "any")):  # a team may add to any chapter
            folder = f"normal/{pool}/{difficulty}"
            choices += [
                Choice(f"{folder}/{layout.name}", layout, DIFFICULTIES[difficulty])
                for layout in _layouts(folder, size, own)
                if layout.name not in chapter.without or not layout.path.is_relative_to(_SHIPPED)
            ]
    return _some(choices, f"normal rooms of {chapter.name} ({' and '.join(difficulties)})", size)


@lru_cache(maxsize=64)
def special_choices(kind: str, size: tuple[int, int], own: str) -> tuple[Choice, ...]:
    """The layouts of a room kind, `size` tiles inside. Raises SpecError if there are none."""
    layouts = _layouts(kind, size, own)
    for layout in layouts:
        needed = _NEEDED.get(kind)
        if needed and [marker.kind for marker in layout.interior().markers].count(needed) != 1:
            raise LayoutError(f"{layout.path}: a {kind} room needs exactly one {needed}")
    return _some([Choice(f"{kind}/{layout.name}", layout, 0) for layout in layouts], f"{kind} rooms", size)


def _some(choices: Sequence[Choice], what: str, size: tuple[int, int]) -> tuple[Choice, ...]:
    if not choices:
        raise SpecError(
            f"room_size: there are no layouts for {what} of {size[0] + 2} x {size[1] + 2} tiles; "
            "draw some and name their folder with layouts, or use 15 x 9"
        )
    return tuple(choices)


def _layouts(folder: str, size: tuple[int, int], own: str) -> list[Layout]:
    """The layouts of one folder that have the size, shipped ones first, each by name."""
    found = [load_layout(path, check=False) for path in _files(_SHIPPED / folder)]
    if own:
        found += [load_layout(path) for path in _files(Path(own) / folder)]
    return [layout for layout in found if layout.size == size]


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.suffix == ".txt")


def check_own_layouts(own: str) -> None:
    """Refuse a team's folder that is missing, or holds layouts where no pool would look for them.

    Where a file in it changed since the last time, the pools are read anew.
    """
    root = Path(own)
    if not root.is_dir():
        raise SpecError(f"layouts: {own!r} is no folder")
    stamps = []
    for path in _walk(root):
        state = path.stat()
        stamps.append((path, state.st_mtime_ns, state.st_size))
        if len(stamps) > _MOST_FILES:
            raise SpecError(
                f"layouts: {own!r} holds more than {_MOST_FILES} files; name the layouts' own folder"
            )
        if path.suffix == ".txt" and not _is_pool(path.parent.relative_to(root).parts):
            raise LayoutError(
                f"{path}: is in no pool; put it into normal/CHAPTER/easy, medium or hard, or ROOM_KIND/ "
                f"(chapters are any, {', '.join(_chapter_names())})"
            )
    if not stamps:
        raise SpecError(f"layouts: {own!r} is empty")
    if _stamps.get(own) != stamps:
        normal_choices.cache_clear()
        special_choices.cache_clear()
        _stamps[own] = stamps


def _walk(root: Path) -> Iterator[Path]:
    try:
        yield from (path for path in sorted(root.rglob("*")) if path.is_file())
    except OSError as error:
        raise SpecError(f"layouts: {error.filename}: cannot be read: {error.strerror}") from None


def _is_pool(parts: tuple[str, ...]) -> bool:
    match parts:
        case ("normal", pool, difficulty):
            return difficulty in DIFFICULTIES and pool in ("any", *_chapter_names())
        case (kind,):
            return kind in ROOM_KINDS and kind != "normal"
    return False
