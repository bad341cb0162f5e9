extends RefCounted
## The addon's settings in Project > Project Settings.

const Command := preload("dock/command.gd")

const COMMAND := Command.SETTING


static func add() -> void:
	_add(
		COMMAND,
		"",
		TYPE_STRING,
		PROPERTY_HINT_PLACEHOLDER_TEXT,
		"the command, or a virtual environment's folder"
	)


## Leaves no trace of settings that nobody changed.
static func remove() -> void:
	for name: String in [COMMAND]:
		if ProjectSettings.get_setting(name) == "":
			ProjectSettings.clear(name)


static func _add(
	name: String, default: Variant, type: Variant.Type, hint: PropertyHint, hint_string: String
) -> void:
	if not ProjectSettings.has_setting(name):
		ProjectSettings.set_setting(name, default)
	ProjectSettings.set_initial_value(name, default)
	ProjectSettings.set_as_basic(name, true)
	ProjectSettings.add_property_info(
		{"name": name, "type": type, "hint": hint, "hint_string": hint_string}
	)
