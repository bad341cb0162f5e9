extends RefCounted
## Remembers the choices made in the dock, per project, in the editor's own files.

const _SECTION := "undercroft"
const _KEY := "dock"
const _SHOWN := "dock_was_shown"
const _PINS := "pins"


static func load_choice() -> Dictionary:
	var found: Variant = EditorInterface.get_editor_settings().get_project_metadata(
		_SECTION, _KEY, {}
	)
	return found if found is Dictionary else {}


static func save_choice(choice: Dictionary) -> void:
	if choice != load_choice():
		EditorInterface.get_editor_settings().set_project_metadata(_SECTION, _KEY, choice)


## Whether the dock has been brought to the front in this project.
static func was_shown() -> bool:
	var settings := EditorInterface.get_editor_settings()
	return settings.get_project_metadata(_SECTION, _SHOWN, false) == true


static func note_shown() -> void:
	EditorInterface.get_editor_settings().set_project_metadata(_SECTION, _SHOWN, true)


## The pinned rooms of a level.json, as long as it holds the same level.
static func pins(json: String, identity: String) -> PackedInt32Array:
	var found: Variant = _all_pins().get(json + "#" + identity)
	return found if found is PackedInt32Array else PackedInt32Array()


static func save_pins(json: String, identity: String, rooms: PackedInt32Array) -> void:
	var all := _all_pins()
	all[json + "#" + identity] = rooms
	EditorInterface.get_editor_settings().set_project_metadata(_SECTION, _PINS, all)


static func _all_pins() -> Dictionary:
	var settings := EditorInterface.get_editor_settings()
	var found: Variant = settings.get_project_metadata(_SECTION, _PINS, {})
	var all: Dictionary = found if found is Dictionary else {}
	return all.duplicate()


static func texts(
	memory: Dictionary, key: String, otherwise: PackedStringArray
) -> PackedStringArray:
	var found: Variant = memory.get(key)
	return found if found is PackedStringArray else otherwise
