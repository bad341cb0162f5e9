class_name UndercroftMinimap
extends Control
## A map of the rooms that were entered, and, in outline, of those beside them. Secret rooms are
## not on it until somebody was in them.

const MinimapIcons := preload("minimap_icons.gd")

## Px of the map a tile of the level.
@export var scale_px := 0.8
@export var icon_px := 5.0
@export var room_colour := Color("565577")
@export var current_colour := Color("929ab3")
@export var unseen_colour := Color("2f2b47")
@export var hallway_colour := Color("565577")
@export var edge_colour := Color("14111f")
@export var back_colour := Color(0.08, 0.07, 0.12, 0.7)
## Curses of the level that hide the map.
@export var hiding_curses: PackedStringArray = ["lost"]

## A texture for each kind of room; put your own in.
var icons: Dictionary = MinimapIcons.textures()

var _level: UndercroftLevel
var _middle := Vector2()
# A polyline a room and the rectangles of a hallway, in tiles: made once, drawn often.
var _rings: Array[PackedVector2Array] = []
var _icon_places: PackedVector2Array = []


## Shows a level from now on.
func show_level(level: UndercroftLevel) -> void:
	_level = level
	_rings.clear()
	_icon_places.clear()
	for room: UndercroftRoom in level.plan.rooms:
		_rings.append(room.outline[0] if room.outline else PackedVector2Array())
		_icon_places.append(_icon_place(room))
	visible = not str(level.plan.facts.get("curse", "none")) in hiding_curses
	level.room_entered.connect(_changed.unbind(1))
	level.door_opened.connect(_changed.unbind(1))
	_changed()


## Whether a room is on the map: entered, or beside one that was.
func shows(room: UndercroftRoom) -> bool:
	if _level == null or room.visited:
		return _level != null
	if room.is_secret():
		return false
	for neighbour: UndercroftRoom in _level.neighbours(room):
		if neighbour.visited:
			return true
	return false


func _changed() -> void:
	if _level.room:
		_middle = Vector2(_level.room.bounds.get_center())
	queue_redraw()


func _draw() -> void:
	draw_rect(Rect2(Vector2(), size), back_colour)
	if _level == null:
		return
	clip_contents = true
	draw_set_transform(size / 2.0 - _middle * scale_px, 0.0, Vector2.ONE * scale_px)
	for hallway: UndercroftHallway in _level.plan.hallways:
		if _is_known(hallway):
			for tile: Vector2i in hallway.tiles:
				draw_rect(Rect2(tile, Vector2.ONE), hallway_colour)
	for room: UndercroftRoom in _level.plan.rooms:
		if shows(room):
			_draw_room(room)
	draw_set_transform(Vector2())
	for room: UndercroftRoom in _level.plan.rooms:
		if shows(room) and icons.has(room.kind):
			var place := size / 2.0 + (_icon_places[room.id] - _middle) * scale_px
			var icon: Texture2D = icons[room.kind]
			var corner := (place - Vector2.ONE * icon_px / 2.0).round()
			draw_texture_rect(icon, Rect2(corner, Vector2.ONE * icon_px), false)


func _draw_room(room: UndercroftRoom) -> void:
	var ring := _rings[room.id]
	if ring.size() < 3:
		return
	var colour := room_colour if room.visited else unseen_colour
	draw_colored_polygon(ring, current_colour if room == _level.room else colour)
	var closed := ring.duplicate()
	closed.append(ring[0])
	draw_polyline(closed, edge_colour, 1.0 / scale_px)


func _is_known(hallway: UndercroftHallway) -> bool:
	return hallway.rooms.any(func(room: UndercroftRoom) -> bool: return room.visited)


# The middle of the bounds, or of the first cell of a room that is no rectangle: an L's middle may
# be in its notch.
func _icon_place(room: UndercroftRoom) -> Vector2:
	var middle := Vector2(room.bounds.get_center())
	if _level.plan.room_at_tile(Vector2i(middle)) == room:
		return middle
	for y: int in range(room.bounds.position.y, room.bounds.end.y):
		for x: int in range(room.bounds.position.x, room.bounds.end.x):
			if _level.plan.room_at_tile(Vector2i(x, y)) == room:
				return Vector2(x, y) + Vector2(7, 4)
	return middle
