extends RefCounted
## What a project holds for the generator, recognised by the marks that the generator names in
## `undercroft describe`.

const Catalogue := preload("catalogue.gd")
const Declaration := preload("declaration.gd")

# Limits, because a project may hold anything.
const _MAX_FOLDERS := 2000
const _MAX_BYTES := 1 << 20
const _MAX_READ := 1 << 26
# A static variable would be lost whenever Godot reads this script again.
const _MARKS := &"undercroft_marks"


## Keeps the marks by kind; each is a table with `suffix`, and `keys` at the top of a TOML file, a
## `line`, or the `name` of the file, which then stands for its folder.
static func keep_marks(marks: Dictionary) -> void:
	EditorInterface.get_base_control().set_meta(_MARKS, marks)


## Looks for the paths of one kind in the project, in the background; [param found] gets them,
## sorted. "spec", "theme" and "flow" are TOML files, "kit" and "layouts" are folders. Of any other
## kind, there are none.
static func search(kind: String, found: Callable) -> void:
	var marks: Variant = EditorInterface.get_base_control().get_meta(_MARKS, {})
	var task: Array[int] = [0]
	var search_all := func() -> void:
		_give.call_deferred(of_kind(kind, Catalogue.as_table(marks)), found, task)
	task[0] = WorkerThreadPool.add_task(search_all, false, "Undercroft: finds")


static func _give(paths: PackedStringArray, found: Callable, task: Array[int]) -> void:
	WorkerThreadPool.wait_for_task_completion(task[0])  # It has ended, and is forgotten by this.
	if found.is_valid():  # The plugin may have been turned off meanwhile.
		found.call(paths)


## The same at once, for a thread.
static func of_kind(kind: String, known: Dictionary) -> PackedStringArray:
	var mark := Catalogue.as_table(known.get(kind))
	var kit := Catalogue.as_table(known.get("kit"))
	var left := _MAX_READ
	var found: PackedStringArray = []
	var folders: PackedStringArray = ["res://"]
	var looked_at := 0
	while mark and looked_at < mini(folders.size(), _MAX_FOLDERS):
		var folder := folders[looked_at]
		looked_at += 1
		var files := DirAccess.get_files_at(folder)
		var is_kit := files.has(str(kit.get("name")))
		if is_kit and kind != "kit":
			files.clear()
		for file: String in files:
			if mark.has("name"):
				if file == str(mark["name"]):
					found.append(folder)
			elif left > 0 and "." + file.get_extension() == str(mark.get("suffix")):
				var text := _text(folder.path_join(file))
				left -= text.length()
				if _has_mark(text, mark):
					found.append(folder.path_join(file))
		for name: String in DirAccess.get_directories_at(folder):
			if not name.begins_with(".") and not (is_kit and name == str(kit.get("layouts"))):
				folders.append(folder.path_join(name))
	if mark.has("folders"):
		found = _roots(found, Declaration.as_list(mark["folders"]))
	found.sort()
	return found


# Layouts are in folders by room kind, and may be in folders below these.
static func _roots(files: PackedStringArray, kinds: Array) -> PackedStringArray:
	var found: PackedStringArray = []
	for file: String in files:
		var pool := file.get_base_dir()
		while pool != "res://" and not kinds.has(pool.get_file()):
			pool = pool.get_base_dir()
		var root := (file.get_base_dir() if pool == "res://" else pool).get_base_dir()
		if not found.has(root):
			found.append(root)
	return found


static func _has_mark(text: String, mark: Dictionary) -> bool:
	if mark.has("keys"):
		return _has_key(text, Declaration.as_list(mark["keys"]))
	for line: String in text.split("\n"):
		if line.strip_edges() == str(mark.get("line")):
			return true
	return false


# A key counts in the first table alone, or as the name of a table.
static func _has_key(text: String, keys: Array) -> bool:
	var is_in_table := false
	for line: String in text.split("\n"):
		var begin := line.strip_edges()
		var is_heading := begin.begins_with("[")
		is_in_table = is_in_table or is_heading
		if is_heading or not is_in_table:
			var key := begin.lstrip("[ \t").get_slice("=", 0).get_slice(".", 0).get_slice("]", 0)
			if (is_heading or "=" in begin) and key.strip_edges() in keys:
				return true
	return false


static func _text(path: String) -> String:
	var file := FileAccess.open(path, FileAccess.READ)
	return file.get_buffer(_MAX_BYTES).get_string_from_utf8() if file else ""
