"""The `drawn` style: levels whose rooms somebody drew in Tiled or LDtk. They are imported, never generated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from generator.errors import SpecError
from generator.spec.base import LevelSpec, value
from generator.styles.base import Style


@dataclass(frozen=True, kw_only=True)
class DrawnSpec(LevelSpec):
    """What a drawn level was made from: the digest of the drawing stands for it."""

    style = "drawn"
    summary = "rooms that somebody drew in Tiled or LDtk"

    drawing: str = value("", "the digest of the drawing that the level was imported from")


def _plan(spec: DrawnSpec, seed: int) -> NoReturn:
    raise SpecError(
        f"style: levels of the style {DrawnSpec.style} are drawn, not generated: "
        "draw one in Tiled or LDtk, and bring it in with `undercroft import`"
    )


STYLE = Style(name=DrawnSpec.style, summary=DrawnSpec.summary, spec=DrawnSpec, plan=_plan, build=_plan)
