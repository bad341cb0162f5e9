extends RefCounted
## Finds the generator's command: in the project's settings, in its virtual environment, or on the
## PATH.

const SETTING := "undercroft/generator/command"
const NAME := "undercroft"
## The line to run if the command is missing.
const INSTALL := "pip install ."

## The project's own virtual environment. Only this name: Godot would import the files in a folder
## whose name does not begin with a dot.
const ENVIRONMENT := "res://.venv"

# On macOS and some Linux systems, programs started from the desktop have a shorter PATH than
# terminals.
const _USUAL: PackedStringArray = ["~/.local/bin", "/usr/local/bin", "/opt/homebrew/bin"]


## The command's path; "" if it is missing.
static func find() -> String:
	var chosen := setting()
	if chosen:
		return _at(chosen, NAME)
	var own := in_environment(NAME)
	return own if own else on_path(NAME)


## A program of the project's virtual environment; "" if it is missing.
static func in_environment(name: String) -> String:
	return _at(ENVIRONMENT, name)


## A program on the PATH, or in one of the usual places; "" if it is missing.
static func on_path(name: String) -> String:
	var separator := ";" if OS.has_feature("windows") else ":"
	for folder: String in OS.get_environment("PATH").split(separator, false) + _USUAL:
		var found := _in(_absolute(folder), name)
		if found:
			return found
	return ""


## Why the command was not found, in one line.
static func missing() -> String:
	var chosen := setting()
	if not chosen:
		return "The generator's command, %s, is not on the PATH." % NAME
	return "%s, given in the project's settings, is not the command %s." % [chosen, NAME]


static func setting() -> String:
	return str(ProjectSettings.get_setting(SETTING, "")).strip_edges()


## A program at a path: the path itself, or in that folder, such as a virtual environment.
static func _at(place: String, name: String) -> String:
	var path := _absolute(place)
	if not DirAccess.dir_exists_absolute(path):
		return path if _is_program(path) else ""
	for folder: String in ["bin", "Scripts", ""]:
		var found := _in(path.path_join(folder), name)
		if found:
			return found
	return ""


static func _in(folder: String, name: String) -> String:
	var path := folder.path_join(name + ".exe" if OS.has_feature("windows") else name)
	return path if _is_program(path) else ""


static func _absolute(place: String) -> String:
	var path := place.strip_edges().trim_prefix('"').trim_suffix('"').replace("\\", "/")
	if path.begins_with("~/"):
		path = OS.get_environment("HOME").path_join(path.substr(2))
	elif path.is_relative_path() or path.begins_with("res://") or path.begins_with("user://"):
		path = ProjectSettings.globalize_path(
			path if path.contains("://") else "res://".path_join(path)
		)
	return path.simplify_path()


static func _is_program(path: String) -> bool:
	if not FileAccess.file_exists(path):
		return false
	if OS.has_feature("windows"):
		return true
	var anybody := (
		FileAccess.UNIX_EXECUTE_OWNER
		| FileAccess.UNIX_EXECUTE_GROUP
		| FileAccess.UNIX_EXECUTE_OTHER
	)
	return FileAccess.get_unix_permissions(path) & anybody != 0
