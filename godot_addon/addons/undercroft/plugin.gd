@tool
extends EditorPlugin
## Turns the addon on and off: what it adds on entering it removes on leaving.

const Watcher := preload("import/watcher.gd")

const IMPORTERS: Array[GDScript] = [
	preload("ldtk/importer.gd"),
	preload("ldtk/level_importer.gd"),
	preload("tiled/map_importer.gd"),
	preload("tiled/tileset_importer.gd"),
	preload("tiled/world_importer.gd"),
]
const IMPORT_AGAIN := "Undercroft: import again"

var _importers: Array[EditorImportPlugin] = []
var _watcher: Watcher


func _enter_tree() -> void:
	for script: GDScript in IMPORTERS:
		var importer: EditorImportPlugin = script.new()
		_importers.append(importer)
		add_import_plugin(importer)
	_watcher = Watcher.new()
	add_child(_watcher)
	add_tool_menu_item(IMPORT_AGAIN, _watcher.import_all_again)


func _exit_tree() -> void:
	remove_tool_menu_item(IMPORT_AGAIN)
	_watcher.queue_free()
	for importer: EditorImportPlugin in _importers:
		remove_import_plugin(importer)
	_importers.clear()
