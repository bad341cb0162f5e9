extends RefCounted
## Imports everything again that this addon imported.


## Reimports the files of the project whose importer is one of [param importers].
static func all(importers: Array[EditorImportPlugin]) -> void:
	var names: PackedStringArray = []
	for importer: EditorImportPlugin in importers:
		names.append(str(importer.call("_get_importer_name")))
	var files := EditorInterface.get_resource_filesystem()
	var found := _imported_by(names, files.get_filesystem())
	if found and not files.is_scanning():
		files.reimport_files(found)


static func _imported_by(
	names: PackedStringArray, folder: EditorFileSystemDirectory
) -> PackedStringArray:
	var found: PackedStringArray = []
	for index: int in folder.get_file_count():
		var path := folder.get_file_path(index)
		var notes := ConfigFile.new()
		if (
			FileAccess.file_exists(path + ".import")
			and notes.load(path + ".import") == OK
			and names.has(str(notes.get_value("remap", "importer", "")))
		):
			found.append(path)
	for index: int in folder.get_subdir_count():
		found.append_array(_imported_by(names, folder.get_subdir(index)))
	return found
