// Works on a map in both notations as a person does, and saves both; tells what Tiled then finds in them.
//
// Arguments: the folder, and what to do: "first", "second" or "save". Then `isaac-7.told`
// beside each has the map as JSON.
const [folder, what] = tiled.scriptArguments;
const forms = [["tmj", "json"], ["tmx", "tmx"]];

for (const [ending, form] of forms) {
  const file = `${folder}/${ending}/isaac-7.${ending}`;
  const map = tiled.mapFormat(form).read(file);
  const named = name => map.layers.find(one => one.name == name);
  if (what == "first")
    first(map, named);
  else if (what == "second")
    second(map, named);
  tiled.mapFormat(form).write(map, file);
  tiled.mapFormat("json").write(map, `${folder}/${ending}/isaac-7.told`);
}

function put(layer, x, y, tile) {
  const edit = layer.edit();
  edit.setTile(x, y, tile);
  edit.apply();
}

function first(map, named) {
  const start = named("Rooms").objects.find(one => one.name.startsWith("StartRoom"));
  const x = start.x / 16 + 3, y = start.y / 16 + 4;
  map.layerDataFormat = TileMap.Base64Zlib;
  map.backgroundColor = "#102030";
  map.setProperty("music", "isaac-7.ogg");
  const own = tiled.tilesetFormat("tsx").read(`${folder}/own.tsx`);
  map.addTileset(own);
  const mine = new TileLayer("Mine");
  mine.width = map.width;
  mine.height = map.height;
  mine.opacity = 0.5;
  const group = new GroupLayer("Group");
  group.locked = true;
  group.addLayer(mine);
  map.addLayer(group);
  put(mine, x, y, own.tile(3));
  put(named("Ground"), x + 1, y, map.tilesets[0].tile(200));
  const things = new ObjectGroup("Things");
  things.color = "#ff0000";
  map.addLayer(things);
  const said = new MapObject(MapObject.Text, "");
  said.text = "Look\nhere";
  said.pos = Qt.point(16 * x, 16 * y);
  said.size = Qt.size(40, 20);
  said.rotation = 12.5;
  const round = new MapObject(MapObject.Ellipse, "Round");
  round.pos = Qt.point(16 * x + 4, 16 * y);
  round.size = Qt.size(8, 8);
  things.addObject(said);
  things.addObject(round);
  const markers = named("Markers");
  const added = new MapObject(MapObject.Point, "");
  added.className = "chest";
  added.pos = Qt.point(16 * x + 8, 16 * y + 24);
  markers.addObject(added);
  const boss = markers.objects.find(one => one.className == "boss");
  boss.setProperty("loot", "crown");
  boss.setProperty("guards", round);
  markers.removeObject(markers.objects.find(one => one.className == "chest" && one != added) || markers.objects[0]);
  named("Rooms").color = "#123456";
}

function second(map, named) {
  const round = named("Things").objects.find(one => one.name == "Round");
  round.x += 2;
  round.setProperty("seen", 7);
  named("Things").objects.find(one => one.name == "").text = "Look again";
  const x = round.x >> 4, y = round.y >> 4;
  put(named("Group").layers[0], x, y + 1, map.tilesets[1].tile(4));
  put(named("Ground"), x + 1, y, map.tilesets[0].tile(201));
  const added = named("Markers").objects.find(one => one.className == "boss");
  added.setProperty("loot", "sceptre");
  map.layerDataFormat = TileMap.CSV;
}
