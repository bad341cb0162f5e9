"""Maps in Tiled's JavaScript format: the JSON as an argument of a function, for a page or a Node module."""

from __future__ import annotations

import json
import re

from exporters.formats.tiled.syntax.text import TiledTable, document

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


def map_script(top: TiledTable, name: str) -> bytes:
    """A map, which the page knows by its name."""
    values = json.dumps(name).encode("ascii"), document(top).rstrip()
    return _SCRIPT % tuple(_OF_HTML.sub(rb"\\u003c", value) for value in values)
