extends RefCounted
## The other files that an import used, with their digests at that time: tilesets, templates, other
## levels, a project's types. Godot itself watches images and scenes.
##
## There is one record per source in [constant FOLDER], in Godot's cache: a fresh copy of a project
## imports everything again anyway.

const Batch := preload("batch.gd")

const FOLDER := "res://.godot/undercroft/imports"
const MAX := 20_000
## Stands for a digest if only the existence of the file matters.
const THERE := "there"

var source := ""
var _failure := ""
var _digests: Dictionary = {}


func _init(of_source: String) -> void:
	source = of_source


## Notes a file that was looked up, whether it exists or not. Returns its digest.
func add(path: String) -> String:
	var now := Batch.digest(path)
	if path != source and _digests.size() < MAX:
		_digests[path] = now
	return now


## Notes a file of which only the existence matters.
func add_place(path: String) -> void:
	_digests[path] = THERE


## Notes why the source could not be imported. Godot itself never tries such a file again, so it is
## watched until it changes.
func add_failure(why: String) -> void:
	_failure = why
	_digests[source] = digest(source)


func add_missing(paths: PackedStringArray) -> void:
	for path: String in paths:
		add(path)


## Writes the record. Must be called even if the import failed; otherwise it would be tried again
## and again.
func save() -> void:
	var path := FOLDER.path_join(source.md5_text() + ".json")
	if _digests.is_empty():
		if FileAccess.file_exists(path):
			DirAccess.remove_absolute(path)
		return
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		DirAccess.make_dir_recursive_absolute(FOLDER)
		file = FileAccess.open(path, FileAccess.WRITE)
	if file:
		file.store_string(
			JSON.stringify({"source": source, "files": _digests, "failure": _failure})
		)


## The digest of a file; "" if it is missing.
static func digest(path: String) -> String:
	return FileAccess.get_md5(path) if FileAccess.file_exists(path) else ""


## The sources with changes since they were imported.
static func stale() -> PackedStringArray:
	var found: PackedStringArray = []
	var known: Dictionary = {}
	for record: Dictionary in _records():
		if _is_stale(record, known):
			found.append(str(record.source))
	return found


## Why unchanged sources could not be imported, one line each.
static func failures() -> PackedStringArray:
	var found: PackedStringArray = []
	var known: Dictionary = {}
	for record: Dictionary in _records():
		if record.get("failure") and not _is_stale(record, known):
			found.append(str(record.failure))
	return found


## [param known] caches digests.
static func _is_stale(record: Dictionary, known: Dictionary) -> bool:
	var files: Dictionary = record.files
	for path: String in files:
		if not known.has(path):
			known[path] = digest(path)
		var now: String = known[path]
		if files[path] == THERE and now:
			now = THERE
		if now != files[path]:
			return true
	return false


## All existing sources whose import used other files.
static func _records() -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	if not DirAccess.dir_exists_absolute(FOLDER):
		return found
	for name: String in DirAccess.get_files_at(FOLDER):
		var json := JSON.new()
		if json.parse(FileAccess.get_file_as_string(FOLDER.path_join(name))) != OK:
			continue
		if json.data is Dictionary:
			var record: Dictionary = json.data
			var there := FileAccess.file_exists(str(record.get("source", "")))
			if there and record.get("files") is Dictionary:
				found.append(record)
	return found
