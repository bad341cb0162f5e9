"""The `drawn` style: levels that somebody drew in Tiled or LDtk. They are imported, never generated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from generator.errors import SpecError
from generator.styles.base import Style
from generator.styles.drawn.spec import DrawnSpec

if TYPE_CHECKING:
    from generator.rerolls.draft import LevelDraft, RoomRoller


def _not_made(*_: object) -> NoReturn:
    raise SpecError(
        f"style: levels of the style {DrawnSpec.style} are not generated; "
        "draw one in Tiled or LDtk, and bring it in with `undercroft import`"
    )


def _roller(draft: LevelDraft, spec: DrawnSpec, layouts: str | Path) -> RoomRoller:
    from generator.styles.drawn.rerolls import DrawnRooms

    return DrawnRooms(draft, spec, layouts)


STYLE = Style(
    name=DrawnSpec.style,
    summary=DrawnSpec.summary,
    spec=DrawnSpec,
    plan=_not_made,
    build=_not_made,
    roller=_roller,
)
