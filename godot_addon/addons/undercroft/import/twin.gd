extends RefCounted
## Levels that are in the project twice: the generator writes a Godot scene, and beside it the same
## level for Tiled and LDtk. Such a file is not imported again; its scene just inherits the Godot
## scene. This applies only to files that are exactly as the generator wrote them: edited files are
## imported.

const SourceFile := preload("source_file.gd")
const Problem := preload("../runtime/problem.gd")

## The option to import the file itself.
const OPTION := "import_twin"
# Setting one of these means that the file itself is wanted.
const _ASKING: Array[String] = ["scenes", "tileset", "post_import"]
# Set by the presets for levels of the generator.
const _PRESET: Array[String] = ["", "door=StaticBody2D", "Door=StaticBody2D"]
# The custom data of the generator's TileSets.
const _LAYERS: Array[String] = ["terrain", "decor", "walk", "fly", "shoot"]
const _SCRATCH := "res://.godot/undercroft/inherited.tscn"
const _INHERITED := """[gd_scene format=3]

[ext_resource type="PackedScene" path="%s" id="1"]

[node name="%s" instance=ExtResource("1")]
"""


static func option() -> Dictionary:
	return {"name": OPTION, "default_value": false}


## The Godot scene of the same level beside a source, if it can replace the import; else "".
static func scene_of(source: String, options: Dictionary) -> String:
	var scene := source.get_basename() + ".tscn"
	if not options.has(OPTION) or is_same(options[OPTION], true) or not _is_whole(scene):
		return ""
	for name: String in _ASKING:
		if not str(options.get(name, "")) in _PRESET:
			return ""
	if is_same(options.get("lights"), true) or is_same(options.get("darkness"), true):
		return ""
	if FileAccess.file_exists(source + ".tileset.tres"):
		return ""
	var fingerprint := RegEx.create_from_string(r'(?m)^metadata/fingerprint = "(\w{32})"$')
	var found := fingerprint.search(SourceFile.text(scene, Problem.new()))
	var text := SourceFile.text(source, Problem.new())
	if found and text.contains('"%s"' % found.get_string(1)) and _is_as_written(text):
		for tileset: String in tilesets_of(source, text):
			var is_there := FileAccess.file_exists(tileset)
			if is_there and not _is_as_written(SourceFile.text(tileset, Problem.new())):
				return ""
		return scene
	return ""


## The external tilesets named in a map of the generator.
static func tilesets_of(source: String, text: String) -> PackedStringArray:
	var found: PackedStringArray = []
	for named: RegExMatch in RegEx.create_from_string(r'"source":"([^"]+\.tsj)"').search_all(text):
		found.append(SourceFile.beside(source, named.get_string(1), Problem.new()))
	return found


## The generator's TileSet beside one of its tilesets, or "".
static func tile_set_of(source: String, options: Dictionary) -> String:
	var path := source.get_basename() + ".tres"
	if is_same(options.get(OPTION), true) or not _is_whole(path):
		return ""
	if not _is_as_written(SourceFile.text(source, Problem.new())):
		return ""
	var tiles := ResourceLoader.load(path) as TileSet
	if tiles == null or tiles.has_meta("undercroft"):
		return ""
	for name: String in _LAYERS:
		if tiles.get_custom_data_layer_by_name(name) < 0:
			return ""
	return path


## A scene that inherits another one without changes; null if that cannot be loaded.
static func inherited(scene: String) -> PackedScene:
	var packed := ResourceLoader.load(scene, "PackedScene") as PackedScene
	if packed == null or not packed.can_instantiate():
		return null
	DirAccess.make_dir_recursive_absolute(_SCRATCH.get_base_dir())
	var file := FileAccess.open(_SCRATCH, FileAccess.WRITE)
	if file == null:
		return null
	# Scripts can create an inherited scene only from text.
	file.store_string(_INHERITED % [scene.c_escape(), packed.get_state().get_node_name(0)])
	file.close()
	var made := ResourceLoader.load(_SCRATCH, "PackedScene", ResourceLoader.CACHE_MODE_IGNORE)
	DirAccess.remove_absolute(_SCRATCH)
	return made as PackedScene


## Prints what was done instead of an import; [param thing] is a level or a tileset.
static func tell(source: String, twin: String, thing: String) -> void:
	var what := "%s was skipped because %s is the same %s; turn on %s to import it too"
	print("Undercroft: " + what % [source, twin.get_file(), thing, OPTION])


## Whether a file is as the generator wrote it: it contains its own SHA-256, computed with zeros in
## that place. Tiled and LDtk drop the digest when they save.
static func _is_as_written(text: String) -> bool:
	# Git may change line ends.
	var plain := text.replace("\r\n", "\n")
	var digest := RegEx.create_from_string('"digest": "([0-9a-f]{64})"').search(plain)
	if digest == null:
		return false
	var before := plain.left(digest.get_start(1))
	var blank := before + "0".repeat(64) + plain.substr(digest.get_end(1))
	return blank.sha256_text() == digest.get_string(1)


## Whether a resource exists with everything that it refers to.
static func _is_whole(path: String) -> bool:
	if not FileAccess.file_exists(path):
		return false
	for dependency: String in ResourceLoader.get_dependencies(path):
		var parts := dependency.split("::")
		if not ResourceLoader.exists(parts[0]) and not ResourceLoader.exists(parts[-1]):
			return false
	return true
