class_name UndercroftMinimap
extends Control
## A map of the rooms that the player has entered, with outlines of the adjacent rooms. Secret rooms
## appear once the player has been in them.

const DoorWays := preload("door_ways.gd")
const MinimapIcons := preload("minimap_icons.gd")
const SceneTiles := preload("scene_tiles.gd")

## Px of the map per tile of the level.
@export var scale_px := 2.0
@export var icon_px := 11.0
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
## Your own icons for keys not taken yet, and for locks, drawn in [member key_colours].
## Without them, each key and its locks have a sign with their own colour and shape.
var key_icon: Texture2D
var lock_icon: Texture2D
## A colour for each key, by name.
var key_colours: Dictionary = {}

var _level: UndercroftLevel
var _middle := Vector2()
var _key_numbers: Dictionary = {}
# Where signs are drawn, in tiles.
var _taken: PackedVector2Array = []
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
	_key_numbers = MinimapIcons.key_numbers(level.plan)
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
	return tile if tile else MinimapIcons.named(room.icon, room.colour)


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
		if hallway.is_seen:
			for tile: Vector2i in hallway.tiles:
				draw_rect(Rect2(tile, Vector2.ONE), hallway_colour)
	for room: UndercroftRoom in _level.plan.rooms:
		if shows(room):
			_draw_room(room)
	draw_set_transform(Vector2())
	_taken.clear()
	_draw_doors()
	_draw_keys()
	for room: UndercroftRoom in _level.plan.rooms:
		var icon := icon_of(room)
		if icon and shows(room):
			_draw_icon(icon, _beside_others(_icon_places[room.id]), Color.WHITE)


# The keys in entered rooms, and the exit that leads on in a run.
func _draw_keys() -> void:
	for marker: UndercroftMarker in _level.plan.markers:
		if marker.room == null or not marker.room.visited:
			continue
		var at := Vector2(marker.tile) + Vector2(0.5, 0.5)
		if marker.kind == "exit" and marker.text("to", "next") != "next":
			_draw_icon(MinimapIcons.way_on(), at, Color.WHITE)
		elif marker.kind == "key" and not marker.taken:
			var what := "lever" if marker.is_true("lever") else "key"
			_draw_of_key(key_icon, marker.text("opens"), at, what)


# The locks of doors beside entered rooms, and the signs of other doors there that are not open.
func _draw_doors() -> void:
	for door: UndercroftDoor in _level.plan.doors:
		if not _is_seen(door) or (door.is_hidden() and door.is_barred):
			continue
		var at := _level.middle_of_door(door) / _level.tile_size
		if door.is_locked and door.is_barred:
			var keys: Array[String] = []
			keys.assign(door.costs().keys())
			for i: int in keys.size():
				var beside := (i - (keys.size() - 1) / 2.0) * icon_px / scale_px
				_draw_of_key(lock_icon, keys[i], at + Vector2(beside, 0.0), "lock")
			continue
		var picture := _picture_of(door)
		if picture:
			_draw_icon(picture, at, Color.WHITE)


func _picture_of(door: UndercroftDoor) -> Texture2D:
	var side: Vector2 = DoorWays.OUT.get(door.side, Vector2.RIGHT)
	if door.one_way:
		return MinimapIcons.way(Vector2i(-side), false)
	if door.opens_from >= 0:
		var out := side if door.opens_from == door.room_ids[0] else -side
		return MinimapIcons.way(Vector2i(out), true) if door.is_barred else null
	return null if door.is_open else MinimapIcons.of_door(door.kind)


# Draws the sign of a key or of its lock, or the game's own icon in its colour.
func _draw_of_key(own: Texture2D, key: String, at: Vector2, what: String) -> void:
	if own:
		var colour: Color = key_colours.get(key, Color.WHITE)
		_draw_icon(own, at, colour)
		return
	var number: int = _key_numbers.get(key, 0)
	if what == "lock":
		_draw_icon(MinimapIcons.lock(number), at, Color.WHITE)
	else:
		_draw_icon(MinimapIcons.key(number, what == "lever"), at, Color.WHITE)


# A place for a room's icon, moved away from the signs of keys and doors near it.
func _beside_others(at: Vector2) -> Vector2:
	var step := icon_px / scale_px
	for other: Vector2 in _taken:
		var apart := at - other
		if maxf(absf(apart.x), absf(apart.y)) < step:
			if absf(apart.x) > absf(apart.y):
				at.x = other.x + (step if apart.x > 0.0 else -step)
			else:
				at.y = other.y + (step if apart.y > 0.0 else -step)
	return at


static func _is_seen(door: UndercroftDoor) -> bool:
	var beside := door.rooms
	if door.hallway:
		beside += door.hallway.rooms
	return beside.any(func(room: UndercroftRoom) -> bool: return room.visited)


# Draws an icon at a place in the level, in tiles.
func _draw_icon(icon: Texture2D, at: Vector2, colour: Color) -> void:
	var place := size / 2.0 + (at - _middle) * scale_px
	var corner := (place - Vector2.ONE * icon_px / 2.0).round()
	_taken.append(at)
	draw_texture_rect(icon, Rect2(corner, Vector2.ONE * icon_px), false, colour)


func _draw_room(room: UndercroftRoom) -> void:
	var ring := _rings[room.id]
	if ring.size() < 3:
		return
	var colour := room_colour if room.visited else unseen_colour
	if room == _level.room:
		colour = current_colour
	if icon_of(room):
		colour = colour.lerp(
			room.colour if room.has_icon else MinimapIcons.colour_of(room.kind), 0.4
		)
	draw_colored_polygon(ring, colour)
	var closed := ring.duplicate()
	closed.append(ring[0])
	draw_polyline(closed, edge_colour, 1.0 / scale_px)


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
