extends SceneTree
## Takes pictures of the demo: NAME.png in the folder that it is given.
##
## Each shot is a style, a seed of its pack, a floor, and a kind of room to stand in, its foes
## awake.

const Game := preload("res://demo/game.gd")
const Run := preload("res://demo/run.gd")

const SHOTS := {
	"isaac": ["isaac", "8", 2, "normal"],
	"shop": ["isaac", "8", 2, "shop"],
	"rebirth": ["rebirth", "7", 3, "normal"],
	"boss": ["rebirth", "7", 3, "boss"],
	"gungeon": ["gungeon", "7", 2, "normal"],
}


func _initialize() -> void:
	seed(3)
	_run.call_deferred()


func _run() -> void:
	Run.current = Run.begin("rebirth", "7")
	change_scene_to_file("res://demo/title.tscn")
	await _frames(30)
	_save("title")
	for name: String in SHOTS:
		var shot: Array = SHOTS[name]
		Run.current = Run.begin(str(shot[0]), str(shot[1]))
		Run.current.floors.place = shot[2]
		change_scene_to_file("res://demo/game.tscn")
		await _frames(10)
		var game: Game = current_scene
		await _stand(game, str(shot[3]))
		_save(name)
		if name == "boss":
			(game.get_node("Ending") as CanvasLayer).call("win")
			await _frames(5)
			_save("win")
			paused = false
	quit()


## Walks the way in rooms, so that the map has something to show, and lets the fight go on for a
## while.
func _stand(game: Game, kind: String) -> void:
	var level := game.level
	game.player.belongings.health = 5
	game.player.belongings.changed.emit()
	var goal: UndercroftRoom
	for room: UndercroftRoom in level.plan.rooms:
		if room.kind == kind and (goal == null or room.bounds.get_area() > goal.bounds.get_area()):
			goal = room
	for room: UndercroftRoom in level.path(level.room, goal):
		if room != goal:
			room.visited = true
			level.room_entered.emit(room)
			level.room_left.emit(room)
	for marker: UndercroftMarker in goal.markers:
		var place := level.middle_of(marker.tile + Vector2i(0, 1))
		var map := game.get_world_2d().navigation_map
		var nearest := NavigationServer2D.map_get_closest_point(map, place)
		if level.room_at(place) == goal and nearest.distance_to(place) < 1.0:
			game.player.position = place
			break
	Input.action_press("aim_right")
	for i: int in 75:
		game.player.belongings.health = 5
		await process_frame
	Input.action_release("aim_right")


func _frames(count: int) -> void:
	for i: int in count:
		await process_frame


func _save(name: String) -> void:
	var folder := OS.get_cmdline_user_args()[-1]
	root.get_texture().get_image().save_png(folder.path_join(name + ".png"))
