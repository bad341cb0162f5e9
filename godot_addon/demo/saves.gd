extends RefCounted
## The saved run, in one file. It is written beside the old file and moved over it, so that there is
## always a complete one.

const JsonNode := preload("../addons/undercroft/runtime/json_node.gd")
const Problem := preload("../addons/undercroft/runtime/problem.gd")
const Run := preload("run.gd")

const PATH := "user://run.json"
const FORMAT := "undercroft-demo-run"
const FORMAT_VERSION := 2
const MAX_BYTES := 1 << 18


static func is_there() -> bool:
	return FileAccess.file_exists(PATH)


## The saved run; null if there is none or it has a problem.
static func read(problem: Problem) -> Run:
	if not is_there():
		return null
	var file := FileAccess.open(PATH, FileAccess.READ)
	if file == null:
		problem.note(PATH, "", "cannot be read (%s)" % error_string(FileAccess.get_open_error()))
		return null
	if file.get_length() > MAX_BYTES:
		problem.note(PATH, "", "is larger than a saved run")
		return null
	var json := JSON.new()
	if json.parse(file.get_buffer(file.get_length()).get_string_from_utf8()) != OK:
		problem.note(
			PATH, "line %d" % json.get_error_line(), "is not JSON: " + json.get_error_message()
		)
		return null
	var root := JsonNode.new(json.data, "", PATH, problem)
	if not root.value is Dictionary or str(root.at("format").value) != FORMAT:
		problem.note(PATH, "", "is not a saved run")
		return null
	root.at("format_version").number(FORMAT_VERSION, FORMAT_VERSION)
	var run := Run.from_json(root)
	return null if problem.found else run


## Saves a run; returns an error message, or "".
static func write(run: Run) -> String:
	var table := {"format": FORMAT, "format_version": FORMAT_VERSION}
	table.merge(run.to_table())
	var part := PATH + ".part"
	var file := FileAccess.open(part, FileAccess.WRITE)
	if file == null:
		return "The run cannot be saved: %s" % error_string(FileAccess.get_open_error())
	file.store_string(JSON.stringify(table, "\t") + "\n")
	file.flush()
	var error := file.get_error()
	file.close()
	if error == OK:
		error = DirAccess.rename_absolute(part, PATH)
	return "" if error == OK else "The run cannot be saved: %s" % error_string(error)


## Deletes the saved run once it is over.
static func remove() -> void:
	if is_there():
		DirAccess.remove_absolute(PATH)


## Moves an unreadable file aside, because another version of the game may be able to read it.
static func set_aside() -> void:
	if is_there():
		DirAccess.rename_absolute(PATH, PATH + ".unreadable")
