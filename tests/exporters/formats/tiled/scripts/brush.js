// Paints a layer anew with a terrain set, knowing only where its tiles are, and tells which tiles differ.
//
// The wanted wang id of a tile is 1 on each side where a tile of the set lies, and on each corner that four
// of them share, as far as the set's type knows them. Arguments: the map, the answer's file, the layer, the terrain set.
const [mapFile, answer, layerName, setName] = tiled.scriptArguments;
const DX = [0, 1, 1, 1, 0, -1, -1, -1];
const DY = [-1, -1, 0, 1, 1, 1, 0, -1];

const map = tiled.mapFormat("json").read(mapFile);
const layer = map.layers.find(one => one.name == layerName);
const set = map.tilesets[0].wangSets.find(one => one.name == setName);
const inSet = tile => tile && set.wangId(tile).some(color => color != 0);
// A layer of walls alone may have some that are in no set: those without neighbours that count.
const isAlike = tile => layerName == "Walls" ? tile !== null : inSet(tile);
const painted = new TileLayer("painted");
painted.width = map.width;
painted.height = map.height;
map.addLayer(painted);

const brush = painted.wangEdit(set);
brush.correctionsEnabled = true; // as in the terrain brush
let count = 0;
for (let y = 0; y < map.height; ++y) {
  for (let x = 0; x < map.width; ++x) {
    if (!inSet(layer.tileAt(x, y)))
      continue;
    const near = DX.map((dx, i) => isAlike(layer.tileAt(x + dx, y + DY[i])) ? 1 : 0);
    for (let i = 0; i < 8; ++i) {
      if (set.type == (i % 2 == 0 ? WangSet.Corner : WangSet.Edge))
        continue;
      const whole = i % 2 == 0 || (near[i - 1] && near[(i + 1) % 8]);
      brush.setWangIndex(x, y, i, whole ? near[i] : 0);
    }
    ++count;
  }
}
brush.apply();

const others = [];
for (let y = 0; y < map.height; ++y) {
  for (let x = 0; x < map.width; ++x) {
    const ours = layer.tileAt(x, y), theirs = painted.tileAt(x, y);
    if (inSet(ours) && (!theirs || String(set.wangId(ours)) != String(set.wangId(theirs))))
      others.push([x, y]);
  }
}
const file = new TextFile(answer, TextFile.WriteOnly);
file.write(JSON.stringify({ count, others }));
file.commit();
