extends RefCounted
## The TileSets of a project: one for each grid size of its layers, because the TileSet defines the
## cell size of a TileMapLayer. The TileSet of the project's own grid size has the path of the
## option; the names of the others end with their size.

const Definitions := preload("definitions.gd")
const Family := preload("family.gd")
const Images := preload("images.gd")
const Placeholder := preload("placeholder.gd")
const Problem := preload("../runtime/problem.gd")
const Project := preload("project.gd")
const SceneImporter := preload("../import/scene_importer.gd")
const TileFacts := preload("tile_facts.gd")
const TileSetFile := preload("../import/tileset_file.gd")
const ValueTable := preload("value_table.gd")

const MAX_SOURCE := 0xFFFE
const MAX_ATLAS := 16384

var _project: Project
var _images: Images
var _problem: Problem
var _table: ValueTable
var _path := ""
## The grid size of the TileSet at the path.
var _main := 0
## Whether files share the TileSet; sources are then named by their image, not by a uid.
var _shared := false
## The common digest of projects that share it automatically; "" if it is the project's own.
var _family := ""
## TileSets by grid size, and source numbers by grid size and source name.
var _sets: Dictionary = {}
var _numbers: Dictionary = {}
## Columns and rows by grid size and source name.
var _counts: Dictionary = {}
## Terrain set and number by grid size and terrain name.
var _terrains: Dictionary = {}


func _init(
	project: Project, images: Images, table: ValueTable, options: Dictionary, problem: Problem
) -> void:
	_project = project
	_images = images
	_table = table
	_problem = problem
	var family := Family.path(project)
	_path = SceneImporter.tileset_path(project.file, options, family)
	if _path == family:
		_family = Family.digest(project)
	else:
		_shared = _path != project.file + ".tileset.tres"
	var wanted: Dictionary = {}
	for layer: Definitions.Layer in project.definitions.layers.values():
		if layer.type != "Entities":
			var tilesets: Array = wanted.get_or_add(layer.grid, [])
			if layer.tileset >= 0:
				tilesets.append(layer.tileset)
	if wanted:
		_main = project.grid if wanted.has(project.grid) else wanted.keys().min()
	for grid: int in wanted:
		var uids: Array = wanted[grid]
		_open(grid, uids)


func of(grid: int) -> TileSet:
	return _sets.get(grid)


## Adds a tileset that the project does not define, or enlarges it. [param end] is the end of its
## last tile, in px.
func add_missing(uid: int, grid: int, end: Vector2i) -> Definitions.Tiles:
	var known: Definitions.Tiles = _project.definitions.tilesets.get(uid)
	if known == null or end.x > known.size.x or end.y > known.size.y:
		known = Definitions.tiles_alone(uid, grid, end.max(known.size) if known else end)
		_project.definitions.tilesets[uid] = known
		_numbers.erase([grid, _name_of(known)])
	return known


## The number of a tileset's source in the TileSet of a grid size, or -1. In a level, a layer may
## have another tileset than in its definition.
func tiles(grid: int, uid: int) -> int:
	var tileset: Definitions.Tiles = _project.definitions.tilesets.get(uid)
	if tileset == null:
		return -1
	var key := [grid, _name_of(tileset)]
	if not _numbers.has(key):
		_open(grid, [uid])
	return _numbers.get(key, -1)


## The columns and rows of tiles in a tileset's source.
func count(grid: int, uid: int) -> Vector2i:
	var tileset: Definitions.Tiles = _project.definitions.tilesets.get(uid)
	return _counts.get([grid, _name_of(tileset)], Vector2i.ZERO) if tileset else Vector2i.ZERO


## The set and number of a terrain in the table.
func terrain(grid: int, name: String) -> Vector2i:
	return _terrains.get([grid, name], Vector2i(-1, -1))


## The number of the source for the values of an IntGrid.
func values(layer: Definitions.Layer) -> int:
	return _numbers.get([layer.grid, _name_of_values(layer)], -1)


func _open(grid: int, uids: Array) -> void:
	var path := _path
	if grid != _main:
		path = "%s.%d.%s" % [path.get_basename(), grid, path.get_extension()]
	var file := TileSetFile.open(_project.file, path, _problem)
	if file == null:
		return
	file.put(file.tile_set, "tile_size", Vector2i(grid, grid))
	var facts := TileFacts.new(file, grid, _table)
	for uid: int in uids:
		var tileset: Definitions.Tiles = _project.definitions.tilesets.get(uid)
		if tileset:
			_add_tiles(file, facts, tileset, grid)
	for layer: Definitions.Layer in _project.definitions.layers.values():
		if layer.type == "IntGrid" and layer.grid == grid and layer.values:
			_add_values(file, facts, layer)
	if _family:
		file.claim(_project.file, _family)
	file.close(_project.file, not _problem.found, _problem)
	_sets[grid] = file.tile_set


func _name_of(tileset: Definitions.Tiles) -> String:
	if not _shared:
		return "tileset %d" % tileset.uid
	return (
		"%s %d %d %d" % [tileset.image.get_file(), tileset.grid, tileset.spacing, tileset.padding]
	)


func _name_of_values(layer: Definitions.Layer) -> String:
	return "values %s" % layer.name if _shared else "values %d" % layer.uid


