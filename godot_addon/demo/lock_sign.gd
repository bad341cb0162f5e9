extends Node2D
## Small key icons over a locked door, one for each key that it needs, until it opens.

const Art := preload("art.gd")

const APART := 11.0

var _door: UndercroftDoor


func _init(level: UndercroftLevel, door: UndercroftDoor, colours: Dictionary) -> void:
	_door = door
	position = level.middle_of_door(door)
	z_index = 2
	for i: int in door.needs.size():
		var key := Art.sprite("level_key")
		var colour: Color = colours.get(door.needs[i], Color.WHITE)
		key.texture = Art.tinted("level_key", colour)
		key.scale = Vector2.ONE * 0.9
		key.position.x = (i - (door.needs.size() - 1) / 2.0) * APART
		add_child(key)
	level.door_opened.connect(_on_door_opened)


func _process(_delta: float) -> void:
	var near := _door.rooms
	if _door.hallway:
		near += _door.hallway.rooms
	visible = near.any(func(room: UndercroftRoom) -> bool: return room.visited)
	modulate.a = 0.9 + 0.1 * sin(Time.get_ticks_msec() / 300.0)


func _on_door_opened(door: UndercroftDoor) -> void:
	if door == _door:
		queue_free()
