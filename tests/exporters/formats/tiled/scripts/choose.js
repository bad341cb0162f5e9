// Chooses other kinds from the lists that a project gives to a map's objects, and saves the map.
//
// Arguments: the map.
const [mapFile] = tiled.scriptArguments;
const format = tiled.mapFormat("json");
const map = format.read(mapFile);
const choose = (object, name, value) => {
  const list = object.resolvedProperty(name);
  if (list.value !== 0)
    throw new Error(`${name} is not a list whose first value is chosen`);
  object.setProperty(name, tiled.propertyValue(list.typeName, value));
};
const objects = [];
for (const layer of map.layers.filter(one => one.isObjectLayer))
  objects.push(...layer.objects);
choose(objects.find(one => one.className == "room" && one.property("kind") == "normal"), "new_kind", "shop");
choose(objects.find(one => one.className == "door" && one.property("kind") == "open"), "new_kind", "locked");
choose(objects.find(one => one.className == "enemy"), "new_enemy_name", "spider");
format.write(map, mapFile);
