extends Node2D
## Plays a level: the doors of a room shut while there are enemies in it.

const Enemy := preload("enemy.gd")
const ENEMY := preload("enemy.tscn")

## The level's scene; must be set.
@export var scene: Node2D

var level: UndercroftLevel

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


func _physics_process(_delta: float) -> void:
	if level.room and not level.room.cleared and _is_inside(level.room):
		level.room.cleared = true
		_fight(level.room)


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
