@tool
extends EditorPlugin
## Turns the addon on and off: it removes on leaving what it added on entering.

const Dock := preload("dock/dock.gd")
const LayerNames := preload("layer_names.gd")
const Placement := preload("dock/placement.gd")
const SceneWatch := preload("dock/edited/scene_watch.gd")
const Settings := preload("settings.gd")
const Watcher := preload("import/watcher.gd")
const ExportPacks := preload("export_packs.gd")

const IMPORTERS: Array[GDScript] = [
	preload("ldtk/importer.gd"),
	preload("ldtk/level_importer.gd"),
	preload("tiled/map_importer.gd"),
	preload("tiled/tileset_importer.gd"),
	preload("tiled/world_importer.gd"),
]
const IMPORT_AGAIN := "Undercroft: import again"
const NAME_LAYERS := "Undercroft: name the layers"

var _importers: Array[EditorImportPlugin] = []
var _watcher: Watcher
var _export_packs: ExportPacks
var _dock: Dock
var _scene_watch: SceneWatch


func _enter_tree() -> void:
	Settings.add()
	for script: GDScript in IMPORTERS:
		var importer: EditorImportPlugin = script.new()
		_importers.append(importer)
		add_import_plugin(importer)
	_watcher = Watcher.new()
	add_child(_watcher)
	add_tool_menu_item(IMPORT_AGAIN, _watcher.import_all_again)
	add_tool_menu_item(NAME_LAYERS, LayerNames.give)
	_export_packs = ExportPacks.new()
	add_export_plugin(_export_packs)
	_dock = Dock.new()
	_dock.history = get_undo_redo()
	_scene_watch = SceneWatch.new()
	_scene_watch.draw_again = update_overlays
	_dock.watch(_scene_watch)
	add_child(_scene_watch)
	set_force_draw_over_forwarding_enabled()
	add_control_to_dock(DOCK_SLOT_RIGHT_UL, _dock)
	set_dock_tab_icon(_dock, _icon())
	Placement.show_once(_dock)


func _exit_tree() -> void:
	remove_control_from_docks(_dock)
	_scene_watch.queue_free()
	_dock.queue_free()
	remove_export_plugin(_export_packs)
	remove_tool_menu_item(NAME_LAYERS)
	remove_tool_menu_item(IMPORT_AGAIN)
	_watcher.queue_free()
	for importer: EditorImportPlugin in _importers:
		remove_import_plugin(importer)
	_importers.clear()
	Settings.remove()


func _forward_canvas_force_draw_over_viewport(overlay: Control) -> void:
	if _scene_watch:
		_scene_watch.draw_over(overlay)


# Made from the SVG source, because nothing is imported at a project's first start.
func _icon() -> Texture2D:
	var here: Script = get_script()
	var folder := here.resource_path.get_base_dir()
	var image := Image.new()
	image.load_svg_from_buffer(
		FileAccess.get_file_as_bytes(folder.path_join("icon.svg")),
		EditorInterface.get_editor_scale()
	)
	return ImageTexture.create_from_image(image)
