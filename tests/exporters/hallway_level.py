"""A level by hand of rooms that stand anywhere, joined by hallways of every width through doors of one wall."""

from __future__ import annotations

from dataclasses import replace

from generator.geometry import Point, Rect
from generator.level import Door, Hallway, Level, Marker, Room
from generator.styles.gungeon.spec import GungeonSpec
from tests.exporters import small_level

# Room 0, an L, left above; room 1, round a pillar that is outside of it, right above; room 2 below; the
# secret room 3 at the bottom.
PICTURE = """
                                           |
                                           |
  ##############             ############  |
  #............###############..........#  |
  #............D-------------D..........#  |
  #............D-------------D....###...#  |
  #............D-------------D....# #...#  |
  #............###############....###...#  |
  #####........#             #..........#  |
      #........#             ######DD####  |
      ##DDDDD###                  #--#     |
       #-----#                    #--#     |
       #-----#                    #--#     |
       #-----#                    #--#     |
     ###DDDDD####                 #--#     |
     #..........###################--#     |
     #..........D--------------------#     |
     #..........D--------------------#     |
     #..........#####################     |
     #####D######                          |
         #-#                               |
         #-#                               |
       ###D###                             |
       #.....#                             |
       #.....#                             |
       #######                             |
                                           |
                                           |
""".replace("|", "")


def level() -> Level:
    """See `PICTURE`."""
    torches = {(5, 2): "torch", (20, 3): "torch", (25, 15): "torch"}
    made = small_level.drawn(PICTURE, decor={**torches, (32, 7): "rock"})
    ell: tuple[Point, ...] = ((2, 2), (16, 2), (16, 11), (6, 11), (6, 9), (2, 9))
    pillar = ((35, 6), (36, 6), (36, 7), (35, 7))
    second, third = Rect(5, 14, 12, 6), Rect(7, 22, 7, 4)
    rooms = (
        _room(0, "start", Rect(2, 2, 14, 9), ell),
        _room(1, "normal", Rect(29, 2, 12, 8), _ring(Rect(29, 2, 12, 8)), pillar),
        replace(_room(2, "boss", second, _ring(second)), distance=1),
        replace(_room(3, "secret", third, _ring(third)), distance=None),
    )
    doors = (
        Door(0, (0, None), _tiles(Rect(15, 4, 1, 3)), "east", "open"),
        Door(1, (1, None), _tiles(Rect(29, 4, 1, 3)), "west", "open"),
        Door(2, (0, None), _tiles(Rect(8, 10, 5, 1)), "south", "boss"),
        Door(3, (2, None), _tiles(Rect(8, 14, 5, 1)), "north", "boss"),
        Door(4, (1, None), _tiles(Rect(35, 9, 2, 1)), "south", "locked"),
        Door(5, (2, None), _tiles(Rect(16, 16, 1, 2)), "east", "open"),
        Door(6, (2, None), ((10, 19),), "south", "open"),
        Door(7, (3, None), ((10, 22),), "north", "secret"),
    )
    hallways = (
        Hallway(0, (0, 1), _tiles(Rect(16, 4, 13, 3))),
        Hallway(1, (2, 3), _tiles(Rect(8, 11, 5, 3))),
        Hallway(2, (4, 5), (*_tiles(Rect(35, 10, 2, 6)), *_tiles(Rect(17, 16, 20, 2)))),
        Hallway(3, (6, 7), ((10, 20), (10, 21))),
    )
    markers = (
        Marker(0, "player_start", 4, 4, 0),
        Marker(1, "enemy", 33, 4, 1, properties={"role": "flyer"}),
        Marker(2, "torch", 5, 2, 0),
        Marker(3, "torch", 20, 3, None, 0),
        Marker(4, "torch", 25, 15, None, 2),
    )
    return replace(
        made, spec=GungeonSpec(), rooms=rooms, doors=doors, hallways=hallways, markers=markers, facts={}
    )


def _tiles(rect: Rect) -> tuple[Point, ...]:
    return tuple((x, y) for y in range(rect.y, rect.bottom) for x in range(rect.x, rect.right))


def _ring(rect: Rect) -> tuple[Point, ...]:
    return (rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.bottom), (rect.x, rect.bottom)


def _room(number: int, kind: str, bounds: Rect, *outline: tuple[Point, ...]) -> Room:
    return Room(number, kind, "odd", (), bounds, outline, number, 0, 5, f"by hand/{kind}")
