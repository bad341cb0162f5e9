extends RefCounted
## Decodes the tile layers of a map: first all gids, to find flipped tiles, then the cells.

const Cells := preload("cells.gd")
const Fields := preload("../import/fields.gd")
const Grid := preload("grid.gd")
const LayerData := preload("layer_data.gd")
const Lookup := preload("lookup.gd")
const Tileset := preload("tileset.gd")

const MAX_CHUNKS := 1_000_000
const MAX_USED := 1 << 20
## The most tiles of all layers together: 2^27 take 512 MB.
const MAX_TILES := 1 << 27

## The gids of all layers with their flip bits, as a set; only the first [constant MAX_USED].
var used: Dictionary = {}
## The source of the placeholder for gids that are in no tileset, or -1.
var missing := -1

# By the layer's place in the file: arrays of gids, corner, width.
var _parts: Dictionary = {}
var _tiles := 0


## Decodes the layers of a map or group.
func read(above: Fields, grid: Grid, depth: int = 0) -> void:
	for layer: Fields in above.subs("layers", 10_000):
		var type := layer.text("type", "")
		if type == "group" and depth < 64:
			read(layer, grid, depth + 1)
		elif type == "tilelayer":
			_read_layer(layer, grid)
		if above.problem.found:
			return


## Sets the cells of a node from a layer that was read. Godot draws column by column, Tiled row by
## row, so the node must sort tiles that overlap.
func give(layer: Fields, node: TileMapLayer, lookups: Array[Lookup], grid: Grid) -> void:
	var cells := Cells.new(layer, lookups, missing, grid)
	var parts: Array = _parts.get(layer.place, [])
	for part: Array in parts:
		var gids: PackedInt32Array = part[0]
		var corner: Vector2i = part[1]
		var width: int = part[2]
		cells.add(gids, corner, width)
	_parts.erase(layer.place)
	var data := cells.data()
	if data:
		node.tile_map_data = data
	node.y_sort_enabled = cells.overlaps
	node.position = grid.shift
	if cells.half != Vector2.INF:
		node.position += cells.half


func _read_layer(layer: Fields, grid: Grid) -> void:
	if not layer.has("chunks"):
		if layer.has("data") or not grid.infinite:
			var width := layer.integer("width", 0, Grid.MAX_CELLS, grid.size.x)
			var height := layer.integer("height", 0, Grid.MAX_CELLS, grid.size.y)
			_read_part(layer, layer, Vector2i.ZERO, Vector2i(width, height))
		return
	for chunk: Fields in layer.subs("chunks", MAX_CHUNKS):
		var most := Grid.MAX_CELLS
		var corner := Vector2i(
			chunk.integer("x", -most - 1, most, 0), chunk.integer("y", -most - 1, most, 0)
		)
		var size := Vector2i(
			chunk.integer("width", 0, most, 0), chunk.integer("height", 0, most, 0)
		)
		_read_part(chunk, layer, corner, size)
		if layer.problem.found:
			return


func _read_part(part: Fields, layer: Fields, corner: Vector2i, size: Vector2i) -> void:
	if _tiles + size.x * size.y > MAX_TILES:
		part.bad("data", "the map has more than %d tiles" % MAX_TILES)
		return
	_tiles += size.x * size.y
	var gids := LayerData.gids(part, layer, size.x * size.y)
	if gids:
		gids.resize(ceili(gids.size() / float(size.x)) * size.x)
	var last := 0
	for gid: int in gids:
		if gid != last and gid & Tileset.MAX_GID and used.size() < MAX_USED:
			used[gid] = true
			last = gid
	var parts: Array = _parts.get_or_add(layer.place, [])
	parts.append([gids, corner, size.x])
