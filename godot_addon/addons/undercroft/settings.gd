extends RefCounted
## The addon's settings in Project > Project Settings. All are texts, and empty by default.

const Command := preload("dock/command.gd")
const SceneMap := preload("import/scene_map.gd")

const _HINTS := {
	Command.SETTING:
	[PROPERTY_HINT_PLACEHOLDER_TEXT, "the command, or a virtual environment's folder"],
	SceneMap.SETTING: [PROPERTY_HINT_MULTILINE_TEXT, ""],
}


static func add() -> void:
	for name: String in _HINTS:
		if not ProjectSettings.has_setting(name):
			ProjectSettings.set_setting(name, "")
		ProjectSettings.set_initial_value(name, "")
		ProjectSettings.set_as_basic(name, true)
		var hint: Array = _HINTS[name]
		ProjectSettings.add_property_info(
			{"name": name, "type": TYPE_STRING, "hint": hint[0], "hint_string": hint[1]}
		)


## Removes settings that nobody has set.
static func remove() -> void:
	for name: String in _HINTS:
		if str(ProjectSettings.get_setting(name, "")) == "":
			ProjectSettings.clear(name)
