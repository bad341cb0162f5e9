extends RefCounted
## The tiles of a layer as plain numbers.
##
##     { "px": [16,0], "src": [64,160], "f": 0, "t": 324, "d": [87,1], "a": 1 }
##
## Godot's JSON parser needs about 2 KB for each. So arrays that were cut out of the file are read
## in chunks, and as plain text if all tiles are written in the same way.

const Problem := preload("../runtime/problem.gd")
const Fields := preload("../import/fields.gd")
const TileShape := preload("tile_shape.gd")

## Numbers per tile: x, y, source x, source y, flips, opacity.
const STRIDE := 6
const MAX_TILES := 1 << 24

# Characters per chunk; a tile has about 80.
const _CHUNK := 1 << 18


## The numbers of the tiles at a key of a layer; other values are left out.
static func read(layer: Fields, key: String) -> PackedInt32Array:
	var found: PackedInt32Array = []
	var value: Variant = layer.table.get(key)
	if value == null:
		return found
	var text := layer.lifted.piece(value)
	if text:
		_read_text(layer, key, text, found)
	elif value is Array:
		var array: Array = value
		_read_array(layer, key, array, found)
	else:
		layer.bad(key, "must be an array of tiles")
	return found


## The largest source place of all tiles.
static func end(numbers: PackedInt32Array) -> Vector2i:
	var found := Vector2i.ZERO
	for tile: int in range(0, numbers.size(), STRIDE):
		found = found.max(Vector2i(numbers[tile + 2], numbers[tile + 3]))
	return found


static func _read_text(layer: Fields, key: String, text: String, found: PackedInt32Array) -> void:
	var last := text.rfind("}")
	var from := 1
	var json := JSON.new()
	var shape := TileShape.of(text.substr(1, text.find("}")))
	while from > 0 and from < last and not layer.problem.found:
		var end := text.find("}", mini(from + _CHUNK, last)) + 1
		var chunk := text.substr(from, end - from)
		from = text.find(",", end) + 1
		if shape and _split(shape, chunk, found):
			continue
		if json.parse("[%s]" % chunk) != OK or not json.data is Array:
			layer.bad(key, json.get_error_message())
			return
		var array: Array = json.data
		_read_array(layer, key, array, found)
		if found.size() > MAX_TILES * STRIDE:
			layer.bad(key, "has more than %d tiles" % MAX_TILES)
			return


## Adds the numbers of the tiles in a text with a known shape; false if the shape does not match.
static func _split(shape: TileShape, chunk: String, found: PackedInt32Array) -> bool:
	var all := shape.split(chunk)
	if all.is_empty() or all.size() % shape.numbers:
		return false
	var px := shape.px
	var src := shape.src
	var at := found.size()
	found.resize(at + all.size() / shape.numbers * STRIDE)
	for tile: int in range(0, all.size(), shape.numbers):
		found[at] = int(clampf(all[tile + px], -TileShape.MAX_PX, TileShape.MAX_PX))
		found[at + 1] = int(clampf(all[tile + px + 1], -TileShape.MAX_PX, TileShape.MAX_PX))
		found[at + 2] = int(clampf(all[tile + src], -TileShape.MAX_PX, TileShape.MAX_PX))
		found[at + 3] = int(clampf(all[tile + src + 1], -TileShape.MAX_PX, TileShape.MAX_PX))
		found[at + 4] = int(clampf(all[tile + shape.f], 0, 3)) if shape.f >= 0 else 0
		found[at + 5] = roundi(clampf(all[tile + shape.a], 0, 1) * 255) if shape.a >= 0 else 255
		at += STRIDE
	return true


static func _read_array(layer: Fields, key: String, array: Array, found: PackedInt32Array) -> void:
	var at := found.size()
	var before := floori(at / float(STRIDE))
	found.resize(at + array.size() * STRIDE)
	var wrong := 0
	for index: int in array.size():
		var tile: Variant = array[index]
		if _read_tile(tile, found, at):
			at += STRIDE
			continue
		wrong += 1
		if wrong == 1:
			_blame(layer.below("%s[%d]" % [key, before + index], tile))
	found.resize(at)


## Writes the numbers of a tile; false if the value is not a tile.
static func _read_tile(tile: Variant, found: PackedInt32Array, at: int) -> bool:
	if not tile is Dictionary:
		return false
	var facts: Dictionary = tile
	var flips: Variant = facts.get("f", 0.0)
	var opacity: Variant = facts.get("a", 1.0)
	if not (flips is float or flips is int) or not (opacity is float or opacity is int):
		return false
	if not (_read_pair(facts.get("px"), found, at) and _read_pair(facts.get("src"), found, at + 2)):
		return false
	var bits: float = flips
	var alpha: float = opacity
	found[at + 4] = int(clampf(bits, 0, 3))
	found[at + 5] = roundi(clampf(alpha, 0, 1) * 255)
	return true


static func _read_pair(pair: Variant, found: PackedInt32Array, at: int) -> bool:
	if not pair is Array:
		return false
	var array: Array = pair
	if array.size() != 2:
		return false
	var first: Variant = array[0]
	var second: Variant = array[1]
	if not (first is float or first is int) or not (second is float or second is int):
		return false
	var x: float = first
	var y: float = second
	if not absf(x) < TileShape.MAX_PX or not absf(y) < TileShape.MAX_PX:
		return false
	found[at] = int(x)
	found[at + 1] = int(y)
	return true


static func _blame(tile: Fields) -> void:
	if tile:
		var whole := tile.problem
		tile.problem = Problem.new()
		tile.problem.strict = true
		tile.pair("px")
		tile.pair("src")
		tile.integer("f", 0, 3, 0)
		tile.number("a", 1, 0, 1)
		tile.refuse("", "is not a tile {px, src, f, a}")
		whole.absorb(tile.problem)
