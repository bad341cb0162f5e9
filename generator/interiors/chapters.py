"""Chapters: two stages each, with the pools of normal layouts that they draw from (`chapters.toml`)."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from generator.floorplans.stage_variant import stage_variant
from generator.spec import GridSpec, IsaacSpec


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


@cache
def chapter_names() -> tuple[str, ...]:
    """Every chapter and its alternative."""
    return tuple(row["name"] for chapter in _chapters() for row in (chapter, chapter["alternative"]))


def chapter_of(spec: GridSpec, seed: int) -> Chapter:
    """The chapter of the spec's stage, or its alternative, as the spec says or chance decides."""
    row = _chapters()[(spec.stage - 1) // 2]
    if stage_variant(spec, seed) == "alternative":
        row = row["alternative"]
    return Chapter(row["name"], tuple(row["pools"]), frozenset(row.get("without", ())))


def difficulties_of(spec: IsaacSpec, curse: str) -> tuple[str, ...]:
    """Easy and medium on a chapter's first stage, medium and hard on its second, all in a labyrinth."""
    if curse == "labyrinth":
        return ("easy", "medium", "hard")
    return ("easy", "medium") if spec.stage % 2 else ("medium", "hard")
