extends SceneTree
## Compiles every script of the runtime, and reads one level in each way that a game does: from its
## level.json, from its scene and from a pack.


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	var told := {"scripts": _compiled("res://addons/undercroft/runtime")}
	var read := UndercroftLevel.from_file("res://level.level.json")
	told["json"] = read.plan.fingerprint
	read.free()
	var packed: PackedScene = load("res://level.tscn")
	told["scene"] = _fingerprint(packed.instantiate() as Node2D)
	var pack := UndercroftPack.open("res://levels.ucpack")
	told["pack"] = _fingerprint(pack.build(pack.pick(0)))
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(told))
	file.close()
	quit()


func _compiled(folder: String) -> PackedStringArray:
	var found: PackedStringArray = []
	for file: String in DirAccess.get_files_at(folder):
		if file.get_extension() == "gd":
			var script: GDScript = load(folder.path_join(file))
			if script and script.can_instantiate():
				found.append(file)
	return found


func _fingerprint(scene: Node2D) -> String:
	var fingerprint := UndercroftLevel.from_scene(scene).plan.fingerprint
	scene.free()
	return fingerprint
