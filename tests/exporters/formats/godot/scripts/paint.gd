## Paints with the terrain brush, as a designer would, and tells which tiles it chose.
extends "probe.gd"

const Plain := preload("plain.gd")


## Each order is a list of strokes on one layer: {cells, terrain_set, terrain (its name)}.
func _initialize() -> void:
	var tiles: TileSet = load(arguments[0])
	var orders: Array = Plain.read(arguments[1])
	var answers: Array = []
	for strokes: Array in orders:
		var layer := TileMapLayer.new()
		layer.tile_set = tiles
		for stroke: Dictionary in strokes:
			_paint(layer, stroke)
		var painted: Array = []
		for cell: Vector2i in layer.get_used_cells():
			painted.append([cell, layer.get_cell_atlas_coords(cell)])
		answers.append(painted)
		layer.free()
	Plain.answer(arguments[2], answers)
	quit()


func _paint(layer: TileMapLayer, stroke: Dictionary) -> void:
	var cells: Array[Vector2i] = []
	for cell: Array in stroke["cells"]:
		cells.append(Vector2i(cell[0], cell[1]))
	var terrain_set: int = stroke["terrain_set"]
	var names: Array[String] = []
	for terrain: int in layer.tile_set.get_terrains_count(terrain_set):
		names.append(layer.tile_set.get_terrain_name(terrain_set, terrain))
	layer.set_cells_terrain_connect(cells, terrain_set, names.find(stroke["terrain"]))
