"""Reads rooms drawn in Tiled and LDtk; `docs/draw-rooms.md` is the guide for designers.

room.tmj, .tmx   one map, one room          tiled, tilesets     -> EditorRoom
rooms.ldtk       one level, one room        ldtk                -> EditorRoom
"""

READERS = {
    ".tmj": "exporters.layouts.drawn.tiled:tiled_rooms",
    ".tmx": "exporters.layouts.drawn.tiled:tiled_rooms",
    ".ldtk": "exporters.layouts.drawn.ldtk:ldtk_rooms",
}
"""The reader of each suffix, as MODULE:FUNCTION."""
