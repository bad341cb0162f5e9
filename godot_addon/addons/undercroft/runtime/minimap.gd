class_name UndercroftMinimap
extends Control
## A map of the rooms that the player has entered, with outlines of the adjacent rooms. Secret rooms
## appear once the player has been in them.

const MinimapIcons := preload("minimap_icons.gd")
const SceneTiles := preload("scene_tiles.gd")

## Px of the map per tile of the level.
@export var scale_px := 2.0
@export var icon_px := 10.0
@export var room_colour := Color("6f6e99")
@export var current_colour := Color("a9b2cc")
@export var unseen_colour := Color("45406a")
@export var hallway_colour := Color("6f6e99")
@export var edge_colour := Color("14111f")
@export var back_colour := Color(0.08, 0.07, 0.12, 0.85)
## Curses of the level that hide the map.
@export var hiding_curses: PackedStringArray = ["lost"]

## A texture for each kind of room, or null for no icon; you can replace them.
var icons: Dictionary = MinimapIcons.textures()
## The icon of kinds without an entry in [member icons], or null.
var other_icon: Texture2D = MinimapIcons.other()
## The icons of keys not taken yet, and of locks; drawn in the colours of [member key_colours].
var key_icon: Texture2D = MinimapIcons.key()
var lock_icon: Texture2D = MinimapIcons.lock()
## A colour for each key, by name.
var key_colours: Dictionary = {}

var _level: UndercroftLevel
var _middle := Vector2()
# The initial [member icons]: a kit's icon overrides these, and a game's overrides both.
var _usual_icons: Dictionary = icons.duplicate()
# The icons of rooms with a kit's own kinds, by room.
var _own_icons: Dictionary = {}
# One polyline per room, and the rectangles of hallways, in tiles: made once, drawn often.
var _rings: Array[PackedVector2Array] = []
var _icon_places: PackedVector2Array = []


## Shows a level.
func show_level(level: UndercroftLevel) -> void:
	_level = level
	_rings.clear()
	_icon_places.clear()
	_own_icons.clear()
	for room: UndercroftRoom in level.plan.rooms:
		_rings.append(room.outline[0] if room.outline else PackedVector2Array())
		_icon_places.append(_icon_place(room))
		if room.has_icon and icons.get(room.kind) == _usual_icons.get(room.kind):
			_own_icons[room.id] = _own_icon(room)
	visible = not str(level.plan.facts.get("curse", "none")) in hiding_curses
	level.room_entered.connect(_changed.unbind(1))
	level.door_opened.connect(_changed.unbind(1))
	level.key_given.connect(_changed.unbind(2))
	key_colours = MinimapIcons.key_colours(level.plan)
	_changed()


## Whether a room is on the map: it was entered, or is adjacent to one that was.
func shows(room: UndercroftRoom) -> bool:
	if _level == null or room.visited:
		return _level != null
	if room.is_secret():
		return false
	for neighbour: UndercroftRoom in _level.neighbours(room):
		if neighbour.visited:
			return true
	return false


## The icon of a room, or null.
func icon_of(room: UndercroftRoom) -> Texture2D:
	return _own_icons.get(room.id, icons.get(room.kind, other_icon))


func _own_icon(room: UndercroftRoom) -> Texture2D:
	var tile := SceneTiles.tile_of(_level, room.icon_tile)
	return tile if tile else MinimapIcons.named(room.icon)


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
		var icon := icon_of(room)
		if icon and shows(room):
			_draw_icon(icon, _icon_places[room.id], Color.WHITE)
	_draw_keys()


# The keys in entered rooms, and the locks of their doors.
func _draw_keys() -> void:
	for marker: UndercroftMarker in _level.plan.markers:
		if marker.kind == "key" and not marker.taken and marker.room and marker.room.visited:
			var colour: Color = key_colours.get(marker.text("opens"), Color.WHITE)
			_draw_icon(key_icon, Vector2(marker.tile) + Vector2(0.5, 0.5), colour)
	for door: UndercroftDoor in _level.plan.doors:
		if door.is_locked and door.is_barred and _is_seen(door):
			var colour: Color = key_colours.get(door.needs[0], Color.WHITE)
			var place := _level.middle_of_door(door) / _level.tile_size
			_draw_icon(lock_icon, place, colour)


static func _is_seen(door: UndercroftDoor) -> bool:
	var beside := door.rooms
	if door.hallway:
		beside += door.hallway.rooms
	return beside.any(func(room: UndercroftRoom) -> bool: return room.visited)


# Draws an icon at a place in the level, in tiles.
func _draw_icon(icon: Texture2D, at: Vector2, colour: Color) -> void:
	var place := size / 2.0 + (at - _middle) * scale_px
	var corner := (place - Vector2.ONE * icon_px / 2.0).round()
	draw_texture_rect(icon, Rect2(corner, Vector2.ONE * icon_px), false, colour)


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


# The centre of the bounds, or, if the room is not a rectangle, of its first cell: the centre of an
# L may be in its notch.
func _icon_place(room: UndercroftRoom) -> Vector2:
	var middle := Vector2(room.bounds.get_center())
	if _level.plan.room_at_tile(Vector2i(middle)) == room:
		return middle
	for y: int in range(room.bounds.position.y, room.bounds.end.y):
		for x: int in range(room.bounds.position.x, room.bounds.end.x):
			if _level.plan.room_at_tile(Vector2i(x, y)) == room:
				return Vector2(x, y) + Vector2(7, 4)
	return middle
