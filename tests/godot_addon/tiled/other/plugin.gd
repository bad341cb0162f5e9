@tool
extends EditorPlugin
## Has an importer of its own; in an editor that is asked to it chooses "import again", and quits.

const Importer := preload("importer.gd")
const ITEM := "Undercroft: import again"

var _importer := Importer.new()


func _enter_tree() -> void:
	add_import_plugin(_importer)
	if OS.get_cmdline_user_args().has("choose"):
		_choose.call_deferred()


func _exit_tree() -> void:
	remove_import_plugin(_importer)


func _choose() -> void:
	var files := EditorInterface.get_resource_filesystem()
	await _frames(30)
	while files.is_scanning():
		await get_tree().process_frame
	_choose_in(get_tree().root)
	await _frames(30)
	get_tree().quit()


func _frames(count: int) -> void:
	for _frame: int in count:
		await get_tree().process_frame


## Menus lie hidden inside of other controls.
func _choose_in(node: Node) -> void:
	var menu := node as PopupMenu
	for index: int in menu.item_count if menu else 0:
		if menu.get_item_text(index) == ITEM:
			menu.index_pressed.emit(index)
			menu.id_pressed.emit(menu.get_item_id(index))
	for child: Node in node.get_children(true):
		_choose_in(child)
