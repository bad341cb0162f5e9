extends RefCounted
## What a file was imported from besides itself, with the digest of each at that time: tilesets,
## templates, other levels, a project's types. Images and scenes are Godot's own to follow.
##
## A record a source lies in [constant FOLDER], which is Godot's cache: a fresh copy of a project
## imports everything anew anyway.

const FOLDER := "res://.godot/undercroft/imports"
const MOST := 20_000
## Instead of a digest: that there was a file.
const THERE := "there"

var source := ""
var _failure := ""
var _digests: Dictionary = {}


func _init(of_source: String) -> void:
	source = of_source


## Notes a file that was looked at, there or not.
func add(path: String) -> void:
	if path != source and _digests.size() < MOST:
		_digests[path] = digest(path)


## Notes a file of which only counts that it is there.
func add_place(path: String) -> void:
	_digests[path] = THERE


## Notes why the source could not be imported. Godot never tries such a file again by itself: it is
## watched until it changes.
func add_failure(why: String) -> void:
	_failure = why
	_digests[source] = digest(source)


## Notes files that were looked for in vain.
func add_missing(paths: PackedStringArray) -> void:
	for path: String in paths:
		add(path)


## Writes the record. To be called whether the import went well or not: else it would be tried
## again and again.
func save() -> void:
	var path := FOLDER.path_join(source.md5_text() + ".json")
	if _digests.is_empty():
		if FileAccess.file_exists(path):
			DirAccess.remove_absolute(path)
		return
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file:
		file.store_string(
			JSON.stringify({"source": source, "files": _digests, "failure": _failure})
		)


## Digest of a file; "" of none.
static func digest(path: String) -> String:
	return FileAccess.get_md5(path) if FileAccess.file_exists(path) else ""


## The sources of which something has changed since they were imported.
static func stale() -> PackedStringArray:
	var found: PackedStringArray = []
	var known: Dictionary = {}
	for record: Dictionary in _records():
		if _is_stale(record, known):
			found.append(str(record.source))
	return found


## Why sources that have not changed since could not be imported, a line each.
static func failures() -> PackedStringArray:
	var found: PackedStringArray = []
	var known: Dictionary = {}
	for record: Dictionary in _records():
		if record.get("failure") and not _is_stale(record, known):
			found.append(str(record.failure))
	return found


## Digests that were looked at once are kept in [param known].
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


## All sources that were imported from more than themselves, and are still there.
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
