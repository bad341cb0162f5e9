extends RefCounted
## Finds ways over a level's tiles, from middle to middle, so that no body hangs at a corner.

var _grid := AStarGrid2D.new()
var _level: UndercroftLevel


## What can be walked is told by the TileSet's custom data [code]walk[/code].
func _init(level: UndercroftLevel, scene: Node2D) -> void:
	_level = level
	_grid.region = Rect2i(Vector2i(), level.plan.size)
	_grid.cell_size = Vector2.ONE * level.tile_size
	_grid.offset = _grid.cell_size / 2.0
	_grid.diagonal_mode = AStarGrid2D.DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES
	_grid.update()
	_grid.fill_solid_region(_grid.region)
	for cell: Vector2i in (scene.get_node("Ground") as TileMapLayer).get_used_cells():
		_grid.set_point_solid(cell, false)
	for layer: String in ["Ground", "Walls", "Decor"]:
		_note_solid(scene.get_node(layer) as TileMapLayer)
	for door: UndercroftDoor in level.plan.doors:
		_note_door(door)
	level.door_opened.connect(_note_door)
	level.door_shut.connect(_note_door)


## The middles of the tiles on the way between two places in px; empty where none leads.
func between(from: Vector2, to: Vector2) -> PackedVector2Array:
	var start := _level.tile_at(from)
	var end := _level.tile_at(to)
	if not _grid.is_in_boundsv(start) or not _grid.is_in_boundsv(end):
		return PackedVector2Array()
	# The first tile is the one where the body is.
	return _grid.get_point_path(start, end).slice(1)


func _note_solid(layer: TileMapLayer) -> void:
	for cell: Vector2i in layer.get_used_cells():
		if _grid.is_in_boundsv(cell) and not layer.get_cell_tile_data(cell).get_custom_data("walk"):
			_grid.set_point_solid(cell)


func _note_door(door: UndercroftDoor) -> void:
	for tile: Vector2i in door.tiles:
		_grid.set_point_solid(tile, not door.is_open)
