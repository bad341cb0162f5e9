-- Markers in LÖVE, Solar2D or any Lua. Beside this file, the one of
-- undercroft generate isaac --seed 7 --to tiled --option tiled.format=lua --option tiled.tileset=embedded --out .
local level = require("isaac-7")

for _, layer in ipairs(level.layers) do
  if layer.name == "Markers" then
    for _, marker in ipairs(layer.objects) do
      -- The place of a tile object is its lower left corner.
      print(marker.type, marker.x, marker.y - marker.height, marker.properties.marker_id)
    end
  end
end
