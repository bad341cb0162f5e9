extends "probe.gd"
## Opens every pack of a folder and builds its levels: `FOLDER ANSWER`. Tells of each how many were
## built, -1 if it was not opened; what is said of it follows a line with its name.


func _initialize() -> void:
	var answer: Dictionary = {}
	for name: String in DirAccess.get_files_at(arguments[0]):
		if name.get_extension() != "ucpack":
			continue
		printerr("PACK " + name)
		var pack := UndercroftPack.open(arguments[0].path_join(name))
		answer[name] = -1 if pack == null else _built(pack)
	printerr("MEMORY %d" % OS.get_static_memory_peak_usage())
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(answer))
	quit()


func _built(pack: UndercroftPack) -> int:
	var built := 0
	for index: int in mini(pack.count, 3):
		var level := pack.build(index)
		if level:
			built += 1
			level.free()
	return built
