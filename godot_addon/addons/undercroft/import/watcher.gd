@tool
extends Node
## Imports sources again when a file that they depend on changes, such as a tileset or a template.
## The plugin adds it on entering and frees it on leaving.

const Dependencies := preload("dependencies.gd")

## The extensions that this addon imports, and the prefix of its importers' names, because other
## importers may use the same extensions.
const ENDINGS: Array[String] = ["tmj", "tmx", "tsj", "tsx", "world", "ldtk", "ldtkl"]
const OURS := "undercroft."

var _files: EditorFileSystem
var _waiting := false


func _enter_tree() -> void:
	_files = EditorInterface.get_resource_filesystem()
	_files.filesystem_changed.connect(look)
	_files.sources_changed.connect(_on_sources_changed)
	for failure: String in Dependencies.failures():
		push_warning("Undercroft: %s" % failure)


func _exit_tree() -> void:
	_files.filesystem_changed.disconnect(look)
	_files.sources_changed.disconnect(_on_sources_changed)


func _notification(what: int) -> void:
	if what == NOTIFICATION_APPLICATION_FOCUS_IN:
		look()


## Looks for changes, once the editor is idle.
func look() -> void:
	if not _waiting and is_inside_tree():
		_waiting = true
		_look.call_deferred()


## Imports all files of this addon again, changed or not.
func import_all_again() -> void:
	while _files.is_scanning():
		await get_tree().process_frame
	var found: PackedStringArray = []
	var folders: Array[EditorFileSystemDirectory] = [_files.get_filesystem()]
	while folders:
		var folder: EditorFileSystemDirectory = folders.pop_back()
		if folder == null:
			continue
		for index: int in folder.get_subdir_count():
			folders.append(folder.get_subdir(index))
		for index: int in folder.get_file_count():
			var path := folder.get_file_path(index)
			if ENDINGS.has(path.get_extension().to_lower()) and _is_ours(path):
				found.append(path)
	if found:
		_files.reimport_files(found)


static func _is_ours(path: String) -> bool:
	var settings := ConfigFile.new()
	if settings.load(path + ".import") != OK:
		return false
	return str(settings.get_value("remap", "importer", "")).begins_with(OURS)


func _on_sources_changed(_there: bool) -> void:
	look()


func _look() -> void:
	_waiting = false
	if not is_inside_tree() or _files.is_scanning():
		return
	var found: PackedStringArray = []
	for path: String in Dependencies.stale():
		if _is_ours(path):
			found.append(path)
	if found:
		_files.reimport_files(found)
