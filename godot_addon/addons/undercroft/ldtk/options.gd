extends RefCounted
## The options of LDtk projects and their separate levels. The scripts that import them are loaded
## only when a file is imported.

const SceneImporter := preload("../import/scene_importer.gd")

## Definitions that only our exporter's projects have, even after LDtk has saved them.
const MARKS: Array[String] = ['"RoomKind"', '"DoorKind"', '"fingerprint"']
## How much of a file is searched for them; the definitions come before the levels.
const HEAD_BYTES := 1 << 22
## What stops bodies in our levels: bit 1 walkers, 2 flyers, 4 shots.
const LEVEL_TABLE := """Walls=collision:7
Walls=occlusion
pit=collision:1
decor=rock=collision:5
decor=tinted_rock=collision:5
decor=block=collision:5
decor=pot=collision:5
decor=barrel=collision:5
decor=crate=collision:5
decor=grave=collision:5
decor=statue=collision:7
decor=fire=collision:5
decor=red_fire=collision:5
decor=boulder=collision:5
decor=fountain=collision:1
decor=table=collision:1
decor=bookshelf=collision:5
decor=coffin=collision:5
decor=altar=collision:5
decor=brazier=collision:1
decor=stool=collision:1
decor=anvil=collision:5
decor=crystal=collision:5
decor=sack=collision:5
decor=pillar=collision:7
decor=weapon_rack=collision:5
decor=bed=collision:1
decor=workbench=collision:5"""


static func is_ours(path: String) -> bool:
	var file := FileAccess.open(path, FileAccess.READ)
	if file == null:
		return false
	var head := file.get_buffer(HEAD_BYTES).get_string_from_ascii()
	return MARKS.all(func(mark: String) -> bool: return head.contains(mark))


## The options of a project, or of a separate level.
static func all_options(preset: int, of_level: bool = false) -> Array[Dictionary]:
	var common := SceneImporter.common_options(preset)
	if preset == SceneImporter.LEVEL_PRESET:
		common[0].default_value = "Door=StaticBody2D"
	return common + options(preset, of_level)


## The options that only LDtk projects have; for a separate level, the relevant ones.
static func options(preset: int, of_level: bool = false) -> Array[Dictionary]:
	var ours := preset == SceneImporter.LEVEL_PRESET
	var found: Array[Dictionary] = [
		{
			"name": "values",
			"default_value": LEVEL_TABLE if ours else "",
			"property_hint": PROPERTY_HINT_MULTILINE_TEXT,
			"hint_string": "VALUE=collision",
		},
		{
			"name": "int_grid",
			"default_value": "auto",
			"property_hint": PROPERTY_HINT_ENUM_SUGGESTION,
			"hint_string": "auto,shown,hidden",
		},
		{"name": "backgrounds", "default_value": true},
		{
			"name": "entity_position",
			"default_value": "center" if ours else "pivot",
			"property_hint": PROPERTY_HINT_ENUM_SUGGESTION,
			"hint_string": "pivot,center",
		},
		{"name": "entity_tiles", "default_value": false},
		{"name": "level_areas", "default_value": ours},
		{"name": "strict", "default_value": false},
	]
	if not of_level:
		found.append({"name": "level_scenes", "default_value": false})
		found.append({"name": "level_facts", "default_value": ours})
	return found
