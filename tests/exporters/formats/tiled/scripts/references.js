// Follows every reference of a map's objects: by object, the names of those that its properties lead to.
//
// Arguments: the map, the answer's file.
const [mapFile, answer] = tiled.scriptArguments;
const map = tiled.mapFormat("json").read(mapFile);
const called = object => object.name || object.property("unique_name");
const found = {};
for (const layer of map.layers.filter(one => one.isObjectLayer)) {
  for (const object of layer.objects) {
    const refs = {};
    for (const [name, value] of Object.entries(object.properties())) {
      if (value !== null && typeof value == "object" && value.map == map)
        refs[name] = called(value);
    }
    found[called(object)] = refs;
  }
}
const file = new TextFile(answer, TextFile.WriteOnly);
file.write(JSON.stringify(found));
file.commit();
