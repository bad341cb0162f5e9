extends RefCounted
## The level in the edited scene, which the generator wrote or an importer made: its plan, its
## files, and words for its parts.

const Catalogue := preload("../catalogue.gd")
const EditedLevel := preload("edited_level.gd")
const MinimapIcons := preload("../../runtime/minimap_icons.gd")
const Problem := preload("../../runtime/problem.gd")
const SceneReader := preload("../../runtime/scene_reader.gd")

const _JSON := ".level.json"
const _ROOMS := "room"
# Scenes that inherit each other.
const _MAX_SCENES := 16

var root: Node2D
var plan: UndercroftPlan
var tile_size := 0
## The level.json, as a path in the project; "" if it is missing.
var json := ""

# The words for rooms and markers, by id.
var _rooms: Dictionary = {}
var _markers: Dictionary = {}


## The level in a scene; null if the scene is none.
static func of(scene_root: Node) -> EditedLevel:
	if not scene_root is Node2D or not scene_root.is_inside_tree() or not _is_level(scene_root):
		return null
	var problem := Problem.new()
	var reader := SceneReader.read(scene_root as Node2D, problem)
	var found := EditedLevel.new()
	found.plan = reader.plan()
	if found.plan == null:
		return null
	found.root = scene_root as Node2D
	found.tile_size = reader.tile_size
	found._find_files()
	found._name_parts()
	return found


func folder() -> String:
	return root.scene_file_path.get_base_dir()


## The formats that it has been written in, by the files beside its level.json.
func formats(catalogue: Catalogue) -> PackedStringArray:
	var found: PackedStringArray = []
	for format: Catalogue.Format in catalogue.formats:
		for suffix: String in format.suffixes:
			var is_there := FileAccess.file_exists(json.trim_suffix(_JSON) + suffix)
			if is_there and not found.has(format.name):
				found.append(format.name)
	return found


## Why its rooms cannot be rolled again; "" if they can.
func problem() -> String:
	if not json:
		return (
			"Rooms are rolled again in the level's .level.json, which is not beside the scene;"
			+ " generate it with the format json."
		)
	return ""


## What tells the level apart from others: its seed and its values.
func identity() -> String:
	return (plan.seed_text + str(root.get_meta("spec", ""))).md5_text()


## A room in a few words, such as "Shop (5 away)".
func room_name(room: UndercroftRoom) -> String:
	return _rooms[room.id]


## A marker in a few words, such as "Skeleton 3".
func marker_name(marker: UndercroftMarker) -> String:
	return _markers[marker.id]


## All facts of a room in a line.
func room_facts(room: UndercroftRoom) -> String:
	var facts: PackedStringArray = [room_name(room)]
	if room.difficulty:
		facts.append("difficulty %d" % room.difficulty)
	for fact: String in [room.zone, room.layout]:
		if fact:
			facts.append(fact)
	return ", ".join(facts)


## The colour of a room on maps, and its sign; null for a plain room.
static func room_colour(room: UndercroftRoom) -> Color:
	return room.colour if room.has_icon else MinimapIcons.colour_of(room.kind)


static func room_sign(room: UndercroftRoom) -> Texture2D:
	if room.has_icon:
		return MinimapIcons.named(room.icon, room.colour)
	return MinimapIcons.textures().get(room.kind, MinimapIcons.other())


# Written and imported scenes have rooms in the group; only the edited scene is in the tree.
static func _is_level(root_node: Node) -> bool:
	return root_node.get_tree().get_nodes_in_group(_ROOMS).any(root_node.is_ancestor_of)


func _find_files() -> void:
	var path := root.scene_file_path
	for _scene: int in _MAX_SCENES:
		var beside := path.get_basename() + _JSON
		if FileAccess.file_exists(beside):
			json = beside
			return
		var above := _base_of(path)
		if not above:
			return
		path = above


# The scene that a scene inherits, or "".
static func _base_of(path: String) -> String:
	var packed := load(path) as PackedScene if ResourceLoader.exists(path) else null
	var state := packed.get_state() if packed else null
	var base := state.get_node_instance(0) if state and state.get_node_count() else null
	return base.resource_path if base else ""


func _name_parts() -> void:
	var kinds := {}
	for room: UndercroftRoom in plan.rooms:
		_count(kinds, room.kind)
	var counted := {}
	for room: UndercroftRoom in plan.rooms:
		var number := _count(counted, room.kind)
		var words := room.name if room.name else room.kind.capitalize()
		if kinds[room.kind] > 1 and not room.name:
			words += " %d" % number
		var away := "hidden" if room.distance < 0 else "%d away" % room.distance
		_rooms[room.id] = words if room.distance == 0 else "%s (%s)" % [words, away]
	var called := {}
	for marker: UndercroftMarker in plan.markers:
		var words := _words_of(marker)
		var number := _count(called, words)
		_markers[marker.id] = words if number == 1 else "%s %d" % [words, number]


static func _count(counts: Dictionary, what: String) -> int:
	var before: int = counts.get(what, 0)
	counts[what] = before + 1
	return before + 1


# Its own name, or its kind and the first text among its properties.
static func _words_of(marker: UndercroftMarker) -> String:
	var own := marker.text("name")
	if own:
		return own.capitalize()
	var kind := marker.kind.capitalize()
	for key: String in marker.properties:
		var value: Variant = marker.properties[key]
		if value is String and value:
			return "%s (%s)" % [kind, value]
	return kind
