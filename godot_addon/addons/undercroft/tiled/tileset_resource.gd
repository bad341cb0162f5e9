extends RefCounted
## Builds a TileSet from a Tiled tileset without a map.

const Dependencies := preload("../import/dependencies.gd")
const Grid := preload("grid.gd")
const Placeholders := preload("placeholders.gd")
const Problem := preload("../runtime/problem.gd")
const TiledFile := preload("tiled_file.gd")
const TileSetFile := preload("../import/tileset_file.gd")
const Tileset := preload("tileset.gd")
const TilesetBuilder := preload("tileset_builder.gd")


static func build(
	source: String, options: Dictionary, dependencies: Dependencies, problem: Problem
) -> TileSet:
	var file := TiledFile.new(source, options, dependencies, problem)
	if problem.found:
		return null
	if file.root.text("type", "") != "tileset":
		file.root.refuse("type", "is not a tileset")
		return null
	var tileset := Tileset.read(file.root, 1)
	var grid := Grid.new()
	grid.cell = tileset.tile_size.max(Vector2i.ONE)
	grid.godot_cell = grid.cell
	if not problem.found and file.root.has("grid"):
		var own := file.root.sub("grid")
		if own.text("orientation", "orthogonal") == "isometric":
			grid.shape = TileSet.TILE_SHAPE_ISOMETRIC
			grid.layout = TileSet.TILE_LAYOUT_DIAMOND_DOWN
			grid.cell.x = own.integer("width", 1, Tileset.MAX_PX, grid.cell.x)
			grid.cell.y = own.integer("height", 1, Tileset.MAX_PX, grid.cell.y)
			grid.godot_cell = grid.cell
	if problem.found:
		return null
	var made := TileSetFile.in_memory()
	grid.apply(made.tile_set)
	var builder := TilesetBuilder.new(made, grid, file.types, options, Placeholders.new())
	builder.build(tileset, Tileset.MAX_GID + 1)
	return null if problem.found else made.tile_set
