extends RefCounted
## What rows of a pack share: a class or scene, a name without its numbers, groups, and the keys and
## kinds of properties. Packs can use the classes below and scenes of the game, but not scripts.

## How a property is stored; the upper four bits of a kind are its unit.
enum {
	VALUE,
	INT,
	VECTOR2,
	VECTOR2I,
	RECT2I,
	INTS,
	TILES,
	POINTS,
	RINGS,
	INDEXES,
	RESOURCE,
	FILE,
	CELLS
}
const PackForm := preload("pack_form.gd")

## The unit for numbers stored as 32-bit floats.
const EXACT := 15

const _NODES: PackedStringArray = [
	"Node2D",
	"Marker2D",
	"TileMapLayer",
	"StaticBody2D",
	"AnimatableBody2D",
	"Area2D",
	"CollisionShape2D",
	"CollisionPolygon2D",
	"NavigationRegion2D",
	"NavigationLink2D",
	"NavigationObstacle2D",
	"LightOccluder2D",
	"VisibleOnScreenEnabler2D",
]
const _RESOURCES: PackedStringArray = [
	"RectangleShape2D",
	"CircleShape2D",
	"CapsuleShape2D",
	"ConvexPolygonShape2D",
	"SegmentShape2D",
	"NavigationPolygon",
	"OccluderPolygon2D",
]
# Properties that must not be set on a game's scene.
const _TAKEN: PackedStringArray = ["script", "owner", "name", "scene_file_path", "multiplayer"]
## For each kind, how many numbers are differences from the previous row.
const STEPS: PackedByteArray = [1, 1, 2, 2, 4, 0, 0, 0, 0, 0, 1, 1, 0]
# For each kind, the least number of other numbers.
const _COUNTS: PackedByteArray = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1]
const _ANY := -1
const _MAX_KEYS := 64
const _MAX_NAME_NUMBERS := 8
const _MAX_NAME := 256
const _MAX_UNIT := 4

var type := ""
## The index of the scene that a node instances, or -1.
var file := -1
## With a %d for each of its numbers.
var name := ""
var name_numbers := 0
var groups: Array[StringName] = []
var keys: Array[StringName] = []
## Whether a key names metadata.
var is_meta: Array[bool] = []
var kinds: PackedByteArray = []
var units: PackedByteArray = []
## The Variant.Type that a property must have; -1 for any.
var types: PackedInt32Array = []
## The start of its numbers among those of the previous rows, and their count.
var first_step := 0
var steps := 0
## The least number of numbers in a row.
var least := 0


## The form in a list; null if it is not valid. [param known] caches the properties of classes.
static func read(from: Variant, known: Dictionary) -> PackForm:
	if not from is Array:
		return null
	var list: Array = from
	var form := PackForm.new()
	return form if list.size() == 6 and form._take(list) and form._fits(known) else null


func is_resource() -> bool:
	return _RESOURCES.has(type)


func _take(list: Array) -> bool:
	var wanted := [
		TYPE_STRING,
		TYPE_INT,
		TYPE_STRING,
		TYPE_PACKED_STRING_ARRAY,
		TYPE_PACKED_STRING_ARRAY,
		TYPE_PACKED_BYTE_ARRAY,
	]
	for i: int in 6:
		if typeof(list[i]) != wanted[i]:
			return false
	type = list[0]
	var place: int = list[1]
	file = place - 1
	name = list[2]
	name_numbers = name.count("%d")
	var of_groups: PackedStringArray = list[3]
	var of_keys: PackedStringArray = list[4]
	groups = _names(of_groups)
	keys = _names(of_keys)
	var bytes: PackedByteArray = list[5]
	for byte: int in bytes:
		kinds.append(byte & 15)
		units.append(byte >> 4)
	if name.count("%") != name_numbers or name_numbers > _MAX_NAME_NUMBERS:
		return false
	if groups.size() > _MAX_KEYS or name.length() > _MAX_NAME:
		return false
	return kinds.size() == keys.size() and kinds.size() <= _MAX_KEYS


static func _names(texts: PackedStringArray) -> Array[StringName]:
	var names: Array[StringName] = []
	for text: String in texts:
		names.append(StringName(text))
	return names


func _fits(known: Dictionary) -> bool:
	if file < 0 and not _NODES.has(type) and not is_resource():
		return false
	steps = 0 if is_resource() else 1 + name_numbers
	least = steps
	for i: int in keys.size():
		if kinds[i] > CELLS or not _can_have(kinds[i], units[i]):
			return false
		var exact := units[i] == EXACT
		var own_steps := 0 if exact else STEPS[kinds[i]]
		steps += own_steps
		least += own_steps + _COUNTS[kinds[i]] + (4 if exact and kinds[i] == VECTOR2 else 0)
		if not _knows(i, known):
			return false
	return true


# Only kinds that are counted in px have a unit.
static func _can_have(kind: int, unit: int) -> bool:
	if kind in [VECTOR2, POINTS, RINGS]:
		return unit <= _MAX_UNIT or unit == EXACT
	return unit == 0


# Whether the property exists or is metadata.
func _knows(i: int, known: Dictionary) -> bool:
	var key := str(keys[i])
	is_meta.append(key.begins_with("metadata/"))
	if is_meta[i]:
		keys[i] = StringName(key.trim_prefix("metadata/"))
		types.append(_ANY)
		return str(keys[i]).is_valid_identifier()
	if file >= 0:
		types.append(_ANY)
		return key.is_valid_identifier() and not _TAKEN.has(key)
	if not known.has(type):
		known[type] = _stored_properties(type)
	var properties: Dictionary = known[type]
	if not properties.has(key):
		return false
	var wanted: int = properties[key]
	types.append(wanted)
	return true


static func _stored_properties(of: String) -> Dictionary:
	var found: Dictionary = {}
	for property: Dictionary in ClassDB.class_get_property_list(of):
		var usage: int = property["usage"]
		if usage & PROPERTY_USAGE_STORAGE and property["name"] != "script":
			found[property["name"]] = property["type"]
	return found
