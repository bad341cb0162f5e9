extends RefCounted
## An object layer as nodes: the scene or node class that an object's class is mapped to, else a
## node that fits its shape. References between objects become NodePaths.

const Fields := preload("../import/fields.gd")
const Grid := preload("grid.gd")
const LevelNames := preload("level_names.gd")
const Names := preload("../import/names.gd")
const ObjectRef := preload("object_ref.gd")
const SceneMap := preload("../import/scene_map.gd")
const Shapes := preload("shapes.gd")
const TiledFile := preload("tiled_file.gd")
const TileObjects := preload("tile_objects.gd")
const Tileset := preload("tileset.gd")
const Words := preload("words.gd")

const MAX_OBJECTS := 1_000_000

var _file: TiledFile
var _grid: Grid
var _scenes: SceneMap
var _tiles: TileObjects
var _is_level: bool
# Nodes by object id, and facts that wait for the nodes that they refer to.
var _nodes: Dictionary = {}
var _waiting: Array[Array] = []


func _init(
	file: TiledFile, grid: Grid, scenes: SceneMap, tiles: TileObjects, is_level: bool
) -> void:
	_file = file
	_grid = grid
	_scenes = scenes
	_tiles = tiles
	_is_level = is_level


## Adds the objects of a layer below its node, in the order in which Tiled draws them.
func add(layer: Fields, parent: Node) -> void:
	var listed := layer.subs("objects", MAX_OBJECTS)
	var names := Names.new()
	var made: Array[Node] = []
	var heights := PackedFloat64Array()
	var has_pictures := false
	for object: Fields in listed:
		var whole := _with_template(object)
		if _is_level:
			whole = LevelNames.as_point(whole, _tiles, _file.types)
		has_pictures = has_pictures or object.has("gid") and whole.has("gid")
		var node := _node(whole)
		var own := LevelNames.unique_name(whole) if _is_level else ""
		node.name = names.unique(_name(whole, own))
		made.append(node)
		heights.append(whole.number("y", 0))
		if _file.problem.found:
			made.map(func(each: Node) -> void: each.free())
			return
	if has_pictures and layer.text("draworder", "topdown") == "topdown":
		_sort_by_y(made, heights)
	for node: Node in made:
		parent.add_child(node)


## Gives facts to a node; those with references wait until all nodes exist.
func tell(node: Node, facts: Dictionary) -> void:
	for fact: String in facts:
		if ObjectRef.is_in(facts[fact]):
			_waiting.append([node, fact, facts[fact]])
		else:
			SceneMap.tell(node, fact, facts[fact])


## Must be called when all nodes are in the tree.
func resolve() -> void:
	for entry: Array in _waiting:
		var node: Node = entry[0]
		var fact: String = entry[1]
		SceneMap.tell(node, fact, ObjectRef.resolved(entry[2], node, _nodes))


func _node(object: Fields) -> Node:
	var type := Tileset.class_of(object)
	var facts := _facts(object, type)
	var plain: Dictionary = {}
	for fact: String in facts:
		if not ObjectRef.is_in(facts[fact]):
			plain[fact] = facts[fact]
	var node: Node = null
	if object.has("gid"):
		node = _tiles.make(object, type, plain, _scenes)
	elif object.has("text"):
		node = _scenes.make(type, "Label", plain)
		Words.give(object, node, _grid)
	else:
		node = _scenes.make(type, Shapes.usual(object), plain)
		Shapes.give(object, node, _grid)
	for fact: String in facts:
		if not plain.has(fact):
			_waiting.append([node, fact, facts[fact]])
	var item := node as CanvasItem
	if item:
		item.visible = object.boolean("visible", true)
		item.modulate.a *= object.number("opacity", 1.0, 0.0, 1.0)
	var id := object.integer("id", 0, 1 << 31, 0)
	if id and not _nodes.has(id):
		_nodes[id] = node
	return node


## The facts of an object, from its class, its tile, its template and itself.
func _facts(object: Fields, type: String) -> Dictionary:
	var facts := _file.types.defaults(type, _file.problem)
	if object.has("gid"):
		facts.merge(_tiles.facts(object, _file.types), true)
	var below: Dictionary = object.table.get("undercroft template properties", {})
	facts.merge(below, true)
	facts.merge(_file.types.properties(object), true)
	return LevelNames.plain(facts, type) if _is_level else facts


## The object, completed by its template. If the template cannot be read, it becomes a tile object
## whose tile is missing.
func _with_template(object: Fields) -> Fields:
	if not object.has("template"):
		return object
	var template := _file.other(object, "template")
	if template and not template.has("object"):
		template.bad("object", "is missing; is the file a template?")
		template = null
	if template == null:
		object.table["gid"] = object.table.get("gid", 0.0)
		return object
	var base := template.sub("object")
	if base.has("template"):
		base.bad("template", "a template cannot have a template")
	var whole := base.table.duplicate()
	whole.merge(object.table, true)
	whole.erase("template")
	whole.erase("properties")
	whole["properties"] = object.table.get("properties", [])
	whole["undercroft template properties"] = _file.types.properties(base)
	if base.has("gid") and not object.has("gid") and template.has("tileset"):
		whole["gid"] = _tiles.gid_in_map(base, template.sub("tileset"), _file)
	return Fields.new(object.file, object.place, whole, object.problem)


static func _name(object: Fields, own: String) -> String:
	var name := object.text("name", "")
	if not name:
		name = own if own else Tileset.class_of(object)
	return name if name else "Object%d" % object.integer("id", 0, 1 << 31, 0)


## Tiled draws lower objects later; if equal, in the order of the file.
static func _sort_by_y(nodes: Array[Node], heights: PackedFloat64Array) -> void:
	var order: Array[Array] = []
	for index: int in nodes.size():
		order.append([heights[index], index, nodes[index]])
	order.sort()
	for index: int in nodes.size():
		nodes[index] = order[index][2]
