// Edits maps as a person does, with the terrain brush for walls, and saves them. One start for many maps.
//
// Argument: the orders (JSON), a list; each names a map, the target, its format ("json" or "tmx"), and what to do.
const orders = JSON.parse(new TextFile(tiled.scriptArguments[0], TextFile.ReadOnly).readAll());
const DX = [0, 1, 1, 1, 0, -1, -1, -1];
const DY = [-1, -1, 0, 1, 1, 1, 0, -1];

for (const order of orders) {
  const map = tiled.mapFormat("json").read(order.map);
  edit(map, order);
  tiled.mapFormat(order.format).write(map, order.target);
}

function layersOf(holder) {
  const found = [];
  for (const layer of holder.layers)
    found.push(...(layer.isGroupLayer ? layersOf(layer) : [layer]));
  return found;
}

function edit(map, order) {
  const layers = layersOf(map);
  const layerOf = name => layers.find(one => one.name == name);
  const objects = [];
  for (const layer of layers.filter(one => one.isObjectLayer))
    objects.push(...layer.objects);
  const brushes = {};
  for (const [name, x, y, tile] of order.tiles) {
    brushes[name] = brushes[name] || layerOf(name).edit();
    brushes[name].setTile(x, y, tile < 0 ? null : map.tilesets[0].tile(tile));
  }
  for (const name in brushes)
    brushes[name].apply();
  if (order.walls.length)
    drawWalls(map, layerOf("Walls"), order.walls);
  for (const change of order.changed)
    describe(objects.find(one => one.id == change.id), change);
  for (const id of order.removed) {
    const object = objects.find(one => one.id == id);
    object.layer.removeObject(object);
  }
  for (const added of order.added) {
    const object = new MapObject(added.point ? MapObject.Point : MapObject.Rectangle, "");
    describe(object, added);
    layerOf(added.layer).addObject(object);
  }
}

function describe(object, told) {
  if ("name" in told)
    object.name = told.name;
  if ("type" in told)
    object.className = told.type;
  if ("x" in told || "y" in told)
    object.pos = Qt.point("x" in told ? told.x : object.x, "y" in told ? told.y : object.y);
  if ("width" in told && !told.point)
    object.size = Qt.size(told.width, told.height);
  if ("polygon" in told)
    object.polygon = told.polygon;
  for (const [name, value] of Object.entries(told.properties || {}))
    object.setProperty(name, value);
}

function drawWalls(map, layer, walls) {
  const brush = layer.wangEdit(map.tilesets[0].wangSets.find(one => one.name == "Walls"));
  brush.correctionsEnabled = true;
  const isWall = (x, y) => walls.some(([a, b]) => a == x && b == y);
  for (const [x, y] of walls) {
    const near = DX.map((dx, i) => isWall(x + dx, y + DY[i]) ? 1 : 0);
    for (let i = 0; i < 8; ++i)
      brush.setWangIndex(x, y, i, near[i] && (i % 2 == 0 || (near[i - 1] && near[(i + 1) % 8])) ? 1 : 0);
  }
  brush.apply();
}
