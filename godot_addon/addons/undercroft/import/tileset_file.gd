extends RefCounted
## The TileSet beside a source, or one that several sources share. It is loaded, updated with
## changes in the sources, and saved only if anything changed.
##
## What people add stays: a ledger in the TileSet's metadata records what was last written into it.
## A thing that has changed since belongs to a person and is left alone.
##
## Sources that share a TileSet are imported one after the other (see [SceneImporter]), so each
## finds in [method open] what the previous one saved in [method close].

const Batch := preload("batch.gd")
const MovedFiles := preload("moved_files.gd")
const NewTileSet := preload("new_tileset.gd")
const Problem := preload("../runtime/problem.gd")
const TileSetFile := preload("tileset_file.gd")
const TileSetParts := preload("tileset_parts.gd")

const LEDGER := "undercroft"
## The digest that all participating sources share.
const FAMILY := "family"

var path := ""
var tile_set: TileSet
var changed := false
## The tiles that were made here and have no data, by source: their origins by their places.
var plain: Dictionary = {}

# Whether everything in it was written by this batch of imports.
var _is_new := false
# By source name: its number; by thing: the hash of what was written there.
var _sources: Dictionary = {}
var _written: Dictionary = {}
var _parts: TileSetParts


## Loads or creates the TileSet at [param at]; null and a problem if something else is there.
static func open(source: String, at: String, problem: Problem) -> TileSetFile:
	if not at.begins_with("res://") or not ["tres", "res"].has(at.get_extension()):
		problem.note(source, "option tileset", "%s is not a path res://NAME.tres" % at)
		return null
	var file := TileSetFile.new()
	file.path = at
	var known: Dictionary = {}
	if FileAccess.file_exists(at):
		file._take(at)
		var lost := "" if file.tile_set else MovedFiles.mend(at)
		if lost:
			var what := "%s needs %s, which is missing; put it back, or edit the dependencies of %s"
			problem.note(source, "option tileset", what % [at, lost, at.get_file()])
			return null
		# A separate copy, not the one in open scenes: a failed import must not change those.
		if file.tile_set == null:
			file.tile_set = ResourceLoader.load(at, "", ResourceLoader.CACHE_MODE_IGNORE) as TileSet
		if file.tile_set == null:
			problem.note(source, "option tileset", "%s is not a TileSet; move it away" % at)
			return null
		known = _table(file.tile_set.get_meta(LEDGER, {}))
		file._sources = _table(known.get("sources"))
		file._written = _table(known.get("written"))
	else:
		file.tile_set = TileSet.new()
		file.changed = true
		file._is_new = true
	file._parts = TileSetParts.new(at.get_base_dir(), _table(known.get("parts")))
	if not known.has("parts"):
		file._parts.adopt([file._sources, file._written])
	return file


## A TileSet that is not saved; it must not be closed.
static func in_memory() -> TileSetFile:
	var file := TileSetFile.new()
	file.tile_set = TileSet.new()
	file._parts = TileSetParts.new("res://", {})
	return file


## Saves the changes if [param keep].
func close(source: String, keep: bool, problem: Problem) -> void:
	if (changed or _parts.changed) and keep:
		var fresh := not FileAccess.file_exists(path)
		var ledger := {"sources": _sources, "written": _written}
		if _parts.table():
			ledger["parts"] = _parts.table()
		tile_set.set_meta(LEDGER, ledger)
		DirAccess.make_dir_recursive_absolute(path.get_base_dir())
		var error := (
			NewTileSet.save(tile_set, path, plain)
			if _is_new
			else ResourceSaver.save(tile_set, path)
		)
		if error != OK:
			problem.note(source, "", "%s cannot be written (%s)" % [path, error_string(error)])
			keep = false
		elif fresh:
			tile_set.take_over_path(path)
		elif ResourceLoader.has_cached(path) and ResourceLoader.load(path) != tile_set:
			# Open scenes use the TileSet that Godot has in memory.
			ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_REPLACE)
	if keep:
		Batch.keep(path, [tile_set, FileAccess.get_md5(path), _is_new])


## Takes the TileSet from an import just before, if its file is as it was then.
func _take(at: String) -> void:
	var shared: Array = Batch.take(at) if Batch.has(at) else []
	if shared and shared[1] == FileAccess.get_md5(at):
		tile_set = shared[0]
		_is_new = shared[2]


## The name in the ledger for everything made from a tileset; see [TileSetParts].
func part(file: String, within: String, looks: Array, image: String) -> String:
	return _parts.id_of(file, within, looks, image)


## Whether a source may use the TileSet: it did before, or has the same digest as those that do.
func is_of(source: String, digest: String) -> bool:
	return _parts.has(source) or _written.get(FAMILY, "") == digest


## Notes that a source uses the TileSet, and its digest.
func claim(source: String, digest: String) -> void:
	_parts.id_of(source, "", [], "")
	if not is_same(_written.get(FAMILY), digest):
		_written[FAMILY] = digest
		changed = true


## The source made under a name, or null. The name identifies a part of a file.
func source(name: String) -> TileSetSource:
	var number: int = _sources.get(name, -1)
	return tile_set.get_source(number) if number >= 0 and tile_set.has_source(number) else null


## The number of the source made under a name, or -1.
func number(name: String) -> int:
	return _sources.get(name, -1)


