extends RefCounted
## Field values as Godot values. A field is `{__identifier, __type, __value}`; the type of an array
## is `Array<TYPE>`.

const Definitions := preload("definitions.gd")
const Images := preload("images.gd")
const Problem := preload("../runtime/problem.gd")
const Fields := preload("../import/fields.gd")
const SourceFile := preload("../import/source_file.gd")

var _definitions: Definitions
var _images: Images


## A reference to an entity by iid; it is later replaced by a path.
class Reference:
	var iid := ""


func _init(definitions: Definitions, images: Images) -> void:
	_definitions = definitions
	_images = images


## The non-null field values of an entity or level, by name. `grid` is the unit of points, `origin`
## their origin, in px.
func read(owner: Fields, grid: int, origin: Vector2) -> Dictionary:
	var found: Dictionary = {}
	if not owner.table.get("fieldInstances") is Array:
		owner.subs("fieldInstances")
		return found
	var given: Array = owner.table.fieldInstances
	for index: int in given.size():
		if _read_plain(given[index], found):
			continue
		var field := owner.below("fieldInstances[%d]" % index, given[index])
		if field == null:
			continue
		var value: Variant = field.table.get("__value")
		if value == null:
			continue
		var type := field.text("__type")
		var name := field.text("__identifier")
		var read: Variant = null
		if type.begins_with("Array<") and type.ends_with(">"):
			read = _array(field, value, type.substr(6, type.length() - 7), grid, origin)
		else:
			read = _value(field, "__value", value, type, grid, origin)
		if read != null:
			found[name] = read
	return found


## Adds the value of a simple or null field. Nearly all fields are, and making a [Fields] of each
## would take most of the time. False for all others, and for wrong values.
static func _read_plain(given: Variant, found: Dictionary) -> bool:
	if not given is Dictionary:
		return false
	var field: Dictionary = given
	var value: Variant = field.get("__value")
	if value == null:
		return true
	var name: Variant = field.get("__identifier")
	if not name is String:
		return false
	var type: Variant = field.get("__type")
	var fits := false
	if type is String:
		match typeof(value):
			TYPE_STRING:
				fits = type == "String" or str(type).begins_with("LocalEnum.")
			TYPE_BOOL:
				fits = type == "Bool"
			TYPE_FLOAT:
				fits = type == "Float"
				if type == "Int" and _is_whole(value):
					var number: float = value
					found[name] = int(number)
					return true
	if fits:
		found[name] = value
	return fits


func _array(field: Fields, value: Variant, type: String, grid: int, origin: Vector2) -> Array:
	if not value is Array:
		field.bad("__value", "must be an array")
		return []
	var given: Array = value
	var items: Array = []
	for index: int in given.size():
		var place := "__value[%d]" % index
		if given[index] == null:
			items.append(null)
		else:
			items.append(_value(field, place, given[index], type, grid, origin))
	if type == "EntityRef" or items.has(null):
		return items
	return _typed(items, type)


## The same items in an array of one type.
static func _typed(items: Array, type: String) -> Array:
	match type:
		"Int":
			return Array(items, TYPE_INT, "", null)
		"Float":
			return Array(items, TYPE_FLOAT, "", null)
		"Bool":
			return Array(items, TYPE_BOOL, "", null)
		"Color":
			return Array(items, TYPE_COLOR, "", null)
		"Point":
			return Array(items, TYPE_VECTOR2, "", null)
		"Tile":
			return Array(items, TYPE_OBJECT, "AtlasTexture", null)
	return Array(items, TYPE_STRING, "", null)


func _value(
	field: Fields, place: String, value: Variant, type: String, grid: int, origin: Vector2
) -> Variant:
	var found: Variant = null
	var number: float = value if value is float or value is int else NAN
	var text: String = value if value is String else ""
	match type:
		"Int":
			if _is_whole(value):
				found = int(number)
		"Float":
			if not is_nan(number):
				found = number
		"Bool":
			if value is bool:
				found = value
		"Point", "Tile", "EntityRef":
			var object := field.below(place, value)
			if object == null:
				return null
			found = _object(object, type, grid, origin)
		_:
			if value is String:
				found = _text(field, text, type)
	if found == null:
		field.bad(place, "is not a value of type %s" % type)
	return found


func _object(object: Fields, type: String, grid: int, origin: Vector2) -> Variant:
	match type:
		"Point":
			return _point(object, grid, origin)
		"Tile":
			return tile_of(object)
	return _reference(object)


static func _text(field: Fields, text: String, type: String) -> Variant:
	if type == "Color":
		return Color.html(text) if Color.html_is_valid(text) else null
	# Single-line and multi-line texts, and names of enum values.
	return _path(field, text) if type == "FilePath" else text


static func _point(point: Fields, grid: int, origin: Vector2) -> Variant:
	var column := point.integer("cx", -Fields.MAX_INT, Fields.MAX_INT)
	var row := point.integer("cy", -Fields.MAX_INT, Fields.MAX_INT)
	return origin + (Vector2(column, row) + Vector2.ONE / 2) * grid


static func _reference(goal: Fields) -> Reference:
	var reference := Reference.new()
	reference.iid = goal.text("entityIid")
	return reference


## The piece of a tileset's image given by `{tilesetUid, x, y, w, h}`.
func tile_of(tile: Fields) -> AtlasTexture:
	if tile == null:
		return null
	var tileset: Definitions.Tiles = _definitions.tilesets.get(
		tile.integer("tilesetUid", 0, Fields.MAX_INT)
	)
	var region := Rect2(
		tile.integer("x", 0, Definitions.MAX_IMAGE),
		tile.integer("y", 0, Definitions.MAX_IMAGE),
		tile.integer("w", 0, Definitions.MAX_IMAGE),
		tile.integer("h", 0, Definitions.MAX_IMAGE)
	)
	return _images.piece(tileset.image if tileset else "", region)


## Whether a value of JSON is a number without a fraction, small enough to be exact.
static func _is_whole(value: Variant) -> bool:
	if value is float:
		var number: float = value
		return absf(number) <= 1e15 and number == floorf(number)
	return value is int


## The `res://` path of a path in the LDtk project.
static func _path(field: Fields, relative: String) -> String:
	if not relative:
		return relative
	var outside := Problem.new()
	var path := SourceFile.beside(field.file, relative, outside)
	return path if path else relative
