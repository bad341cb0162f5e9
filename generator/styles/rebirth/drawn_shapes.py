"""The shapes of rooms that a level has layouts for: with `shapes = "drawn"`, rooms have no others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.errors import SpecError
from generator.kinds import Kinds, Kit
from generator.kinds.chapters import VARIANTS
from generator.named_tuple import NamedTuple
from generator.shapes import LARGE_BOSSES, SHAPES
from generator.styles.rebirth.spec import RebirthSpec
from generator.styles.rebirth.special_rooms import CLOSETS, closet_kinds, difficulties_of

if TYPE_CHECKING:
    from generator.styles.grid.pools import LevelPools


def game_rooms(large_bosses: bool, closets: bool, kinds: Kinds) -> tuple[tuple[str, str], ...]:
    """List the kinds and shapes of rooms that floors of the game can have, special single cells aside."""
    return (
        *(("normal", shape) for shape in SHAPES),
        *(("boss", shape) for shape in LARGE_BOSSES if large_bosses),
        *((kind, shape) for kind in closet_kinds(kinds) if closets for shape in CLOSETS),
    )


class DrawnShapes(NamedTuple):
    """The layouts of a level, and the difficulties of its normal rooms."""

    pools: LevelPools
    difficulties: tuple[str, ...]

    def has(self, kind: str, shape: str) -> bool:
        """Check whether rooms of a kind can have a shape, whichever doors they need."""
        return self.pools.has(kind, self.difficulties, shape)

    def offers(self, kind: str, shape: str) -> bool:
        """Check whether a dead end may take a shape for a special room, and keep it if the room stays out.

        Boss rooms never stay out.
        """
        return self.has(kind, shape) and (kind == "boss" or self.has("normal", shape))

    def mask(self, allowed: int) -> int:
        """Return the shapes of normal rooms as a mask for `growth.topology`: those in `allowed`.

        If one of these is not drawn, they are all that are drawn: the curse of the giant, which leaves out
        rooms of one cell, could not grow a floor of narrow rooms, nor a large one of 2x2 alone.
        """
        drawn = sum(1 << shape.id for shape in SHAPES.values() if self.has("normal", shape.name))
        return allowed if drawn & allowed == allowed else drawn


def drawn_shapes(spec: RebirthSpec, curse: str, variant: int) -> DrawnShapes | None:
    """Return the drawn shapes of a spec's level with a curse and the number of a variant.

    None if rooms have the game's shapes, drawn or not. Raises SpecError without layouts for normal rooms of
    single cells, which any special room that stays out becomes, and LayoutError for bad layouts.
    """
    if spec.shapes == "game":
        return None
    from generator.interiors.pools import SQUARE  # floors of the game need no layouts
    from generator.styles.grid.pools import chapter_of_variant, level_pools

    pools = level_pools(spec, chapter_of_variant(spec, VARIANTS[variant]))
    difficulties = tuple(difficulties_of(spec, curse))
    pools.choices("normal", difficulties, SQUARE)
    return DrawnShapes(pools, difficulties)


def shape_note(kit: Kit, room_size: tuple[int, int]) -> str:
    """Say which rooms of the game a kit has no layouts for, which specs have to leave out. Else empty.

    Empty too without layouts for normal rooms of single cells, which no spec can do without.
    """
    missing: dict[str, list[str]] = {}
    for stage in range(1, 13, 2):
        spec = RebirthSpec(kit=str(kit.folder), room_size=room_size, stage=stage, shapes="drawn")
        try:
            drawn = drawn_shapes(spec, "none", 0)
        except SpecError:
            return ""
        for kind, shape in game_rooms(True, spec.narrow_rooms > 0, kit.kinds):
            shapes = missing.setdefault(kind, [])
            if drawn and shape not in shapes and not drawn.has(kind, shape):
                shapes.append(shape)
    rooms = "; ".join(f"{kind} rooms {', '.join(shapes)}" for kind, shapes in missing.items() if shapes)
    remedy = 'draw some with all doors, or leave these shapes out with shapes = "drawn"'
    return (
        rooms and f"{kit.where}: style {spec.style}: there are no layouts of some shapes ({rooms}); {remedy}"
    )