## Adds a source under a name, with its previous number if that is free.
func add_source(name: String, made: TileSetSource, wished: int = -1) -> int:
	var before: int = _sources.get(name, wished)
	if before < 0 or tile_set.has_source(before):
		before = tile_set.get_next_source_id()
	_sources[name] = tile_set.add_source(made, before)
	changed = true
	return _sources[name]


## Notes whether [param user] uses the one-tile source made under a name. Once nobody uses it, it is
## removed, unless a person has added to it.
func note_use(name: String, user: String, uses: bool) -> void:
	var known: Variant = _sources.get("users of " + name, [])
	var before: Array = known if known is Array else []
	var users := before.filter(
		func(one: Variant) -> bool: return one != user and FileAccess.file_exists(str(one))
	)
	if uses:
		users.append(user)
		users.sort()
	if users != before:
		_sources["users of " + name] = users
		changed = true
	var atlas := source(name) as TileSetAtlasSource
	if atlas and not users and _is_bare(atlas):
		tile_set.remove_source(number(name))
		changed = true


## Whether a source has at most one tile, without any data.
static func _is_bare(atlas: TileSetAtlasSource) -> bool:
	for property: Dictionary in atlas.get_property_list():
		var place: String = property.name
		var is_kept: bool = property.usage & PROPERTY_USAGE_STORAGE
		if is_kept and place.contains(":") and not place in ["0:0/0", "0:0/0/script"]:
			return false
	return true


## The alternative of a tile made under a name; created if necessary.
func alternative(name: String, atlas: TileSetAtlasSource, at: Vector2i) -> int:
	var found: int = _sources.get(name, -1)
	if found < 1 or not atlas.has_alternative_tile(at, found):
		found = atlas.create_alternative_tile(at)
		_sources[name] = found
		changed = true
	return found


## Everything ever listed under a name, in order of appearance.
func listed(name: String, more: Array[Vector2i]) -> Array[Vector2i]:
	var known: Variant = _sources.get(name)
	var all: Array[Vector2i] = []
	if known is Array:
		var kept: Array = known
		all.assign(kept.filter(func(one: Variant) -> bool: return one is Vector2i))
	for one: Vector2i in more:
		if not all.has(one):
			all.append(one)
			changed = true
	_sources[name] = all
	return all


## Whether the same was recorded under a name the last time; records it for the next time.
func knows(name: String, told: Variant) -> bool:
	var now := hash(told)
	var known := is_same(_written.get("told " + name), now)
	if not known:
		_written["told " + name] = now
		changed = true
	return known


## Sets a property that people cannot own, such as an image's path.
func put(object: Object, property: StringName, value: Variant) -> void:
	if object.get(property) != value:
		object.set(property, value)
		changed = true


## Whether a thing may be changed from [param current] to [param wanted]: not if it is already
## equal, and not if a person has changed it since it was written. [param empty] is its value before
## anything is set. The caller must then write it.
func may_write(thing: String, current: Variant, wanted: Variant, empty: Variant) -> bool:
	var was: Variant = _written.get(thing)
	var now := hash(current)
	if was == null:
		if wanted == empty:
			return false
		if current != empty and now != hash(wanted):
			return false
	elif was != now:
		return false
	if wanted == empty:
		_written.erase(thing)
		changed = true
	elif was != hash(wanted):
		_written[thing] = hash(wanted)
		changed = true
	return now != hash(wanted)


## The physics layer with [param bits] as its collision layers; created if necessary.
func physics_layer(bits: int) -> int:
	for index: int in tile_set.get_physics_layers_count():
		if tile_set.get_physics_layer_collision_layer(index) == bits:
			return index
	tile_set.add_physics_layer()
	var made := tile_set.get_physics_layers_count() - 1
	tile_set.set_physics_layer_collision_layer(made, bits)
	changed = true
	return made


## The first navigation and occlusion layers; created if necessary.
func navigation_layer() -> int:
	if tile_set.get_navigation_layers_count() == 0:
		tile_set.add_navigation_layer()
		changed = true
	return 0


func occlusion_layer() -> int:
	if tile_set.get_occlusion_layers_count() == 0:
		tile_set.add_occlusion_layer()
		changed = true
	return 0


## The custom data layer with a name, with a type if all its values have the same one.
func custom_layer(name: String, type: Variant.Type) -> int:
	var index := tile_set.get_custom_data_layer_by_name(name)
	if index < 0:
		tile_set.add_custom_data_layer()
		index = tile_set.get_custom_data_layers_count() - 1
		tile_set.set_custom_data_layer_name(index, name)
		tile_set.set_custom_data_layer_type(index, type)
		changed = true
	return index


## The terrain set made under a name, with at least [param terrains] terrains.
func terrain_set(name: String, mode: TileSet.TerrainMode, terrains: int) -> int:
	var key := "terrains " + name
	var index: int = _sources.get(key, -1)
	if index < 0 or index >= tile_set.get_terrain_sets_count():
		tile_set.add_terrain_set()
		index = tile_set.get_terrain_sets_count() - 1
		_sources[key] = index
		changed = true
	if tile_set.get_terrain_set_mode(index) != mode:
		tile_set.set_terrain_set_mode(index, mode)
		changed = true
	while tile_set.get_terrains_count(index) < terrains:
		tile_set.add_terrain(index)
		# Godot's generated names and colours do not count as a person's.
		var made := tile_set.get_terrains_count(index) - 1
		tile_set.set_terrain_name(index, made, "")
		tile_set.set_terrain_color(index, made, Color())
		changed = true
	return index


static func _table(value: Variant) -> Dictionary:
	return value if value is Dictionary else {}
