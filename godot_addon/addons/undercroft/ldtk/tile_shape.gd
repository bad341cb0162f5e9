extends RefCounted
## The text form of the tiles in an array. Usually all tiles of a file have the same keys in the
## same order. If one expression matches them all, the numbers can be split natively, several times
## as fast as parsing JSON.

const TileShape := preload("tile_shape.gd")

const MAX_PX := 1 << 30

const _NUMBER := r"\s*-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\s*"

## The count of numbers per tile, and their meaning by position.
var numbers := 0
var px := -1
var src := -1
var f := -1
var a := -1

var _whole: RegEx
var _marks := RegEx.create_from_string(r"[^-+.0-9eE,]+")


## The shape of a tile's text; null if it has unknown keys.
static func of(tile: String) -> TileShape:
	var json := JSON.new()
	if json.parse(tile) != OK or not json.data is Dictionary:
		return null
	var shape := TileShape.new()
	var parts: PackedStringArray = []
	var facts: Dictionary = json.data
	for key: String in facts:
		var value: Variant = facts[key]
		var array: Array = value if value is Array else [value]
		var pair := key == "px" or key == "src"
		if not ["px", "src", "f", "t", "d", "a"].has(key) or array.is_empty():
			return null
		if pair and array.size() != 2:
			return null
		if key != "t" and key != "d":
			shape.set(key, shape.numbers)
		shape.numbers += array.size()
		var written := ",".join(
			PackedStringArray(array.map(func(_one: Variant) -> String: return _NUMBER))
		)
		if value is Array:
			written = r"\s*\[%s\]\s*" % written
		parts.append(r'\s*"%s"\s*:%s' % [key, written])
	if shape.px < 0 or shape.src < 0:
		return null
	var one := r"\s*\{%s\}\s*" % ",".join(parts)
	shape._whole = RegEx.create_from_string("^(?:%s,)*+%s$" % [one, one])
	return shape


## The numbers of all tiles in a text; empty if it has another form.
func split(text: String) -> PackedFloat64Array:
	if _whole.search(text) == null:
		return PackedFloat64Array()
	return _marks.sub(text, "", true).split_floats(",")
