extends RefCounted
## Builds a scene from a Tiled map: its layers as nodes, for tiles, objects, images, and groups.

const Dependencies := preload("../import/dependencies.gd")
const Fields := preload("../import/fields.gd")
const Grid := preload("grid.gd")
const LevelFacts := preload("level_facts.gd")
const LevelNames := preload("level_names.gd")
const Lookup := preload("lookup.gd")
const Names := preload("../import/names.gd")
const Objects := preload("objects.gd")
const Pictures := preload("pictures.gd")
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

const DEEPEST := 64
const MAX_LAYERS := 10_000
const KINDS: Array[String] = ["tilelayer", "objectgroup", "imagelayer", "group"]
## Properties of a layer that are set on its node if the node has them.
const NODE_PROPERTIES: Array[String] = [
	"z_index",
	"z_as_relative",
	"y_sort_enabled",
	"y_sort_origin",
	"show_behind_parent",
	"light_mask",
	"visibility_layer",
	"texture_filter",
	"texture_repeat",
	"collision_enabled",
	"use_kinematic_bodies",
	"occlusion_enabled",
	"navigation_enabled",
	"x_draw_order_reversed",
	"rendering_quadrant_size",
]
const HIGHEST_Z := RenderingServer.CANVAS_ITEM_Z_MAX
const _BLENDS := {
	"add": CanvasItemMaterial.BLEND_MODE_ADD,
	"multiply": CanvasItemMaterial.BLEND_MODE_MUL,
}

var _file: TiledFile
var _options: Dictionary
var _grid: Grid
var _is_level: bool
var _tilesets: Array[Tileset]
## The tiles for the gids of each tileset.
var _lookups: Array[Lookup] = []
var _tile_set: TileSet
var _tile_layers := TileLayers.new()
var _objects: Objects
var _placeholders := Placeholders.new()
var _count := 0


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
	return new(file, options)._root()


func _init(file: TiledFile, options: Dictionary) -> void:
	_file = file
	_options = options
	_grid = Grid.read(file.root)
	_is_level = LevelFacts.are_wanted(file.root, options.get("level_facts", "auto"))
	_tilesets = Tileset.all(file)
	if not file.problem.found:
		_tile_layers.read(file.root, _grid)


func _root() -> Node:
	var scenes := SceneMap.from_options(_file.source, _options.get("scenes", ""), _file.problem)
	if _is_level:
		scenes.suggest("door", "StaticBody2D")
	if not _file.problem.found:
		_make_tile_set()
	if _file.problem.found:
		return null
	var tile_objects := TileObjects.new(_tilesets, _lookups, _tile_set, _grid, _placeholders)
	_objects = Objects.new(_file, _grid, scenes, tile_objects, _is_level)
	var root := Node2D.new()
	root.name = Names.new().unique(_file.source.get_file().get_basename())
	_give_root(root)
	_add_layers(_file.root, root)
	if _file.problem.found:
		root.free()
		return null
	_objects.resolve()
	if _is_level:
		LevelFacts.add(root)
		for tileset: Tileset in _tilesets:
			_give_colours(root, tileset)
	return root


## The colours of light, which the theme's tileset has as properties.
func _give_colours(root: Node, tileset: Tileset) -> void:
	var found := _file.types.properties(tileset.fields) if tileset.fields else {}
	for name: String in found:
		if found[name] is Color and name.is_valid_identifier() and name.contains("_light"):
			root.set_meta(name, found[name])


func _give_root(root: Node2D) -> void:
	var type := _file.root.text("class", "")
	if type:
		root.add_to_group(SceneMap.group_name(type), true)
	var facts := _file.types.properties(_file.root, type)
	if _is_level:
		facts = LevelNames.plain(facts, type)
	_set_on(root, facts)
	root.set_meta("tile_size", _grid.cell)
	root.set_meta("size", _grid.size)
	var background := _file.root.color("backgroundcolor", Color.TRANSPARENT)
	if background.a > 0:
		root.set_meta("background_color", background)
	_objects.tell(root, facts)


func _make_tile_set() -> void:
	var kept := _open()
	if kept == null:
		return
	if not FileAccess.file_exists(kept.path):
		_grid.apply(kept.tile_set)
	elif not _grid.fits(kept.tile_set):
		var what := "%s has cells of another size or shape; choose another TileSet" % kept.path
		_file.problem.note(_file.source, "option tileset", what)
	if not _file.problem.found:
		var builder := TilesetBuilder.new(kept, _grid, _file.types, _options, _placeholders)
		for index: int in _tilesets.size():
			var last := index == _tilesets.size() - 1
			var end := Tileset.MAX_GID + 1 if last else _tilesets[index + 1].first_gid
			_lookups.append(builder.build(_tilesets[index], end))
			_turn(builder, _tilesets[index], _lookups[index])
		if _tile_layers.used.keys().any(_is_missing):
			_tile_layers.missing = builder.missing_tile(_grid.cell)
		kept.note_use(TilesetBuilder.MISSING, _file.source, _tile_layers.missing >= 0)
	if kept.path:
		kept.close(_file.source, not _file.problem.found, _file.problem)
	_tile_set = kept.tile_set


