// Edits a map as a person does, with the terrain brush for walls, and saves it in the format of the last argument.
//
// Arguments: the map, the orders (JSON), where to save, "json" or "tmx".
const [mapFile, ordersFile, target, format] = tiled.scriptArguments;
const orders = JSON.parse(new TextFile(ordersFile, TextFile.ReadOnly).readAll());
const map = tiled.mapFormat("json").read(mapFile);
const layerOf = name => map.layers.find(one => one.name == name);
const objects = [];
for (const layer of map.layers.filter(one => one.isObjectLayer))
  objects.push(...layer.objects);
const DX = [0, 1, 1, 1, 0, -1, -1, -1];
const DY = [-1, -1, 0, 1, 1, 1, 0, -1];

for (const [name, x, y, tile] of orders.tiles) {
  const edit = layerOf(name).edit();
  edit.setTile(x, y, tile < 0 ? null : map.tilesets[0].tile(tile));
  edit.apply();
}
if (orders.walls.length) {
  const set = map.tilesets[0].wangSets.find(one => one.name == "Walls");
  const brush = layerOf("Walls").wangEdit(set);
  brush.correctionsEnabled = true;
  const isWall = (x, y) => orders.walls.some(([a, b]) => a == x && b == y);
  for (const [x, y] of orders.walls) {
    const near = DX.map((dx, i) => isWall(x + dx, y + DY[i]) ? 1 : 0);
    for (let i = 0; i < 8; ++i)
      brush.setWangIndex(x, y, i, near[i] && (i % 2 == 0 || (near[i - 1] && near[(i + 1) % 8])) ? 1 : 0);
  }
  brush.apply();
}
for (const [id, x, y] of orders.moved) {
  const object = objects.find(one => one.id == id);
  object.pos = Qt.point(x, y);
}
for (const id of orders.removed)
{
  const object = objects.find(one => one.id == id);
  object.layer.removeObject(object);
}
for (const [kind, x, y, given] of orders.added) {
  const object = new MapObject(MapObject.Point, "");
  object.className = kind;
  object.pos = Qt.point(x, y);
  for (const [name, value] of Object.entries(given))
    object.setProperty(name, value);
  layerOf("Markers").addObject(object);
}
for (const [id, name, value] of orders.properties)
  objects.find(one => one.id == id).setProperty(name, value);
tiled.mapFormat(format).write(map, target);
