// Works on a map as a person does, and saves it; or tells what of that work is there.
//
// Arguments: the map, the answer's file, "edit" or "tell".
const [mapFile, answer, what] = tiled.scriptArguments;
const format = tiled.mapFormat("json");
const map = format.read(mapFile);
const named = name => map.layers.find(one => one.name == name);
const markers = named("Markers");

if (what == "edit") {
  const tiles = map.tilesets[0];
  const ground = named("Ground");
  const start = named("Rooms").objects.find(one => one.name.startsWith("StartRoom"));
  const x = start.x / 16 + 3, y = start.y / 16 + 4;
  let edit = ground.edit();
  edit.setTile(x, y, tiles.tile(200));
  edit.apply();
  const mine = new TileLayer("Mine");
  mine.width = map.width;
  mine.height = map.height;
  map.addLayer(mine);
  edit = mine.edit();
  edit.setTile(x, y, tiles.tile(201));
  edit.apply();
  const added = new MapObject(MapObject.Point, "Added");
  added.className = "chest";
  added.x = 16 * x + 8;
  added.y = 16 * y + 8;
  markers.addObject(added);
  markers.objects.find(one => one.className == "boss").setProperty("loot", "crown");
  markers.objects.find(one => one.className == "boss").setProperty("guards", added);
  markers.removeObject(markers.objects.find(one => one.className == "player_start"));
  named("Rooms").color = "#123456";
  map.setProperty("music", "cellar.ogg");
  format.write(map, mapFile);
}

const start = named("Rooms").objects.find(one => one.name.startsWith("StartRoom"));
const at = (name, dx, dy) => {
  const tile = named(name).tileAt(start.x / 16 + dx, start.y / 16 + dy);
  return tile ? tile.id : -1;
};
const boss = markers.objects.find(one => one.className == "boss");
const added = markers.objects.find(one => one.name == "Added");
const file = new TextFile(answer, TextFile.WriteOnly);
file.write(JSON.stringify({
  painted: [at("Ground", 3, 4), at("Mine", 3, 4)],
  added: [added.className, added.x - start.x, added.y - start.y],
  loot: boss.property("loot"),
  guards: boss.property("guards").name,
  starts: markers.objects.filter(one => one.className == "player_start").length,
  color: String(named("Rooms").color),
  music: map.property("music"),
  rooms: named("Rooms").objects.length,
  size: [map.width, map.height],
}));
file.commit();
