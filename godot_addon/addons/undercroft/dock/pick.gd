extends RefCounted
## A one-time use of the editor's file dialog.


## Opens the dialog; [param chosen] gets the path.
static func path(
	owner: Node,
	mode: EditorFileDialog.FileMode,
	access: EditorFileDialog.Access,
	filter: String,
	chosen: Callable
) -> void:
	var dialog := EditorFileDialog.new()
	dialog.file_mode = mode
	dialog.access = access
	dialog.show_hidden_files = access == EditorFileDialog.ACCESS_FILESYSTEM
	if filter:
		dialog.add_filter(filter)
	dialog.file_selected.connect(chosen)
	dialog.dir_selected.connect(chosen)
	add_once(owner, dialog)
	dialog.popup_file_dialog()


## Adds a dialog that is freed when it is closed.
static func add_once(owner: Node, dialog: Window) -> void:
	dialog.visibility_changed.connect(
		func() -> void:
			if not dialog.visible:
				dialog.queue_free()
	)
	owner.add_child(dialog)


static func project_file(owner: Node, filter: String, chosen: Callable) -> void:
	path(
		owner,
		EditorFileDialog.FILE_MODE_OPEN_FILE,
		EditorFileDialog.ACCESS_RESOURCES,
		filter,
		chosen
	)


static func project_folder(owner: Node, chosen: Callable) -> void:
	path(owner, EditorFileDialog.FILE_MODE_OPEN_DIR, EditorFileDialog.ACCESS_RESOURCES, "", chosen)
