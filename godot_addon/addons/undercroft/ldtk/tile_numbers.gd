extends RefCounted
## The tiles of a layer as plain numbers.
##
##     { "px": [16,0], "src": [64,160], "f": 0, "t": 324, "d": [87,1], "a": 1 }
##
## Mostly all tiles of a file have the same keys in the same order: what remains without the digits
## is then one text again and again, and the digits are split natively. Where it is not, Godot
## parses the tiles, some at a time.

const LiftedJson := preload("../import/lifted_json.gd")
const Record := preload("record.gd")

## Numbers a tile: x, y, source x, source y, flips, opacity.
const STRIDE := 6
const MOST_TILES := 1 << 24

# Characters that are taken at once; of a tile some 80.
const _CHUNK := 1 << 18


## The numbers of the tiles at a key of a layer; none and a problem where they are something else.
static func read(layer: Record, key: String) -> PackedInt32Array:
	var found: PackedInt32Array = []
	var value: Variant = layer.data.get(key)
	if value == null:
		return found
	var text := layer.lifted.piece(value)
	if text:
		_read_text(layer, key, text, found)
	elif value is Array:
		var array: Array = value
		_read_array(layer, key, array, found)
	else:
		layer.fail(key, "must be an array of tiles")
	return PackedInt32Array() if layer.problem.found else found


static func _read_text(layer: Record, key: String, text: String, found: PackedInt32Array) -> void:
	var shape := Shape.of(text)
	var from := 1
	while from < text.length() and not layer.problem.found:
		var end := text.find("}", mini(from + _CHUNK, text.rfind("}"))) + 1
		if end <= from:
			return
		var chunk := text.substr(from, end - from)
		if shape == null or not shape.split(chunk, found):
			_parse(layer, key, chunk, found)
		if found.size() > MOST_TILES * STRIDE:
			layer.fail(key, "has more than %d tiles" % MOST_TILES)
		from = text.find(",", end) + 1
		if from == 0:
			return


static func _parse(layer: Record, key: String, chunk: String, found: PackedInt32Array) -> void:
	var json := JSON.new()
	if json.parse("[%s]" % chunk) != OK or not json.data is Array:
		layer.fail(key, json.get_error_message())
		return
	var array: Array = json.data
	_read_array(layer, key, array, found)


static func _read_array(layer: Record, key: String, array: Array, found: PackedInt32Array) -> void:
	for index: int in array.size():
		var place := "%s[%d]" % [key, index]
		var tile := layer.below(place, array[index])
		if tile == null:
			return
		var at := tile.pair("px")
		var source := tile.pair("src")
		var flips := tile.whole("f", 0, 3, 0)
		var opacity := roundi(tile.number("a", 0, 1, 1) * 255)
		for number: float in [at.x, at.y, source.x, source.y, flips, opacity]:
			found.append(int(number))
		if layer.problem.found:
			return


## How the tiles of an array are written.
class Shape:
	# What the text without digits would not show: numbers left out, or two where one should be.
	const _WRONG := r"[\[,:]\s*[,\]}]|[0-9.]\s*[-+]|[0-9.eE]\s+[0-9.eE]|[-+.eE]\s*[,\]}]"

	var text := ""
	## Which of a tile's numbers stand where.
	var numbers := 0
	var px := -1
	var src := -1
	var f := -1
	var a := -1

	## The shape of the first tile of a text; null if it has none that is known.
	static func of(text: String) -> Shape:
		var shape := Shape.new()
		var first := text.substr(1, text.find("}"))
		var json := JSON.new()
		if json.parse(first) != OK or not json.data is Dictionary:
			return null
		var tile: Dictionary = json.data
		for key: String in tile:
			if key.to_lower().contains("e"):
				return null  # it would be taken for a number's exponent
			var value: Variant = tile[key]
			if key == "px":
				shape.px = shape.numbers
			elif key == "src":
				shape.src = shape.numbers
			elif key == "f":
				shape.f = shape.numbers
			elif key == "a":
				shape.a = shape.numbers
			var array: Array = value if value is Array else [value]
			for each: Variant in array:
				if not each is float and not each is int:
					return null
			var pair := key == "px" or key == "src"
			if array.is_empty() or (pair and array.size() != 2):
				return null
			shape.numbers += array.size()
		shape.text = _without_digits(first.strip_edges())
		return shape if shape.px >= 0 and shape.src >= 0 else null

	## Adds the numbers of the tiles of a text; false if they are written in another way.
	func split(chunk: String, found: PackedInt32Array) -> bool:
		if RegEx.create_from_string(_WRONG).search(chunk):
			return false
		var marks := _without_digits(chunk) + ","
		var count := floori(marks.length() / float(text.length() + 1))
		if marks != (text + ",").repeat(count):
			return false
		var all := _without_marks(chunk).split_floats(",")
		if all.size() != count * numbers:
			return false
		var at := found.size()
		found.resize(at + count * STRIDE)
		var tile := 0
		while tile < all.size():
			found[at] = int(all[tile + px])
			found[at + 1] = int(all[tile + px + 1])
			found[at + 2] = int(all[tile + src])
			found[at + 3] = int(all[tile + src + 1])
			found[at + 4] = int(all[tile + f]) if f >= 0 else 0
			found[at + 5] = roundi(all[tile + a] * 255) if a >= 0 else 255
			at += STRIDE
			tile += numbers
		return true

	static func _without_digits(chunk: String) -> String:
		return RegEx.create_from_string(r"[-+.0-9eE\s]+").sub(chunk, "", true)

	static func _without_marks(chunk: String) -> String:
		return RegEx.create_from_string(r"[^-+.0-9eE,]+").sub(chunk, "", true)
