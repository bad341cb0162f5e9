extends Node2D
## The game: puts a level, the player and what goes on together, and tells how it ended.

const Choice := preload("choice.gd")
const Doors := preload("doors.gd")
const Ending := preload("ending.gd")
const Fight := preload("fight.gd")
const Fog := preload("fog.gd")
const Furnish := preload("furnish.gd")
const Hud := preload("hud.gd")
const Player := preload("player.gd")
const Ways := preload("ways.gd")

var level: UndercroftLevel
var player: Player
var ways: Ways

var _furnish := Furnish.new()

@onready var _camera: UndercroftRoomCamera = $Camera
@onready var _fight: Fight = $Fight
@onready var _doors: Doors = $Doors
@onready var _fog: Fog = $Fog
@onready var _hud: Hud = $Hud
@onready var _ending: Ending = $Ending


func _ready() -> void:
	var scene := Choice.level_scene()
	level = UndercroftLevel.from_scene(scene) if scene else null
	if level == null:
		get_tree().change_scene_to_file.call_deferred("res://demo/title.tscn")
		return
	add_child(scene)
	move_child(scene, 0)
	player = (load("res://demo/player.tscn") as PackedScene).instantiate() as Player
	player.position = _start()
	player.decor = scene.get_node("Decor")
	scene.add_child(player)
	_furnish.furnish(level, scene, _hud.say)
	if _furnish.exit:
		_furnish.exit.taken.connect(_ending.win)
	_fog.watch(level)
	_doors.watch(level, player)
	_doors.said.connect(_hud.say)
	ways = Ways.new(level, scene)
	_fight.watch(level, player, ways)
	_fight.boss_came.connect(_hud.show_boss)
	_hud.watch(player.belongings)
	_hud.minimap.show_level(level)
	player.died.connect(_ending.lose)
	level.room_cleared.connect(_on_room_cleared)
	_camera.level = level
	_camera.target = player
	_camera.follow = (
		UndercroftRoomCamera.Follow.TARGET
		if level.plan.hallways
		else UndercroftRoomCamera.Follow.ROOM
	)
	_camera.snap()
	level.follow(player)


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed("ui_cancel"):
		get_tree().change_scene_to_file("res://demo/title.tscn")


func _start() -> Vector2:
	for marker: UndercroftMarker in level.plan.markers:
		if marker.kind == "player_start":
			return level.middle_of(marker.tile)
	return Vector2()


func _on_room_cleared(room: UndercroftRoom) -> void:
	if room.kind == "boss":
		_hud.say("The way out is open")
		if _furnish.exit:
			_furnish.exit.open()
		else:
			_ending.win()
	elif randi() % 3 == 0:
		_furnish.drop(level, room)
