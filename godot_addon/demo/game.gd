extends Node2D
## The game: combines a floor's level, the player and the game rules, and goes on to the next floor.

const Doors := preload("doors.gd")
const Ending := preload("ending.gd")
const Fight := preload("fight.gd")
const Furnish := preload("furnish.gd")
const Hud := preload("hud.gd")
const Levels := preload("levels.gd")
const Player := preload("player.gd")
const Progress := preload("progress.gd")
const Run := preload("run.gd")
const Saves := preload("saves.gd")
const Title := preload("title.gd")

## How far the player's lantern shines, in px.
const LANTERN := 144.0
const TITLE := "res://demo/title.tscn"
const OTHER_LEVELS := "The saved run does not fit this game's levels: start a new one"
const NO_LEVELS := "There are no levels in this style: see the log"

var run: Run
var level: UndercroftLevel
var player: Player

var _furnish := Furnish.new()

@onready var _camera: UndercroftRoomCamera = $Camera
@onready var _fight: Fight = $Fight
@onready var _doors: Doors = $Doors
@onready var _fog: UndercroftFog = $Fog
@onready var _progress: Progress = $Progress
@onready var _hud: Hud = $Hud
@onready var _ending: Ending = $Ending


func _ready() -> void:
	if Run.current == null:  # the scene was started by itself
		Run.current = Run.begin(Levels.styles()[0], "1")
	run = Run.current
	var scene := run.floors.enter() if run.floors else null
	level = run.floors.level if scene else null
	if level == null or not Progress.fits(run, level):
		Title.news = OTHER_LEVELS if level else NO_LEVELS
		if scene:
			scene.free()
		get_tree().change_scene_to_file.call_deferred(TITLE)
		return
	add_child(scene)
	move_child(scene, 0)
	UndercroftLights.add(scene)
	UndercroftLights.darken(scene)
	_place_player(scene)
	_furnish.furnish(run, level, scene, _hud.say)
	if _furnish.exit:
		_furnish.exit.taken.connect(_go_down, CONNECT_DEFERRED)
	_watch()
	_camera.level = level
	_camera.target = player
	_camera.follow = (
		UndercroftRoomCamera.Follow.TARGET
		if level.plan.hallways
		else UndercroftRoomCamera.Follow.ROOM
	)
	_camera.snap()
	_open_way_out()
	_hud.say("Floor %d of %d" % [run.floor_number, run.floors.count])
	level.follow(player)


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed("ui_cancel"):
		_progress.save()
		get_tree().change_scene_to_file(TITLE)


func _place_player(scene: Node2D) -> void:
	player = (load("res://demo/player.tscn") as PackedScene).instantiate() as Player
	player.belongings = run.belongings
	player.decor = scene.get_node("Decor")
	player.position = run.place if run.is_begun() else _start()
	player.add_child(UndercroftLights.light(LANTERN, Color.WHITE))
	scene.add_child(player)


func _start() -> Vector2:
	for marker: UndercroftMarker in level.plan.markers:
		if marker.kind == "player_start":
			return level.middle_of(marker.tile)
	return Vector2()


func _watch() -> void:
	_fog.show_level(level)
	_doors.watch(level, player)
	_doors.said.connect(_hud.say)
	_fight.watch(level, player)
	_fight.boss_came.connect(_hud.show_boss)
	_hud.watch(player.belongings)
	_hud.minimap.show_level(level)
	_hud.watch_keys(level)
	player.died.connect(_lose)
	level.room_cleared.connect(_on_room_cleared)
	_progress.watch(run, level, player)
	_progress.failed.connect(_hud.say)


func _on_room_cleared(room: UndercroftRoom) -> void:
	_furnish.give_spoils(room)
	if room.kind == "boss":
		_hud.say("The way is open")
		if Doors.are_red(level) and player.belongings.red_keys == 0:
			player.belongings.take("red_key")
			_hud.say("The way is open, and the boss had a red key")
		_open_way_out()
	elif randi() % 3 == 0:
		_furnish.drop(level, room)


## Opens the exit if the boss is gone. Without an exit marker, the floor then ends at once.
func _open_way_out() -> void:
	var boss := level.plan.room_of_kind("boss")
	if boss == null or not boss.cleared:
		return
	if _furnish.exit:
		_furnish.exit.open()
	else:
		_go_down.call_deferred()


func _go_down() -> void:
	if not run.floors.has_next():
		Saves.remove()
		_ending.win()
		return
	run.descend()
	var problem := Saves.write(run)
	if problem:
		push_warning("Undercroft: " + problem)
	get_tree().change_scene_to_file("res://demo/game.tscn")


func _lose() -> void:
	Saves.remove()
	_ending.lose()
