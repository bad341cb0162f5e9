extends SceneTree
## Runs in an exported game: loads a level from its level.json and from its scene, and plays a
## frame.

const Choice := preload("res://demo/choice.gd")
const Game := preload("res://demo/game.gd")


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var told := {"sources": FileAccess.file_exists("res://project.godot")}
	var level := UndercroftLevel.from_file("res://isaac.level.json")
	told["json"] = level.plan.fingerprint
	level.free()
	var packed: PackedScene = load("res://isaac.tscn")
	var scene: Node2D = packed.instantiate()
	told["scene"] = UndercroftLevel.from_scene(scene).plan.fingerprint
	scene.free()
	Choice.style = "gungeon"
	change_scene_to_file("res://demo/game.tscn")
	for i: int in 5:
		await process_frame
	var game: Game = current_scene
	told["room"] = game.level.room.kind
	told["rooms"] = game.level.plan.rooms.size()
	var file := FileAccess.open(OS.get_cmdline_user_args()[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(told))
	file.close()
	quit()
