extends Node2D
## Plays a level: the doors of a room shut while there are enemies in it, keys open locked doors.

const Enemy := preload("enemy.gd")
const ENEMY := preload("enemy.tscn")
const KEY := preload("key.tscn")

## The level's scene; must be set.
@export var scene: Node2D

var level: UndercroftLevel
## How many keys the player has.
var keys := 0

@onready var _player: CharacterBody2D = $Player
@onready var _camera: UndercroftRoomCamera = $Camera
@onready var _minimap: UndercroftMinimap = $Screen/Minimap


func _ready() -> void:
	level = UndercroftLevel.from_scene(scene)
	_player.reparent(scene)
	var start := level.plan.room_of_kind("start")
	_player.position = level.middle_of(start.markers_of("player_start")[0].tile)
	_camera.level = level
	_camera.target = _player
	_camera.snap()
	_minimap.show_level(level)
	level.room_cleared.connect(level.open_doors_of)
	level.follow(_player)
	_lay_out_keys()


func _physics_process(_delta: float) -> void:
	if level.room and not level.room.cleared and _is_inside(level.room):
		level.room.cleared = true
		_fight(level.room)
	_unlock_doors()


# Whether the player is past the door, which would otherwise shut on them.
func _is_inside(room: UndercroftRoom) -> bool:
	var place := level.place_of(_player)
	for door: UndercroftDoor in room.doors:
		if level.middle_of_door(door).distance_to(place) < 2.5 * level.tile_size:
			return false
	return true


func _fight(room: UndercroftRoom) -> void:
	for marker: UndercroftMarker in room.markers_of("enemy") + room.markers_of("boss"):
		var enemy: Enemy = ENEMY.instantiate()
		enemy.position = level.middle_of(marker.tile)
		enemy.target = _player
		enemy.flies = marker.is_true("flies")
		level.guard(room, enemy)
		scene.add_child(enemy)
	if level.foes_in(room) > 0:
		level.shut_doors_of(room)


func _lay_out_keys() -> void:
	for marker: UndercroftMarker in level.plan.markers:
		if marker.kind == "pickup" and marker.text("item") == "key":
			var key: Area2D = KEY.instantiate()
			key.position = level.middle_of(marker.tile)
			key.body_entered.connect(_on_key_touched.bind(key))
			scene.add_child(key)


func _on_key_touched(body: Node2D, key: Area2D) -> void:
	if body == _player:
		keys += 1
		key.queue_free()


# Spends a key on a locked door that the player walks against.
func _unlock_doors() -> void:
	for i: int in _player.get_slide_collision_count():
		var body := _player.get_slide_collision(i).get_collider() as Node
		if body and keys > 0 and body.is_in_group("door_locked"):
			var id: int = body.get_meta("id")
			var door := level.plan.doors[id]
			if door.is_barred and level.open_door(door):
				keys -= 1
