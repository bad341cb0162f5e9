extends RefCounted
## The tilesets in a TileSet, each with an id that stays the same when files move.
##
## Places are relative to the TileSet, so that a folder can be moved or copied with its contents. A
## tileset at a new place is compared with those whose files are gone: if name and image are the
## same, it has moved.

const _NUMBERED := "tileset %d"

var changed := false

# By id: {"file": place, "part": name in the file, "looks": its facts, "image": digest}
var _parts: Dictionary = {}
var _folder := ""


func _init(folder: String, known: Dictionary) -> void:
	_folder = folder
	for id: Variant in known:
		if known[id] is Dictionary:
			_parts[str(id)] = known[id]


func table() -> Dictionary:
	return _parts


func has(file: String) -> bool:
	return _at(file, "") != ""


## The id of the tileset in [param file], or of its [param part] if the file has several;
## [param looks] are its facts, [param image] is a digest of its picture.
func id_of(file: String, part: String, looks: Array, image: String) -> String:
	var id := _at(file, part)
	if not id:
		id = _moved(file, looks, image)
	if not id:
		var number := _parts.size() + 1
		while _parts.has(_NUMBERED % number):
			number += 1
		id = _NUMBERED % number
	var now := {"file": _relative(file), "part": part, "looks": looks, "image": image}
	if _parts.get(id) != now:
		_parts[id] = now
		changed = true
	return id


## Renames the entries of an earlier version, which used the path of the tileset's file: the keys in
## [param tables] are `PATH …`, `told PATH` and `terrains PATH …`.
func adopt(tables: Array[Dictionary]) -> void:
	var paths: PackedStringArray = []
	for key: String in tables[-1]:
		if key.begins_with("told res://"):
			paths.append(key.trim_prefix("told "))
	for path: String in paths:
		var cut := path.find("#")
		var file := path.left(cut) if cut >= 0 else path
		var id := id_of(file, path.substr(cut + 1) if cut >= 0 else "", [], "")
		for keys: Dictionary in tables:
			_rename(keys, path, id)


static func _rename(keys: Dictionary, path: String, id: String) -> void:
	for key: String in keys.keys():
		for kind: String in ["", "told ", "terrains "]:
			if key == kind + path or key.begins_with(kind + path + " "):
				keys[kind + id + key.substr((kind + path).length())] = keys[key]
				keys.erase(key)


func _at(file: String, part: String) -> String:
	for id: String in _parts:
		if _file_of(id) == file and str(_fact(id, "part")) == part:
			return id
	return ""


## The tileset of a missing file; if there are several, the one with the same picture or the same
## file name.
func _moved(file: String, looks: Array, image: String) -> String:
	var best := ""
	var most := -1
	for id: String in _parts:
		var before := _file_of(id)
		var same := var_to_str(_fact(id, "looks")) == var_to_str(looks)
		# For a tileset of an earlier version, only the file's name is known.
		if var_to_str(_fact(id, "looks")) == "[]":
			same = before.get_file() == file.get_file()
		if not same or FileAccess.file_exists(before):
			continue
		var likeness := 2 * int(str(_fact(id, "image")) == image)
		likeness += int(before.get_file() == file.get_file())
		if likeness > most:
			most = likeness
			best = id
	return best


func _fact(id: String, fact: String) -> Variant:
	var known: Dictionary = _parts[id]
	return known.get(fact, "")


func _file_of(id: String) -> String:
	var place := str(_fact(id, "file"))
	return place if place.begins_with("res://") else _folder.path_join(place).simplify_path()


func _relative(path: String) -> String:
	var there := path.trim_prefix("res://").split("/")
	var here := _folder.trim_prefix("res://").split("/", false)
	var shared := 0
	while shared < mini(here.size(), there.size() - 1) and here[shared] == there[shared]:
		shared += 1
	return "../".repeat(here.size() - shared) + "/".join(there.slice(shared))
