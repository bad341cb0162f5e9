@tool
extends Control
## The rooms of the edited level, drawn in the dock. The room under the mouse is lit.

signal pointed(room: UndercroftRoom)
signal picked(room: UndercroftRoom)

const EditedLevel := preload("edited_level.gd")

const _HEIGHT := 220
const _BACKGROUND := Color("#0d0b14")
const _HALLWAY := Color("#4a4560")
const _DARK := 0.55
const _ICON := 11

## The ids of pinned rooms.
var pins: PackedInt32Array = []

var _level: EditedLevel
var _room: UndercroftRoom
# What one tile is on the control, and where the level begins.
var _scale := 1.0
var _origin := Vector2()


func _init() -> void:
	name = "RoomMap"
	clip_contents = true
	texture_filter = TEXTURE_FILTER_NEAREST
	mouse_exited.connect(_point.bind(null))


func _ready() -> void:
	custom_minimum_size.y = _HEIGHT * EditorInterface.get_editor_scale()


func show_level(level: EditedLevel) -> void:
	_level = level
	_room = null
	queue_redraw()


func place_of(room: UndercroftRoom) -> Vector2:
	return _origin + Vector2(room.bounds.get_center()) * _scale


func _gui_input(event: InputEvent) -> void:
	if _level == null or not event is InputEventMouse:
		return
	var tile := Vector2i((((event as InputEventMouse).position - _origin) / _scale).floor())
	_point(_level.plan.room_at_tile(tile))
	var button := event as InputEventMouseButton
	if button and button.pressed and _room:
		picked.emit(_room)
		accept_event()


func _point(room: UndercroftRoom) -> void:
	if room != _room:
		_room = room
		pointed.emit(room)
		queue_redraw()


func _draw() -> void:
	draw_rect(Rect2(Vector2(), size), _BACKGROUND)
	if _level == null:
		return
	var used := _used()
	_scale = minf(size.x / maxi(used.size.x, 1), size.y / maxi(used.size.y, 1))
	_origin = (size - Vector2(used.size) * _scale) / 2.0 - Vector2(used.position) * _scale
	for hallway: UndercroftHallway in _level.plan.hallways:
		for tile: Vector2i in hallway.tiles:
			draw_rect(Rect2(_origin + Vector2(tile) * _scale, Vector2.ONE * _scale), _HALLWAY)
	for room: UndercroftRoom in _level.plan.rooms:
		_draw_room(room)


func _used() -> Rect2i:
	var used := _level.plan.rooms[0].bounds
	for room: UndercroftRoom in _level.plan.rooms:
		used = used.merge(room.bounds)
	return used.grow(1)


func _draw_room(room: UndercroftRoom) -> void:
	var colour := EditedLevel.room_colour(room)
	for ring: PackedVector2Array in room.outline:
		var points: PackedVector2Array = []
		for corner: Vector2 in ring:
			points.append(_origin + corner * _scale)
		if Geometry2D.triangulate_polygon(points):
			draw_colored_polygon(points, colour if room == _room else colour.darkened(_DARK))
		points.append(points[0])
		draw_polyline(points, Color.WHITE if room.id in pins else _BACKGROUND, 2.0)
	var icon := EditedLevel.room_sign(room)
	var side := minf(_ICON * 2.0, minf(room.bounds.size.x, room.bounds.size.y) * _scale)
	if icon and side >= _ICON / 2.0:
		draw_texture_rect(
			icon, Rect2(place_of(room) - Vector2.ONE * side / 2.0, Vector2.ONE * side), false
		)
	if room.id in pins:
		var pin := get_theme_icon("Pin", "EditorIcons")
		draw_texture(pin, _origin + Vector2(room.bounds.position) * _scale)
