extends RefCounted
## Assigns tiles to rooms and hallways, by the values of the layer Terrain.

const Definitions := preload("definitions.gd")
const Project := preload("project.gd")

const LAYER := "Terrain"
const HALLWAY := "hallway"
const DOOR := "door"
const SECRET_DOOR := "door_secret"
## Values that do not belong to a room's inside.
const STONE: Array[String] = ["wall", "wall_west_end", "wall_east_end", "stone", HALLWAY]

const _STEPS: Array[Vector2i] = [Vector2i.RIGHT, Vector2i.LEFT, Vector2i.DOWN, Vector2i.UP]

## The tiles that bodies can walk on or fly over, by level; and those of all hallways.
var _inside: Dictionary = {}
var _halls: Dictionary = {}
# Names by value.
var _names: Dictionary = {}
# The layer of the last level read.
var _values: TileMapLayer


func _init(project: Project) -> void:
	for layer: Definitions.Layer in project.definitions.layers.values():
		if layer.name == LAYER:
			for value: int in layer.values:
				var known: Definitions.GridValue = layer.values[value]
				_names[value] = known.plain_name


## Turns the cells of a secret door into normal door cells, so that only the door's body stops
## others. [param cells] are relative to the top left of the last level read.
func clear(cells: Array[Vector2i]) -> void:
	var door: Variant = _names.find_key(DOOR)
	if _values == null or not door is int:
		return
	for cell: Vector2i in cells:
		var name: String = _names.get(_values.get_cell_atlas_coords(cell).x, "")
		if name == SECRET_DOOR:
			var value: int = door
			_values.set_cell(cell, _values.get_cell_source_id(cell), Vector2i(value, 0))


## Reads the tiles of a level at a place; those of the previous level are dropped, except hallways.
func read(level: Node2D, place: Vector2i) -> void:
	_inside.clear()
	_values = level.get_node_or_null(LAYER + "/Values") as TileMapLayer
	if _values == null:
		_values = level.get_node_or_null(LAYER) as TileMapLayer
	if _values == null:
		return
	for cell: Vector2i in _values.get_used_cells():
		var name: String = _names.get(_values.get_cell_atlas_coords(cell).x, "")
		if name == HALLWAY:
			_halls[cell + place] = true
		elif name and not STONE.has(name):
			_inside[cell + place] = true


## The grid cells in a room's bounds that the room covers.
func cells(bounds: Rect2i, grid: Vector2i) -> Array[Vector2i]:
	var found: Dictionary = {}
	for tile: Vector2i in _inside:
		if bounds.has_point(tile):
			found[Vector2i((Vector2(tile) / Vector2(grid)).floor())] = true
	var covered: Array[Vector2i] = []
	covered.assign(found.keys())
	covered.sort_custom(_by_rows)
	return covered


## A room's tiles: its inside, the wall around it, and the stone that it encloses.
func around(bounds: Rect2i) -> Array[Vector2i]:
	var found := _enclosed(bounds)
	for tile: Vector2i in _inside:
		if bounds.has_point(tile):
			for y: int in range(tile.y - 1, tile.y + 2):
				for x: int in range(tile.x - 1, tile.x + 2):
					var beside := Vector2i(x, y)
					if bounds.has_point(beside):
						found[beside] = true
	var tiles: Array[Vector2i] = []
	tiles.assign(found.keys())
	return tiles


## The stone that is not connected through stone to the border of the bounds, as keys.
func _enclosed(bounds: Rect2i) -> Dictionary:
	var stone: Dictionary = {}
	var queue: Array[Vector2i] = []
	var within := bounds.grow(-1)
	for y: int in range(bounds.position.y, bounds.end.y):
		for x: int in range(bounds.position.x, bounds.end.x):
			var tile := Vector2i(x, y)
			if not _inside.has(tile):
				if within.has_point(tile):
					stone[tile] = true
				else:
					queue.append(tile)
	var next := 0
	while next < queue.size():
		var tile := queue[next]
		next += 1
		for step: Vector2i in _STEPS:
			if stone.erase(tile + step):
				queue.append(tile + step)
	return stone


## The tiles of each hallway, by its number: those nearer to its doors, given in [param starts],
## than to the doors of any other hallway.
func hallways(starts: Dictionary) -> Dictionary:
	var found: Dictionary = {}
	var owners: Dictionary = {}
	var queue: Array[Vector2i] = []
	for hallway: int in starts:
		found[hallway] = [] as Array[Vector2i]
		for tile: Vector2i in starts[hallway]:
			owners[tile] = hallway
			queue.append(tile)
	var next := 0
	while next < queue.size():
		var tile := queue[next]
		next += 1
		for step: Vector2i in _STEPS:
			var beside := tile + step
			if _halls.has(beside) and not owners.has(beside):
				owners[beside] = owners[tile]
				queue.append(beside)
				var tiles: Array[Vector2i] = found[owners[tile]]
				tiles.append(beside)
	return found


## Rectangles that cover the tiles without overlap.
static func rects(tiles: Array[Vector2i]) -> Array[Rect2i]:
	var sorted: Array[Vector2i] = tiles.duplicate()
	sorted.sort_custom(_by_rows)
	var found: Array[Rect2i] = []
	# The rectangle that ends in the row above, by its first tile there.
	var open: Dictionary = {}
	var at := 0
	while at < sorted.size():
		var first := sorted[at]
		var width := 1
		while at + width < sorted.size() and sorted[at + width] == first + Vector2i(width, 0):
			width += 1
		at += width
		var above: int = open.get(first + Vector2i.UP, -1)
		if above >= 0 and found[above].size.x == width:
			found[above].size.y += 1
		else:
			above = found.size()
			found.append(Rect2i(first, Vector2i(width, 1)))
		open[first] = above
	return found


static func _by_rows(a: Vector2i, b: Vector2i) -> bool:
	return a.x < b.x if a.y == b.y else a.y < b.y
