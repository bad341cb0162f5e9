extends RefCounted
## Converts tilesets of earlier Tiled versions to the current form: tables by id (JSON up to 1.1),
## terrains (up to 1.4), wang sets with separate colours for sides and corners (up to 1.4).

const _TOP_LEFT := 7
const _TOP_RIGHT := 1
const _BOTTOM_LEFT := 5
const _BOTTOM_RIGHT := 3


## Updates a tileset's table; anything in the current form stays as it is.
static func renew(tileset: Dictionary) -> void:
	_renew_tiles(tileset)
	if tileset.get("terrains") is Array:
		_renew_terrains(tileset)
	_tables(tileset, "wangsets").map(_renew_wang_set)


## A list of properties from a table of values by name and a table of their types.
static func properties(values: Dictionary, types: Dictionary) -> Array:
	var found: Array = []
	for name: String in values:
		found.append({"name": name, "value": values[name], "type": types.get(name, "string")})
	return found


static func _renew_tiles(tileset: Dictionary) -> void:
	var by_id: Dictionary = {}
	for key: String in ["tiles", "tileproperties"]:
		if tileset.get(key) is Dictionary:
			by_id.merge(_dictionary(tileset, key))
	if not by_id:
		return
	var tiles: Array = []
	var old := _dictionary(tileset, "tiles")
	var values := _dictionary(tileset, "tileproperties")
	var types := _dictionary(tileset, "tilepropertytypes")
	for id: String in by_id:
		var tile := _dictionary(old, id)
		tile["id"] = id.to_float()
		if values.has(id):
			tile["properties"] = properties(_dictionary(values, id), _dictionary(types, id))
		tiles.append(tile)
	tileset["tiles"] = tiles
	tileset.erase("tileproperties")


## Converts terrains, one for each quarter of a tile, to a wang set of corners.
static func _renew_terrains(tileset: Dictionary) -> void:
	var wang_tiles: Array = []
	for tile: Dictionary in _tables(tileset, "tiles"):
		var quarters := _quarters(tile)
		if quarters.size() == 4:
			var wang: Array = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
			wang[_TOP_LEFT] = quarters[0]
			wang[_TOP_RIGHT] = quarters[1]
			wang[_BOTTOM_LEFT] = quarters[2]
			wang[_BOTTOM_RIGHT] = quarters[3]
			wang_tiles.append({"tileid": tile.get("id"), "wangid": wang})
	var colors := _array(tileset, "terrains")
	var made := {"name": "Terrains", "type": "corner", "colors": colors, "wangtiles": wang_tiles}
	var sets := [made]
	sets.append_array(_array(tileset, "wangsets"))
	tileset["wangsets"] = sets
	tileset.erase("terrains")


## The colour of each quarter of a tile, 0 for none; empty if the tile has no terrain.
static func _quarters(tile: Dictionary) -> PackedFloat64Array:
	var found := PackedFloat64Array()
	var written: Variant = tile.get("terrain")
	if written is String:
		var text: String = written
		for part: String in text.split(","):
			found.append(part.to_float() + 1 if part else 0.0)
	elif written is Array:
		var numbers: Array = written
		for number: Variant in numbers:
			found.append(float(str(number)) + 1)
	return found


## Joins the colours of corners and sides in one list, corners first.
static func _renew_wang_set(entry: Dictionary) -> void:
	var corners := _array(entry, "cornercolors")
	var sides := _array(entry, "edgecolors")
	if not corners and not sides:
		return
	entry["colors"] = corners + sides
	entry["type"] = "mixed" if corners and sides else "corner" if corners else "edge"
	entry.erase("cornercolors")
	entry.erase("edgecolors")
	for tile: Dictionary in _tables(entry, "wangtiles"):
		var wang := _array(tile, "wangid")
		for place: int in range(0, wang.size(), 2):
			if wang[place] is float and wang[place] > 0.0:
				wang[place] += float(corners.size())


static func _tables(table: Dictionary, key: String) -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	for item: Variant in _array(table, key):
		if item is Dictionary:
			found.append(item)
	return found


static func _array(table: Dictionary, key: String) -> Array:
	return table[key] if table.get(key) is Array else []


static func _dictionary(table: Dictionary, key: String) -> Dictionary:
	return table[key] if table.get(key) is Dictionary else {}
