extends RefCounted
## Projects with the same definitions of tilesets and values share a TileSet beside the image of the
## first tileset. Projects that only use the same image do not, because the same number may mean a
## wall in one and water in the other.

const Definitions := preload("definitions.gd")
const Problem := preload("../runtime/problem.gd")
const Project := preload("project.gd")
const SourceFile := preload("../import/source_file.gd")
const TileSetFile := preload("../import/tileset_file.gd")


## The path of the family's TileSet; "" if the project must have its own.
static func path(project: Project) -> String:
	var image := ""
	for tileset: Definitions.Tiles in project.definitions.tilesets.values():
		if not image and tileset.image:
			image = SourceFile.beside(project.file, tileset.image, Problem.new())
	if not image or not FileAccess.file_exists(image):
		return ""
	var shared := image + ".tileset.tres"
	if not FileAccess.file_exists(shared):
		return shared
	var known := TileSetFile.open(project.file, shared, Problem.new())
	return shared if known and known.is_of(project.file, digest(project)) else ""


## A digest of the project's definitions of tiles and values.
static func digest(project: Project) -> String:
	var told: Array = []
	for tileset: Definitions.Tiles in project.definitions.tilesets.values():
		var size := [tileset.size, tileset.grid, tileset.spacing, tileset.padding]
		var image := tileset.image.get_file()
		told.append([tileset.uid, image, size, tileset.tags, tileset.custom])
	for layer: Definitions.Layer in project.definitions.layers.values():
		var values: Array = []
		for value: int in layer.values:
			var known: Definitions.GridValue = layer.values[value]
			values.append([value, known.name, known.group, known.color])
		told.append([layer.uid, layer.name, layer.type, layer.grid, values])
	return var_to_str(told).md5_text()
