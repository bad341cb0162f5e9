## Paints with the terrain brush, as a designer would, and tells which tiles it chose.
extends SceneTree

const Plain := preload("plain.gd")


func _initialize() -> void:
	var arguments := Plain.arguments()
	var orders: Array = Plain.read(arguments[1])
	var answers: Array = []
	for order: Dictionary in orders:
		var layer := TileMapLayer.new()
		layer.tile_set = load(arguments[0])
		var cells: Array[Vector2i] = []
		for cell: Array in order["cells"]:
			cells.append(Vector2i(cell[0], cell[1]))
		layer.set_cells_terrain_connect(cells, order["terrain_set"], order["terrain"])
		var painted: Array = []
		for cell: Vector2i in layer.get_used_cells():
			painted.append([cell, layer.get_cell_atlas_coords(cell)])
		answers.append(painted)
		layer.free()
	Plain.answer(arguments[2], answers)
	quit()
