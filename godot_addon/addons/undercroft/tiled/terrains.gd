extends RefCounted
## Wang sets as terrain sets of the TileSet.
##
## A wang id has a colour for each side and corner, clockwise from the top. Godot has a terrain for
## each, and one for the tile itself: its most frequent colour. In Godot, a tile is in one terrain
## set, so the first wang set that contains it wins.

const Fields := preload("../import/fields.gd")
const Lookup := preload("lookup.gd")
const TileSetFile := preload("../import/tileset_file.gd")
const Tileset := preload("tileset.gd")

const MAX_SETS := 100
const MAX_COLORS := 254
const _MODES := {
	"corner": TileSet.TERRAIN_MODE_MATCH_CORNERS,
	"edge": TileSet.TERRAIN_MODE_MATCH_SIDES,
	"mixed": TileSet.TERRAIN_MODE_MATCH_CORNERS_AND_SIDES,
}
const _SQUARE: Array[TileSet.CellNeighbor] = [
	TileSet.CELL_NEIGHBOR_TOP_SIDE,
	TileSet.CELL_NEIGHBOR_TOP_RIGHT_CORNER,
	TileSet.CELL_NEIGHBOR_RIGHT_SIDE,
	TileSet.CELL_NEIGHBOR_BOTTOM_RIGHT_CORNER,
	TileSet.CELL_NEIGHBOR_BOTTOM_SIDE,
	TileSet.CELL_NEIGHBOR_BOTTOM_LEFT_CORNER,
	TileSet.CELL_NEIGHBOR_LEFT_SIDE,
	TileSet.CELL_NEIGHBOR_TOP_LEFT_CORNER,
]
# "Up" in an isometric Tiled map is up and to the right on the screen.
const _DIAMOND: Array[TileSet.CellNeighbor] = [
	TileSet.CELL_NEIGHBOR_TOP_RIGHT_SIDE,
	TileSet.CELL_NEIGHBOR_RIGHT_CORNER,
	TileSet.CELL_NEIGHBOR_BOTTOM_RIGHT_SIDE,
	TileSet.CELL_NEIGHBOR_BOTTOM_CORNER,
	TileSet.CELL_NEIGHBOR_BOTTOM_LEFT_SIDE,
	TileSet.CELL_NEIGHBOR_LEFT_CORNER,
	TileSet.CELL_NEIGHBOR_TOP_LEFT_SIDE,
	TileSet.CELL_NEIGHBOR_TOP_CORNER,
]


## Adds the wang sets of a tileset, and gives its tiles their terrains.
static func add(tileset: Tileset, lookup: Lookup, file: TileSetFile) -> void:
	var shape := file.tile_set.tile_shape
	var neighbors := _DIAMOND if shape == TileSet.TILE_SHAPE_ISOMETRIC else _SQUARE
	var sets := tileset.fields.subs("wangsets", MAX_SETS)
	if sets and shape == TileSet.TILE_SHAPE_HEXAGON:
		tileset.fields.warn("wangsets", "wang sets of hexagonal tiles cannot become terrains")
		return
	var taken: Dictionary = {}
	for entry: Fields in sets:
		var type := entry.choice("type", ["corner", "edge", "mixed"], "mixed")
		var colors := entry.subs("colors", MAX_COLORS)
		var name := "%s %s" % [tileset.key, entry.text("name", entry.place)]
		var mode: TileSet.TerrainMode = _MODES[type]
		var index := file.terrain_set(name, mode, colors.size())
		for number: int in colors.size():
			_name_terrain(file, index, number, colors[number], name)
		for tile: Fields in entry.subs("wangtiles", Tileset.MAX_TILES):
			if tile.problem.found:
				return
			var id := tile.integer("tileid", 0, Tileset.MAX_ID, 0)
			var wang := _wang_id(tile, colors.size(), type)
			if taken.has(id) and taken[id] != index:
				entry.warn("", "tiles that are in several wang sets have the terrains of the first")
			elif lookup.has(id) and wang:
				taken[id] = index
				var data := lookup.tile_data(id, file.tile_set)
				_give(file, data, "%s %d terrain" % [tileset.key, id], index, wang, neighbors)


static func _name_terrain(
	file: TileSetFile, index: int, number: int, color: Fields, name: String
) -> void:
	var tiles := file.tile_set
	var thing := "%s terrain %d" % [name, number]
	var wanted := color.text("name", "")
	if file.may_write(thing, tiles.get_terrain_name(index, number), wanted, ""):
		tiles.set_terrain_name(index, number, wanted)
	var tint := color.color("color", Color.WHITE)
	if file.may_write(thing + " color", tiles.get_terrain_color(index, number), tint, Color()):
		tiles.set_terrain_color(index, number, tint)


## The colours of the sides and corners that count in a set of this type.
static func _wang_id(tile: Fields, colors: int, type: String) -> PackedInt32Array:
	var found := PackedInt32Array()
	for value: Variant in tile.array("wangid", 64):
		var color: float = value if value is float else -1.0
		if color < 0 or color > colors or color != floorf(color):
			tile.bad("wangid", "%s is not a colour of the set" % Fields.shown(value))
			return PackedInt32Array()
		var is_corner := found.size() % 2 == 1
		var counts := type == "mixed" or is_corner == (type == "corner")
		found.append(int(color) if counts else 0)
	if found.size() != 8:
		tile.bad("wangid", "has %d colours; 8 are needed" % found.size())
		return PackedInt32Array()
	return found


static func _give(
	file: TileSetFile,
	data: TileData,
	name: String,
	index: int,
	wang: PackedInt32Array,
	neighbors: Array[TileSet.CellNeighbor]
) -> void:
	var current := PackedInt32Array([data.terrain_set, data.terrain])
	var wanted := PackedInt32Array([index, _main_color(wang) - 1])
	for place: int in 8:
		var side := neighbors[place]
		var fits := data.terrain_set == index and data.is_valid_terrain_peering_bit(side)
		current.append(data.get_terrain_peering_bit(side) if fits else -1)
		wanted.append(wang[place] - 1)
	if not file.may_write(name, current, wanted, _nothing()):
		return
	data.terrain_set = index
	data.terrain = wanted[1]
	for place: int in 8:
		if data.is_valid_terrain_peering_bit(neighbors[place]):
			data.set_terrain_peering_bit(neighbors[place], wang[place] - 1)


static func _nothing() -> PackedInt32Array:
	var nothing := PackedInt32Array()
	nothing.resize(10)
	nothing.fill(-1)
	return nothing


static func _main_color(wang: PackedInt32Array) -> int:
	var best := 0
	for color: int in wang:
		if color and (best == 0 or wang.count(color) > wang.count(best)):
			best = color
	return best
