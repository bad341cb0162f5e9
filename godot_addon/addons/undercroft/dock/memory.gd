extends RefCounted
## What was chosen in the dock, remembered for each project in the editor's own files.

const _SECTION := "undercroft"
const _KEY := "dock"


static func load_choice() -> Dictionary:
	var found: Variant = EditorInterface.get_editor_settings().get_project_metadata(
		_SECTION, _KEY, {}
	)
	return found if found is Dictionary else {}


static func save_choice(choice: Dictionary) -> void:
	if choice != load_choice():
		EditorInterface.get_editor_settings().set_project_metadata(_SECTION, _KEY, choice)
