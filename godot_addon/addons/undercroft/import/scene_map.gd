extends RefCounted
## The node for an object or entity: an instance of the scene or a node of the class that its class
## is mapped to, or a plain node of the right type. It has the facts as metadata.
##
## The table has lines `CLASS=res://scene.tscn` or `CLASS=StaticBody2D`; a class may be followed by
## a fact, `enemy.role=shooter=res://archer.tscn`, and the most specific line wins. Lines in the
## project setting [constant SETTING] apply to every file; the file's own options override them.

const Problem := preload("../runtime/problem.gd")
const SceneMap := preload("scene_map.gd")

const SETTING := "undercroft/import/scenes"
const MAX_LINES := 10_000

# The node classes that can be used: those that work in a level without a script.
const _NODES: Array[String] = [
	"Node2D",
	"Marker2D",
	"Area2D",
	"StaticBody2D",
	"AnimatableBody2D",
	"RigidBody2D",
	"CharacterBody2D",
	"NavigationRegion2D",
	"NavigationObstacle2D",
	"LightOccluder2D",
	"Polygon2D",
	"Line2D",
	"Path2D",
	"Sprite2D",
]

## By `class` or `class.fact=value`: a [PackedScene], or the name of a node class.
var _wishes: Dictionary = {}


## The table from a file's option and the project setting, each a [Dictionary] or lines of text.
static func from_options(file: String, option: Variant, problem: Problem) -> SceneMap:
	var map := SceneMap.new()
	map._read(file, "project setting " + SETTING, ProjectSettings.get_setting(SETTING, ""), problem)
	map._read(file, "option scenes", option, problem)
	return map


## Maps a class to a node class, unless it is already mapped.
func suggest(type: String, node: String) -> void:
	_wishes.get_or_add(type, node)


## The mapping of [param type] with [param facts]: a [PackedScene], the name of a class, or null.
func wish(type: String, facts: Dictionary) -> Variant:
	if _wishes.is_empty() or not type:
		return null
	for fact: Variant in facts:
		var key := "%s.%s=%s" % [type, fact, facts[fact]]
		if _wishes.has(key):
			return _wishes[key]
	return _wishes.get(type)


## The node for a class: the mapped scene or class, else one of the class [param usual]. It gets the
## class as its group and the facts as metadata. If its script has a property with the same name and
## type, that is also set.
func make(type: String, usual: String, facts: Dictionary) -> Node:
	var wished: Variant = wish(type, facts)
	var node: Node = null
	if wished is PackedScene:
		var scene: PackedScene = wished
		node = scene.instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE)
	if node == null:
		var wanted: String = wished if wished is String else usual
		node = ClassDB.instantiate(wanted)
	if type:
		node.add_to_group(group_name(type), true)
	give(node, facts)
	return node


## A valid name for a group.
static func group_name(type: String) -> StringName:
	return StringName(type.left(200))


## Gives a node facts as metadata, and as properties if its script has properties with these names.
static func give(node: Node, facts: Dictionary) -> void:
	if node.get_script() == null:
		for fact: Variant in facts:
			node.set_meta(meta_name(str(fact)), facts[fact])
		return
	for fact: Variant in facts:
		tell(node, str(fact), facts[fact])


## Gives a node one fact. A name that is not valid for metadata is changed.
static func tell(node: Node, fact: String, value: Variant) -> void:
	node.set_meta(meta_name(fact), value)
	var script: Script = node.get_script()
	if script == null:
		return
	for property: Dictionary in script.get_script_property_list():
		var usage: int = property.usage
		var type: int = property.type
		var exported := usage & PROPERTY_USAGE_EDITOR and usage & PROPERTY_USAGE_STORAGE
		if property.name == fact and exported and (type == TYPE_NIL or type == typeof(value)):
			node.set(fact, value)


## The name of a fact as metadata: letters, digits and `_`, as Godot requires.
static func meta_name(fact: String) -> String:
	var name := fact.left(200)
	if name.is_valid_identifier():
		return name
	var fit := RegEx.create_from_string("[^A-Za-z0-9_]").sub(name, "_", true)
	return fit if fit.is_valid_identifier() else "_" + fit


func _read(file: String, place: String, table: Variant, problem: Problem) -> void:
	if table is Dictionary:
		var rows: Dictionary = table
		for key: Variant in rows:
			_add(file, place, str(key), rows[key], problem)
		return
	if not (table is String or table is PackedStringArray):
		problem.note(file, place, "must be lines CLASS=res://scene.tscn")
		return
	var lines: PackedStringArray
	if table is PackedStringArray:
		lines = table
	else:
		lines = str(table).split("\n", false)
	if lines.size() > MAX_LINES:
		problem.note(file, place, "has more than %d lines" % MAX_LINES)
		return
	for line: String in lines:
		if line.strip_edges().is_empty():
			continue
		var cut := line.rfind("=")
		if cut < 1:
			problem.note(file, place, "%s is not CLASS=res://scene.tscn" % line)
			return
		var value := line.substr(cut + 1).strip_edges()
		_add(file, place, line.left(cut).strip_edges(), value, problem)


func _add(file: String, place: String, key: String, value: Variant, problem: Problem) -> void:
	if value is PackedScene:
		_wishes[key] = value
	elif value is String and _NODES.has(value):
		_wishes[key] = value
	elif value is String:
		var path: String = value
		var known := path.begins_with("res://") or path.begins_with("uid://")
		if not known or not ResourceLoader.exists(path, "PackedScene"):
			problem.note(file, place, "%s: the scene %s is missing" % [key, path])
			return
		var scene := ResourceLoader.load(path, "PackedScene") as PackedScene
		if scene == null:
			problem.note(file, place, "%s: %s is not a scene" % [key, path])
		else:
			_wishes[key] = scene
	else:
		problem.note(file, place, "%s must have a path res://scene.tscn" % key)
