"""Reads rooms drawn in Tiled and LDtk; `docs/draw-rooms.md` is the guide for designers.

room.tmj, .tmx   one map, one room          tiled, tilesets     -> EditorRoom
rooms.ldtk       one level, one room        ldtk                -> EditorRoom
"""

READERS = {
    ".tmj": "exporters.formats.tiled.drawn_rooms:tiled_rooms",
    ".tmx": "exporters.formats.tiled.drawn_rooms:tiled_rooms",
    ".ldtk": "exporters.formats.ldtk.drawn_rooms:ldtk_rooms",
}
"""The reader of each suffix, as MODULE:FUNCTION."""
