extends "probe.gd"
## Loads every file of a folder as a level, and says which of them it took.


func _initialize() -> void:
	var taken: Array[String] = []
	for file: String in DirAccess.get_files_at(arguments[0]):
		var level := UndercroftLevel.from_file(arguments[0].path_join(file))
		if level:
			taken.append(file)
			level.free()
	var answer := FileAccess.open(arguments[-1], FileAccess.WRITE)
	answer.store_string(JSON.stringify(taken))
	answer.close()
	quit()
