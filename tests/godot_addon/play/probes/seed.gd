extends SceneTree
## Types a seed on the title screen, presses Play, and tells what level is played, or what is said.

const Choice := preload("res://demo/choice.gd")
const Game := preload("res://demo/game.gd")

const MOST_MSEC := 20000


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var arguments := OS.get_cmdline_user_args()
	var told: Array = []
	Choice.style = arguments[0]
	for typed: String in arguments.slice(1, -1):
		change_scene_to_file("res://demo/title.tscn")
		await process_frame
		await process_frame
		var box: LineEdit = current_scene.get_node("%Seed")
		var play: Button = current_scene.get_node("%Play")
		box.text = typed
		play.pressed.emit()
		told.append([box.editable, await _outcome(play)])
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(told))
	file.close()
	quit()


## The fingerprint of the level that is played, or the line on the title screen.
func _outcome(play: Button) -> String:
	var start := Time.get_ticks_msec()
	while Time.get_ticks_msec() - start < MOST_MSEC:
		await process_frame
		if current_scene is Game:
			return (current_scene as Game).level.plan.fingerprint
		if is_instance_valid(play) and not play.disabled:
			return (current_scene.get_node("%Note") as Label).text
	return "nothing happened"