func _add_tiles(file: TileSetFile, facts: TileFacts, tileset: Definitions.Tiles, grid: int) -> void:
	var name := _name_of(tileset)
	var texture := _images.texture(tileset.image)
	var source := _source(file, name, tileset.uid)
	source.resource_name = tileset.name
	if texture:
		file.put(source, "texture", texture)
	elif tileset.image or tileset.is_missing:
		texture = _stand_in(file, source, tileset.size)
	var pitch := tileset.grid + tileset.spacing
	# Without an image there are no tiles, because Godot refuses tiles outside the image.
	var image := Vector2i(texture.get_size()) if texture else Vector2i.ZERO
	file.put(source, "margins", Vector2i(tileset.padding, tileset.padding))
	file.put(source, "separation", Vector2i(tileset.spacing, tileset.spacing))
	file.put(source, "texture_region_size", Vector2i(tileset.grid, tileset.grid))
	var whole := image - Vector2i(tileset.padding + tileset.grid, tileset.padding + tileset.grid)
	var count := (whole / pitch + Vector2i.ONE) if whole.x >= 0 and whole.y >= 0 else Vector2i.ZERO
	count = count.clamp(Vector2i.ZERO, Vector2i(tileset.columns, tileset.rows))
	_fill(file, source, count)
	_counts[[grid, name]] = count
	var origin := Vector2i.ONE * floori((grid - tileset.grid) / 2.0)
	facts.tiles(name, source, tileset, origin)
	_numbers[[grid, name]] = file.number(name)


## The placeholder of a missing image, made again only if its size changes.
func _stand_in(file: TileSetFile, source: TileSetAtlasSource, size: Vector2i) -> Texture2D:
	var known := source.texture as GradientTexture2D
	var wanted := size.clamp(Vector2i.ONE, Vector2i.ONE * Placeholder.MAX)
	if known == null or Vector2i(known.get_size()) != wanted:
		source.texture = Placeholder.texture(wanted)
		file.changed = true
	return source.texture


## One tile per value, in its colour, to show the value in the editor.
func _add_values(file: TileSetFile, facts: TileFacts, layer: Definitions.Layer) -> void:
	var name := _name_of_values(layer)
	var source := _source(file, name, layer.uid)
	source.resource_name = layer.name + " values"
	# The values of other projects with this TileSet keep their tiles.
	var colors: PackedColorArray = source.get_meta("colors", PackedColorArray())
	var most := colors.size() - 1
	for value: int in layer.values:
		if value <= Definitions.MAX_VALUE:
			most = maxi(most, value)
	var side := clampi(floori(MAX_ATLAS / float(most + 1)), 1, layer.grid)
	colors.resize(most + 1)
	for value: int in layer.values:
		if value <= most:
			var known: Definitions.GridValue = layer.values[value]
			colors[value] = known.color
	var looks := "%d %s" % [side, colors]
	if source.get_meta("looks", "") != looks:
		source.texture = _stripes(colors, side)
		source.set_meta("looks", looks)
		source.set_meta("colors", colors)
		file.changed = true
	file.put(source, "texture_region_size", Vector2i(side, side))
	for value: int in layer.values:
		if value <= most and not source.has_tile(Vector2i(value, 0)):
			source.create_tile(Vector2i(value, 0))
			file.changed = true
	facts.values(name, source, layer)
	for value: int in layer.values:
		var known: Definitions.GridValue = layer.values[value]
		for use: ValueTable.Use in _table.uses(layer.name, TileFacts.names_of(value, known)):
			if use.kind == "terrain":
				var place := _terrain(file, use.terrain, known.color)
				_terrains[[layer.grid, use.terrain]] = place
	_numbers[[layer.grid, name]] = file.number(name)


func _source(file: TileSetFile, name: String, uid: int) -> TileSetAtlasSource:
	var source := file.source(name) as TileSetAtlasSource
	if source == null:
		source = TileSetAtlasSource.new()
		file.add_source(name, source, uid if uid <= MAX_SOURCE else -1)
	return source


## Creates all tiles inside the image, and removes others. Godot sorts the tiles by column after
## each, which takes less than half the time if they come in this order.
func _fill(file: TileSetFile, source: TileSetAtlasSource, count: Vector2i) -> void:
	for index: int in range(source.get_tiles_count() - 1, -1, -1):
		var at := source.get_tile_id(index)
		if at.x >= count.x or at.y >= count.y:
			source.remove_tile(at)
			file.changed = true
	for x: int in count.x:
		for y: int in count.y:
			if source.get_tile_at_coords(Vector2i(x, y)) == Vector2i(-1, -1):
				source.create_tile(Vector2i(x, y))
				file.changed = true


## A terrain of the TileSet by name; created if necessary. Its tiles are chosen in the editor.
func _terrain(file: TileSetFile, name: String, color: Color) -> Vector2i:
	var tile_set := file.tile_set
	for terrains: int in tile_set.get_terrain_sets_count():
		for index: int in tile_set.get_terrains_count(terrains):
			if tile_set.get_terrain_name(terrains, index) == name:
				return Vector2i(terrains, index)
	var made := file.terrain_set("LDtk", TileSet.TERRAIN_MODE_MATCH_CORNERS_AND_SIDES, 0)
	tile_set.add_terrain(made)
	var last := tile_set.get_terrains_count(made) - 1
	tile_set.set_terrain_name(made, last, name)
	tile_set.set_terrain_color(made, last, color)
	file.changed = true
	return Vector2i(made, last)


func _stripes(colors: PackedColorArray, side: int) -> Texture2D:
	var gradient := Gradient.new()
	gradient.interpolation_mode = Gradient.GRADIENT_INTERPOLATE_CONSTANT
	var offsets: PackedFloat32Array = []
	for index: int in colors.size():
		offsets.append(index / float(colors.size()))
	gradient.offsets = offsets
	gradient.colors = colors
	var texture := GradientTexture2D.new()
	texture.width = side * colors.size()
	texture.height = side
	texture.gradient = gradient
	return texture
