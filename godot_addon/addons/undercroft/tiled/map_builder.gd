extends RefCounted
## Builds a scene from a Tiled map.

const Dependencies := preload("../import/dependencies.gd")
const Fields := preload("../import/fields.gd")
const Grid := preload("grid.gd")
const Layers := preload("layers.gd")
const LevelFacts := preload("level_facts.gd")
const LevelNames := preload("level_names.gd")
const Lookup := preload("lookup.gd")
const Names := preload("../import/names.gd")
const Objects := preload("objects.gd")
const Placeholders := preload("placeholders.gd")
const Problem := preload("../runtime/problem.gd")
const SceneImporter := preload("../import/scene_importer.gd")
const SceneMap := preload("../import/scene_map.gd")
const TiledFile := preload("tiled_file.gd")
const TileLayers := preload("tile_layers.gd")
const TileObjects := preload("tile_objects.gd")
const TileSetFile := preload("../import/tileset_file.gd")
const Tileset := preload("tileset.gd")
const TilesetBuilder := preload("tileset_builder.gd")


## The scene of the map at [param source]; null and a problem if it cannot be made.
static func build(
	source: String, options: Dictionary, dependencies: Dependencies, problem: Problem
) -> Node:
	var file := TiledFile.new(source, options, dependencies, problem)
	if problem.found:
		return null
	if file.root.text("type", "") != "map":
		file.root.refuse("type", "is not a map")
		return null
	var grid := Grid.read(file.root)
	var tilesets := Tileset.all(file)
	var tile_layers := TileLayers.new()
	if not problem.found:
		tile_layers.read(file.root, grid, file.lifted)
	var scenes := SceneMap.from_options(source, options.get("scenes", ""), problem)
	var is_level := LevelFacts.are_wanted(file.root, options.get("level_facts", "auto"))
	if is_level:
		scenes.suggest("door", "StaticBody2D")
	if problem.found:
		return null
	var lookups: Array[Lookup] = []
	var placeholders := Placeholders.new()
	var tile_set := _tile_set(file, options, grid, tilesets, tile_layers, lookups, placeholders)
	if problem.found:
		return null
	var tile_objects := TileObjects.new(tilesets, lookups, tile_set, grid, placeholders)
	var objects := Objects.new(file, grid, scenes, tile_objects, is_level)
	var root := Node2D.new()
	root.name = Names.new().unique(source.get_file().get_basename())
	_give_root(file, grid, root, objects, is_level)
	var layers := Layers.new(
		file.types, grid, lookups, tile_layers, objects, tile_set, placeholders
	)
	layers.add(file.root, root)
	if problem.found:
		root.free()
		return null
	objects.resolve()
	if is_level:
		LevelFacts.add(root)
		for tileset: Tileset in tilesets:
			_give_colours(root, file, tileset)
	return root


## The colours of light, which the theme's tileset has as properties.
static func _give_colours(root: Node, file: TiledFile, tileset: Tileset) -> void:
	var found := file.types.properties(tileset.fields) if tileset.fields else {}
	for name: String in found:
		if found[name] is Color and name.is_valid_identifier() and name.contains("_light"):
			root.set_meta(name, found[name])


static func _give_root(
	file: TiledFile, grid: Grid, root: Node2D, objects: Objects, is_level: bool
) -> void:
	var type := file.root.text("class", "")
	if type:
		root.add_to_group(SceneMap.group_name(type), true)
	var facts := file.types.properties(file.root, type)
	if is_level:
		facts = LevelNames.plain(facts, type)
	Layers.set_on(root, facts)
	root.set_meta("tile_size", grid.cell)
	root.set_meta("size", grid.size)
	var background := file.root.color("backgroundcolor", Color.TRANSPARENT)
	if background.a > 0:
		root.set_meta("background_color", background)
	objects.tell(root, facts)


