// Draws in a map as a person does: a pit, a bridge, rocks, and enemies from their icons; saves it in a format.
//
// Arguments: the map, the file to save, the format, the encoding of layers (a number of TileMap.LayerDataFormat).
const [mapFile, target, format, encoding] = tiled.scriptArguments;
const map = tiled.mapFormat("json").read(mapFile);
const tiles = map.tilesets[0].tiles;
const find = (name, value) => tiles.find(tile => tile.property(name) == value);
const icon = role => tiles.find(tile => tile.className == "enemy" && tile.property("role") == role);
const layer = name => map.layers.find(one => one.name == name);

const paint = (name, places, tile) => {
  const edit = layer(name).edit();
  for (const [x, y] of places)
    edit.setTile(x, y, tile);
  edit.apply();
};
paint("Ground", [[4, 3], [5, 3], [4, 4], [5, 4]], find("terrain", "pit"));
paint("Ground", [[4, 3]], find("terrain", "bridge"));
paint("Decor", [[10, 2], [11, 2]], find("decor", "rock"));
paint("Overlay", [[3, 6]], icon("shooter"));

const size = map.tileWidth;
const brute = new MapObject();
brute.shape = MapObject.Rectangle;
brute.className = "enemy";
brute.setProperty("role", "brute");
brute.x = 10 * size;
brute.y = 6 * size;
brute.width = size;
brute.height = size;
layer("Markers").addObject(brute);
const flyer = new MapObject();
flyer.tile = icon("flyer");
flyer.x = 11 * size;
flyer.y = 7 * size;
flyer.width = size;
flyer.height = size;
layer("Markers").addObject(flyer);

map.layerDataFormat = Number(encoding);
tiled.mapFormat(format).write(map, target);
