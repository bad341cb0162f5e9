extends RefCounted
## Converts projects of LDtk 0.6 to 0.10 to the form of 1.0 and newer. They lack:
##
##     iid                         before 1.0 all had a uid; iids are made from those
##     levelIid of a neighbour     before 1.0 `levelUid`
##     x, y, w, h of a `__tile`    before 1.0 `srcRect: [x, y, w, h]`
##     width, height of an entity  before 0.8 its definition's
##     value of an IntGrid value   before 0.8 its place in the array, from 1
##     __pivot of an entity        before 0.7 its definition's
##
## (Sources: LDtk's changelog, and files written by these versions.) The reader of the layer handles
## `intGrid`, the form of `intGridCsv` before 0.8.
##
## This does not report problems: values of a wrong type stay as they are.

## Entity definitions by uid.
var _entities: Dictionary = {}


func _init(project: Dictionary) -> void:
	var found: Variant = project.get("defs")
	var defs: Dictionary = found if found is Dictionary else {}
	for entity: Dictionary in _objects(defs, "entities"):
		_entities[entity.get("uid")] = entity
	for layer: Dictionary in _objects(defs, "layers"):
		var number := 0.0
		for value: Dictionary in _objects(layer, "intGridValues"):
			number += 1
			_add(value, "value", number)
	for level: Dictionary in _objects(project, "levels"):
		renew_level(level)


## Converts a level, also one from a separate file.
func renew_level(level: Dictionary) -> void:
	var iid := _iid("level", level.get("uid"))
	_add(level, "iid", iid)
	for neighbour: Dictionary in _objects(level, "__neighbours"):
		_add(neighbour, "levelIid", _iid("level", neighbour.get("levelUid")))
	for layer: Dictionary in _objects(level, "layerInstances"):
		var layer_iid := "%s-%s" % [iid, _iid("layer", layer.get("layerDefUid"))]
		_add(layer, "iid", layer_iid)
		var number := 0
		for entity: Dictionary in _objects(layer, "entityInstances"):
			_renew_entity(entity, "%s-entity-%d" % [layer_iid, number])
			number += 1


func _renew_entity(entity: Dictionary, iid: String) -> void:
	_add(entity, "iid", iid)
	var definition: Dictionary = _entities.get(entity.get("defUid"), {})
	for key: String in ["width", "height"]:
		_add(entity, key, definition.get(key, 16.0))
	_add(entity, "__pivot", [definition.get("pivotX", 0.0), definition.get("pivotY", 0.0)])
	_renew_tile(entity.get("__tile"))


static func _renew_tile(tile: Variant) -> void:
	if tile is Dictionary:
		var facts: Dictionary = tile
		var rect: Variant = facts.get("srcRect")
		if rect is Array:
			var sides: Array = rect
			for index: int in mini(sides.size(), 4):
				_add(facts, "xywh"[index], sides[index])


static func _add(object: Dictionary, key: String, value: Variant) -> void:
	if object.get(key) == null:
		object[key] = value


static func _iid(word: String, uid: Variant) -> String:
	return "%s-%d" % [word, int(str(uid))]


static func _objects(holder: Dictionary, key: String) -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	var given: Variant = holder.get(key)
	if given is Array:
		var items: Array = given
		for item: Variant in items:
			if item is Dictionary:
				found.append(item)
	return found
