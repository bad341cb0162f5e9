"""The spec of a drawn level: the digest of the drawing stands for it."""

from __future__ import annotations

from dataclasses import dataclass

from generator.spec.base import LevelSpec, value


@dataclass(frozen=True, kw_only=True)
class DrawnSpec(LevelSpec):
    """What a drawn level was made from."""

    style = "drawn"
    summary = "rooms that somebody drew in Tiled or LDtk"

    drawing: str = value("", "the digest of the drawing that the level was imported from")
