extends RefCounted
## Converts our maps to the form of the generator's scenes: names of properties, and markers as
## points.
##
## Only rooms have names in Tiled, which draws all names over the map. The others have a
## `unique_name`. A person chooses kinds in a property such as `new_kind`, which replaces `kind`.
##
## Some readers of Tiled files refuse properties with the name of an object's field. So rooms have a
## `room_id` and a `room_name`, markers a `marker_id`, and an enemy's `name` is `enemy_name`. Maps
## of older versions have the plain names and keep them.

const Fields := preload("../import/fields.gd")
const ProjectTypes := preload("project_types.gd")
const TileObjects := preload("tile_objects.gd")

const _IDS := {"room": "room_id", "door": "door_id", "hallway": "hallway_id"}
const _MARKERS_ID := "marker_id"
const _UNIQUE_NAME := "unique_name"
const _CHOICES := {"new_kind": "kind", "new_enemy_name": "enemy_name"}
## Reserved names that a property from outside cannot have in a file.
const _TAKEN := """
	add_layer add_tileset allow_duplicate_names apply_transformations as_points
	background_color class closed compressionlevel custom_property_filename custom_types
	digest filename fingerprint from_xml_string get_layer_by_name get_object_by_id
	get_object_by_name get_tile_colliders get_tile_gid get_tile_image get_tile_image_by_gid
	get_tile_locations_by_gid get_tile_properties get_tile_properties_by_gid
	get_tile_properties_by_layer get_tileset_from_gid gid gidmap hallway height
	hexsidelength id image image_loader imagemap images infinite invert_y kind layernames
	layers load_all_tiles map_gid map_gid2 marker_id maxgid name new_enemy_name new_kind
	nextlayerid nextobjectid object_to_properties objectgroups objects objects_by_id
	objects_by_name optional_gids orientation parent parse_json parse_xml points properties
	register_gid register_gid_check_flags reload_images renderorder room rotation seed
	set_tile_properties spec staggeraxis staggerindex style template tile_properties
	tiledgidmap tiledversion tileheight tilesets tilewidth type unique_name version visible
	visible_layers visible_object_groups visible_tile_layers width x y
"""

static var _taken: Dictionary = {}


## The name of an object that has none in Tiled, or an empty one.
static func unique_name(object: Fields) -> String:
	for property: Fields in ProjectTypes.listed(object):
		if property.text("name", "") == _UNIQUE_NAME:
			return property.text("value", "")
	return ""


## The facts of a thing with a class, under their plain names.
static func plain(facts: Dictionary, type: String) -> Dictionary:
	var id: String = _IDS.get(type, _MARKERS_ID)
	var given := _chosen(facts)
	var found := given if _IDS.has(type) else _unescaped(given, type)
	if found.has(id):
		found["id"] = found[id]
		found.erase(id)
	if type == "room" and found.has("room_name"):
		found["name"] = found["room_name"]
		found.erase("room_name")
	return found


static func _chosen(facts: Dictionary) -> Dictionary:
	var found := facts.duplicate()
	found.erase(_UNIQUE_NAME)
	for choice: String in _CHOICES:
		if str(found.get(choice, "")):
			found[_CHOICES[choice]] = found[choice]
		found.erase(choice)
	return found


static func _unescaped(facts: Dictionary, type: String) -> Dictionary:
	var found: Dictionary = {}
	var others: Dictionary = {}
	for name: String in facts:
		var other := _plain_name(name, type)
		var into := found if other == name else others
		into[other] = facts[name]
	# The defaults of the project's class must not hide values in an older map.
	found.merge(others, facts.has(_MARKERS_ID))
	return found


## A marker drawn as a tile becomes the point at its centre; any other object stays as it is.
static func as_point(object: Fields, tiles: TileObjects, types: ProjectTypes) -> Fields:
	if not object.has("gid"):
		return object
	var facts := tiles.facts(object, types)
	if not facts.has("kind") and not types.properties(object).has("kind"):
		return object
	var point := object.table.duplicate()
	var angle := deg_to_rad(object.number("rotation", 0))
	var half := Vector2(object.number("width", 0), -object.number("height", 0)) / 2
	var middle := Vector2(object.number("x", 0), object.number("y", 0)) + half.rotated(angle)
	point.erase("gid")
	point.merge({"x": middle.x, "y": middle.y, "width": 0.0, "height": 0.0, "point": true}, true)
	point.merge({"rotation": 0.0, "type": tiles.class_of(object)}, true)
	var below: Dictionary = object.table.get("undercroft template properties", {})
	point["undercroft template properties"] = facts.merged(below, true)
	return Fields.new(object.file, object.place, point, object.problem)


static func _plain_name(name: String, type: String) -> String:
	var front := _front(type)
	var rest := name.trim_prefix(front)
	return rest if rest != name and _is_taken(rest, front) else name


## Whether a name is reserved, or is a reserved one with the class as prefix.
static func _is_taken(name: String, front: String) -> bool:
	if not _taken:
		for one: String in _TAKEN.replace("\n", " ").replace("\t", " ").split(" ", false):
			_taken[one] = true
	while name.begins_with(front) and not _taken.has(name):
		name = name.substr(front.length())
	return not name or _taken.has(name) or name.begins_with("__")


static func _front(type: String) -> String:
	return "property_" if type == "marker" else type + "_"