## The updated TileSet of the map; the tiles for gids go into [param lookups].
static func _tile_set(
	file: TiledFile,
	options: Dictionary,
	grid: Grid,
	tilesets: Array[Tileset],
	tile_layers: TileLayers,
	lookups: Array[Lookup],
	placeholders: Placeholders
) -> TileSet:
	var kept := _open(file, options, grid, tilesets)
	if kept == null:
		return null
	if not FileAccess.file_exists(kept.path):
		grid.apply(kept.tile_set)
	elif not grid.fits(kept.tile_set):
		var what := "%s has cells of another size or shape; choose another TileSet" % kept.path
		file.problem.note(file.source, "option tileset", what)
	if not file.problem.found:
		var builder := TilesetBuilder.new(kept, grid, file.types, options, placeholders)
		for index: int in tilesets.size():
			var last := index == tilesets.size() - 1
			var end := Tileset.MAX_GID + 1 if last else tilesets[index + 1].first_gid
			lookups.append(builder.build(tilesets[index], end))
			_turn(builder, tilesets[index], lookups[index], tile_layers.used, grid)
		if tile_layers.used.keys().any(_is_missing.bind(lookups)):
			tile_layers.missing = builder.missing_tile(grid.cell)
		kept.note_use(TilesetBuilder.MISSING, file.source, tile_layers.missing >= 0)
	if kept.path:
		kept.close(file.source, not file.problem.found, file.problem)
	return kept.tile_set


static func _is_missing(raw: int, lookups: Array[Lookup]) -> bool:
	var gid := raw & Tileset.MAX_GID
	var lookup := Lookup.of(gid, lookups)
	return lookup == null or not lookup.has(gid - lookup.first_gid)


## The TileSet for the map. While all tilesets that would name it are missing, it is not saved,
## because the map will share theirs once they exist.
static func _open(
	file: TiledFile, options: Dictionary, grid: Grid, tilesets: Array[Tileset]
) -> TileSetFile:
	var is_embedded := func(one: Tileset) -> bool: return one.is_embedded()
	var is_own := tilesets.is_empty() or tilesets.any(is_embedded)
	var shared := "" if is_own else _shared_path(tilesets, grid)
	var path := SceneImporter.tileset_path(file.source, options, shared)
	var is_there := is_own or shared or FileAccess.file_exists(path)
	if not is_there and not options.get("tileset"):
		return TileSetFile.in_memory()
	var kept := TileSetFile.open(file.source, path, file.problem)
	var is_guess: bool = shared and path == shared and tilesets[0].is_lost
	return TileSetFile.in_memory() if kept and is_guess and not grid.fits(kept.tile_set) else kept


## The shared TileSet of maps with external tilesets: beside the first tileset, one for each grid. A
## missing tileset counts while the TileSet beside it exists; "" if no tileset counts.
static func _shared_path(tilesets: Array[Tileset], grid: Grid) -> String:
	for tileset: Tileset in tilesets:
		var beside := "%s.tileset%s.tres"
		if not tileset.is_lost:
			return beside % [tileset.file, grid.suffix(tileset.tile_size)]
		# The size of its tiles, and so the suffix, is unknown.
		for suffix: String in [grid.suffix(Vector2i.ZERO), ""]:
			if FileAccess.file_exists(beside % [tileset.file, suffix]):
				return beside % [tileset.file, suffix]
	return ""


## Adds the tiles that need a separate tile when they are rotated or flipped.
static func _turn(
	builder: TilesetBuilder, tileset: Tileset, lookup: Lookup, gids: Dictionary, grid: Grid
) -> void:
	var used: Array[Vector2i] = []
	for raw: int in gids:
		var id := (raw & Tileset.MAX_GID) - tileset.first_gid
		var bits := raw >> 28 & 0xF
		if not bits or not lookup.has(id):
			continue
		if grid.orientation == "hexagonal" and bits & 3:
			used.append(Vector2i(id, bits))
		else:
			builder.turned.mirror(tileset, lookup, id, bits)
	if used:
		used.sort()
		builder.turned.turn(tileset, lookup, used)
