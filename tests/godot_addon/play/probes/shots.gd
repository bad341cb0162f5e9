extends SceneTree
## Takes pictures of the demo: NAME.png in the folder that it is given.
##
## Each shot is a style and a kind of room to stand in, its foes awake.

const Choice := preload("res://demo/choice.gd")
const Game := preload("res://demo/game.gd")

const SHOTS := {
	"isaac": ["isaac", "normal", "1x1"],
	"shop": ["isaac", "shop", "1x1"],
	"large": ["rebirth", "normal", "2x2"],
	"boss": ["rebirth", "boss", ""],
	"gungeon": ["gungeon", "normal", ""],
	"curse": ["isaac", "curse", ""],
}


func _initialize() -> void:
	seed(3)
	_run.call_deferred()


func _run() -> void:
	Choice.style = "rebirth"
	change_scene_to_file("res://demo/title.tscn")
	await _frames(30)
	_save("title")
	for name: String in SHOTS:
		var shot: Array = SHOTS[name]
		Choice.style = shot[0]
		change_scene_to_file("res://demo/game.tscn")
		await _frames(10)
		var game: Game = current_scene
		await _stand(game, str(shot[1]), str(shot[2]))
		_save(name)
		if name == "boss":
			(game.get_node("Ending") as CanvasLayer).call("win")
			await _frames(5)
			_save("win")
			paused = false
	quit()


## Walks the way in rooms, so that the map has something to show, and lets the fight go on for a
## while.
func _stand(game: Game, kind: String, shape: String) -> void:
	var level := game.level
	game.player.belongings.health = 5
	game.player.belongings.changed.emit()
	var goal: UndercroftRoom
	for room: UndercroftRoom in level.plan.rooms:
		if room.kind == kind and (not shape or room.shape == shape):
			goal = room
			break
	for room: UndercroftRoom in level.path(level.room, goal):
		if room != goal:
			room.visited = true
			level.room_entered.emit(room)
			level.room_left.emit(room)
	for marker: UndercroftMarker in goal.markers:
		var place := level.middle_of(marker.tile + Vector2i(0, 1))
		if level.room_at(place) == goal and game.ways.between(place, place + Vector2(16, 0)):
			game.player.position = place
			break
	Input.action_press("aim_right")
	await _frames(75)
	Input.action_release("aim_right")


func _frames(count: int) -> void:
	for i: int in count:
		await process_frame


func _save(name: String) -> void:
	var folder := OS.get_cmdline_user_args()[-1]
	root.get_texture().get_image().save_png(folder.path_join(name + ".png"))