func _is_missing(raw: int) -> bool:
	var gid := raw & Tileset.MAX_GID
	var lookup := Lookup.of(gid, _lookups)
	return lookup == null or not lookup.has(gid - lookup.first_gid)


## The TileSet for the map. While all tilesets that would name it are missing, it is not saved,
## because the map will share theirs once they exist.
func _open() -> TileSetFile:
	var is_embedded := func(one: Tileset) -> bool: return one.is_embedded()
	var is_own := _tilesets.is_empty() or _tilesets.any(is_embedded)
	var shared := "" if is_own else _shared_path()
	var path := SceneImporter.tileset_path(_file.source, _options, shared)
	var is_there := is_own or shared or FileAccess.file_exists(path)
	if not is_there and not _options.get("tileset"):
		return TileSetFile.in_memory()
	var kept := TileSetFile.open(_file.source, path, _file.problem)
	var is_guess: bool = shared and path == shared and _tilesets[0].is_lost
	return TileSetFile.in_memory() if kept and is_guess and not _grid.fits(kept.tile_set) else kept


## The shared TileSet of maps with external tilesets: beside the first tileset, one for each grid. A
## missing tileset counts while the TileSet beside it exists; "" if no tileset counts.
func _shared_path() -> String:
	for tileset: Tileset in _tilesets:
		var beside := "%s.tileset%s.tres"
		if not tileset.is_lost:
			return beside % [tileset.file, _grid.suffix(tileset.tile_size)]
		# The size of its tiles, and so the suffix, is unknown.
		for suffix: String in [_grid.suffix(Vector2i.ZERO), ""]:
			if FileAccess.file_exists(beside % [tileset.file, suffix]):
				return beside % [tileset.file, suffix]
	return ""


## Adds the tiles that need a separate tile when they are rotated or flipped.
func _turn(builder: TilesetBuilder, tileset: Tileset, lookup: Lookup) -> void:
	var used: Array[Vector2i] = []
	for raw: int in _tile_layers.used:
		var id := (raw & Tileset.MAX_GID) - tileset.first_gid
		var bits := raw >> 28 & 0xF
		if not bits or not lookup.has(id):
			continue
		if _grid.orientation == "hexagonal" and bits & 3:
			used.append(Vector2i(id, bits))
		else:
			builder.turned.mirror(tileset, lookup, id, bits)
	if used:
		used.sort()
		builder.turned.turn(tileset, lookup, used)


## Adds the layers of a map or group below a node. [param scroll] is the parallax factor of the
## parents; 1 is normal.
func _add_layers(
	above: Fields, parent: Node, scroll: Vector2 = Vector2.ONE, depth: int = 0
) -> void:
	var names := Names.new()
	for layer: Fields in above.subs("layers", MAX_LAYERS):
		_count += 1
		if depth > DEEPEST or _count > MAX_LAYERS:
			layer.bad("", "is one layer too many, or nested too deeply")
			return
		var node := _node(layer)
		_give(layer, node)
		node.name = names.unique(layer.text("name", "Layer"))
		var own := Vector2(layer.number("parallaxx", 1), layer.number("parallaxy", 1))
		var child := Pictures.in_parallax(layer, node, scroll, scroll * own)
		parent.add_child(child)
		if above.problem.found:
			return
		match layer.text("type", ""):
			"group":
				_add_layers(layer, node, scroll * own, depth + 1)
			"objectgroup":
				_objects.add(layer, node)


func _node(layer: Fields) -> CanvasItem:
	match layer.choice("type", KINDS, "group"):
		"tilelayer":
			var tiles := TileMapLayer.new()
			tiles.tile_set = _tile_set
			tiles.x_draw_order_reversed = _grid.draws_leftwards
			_tile_layers.give(layer, tiles, _lookups, _grid)
			return tiles
		"imagelayer":
			return Pictures.make(layer, _placeholders)
	return Node2D.new()


func _give(layer: Fields, node: CanvasItem) -> void:
	node.visible = layer.boolean("visible", true)
	var tint := layer.color("tintcolor", Color.WHITE)
	tint.a *= layer.number("opacity", 1.0, 0.0, 1.0)
	node.modulate = tint
	var moved := Vector2(layer.number("offsetx", 0), layer.number("offsety", 0))
	if node is Node2D:
		(node as Node2D).position += moved
	var mode := layer.text("mode", "normal")
	if _BLENDS.has(mode):
		var material := CanvasItemMaterial.new()
		material.blend_mode = _BLENDS[mode]
		node.material = material
	elif mode != "normal":
		layer.warn("mode", "Godot cannot blend with %s without a shader" % Fields.shown(mode))
	var type := layer.text("class", "")
	if type:
		node.add_to_group(SceneMap.group_name(type), true)
	var facts := _file.types.properties(layer, type)
	_set_on(node, facts)
	_objects.tell(node, facts)


## Sets the properties that the node has, and removes them from the facts.
static func _set_on(node: Node, facts: Dictionary) -> void:
	if not facts:
		return
	for name: String in NODE_PROPERTIES:
		if facts.has(name) and name in node and typeof(node.get(name)) == typeof(facts[name]):
			if name == "z_index":
				var z: int = facts[name]
				facts[name] = clampi(z, -HIGHEST_Z, HIGHEST_Z)
			node.set(name, facts[name])
			facts.erase(name)
