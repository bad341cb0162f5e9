from __future__ import annotations

from exporters.blob import CORNERS, SIDES, N, S
from exporters.theme.tileset import Terrain, TilesetFile, by_mask

ALL = SIDES | CORNERS


def chosen(**tiles: int) -> tuple[str, ...]:
    """The tiles, of those with these neighbours, for walls with walls all round."""
    terrain = Terrain("mixed", {(column, 0): bits for column, bits in enumerate(tiles.values())})
    found, missing = by_mask(terrain, TilesetFile("walls.tsx", ("walls.png",), 16))
    assert ALL in missing
    return tuple([*tiles][column] for column, _ in found[ALL])


def test_a_gap_gets_a_tile_that_differs_in_corners_rather_than_in_a_side() -> None:
    assert chosen(no_corner=SIDES, no_north=ALL & ~N) == ("no_corner",)


def test_above_all_it_has_the_same_in_the_south_where_the_face_of_a_wall_is() -> None:
    assert chosen(no_south=ALL & ~S, south_alone=S) == ("south_alone",)
