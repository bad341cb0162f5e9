extends RefCounted
## Names the layers that levels use, in Project > Project Settings > Layer Names, so that the
## inspector shows words instead of numbers.

const NAMES := {
	"layer_names/2d_physics/layer_1": "Stops walkers",
	"layer_names/2d_physics/layer_2": "Stops flyers",
	"layer_names/2d_physics/layer_3": "Stops shots",
	"layer_names/2d_navigation/layer_1": "Walkers",
	"layer_names/2d_navigation/layer_2": "Flyers",
}


## Names the layers that have no name yet, and saves the project's settings.
static func give() -> void:
	for setting: String in NAMES:
		var before := str(ProjectSettings.get_setting(setting, ""))
		if not before:
			ProjectSettings.set_setting(setting, NAMES[setting])
		elif before != NAMES[setting]:
			print("Undercroft: %s is still called %s" % [setting, before])
	var error := ProjectSettings.save()
	if error:
		push_error("Undercroft: project.godot cannot be written (%s)" % error_string(error))
