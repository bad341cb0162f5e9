extends "probe.gd"
## Compiles every script of the runtime, and reads one level in each way that a game does:
## `LEVEL_JSON SCENE PACK ANSWER`.


func _initialize() -> void:
	var told := {"scripts": _compiled("res://addons/undercroft/runtime")}
	var read := UndercroftLevel.from_file(arguments[0])
	told["json"] = read.plan.fingerprint
	read.free()
	var packed: PackedScene = load(arguments[1])
	told["scene"] = _fingerprint(packed.instantiate() as Node2D)
	var pack := UndercroftPack.open(arguments[2])
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
