"""The formats that Tiled itself can write: one table as JSON, XML, Lua or JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from exporters import digest
from exporters.formats.tiled.syntax.lua import map_lua
from exporters.formats.tiled.syntax.script import map_script
from exporters.formats.tiled.syntax.text import TiledTable, document
from exporters.formats.tiled.syntax.xml import map_xml, tileset_xml


class MapFormat(NamedTuple):
    """How to write a map from its top table and name, and the suffix of a tileset beside it.

    Only files that Tiled opens for editing have a digest, because nobody edits the other formats.
    """

    write: Callable[[TiledTable, str], bytes]
    tileset: str = "tsj"
    edited: bool = True


FORMATS: Mapping[str, MapFormat] = {
    "tmj": MapFormat(lambda top, name: document(top)),
    "tmx": MapFormat(lambda top, name: map_xml(top), "tsx"),
    "lua": MapFormat(lambda top, name: map_lua(top), edited=False),
    "js": MapFormat(map_script, edited=False),
}
_TILESETS: Mapping[str, Callable[[TiledTable], bytes]] = {"tsj": document, "tsx": tileset_xml}


def written_map_file(top: TiledTable, format_: str, name: str) -> bytes:
    """A map in one of FORMATS, with its digest if the format has one."""
    form = FORMATS[format_]
    if form.edited:
        return digest.with_digest(form.write(top, name))
    return form.write(
        {key: value for key, value in top.items() if key not in (digest.KEY, digest.EDITED)}, name
    )


def written_tileset_file(top: TiledTable, ending: str) -> bytes:
    """A tileset, with its digest."""
    return digest.with_digest(_TILESETS[ending](top))
