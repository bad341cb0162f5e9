extends Node2D
## Plays a level: the doors of a room shut while there are enemies in it, keys open locked doors.

const Enemy := preload("enemy.gd")
const ENEMY := preload("enemy.tscn")
const KEY := preload("key.tscn")

## The level's scene; must be set.
@export var scene: Node2D

var level: UndercroftLevel
var spawner := UndercroftSpawner.new()
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
	level.follow(_player)
	spawner.scenes = {"enemy": ENEMY, "boss": ENEMY}
	spawner.spawned.connect(_on_spawned)
	add_child(spawner)
	spawner.watch(level, _player)
	_lay_out_keys()


func _physics_process(_delta: float) -> void:
	_unlock_doors()


func _on_spawned(enemy: Enemy, _marker: UndercroftMarker) -> void:
	enemy.target = _player


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
