extends RefCounted
## A parsed tileset of a map: its images, its tiles, and its first gid.

const Batch := preload("../import/batch.gd")
const Fields := preload("../import/fields.gd")
const OldTilesets := preload("old_tilesets.gd")
const Problem := preload("../runtime/problem.gd")
const SourceFile := preload("../import/source_file.gd")
const Textures := preload("textures.gd")
const TiledFile := preload("tiled_file.gd")
const TileSetFile := preload("../import/tileset_file.gd")
const Tileset := preload("tileset.gd")

const MAX_TILES := 1 << 20
## Ids of an image collection may have gaps, but not arbitrarily large ones.
const MAX_ID := 1 << 22
const MAX_GID := 0x0FFFFFFF
const MAX_TILESETS := 1000
const MAX_PX := 16384
const MAX_DEPTH := 64

var first_gid := 1
## Whether it could not be read, which has been reported.
var is_lost := false
## Its own file, or the map's if it is embedded; "" if unknown.
var file := ""
## Its name in the ledger of the TileSet, once it is part of one.
var key := ""
var fields: Fields
## Whether one image has all tiles, and its size in the file; zero if unknown.
var has_image := false
var image_size := Vector2i.ZERO
var tile_size := Vector2i.ONE
var count := 0
var columns := 0
var margin := 0
var spacing := 0
var offset := Vector2i.ZERO
var alignment := ""
## Maps a point of a tile's picture in the file to one in Godot: for all tiles, and by id for
## exceptions. See [Fitted].
var fit := Transform2D.IDENTITY
var fits: Dictionary = {}
## The tables of tiles in the file, by id.
var tiles: Dictionary = {}


## The tilesets of a map, sorted by first gid; those that cannot be read are [member is_lost].
static func all(file: TiledFile) -> Array[Tileset]:
	var by_first: Dictionary = {}
	for entry: Fields in file.root.subs("tilesets", MAX_TILESETS):
		var first := entry.integer("firstgid", 1, MAX_GID, 1)
		var body := file.other(entry, "source") if entry.has("source") else entry
		if body and body.text("type", "tileset") != "tileset":
			entry.bad("source", "%s is not a tileset" % body.file)
			body = null
		if by_first.has(first):
			entry.bad("firstgid", "%d is also that of another tileset" % first)
		else:
			by_first[first] = Tileset.read(body, first) if body else Tileset._lost(entry, first)
	var found: Array[Tileset] = []
	var firsts := by_first.keys()
	firsts.sort()
	for first: int in firsts:
		found.append(by_first[first])
	_add_of_templates(file, file.root, found, 0)
	return found


## Adds the tilesets that only templates use, after those of the map.
static func _add_of_templates(
	file: TiledFile, above: Fields, found: Array[Tileset], depth: int
) -> void:
	for layer: Fields in above.subs("layers"):
		if layer.has("layers") and depth < MAX_DEPTH:
			_add_of_templates(file, layer, found, depth + 1)
		for object: Fields in layer.subs("objects"):
			var template := file.other(object, "template") if object.has("template") else null
			if template == null or not template.has("tileset"):
				continue
			var body := file.other(template.sub("tileset"), "source")
			if body == null or found.any(func(known: Tileset) -> bool: return known.fields == body):
				continue
			found.append(Tileset.read(body, found[-1].end() if found else 1))


func end() -> int:
	var most := count
	for id: int in tiles:
		most = maxi(most, id + 1)
	return first_gid + most


## Reads a tileset from the fields of its own file, or of the map that it is embedded in.
static func read(body: Fields, first: int) -> Tileset:
	var made := Tileset.new()
	OldTilesets.renew(body.table)
	made.fields = body
	made.file = body.file
	made.first_gid = first
	made.tile_size.x = body.integer("tilewidth", 0, MAX_PX, 0)
	made.tile_size.y = body.integer("tileheight", 0, MAX_PX, 0)
	made.count = body.integer("tilecount", 0, MAX_TILES, 0)
	made.margin = body.integer("margin", 0, MAX_PX, 0)
	made.spacing = body.integer("spacing", 0, MAX_PX, 0)
	made.alignment = body.text("objectalignment", "unspecified")
	if body.has("tileoffset"):
		var at := body.sub("tileoffset")
		made.offset.x = at.integer("x", -MAX_PX, MAX_PX, 0)
		made.offset.y = at.integer("y", -MAX_PX, MAX_PX, 0)
	made._read_tiles()
	if body.has("image"):
		made._count_tiles()
	return made


## A tileset without tiles, for one that cannot be read.
static func _lost(entry: Fields, first: int) -> Tileset:
	var made := Tileset.new()
	made.fields = entry
	made.first_gid = first
	made.is_lost = true
	if entry.has("source"):
		# A problem with the path has been reported.
		made.file = SourceFile.beside(entry.file, str(entry.table["source"]), Problem.new())
	return made


## Whether the tileset is part of the map's file, not a file of its own.
func is_embedded() -> bool:
	return fields.place != "" and not is_lost


## Gets its name from the ledger of a TileSet.
func enter(file: TileSetFile) -> void:
	var within := fields.text("name", fields.place) if is_embedded() else ""
	# A problem with the path is reported when the image is read.
	var written := fields.text("image", "") if has_image else ""
	var image := SourceFile.beside(fields.file, written, Problem.new()) if has_image else ""
	var looks := [fields.text("name", ""), image.get_file(), tile_size]
	key = file.part(fields.file, within, looks, Batch.digest(image) if image else "")


## The class of a tile; its key depends on the version of Tiled.
static func class_of(thing: Fields) -> String:
	return thing.text("type", thing.text("class", ""))


func fit_of(id: int) -> Transform2D:
	return fits.get(id, fit)


## The fields of a tile in [member tiles].
func tile(id: int) -> Fields:
	return tiles[id]


func _read_tiles() -> void:
	for tile: Fields in fields.subs("tiles", MAX_TILES):
		var id := tile.integer("id", 0, MAX_ID, 0)
		if tiles.has(id):
			tile.bad("id", "%d is there twice" % id)
		tiles[id] = tile


## Old files have neither the number of tiles nor of columns, nor the image's size.
func _count_tiles() -> void:
	if tile_size.x < 1 or tile_size.y < 1:
		fields.bad("tilewidth", "tiles of %d x %d px cannot be drawn" % [tile_size.x, tile_size.y])
		return
	has_image = true
	image_size.x = fields.integer("imagewidth", 0, MAX_PX, 0)
	image_size.y = fields.integer("imageheight", 0, MAX_PX, 0)
	if not image_size.x or not image_size.y:
		var texture := Textures.at(fields)
		if texture:
			image_size = Vector2i(texture.get_size())
	var across := (image_size.x - 2 * margin + spacing) / float(tile_size.x + spacing)
	var down := (image_size.y - 2 * margin + spacing) / float(tile_size.y + spacing)
	columns = fields.integer("columns", 0, MAX_PX, 0)
	if columns == 0:
		columns = maxi(1, int(across))
	if not fields.has("tilecount"):
		count = mini(columns * maxi(0, int(down)), MAX_TILES)
