# Paints with the autotiles, as a designer would, and tells which tiles they chose.
extends SceneTree

const Plain := preload("plain.gd")


# Each order is {tile: its name, cells}.
func _init() -> void:
	var arguments := Plain.arguments()
	var tiles: TileSet = load(arguments[0])
	var answers := []
	for order in Plain.read(arguments[1]):
		var map := TileMap.new()
		map.tile_set = tiles
		for cell in order["cells"]:
			map.set_cell(cell[0], cell[1], tiles.find_tile_by_name(order["tile"]))
		map.update_bitmask_region()
		var painted := []
		for cell in map.get_used_cells():
			painted.append([cell, map.get_cell_autotile_coord(cell.x, cell.y)])
		answers.append(painted)
		map.free()
	Plain.answer(arguments[2], answers)
	quit()
