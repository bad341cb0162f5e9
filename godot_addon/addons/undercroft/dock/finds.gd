extends RefCounted
## What a project holds for the generator, recognised by the marks of its files.

const _KIT := "kit.toml"
# The text of a TOML file of each kind; a spec's style comes before its first table.
const _MARKS := {
	"spec": r"\A([^\[]*\n)?\s*style\s*=",
	"theme": r"(?m)^\s*(\[+tileset\b|(tileset|tile_size)\s*[=.])",
	"flow": r"(?m)^\s*\[flow\]",
}
const _LAYOUT := r"(?m)^[ \t]*map:[ \t\r]*$"
# Limits, because a project may hold anything.
const _MAX_FOLDERS := 2000
const _MAX_BYTES := 1 << 20


## The paths of one kind in the project, sorted: "spec", "theme" or "flow" are TOML files, "kit" and
## "layouts" are folders. Of any other kind, there are none.
static func of_kind(kind: String) -> PackedStringArray:
	var found: PackedStringArray = []
	var folders: PackedStringArray = ["res://"]
	var looked_at := 0
	while looked_at < mini(folders.size(), _MAX_FOLDERS):
		var folder := folders[looked_at]
		looked_at += 1
		var files := DirAccess.get_files_at(folder)
		var is_kit := files.has(_KIT)
		if kind == "kit" and is_kit:
			found.append(folder)
		elif kind == "layouts" and not is_kit and _has_layouts(folder, files):
			_add_topmost(found, folder.get_base_dir())
		elif _MARKS.has(kind) and not is_kit:
			var mark := RegEx.create_from_string(str(_MARKS[kind]))
			for file: String in files:
				if file.get_extension() == "toml" and mark.search(_text(folder.path_join(file))):
					found.append(folder.path_join(file))
		for name: String in DirAccess.get_directories_at(folder):
			if not name.begins_with(".") and not (is_kit and name == "layouts"):
				folders.append(folder.path_join(name))
	found.sort()
	return found


# Layouts are in folders by room kind, and may be in folders below these.
static func _add_topmost(found: PackedStringArray, folder: String) -> void:
	for path: String in found:
		if (folder + "/").begins_with(path.trim_suffix("/") + "/"):
			return
	found.append(folder)


static func _has_layouts(folder: String, files: PackedStringArray) -> bool:
	var mark := RegEx.create_from_string(_LAYOUT)
	for file: String in files:
		if file.get_extension() == "txt" and mark.search(_text(folder.path_join(file))):
			return true
	return false


static func _text(path: String) -> String:
	var file := FileAccess.open(path, FileAccess.READ)
	return file.get_buffer(_MAX_BYTES).get_string_from_utf8() if file else ""
