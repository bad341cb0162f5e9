"""The formats that Tiled itself can write: one table as JSON, XML, Lua or JavaScript."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from exporters import digest
from exporters.formats.tiled.lua import map_lua
from exporters.formats.tiled.text import TiledTable, document
from exporters.formats.tiled.xml import map_xml, tileset_xml

# As Tiled's JavaScript plugin writes it: for a page's own function, a global table, and Node modules.
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


# A text with `</script>` would end the script in a page that holds it inline; `<!--` may keep it from ending.
_OF_HTML = re.compile(rb"<(?=/?script|!--)", re.IGNORECASE)


class MapFormat(NamedTuple):
    """How to write a map from its top table and name, and the suffix of a tileset beside it.

    Only files that Tiled opens for editing have a digest, because nobody edits the other formats.
    """

    write: Callable[[TiledTable, str], bytes]
    tileset: str = "tsj"
    edited: bool = True


def _json(top: TiledTable, name: str) -> bytes:
    return document(top)


def _script(top: TiledTable, name: str) -> bytes:
    values = json.dumps(name).encode("ascii"), document(top).rstrip()
    return _SCRIPT % tuple(_OF_HTML.sub(rb"\\u003c", value) for value in values)


FORMATS: Mapping[str, MapFormat] = {
    "tmj": MapFormat(_json),
    "tmx": MapFormat(lambda top, name: map_xml(top), "tsx"),
    "lua": MapFormat(lambda top, name: map_lua(top), edited=False),
    "js": MapFormat(_script, edited=False),
}
_TILESETS: Mapping[str, Callable[[TiledTable], bytes]] = {"tsj": document, "tsx": tileset_xml}


def written_map_file(top: TiledTable, format_: str, name: str) -> bytes:
    """Write a map in one of FORMATS, with its digest if the format has one."""
    form = FORMATS[format_]
    if form.edited:
        return digest.with_digest(form.write(top, name))
    return form.write(
        {key: value for key, value in top.items() if key not in (digest.KEY, digest.EDITED)}, name
    )


def written_tileset_file(top: TiledTable, ending: str) -> bytes:
    """Write a tileset, with its digest."""
    return digest.with_digest(_TILESETS[ending](top))
