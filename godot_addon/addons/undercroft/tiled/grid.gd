extends RefCounted
## A map's grid: how Tiled's cells and px become Godot's, in each orientation.
##
## Cells keep their coordinates. A layer is moved so that the centre of its cell (0, 0) is where
## Tiled has it. Objects of isometric maps, which Tiled stores in px of an unprojected map, are
## projected.

const Fields := preload("../import/fields.gd")
const Grid := preload("grid.gd")
const Tileset := preload("tileset.gd")

const ORIENTATIONS: Array[String] = ["orthogonal", "isometric", "staggered", "hexagonal"]
const MAX_CELLS := 32767

var orientation := "orthogonal"
## The size of a cell in Tiled, in px.
var cell := Vector2i.ONE
var size := Vector2i.ZERO
var infinite := false
## For Godot's TileSet: shape, layout, axis and cell size.
var shape := TileSet.TILE_SHAPE_SQUARE
var layout := TileSet.TILE_LAYOUT_STACKED
var axis := TileSet.TILE_OFFSET_AXIS_HORIZONTAL
var godot_cell := Vector2i.ONE
## The offset of layers.
var shift := Vector2.ZERO
var draws_leftwards := false


static func read(map: Fields) -> Grid:
	var grid := Grid.new()
	if map.text("orientation", "") == "oblique":
		map.bad("orientation", "oblique maps are drawn without their skew")
	else:
		grid.orientation = map.choice("orientation", ORIENTATIONS, "orthogonal")
	grid.cell.x = map.integer("tilewidth", 1, Tileset.MAX_PX, 0)
	grid.cell.y = map.integer("tileheight", 1, Tileset.MAX_PX, 0)
	if not grid.cell.x or not grid.cell.y:
		map.refuse("tilewidth", "a map needs a tilewidth and a tileheight of 1 px or more")
		return grid
	grid.infinite = map.boolean("infinite", false)
	grid.size.x = map.integer("width", 0, MAX_CELLS, 0)
	grid.size.y = map.integer("height", 0, MAX_CELLS, 0)
	grid.draws_leftwards = map.text("renderorder", "right-down").begins_with("left")
	grid.godot_cell = grid.cell
	match grid.orientation:
		"isometric":
			grid.shape = TileSet.TILE_SHAPE_ISOMETRIC
			grid.layout = TileSet.TILE_LAYOUT_DIAMOND_DOWN
		"staggered", "hexagonal":
			grid._stagger(map)
	grid._find_shift()
	return grid


func is_projected() -> bool:
	return orientation == "isometric"


func is_staggered() -> bool:
	return orientation == "staggered" or orientation == "hexagonal"


## The place of an object's point, in px of the scene.
func px(at: Vector2) -> Vector2:
	if not is_projected():
		return at
	var tile := at / cell.y
	var left := 0.0 if infinite else size.y * cell.x / 2.0
	return Vector2((tile.x - tile.y) * cell.x / 2.0 + left, (tile.x + tile.y) * cell.y / 2.0)


## Rows or columns shifted by half a cell. Godot's hexagons overlap by a quarter. If Tiled's have
## another shape, squares of the row height are used at the same places. Tiled halves what is left
## of a cell beside a hexagon's straight side, and leaves out a px that has no other half.
func _stagger(map: Fields) -> void:
	var along_y := map.choice("staggeraxis", ["x", "y"], "y") == "y"
	var even := map.choice("staggerindex", ["odd", "even"], "odd") == "even"
	axis = TileSet.TILE_OFFSET_AXIS_HORIZONTAL if along_y else TileSet.TILE_OFFSET_AXIS_VERTICAL
	layout = TileSet.TILE_LAYOUT_STACKED_OFFSET if even else TileSet.TILE_LAYOUT_STACKED
	var side := 0
	if orientation == "hexagonal":
		side = map.integer("hexsidelength", 0, Tileset.MAX_PX, 0)
	var sides := Vector2i(0, side) if along_y else Vector2i(side, 0)
	var slopes := (cell - sides) / 2
	cell = Vector2i(2, 2).max(slopes * 2 + sides)
	godot_cell = cell
	if orientation == "staggered":
		shape = TileSet.TILE_SHAPE_ISOMETRIC
		return
	var pitch := maxi(1, slopes.y + side if along_y else slopes.x + side)
	shape = TileSet.TILE_SHAPE_HEXAGON
	if pitch * 4 % 3 != 0:
		shape = TileSet.TILE_SHAPE_HALF_OFFSET_SQUARE
	var length := pitch if shape == TileSet.TILE_SHAPE_HALF_OFFSET_SQUARE else pitch * 4 / 3
	if along_y:
		godot_cell.y = length
	else:
		godot_cell.x = length


func _find_shift() -> void:
	if orientation == "orthogonal":
		return
	var layer := TileMapLayer.new()
	layer.tile_set = TileSet.new()
	apply(layer.tile_set)
	var middle := cell / 2.0
	if is_projected():
		middle = px(Vector2.ZERO) + Vector2(0, cell.y / 2.0)
	elif layout == TileSet.TILE_LAYOUT_STACKED_OFFSET:
		# Cell (0, 0) is a shifted one.
		var half := Vector2(cell.x / 2.0, 0)
		if axis == TileSet.TILE_OFFSET_AXIS_VERTICAL:
			half = Vector2(0, cell.y / 2.0)
		middle += half
	shift = middle - layer.map_to_local(Vector2i.ZERO)
	layer.free()


## The grid's part of a file name; empty for a plain grid with tiles of this size.
func suffix(tile_size: Vector2i) -> String:
	if shape == TileSet.TILE_SHAPE_SQUARE and godot_cell == tile_size:
		return ""
	var kind := "" if shape == TileSet.TILE_SHAPE_SQUARE else "-" + orientation
	if is_staggered():
		kind += "-x" if axis == TileSet.TILE_OFFSET_AXIS_VERTICAL else "-y"
		kind += "-even" if layout == TileSet.TILE_LAYOUT_STACKED_OFFSET else "-odd"
	return ".%dx%d%s" % [godot_cell.x, godot_cell.y, kind]


func apply(tile_set: TileSet) -> void:
	tile_set.tile_shape = shape
	tile_set.tile_layout = layout
	tile_set.tile_offset_axis = axis
	tile_set.tile_size = godot_cell


func fits(tile_set: TileSet) -> bool:
	if tile_set.tile_shape != shape or tile_set.tile_size != godot_cell:
		return false
	if shape == TileSet.TILE_SHAPE_SQUARE:
		return true
	return tile_set.tile_layout == layout and tile_set.tile_offset_axis == axis
