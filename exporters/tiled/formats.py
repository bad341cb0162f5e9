"""The formats that Tiled itself writes: one table, written as JSON, XML, Lua or JavaScript."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

from exporters import digest
from exporters.tiled.lua import map_lua
from exporters.tiled.text import TiledTable, document
from exporters.tiled.xml import map_xml, tileset_xml

# As Tiled's plugin for JavaScript writes it: for a page's own function, a global table, and node's modules.
_SCRIPT = b"""(function(name,data){
 if(typeof onTileMapLoaded === 'undefined') {
  if(typeof TileMaps === 'undefined') TileMaps = {};
  TileMaps[name] = data;
 } else {
  onTileMapLoaded(name,data);
 }
 if(typeof module === 'object' && module && module.exports) {
  module.exports = data;
 }})(%b,
%b);
"""


class MapFormat(NamedTuple):
    """How a map is written, by its top table and its name; the ending of a tileset beside it.

    Only what Tiled opens for editing has a digest: no person edits an export.
    """

    write: Callable[[TiledTable, str], bytes]
    tileset: str = "tsj"
    edited: bool = True


def _json(top: TiledTable, name: str) -> bytes:
    return document(top)


def _script(top: TiledTable, name: str) -> bytes:
    return _SCRIPT % (json.dumps(name).encode("ascii"), document(top).rstrip())


FORMATS: Mapping[str, MapFormat] = {
    "tmj": MapFormat(_json),
    "tmx": MapFormat(lambda top, name: map_xml(top), "tsx"),
    "lua": MapFormat(lambda top, name: map_lua(top), edited=False),
    "js": MapFormat(_script, edited=False),
}
_TILESETS: Mapping[str, Callable[[TiledTable], bytes]] = {"tsj": document, "tsx": tileset_xml}


def written_map_file(top: TiledTable, format_: str, name: str) -> bytes:
    """A map in one of FORMATS; its digest is filled in, or left out."""
    form = FORMATS[format_]
    if form.edited:
        return digest.with_digest(form.write(top, name))
    return form.write(
        {key: value for key, value in top.items() if key not in (digest.KEY, digest.EDITED)}, name
    )


def written_tileset_file(top: TiledTable, ending: str) -> bytes:
    """A tileset, with its digest."""
    return digest.with_digest(_TILESETS[ending](top))
