"""Reads rooms drawn in Tiled and LDtk as layouts; `docs/draw-rooms.md` is the guide for designers.

room.tmj, .tmx   one map, one room          tiled, tmx, tilesets, tile_data   -> EditorRoom
rooms.ldtk       one level, one room        ldtk                              -> EditorRoom
EditorRoom                                   layout_text, exits_of, markers    -> the text of a layout file
"""

READERS = {
    ".tmj": "generator.interiors.drawn.tiled:tiled_rooms",
    ".tmx": "generator.interiors.drawn.tiled:tiled_rooms",
    ".ldtk": "generator.interiors.drawn.ldtk:ldtk_rooms",
}
"""The reader of each suffix, as MODULE:FUNCTION."""
