@tool
extends EditorPlugin
## Turns the addon on and off: what it adds on entering it removes on leaving.

const IMPORTERS: Array[GDScript] = [preload("ldtk/importer.gd")]

var _importers: Array[EditorImportPlugin] = []


func _enter_tree() -> void:
	for script: GDScript in IMPORTERS:
		var importer: EditorImportPlugin = script.new()
		_importers.append(importer)
		add_import_plugin(importer)


func _exit_tree() -> void:
	for importer: EditorImportPlugin in _importers:
		remove_import_plugin(importer)
	_importers.clear()
