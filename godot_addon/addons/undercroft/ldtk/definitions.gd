extends RefCounted
## The definitions of an LDtk project: layers, tilesets and entities, by uid.

const Definitions := preload("definitions.gd")
const Fields := preload("../import/fields.gd")

const MAX_GRID := 4096
const MAX_IMAGE := 16384
const MAX_TILES := 1 << 20
## Larger IntGrid values are left out, because each value is a tile of a picture.
const MAX_VALUE := 4096
const TYPES: Array[String] = ["IntGrid", "AutoLayer", "Tiles", "Entities"]

## By uid: [Definitions.Layer], [Definitions.Tiles], [Definitions.Entity].
var layers: Dictionary = {}
var tilesets: Dictionary = {}
var entities: Dictionary = {}
## The value names of enums, by the enum's uid.
var enums: Dictionary = {}


## A layer. `values` has the [Definitions.GridValue] of each IntGrid number.
class Layer:
	var uid := 0
	var name := ""
	var type := ""
	var grid := 16
	var offset := Vector2.ZERO
	var pivot := Vector2.ZERO
	var parallax := Vector2.ZERO
	var parallax_scaling := false
	var tileset := -1
	var values: Dictionary = {}


class GridValue:
	var name := ""
	## The name without that of a look: further looks of a level have values of their own, `pit__keep`.
	var plain_name := ""
	var group := ""
	var color := Color.MAGENTA


## A tileset: an image of `columns` x `rows` tiles of `grid` px.
class Tiles:
	var uid := 0
	var name := ""
	var image := ""
	var size := Vector2i.ZERO
	var grid := 16
	var spacing := 0
	var padding := 0
	var columns := 0
	var rows := 0
	## Whether the project does not define it.
	var is_missing := false
	## By enum value: the numbers of the tiles with this tag.
	var tags: Dictionary = {}
	## By tile number: its custom data text.
	var custom: Dictionary = {}

	## The place of a tile number in the image, in tiles.
	func at(number: int) -> Vector2i:
		return Vector2i(number % columns, floori(number / float(columns)))


class Entity:
	var uid := 0
	var name := ""
	var tags: PackedStringArray = []
	var sized := false
	var round := false


static func read(defs: Fields) -> Definitions:
	var found := Definitions.new()
	for one: Fields in defs.subs("enums") + defs.subs("externalEnums"):
		var values: PackedStringArray = []
		for value: Fields in one.subs("values"):
			values.append(value.text("id"))
		found.enums[one.integer("uid", 0, Fields.MAX_INT)] = values
	for one: Fields in defs.subs("layers"):
		_add(found.layers, one, _layer(one))
	for one: Fields in defs.subs("tilesets"):
		_add(found.tilesets, one, _tiles(one))
	for one: Fields in defs.subs("entities"):
		_add(found.entities, one, _entity(one))
	return found


static func _add(to: Dictionary, record: Fields, made: Variant) -> void:
	var uid := record.integer("uid", 0, Fields.MAX_INT)
	if to.has(uid):
		record.bad("uid", "is %d, which is used twice; the first one counts" % uid)
	else:
		to[uid] = made


static func _layer(record: Fields) -> Layer:
	var layer := Layer.new()
	layer.uid = record.integer("uid", 0, Fields.MAX_INT)
	layer.name = record.text("identifier")
	layer.type = _type(record)
	layer.grid = record.integer("gridSize", 1, MAX_GRID)
	layer.offset = Vector2(record.number("pxOffsetX", 0), record.number("pxOffsetY", 0))
	layer.pivot = Vector2(
		record.number("tilePivotX", 0, 0, 1), record.number("tilePivotY", 0, 0, 1)
	)
	layer.parallax = Vector2(
		record.number("parallaxFactorX", 0, -1, 1), record.number("parallaxFactorY", 0, -1, 1)
	)
	layer.parallax_scaling = record.boolean("parallaxScaling", false)
	layer.tileset = record.integer("tilesetDefUid", -1, Fields.MAX_INT, -1)
	if layer.tileset < 0:
		layer.tileset = record.integer("autoTilesetDefUid", -1, Fields.MAX_INT, -1)
	var groups: Dictionary = {}
	for group: Fields in record.subs("intGridValuesGroups"):
		groups[group.integer("uid", 0, Fields.MAX_INT)] = group.text("identifier", "")
	var names: Dictionary = {}
	for one: Fields in record.subs("intGridValues"):
		var value := GridValue.new()
		value.name = one.text("identifier", "")
		value.plain_name = _plain_name(value.name, names)
		names[value.name] = true
		value.color = one.color("color", Color.MAGENTA)
		value.group = groups.get(one.integer("groupUid", 0, Fields.MAX_INT, 0), "")
		layer.values[one.integer("value", 0, Fields.MAX_INT)] = value
	return layer


## The part of a name that is the name of a value before it: kinds of kits may have `__`, too.
static func _plain_name(name: String, names: Dictionary) -> String:
	var at := name.find("__")
	while at > 0:
		if names.has(name.left(at)):
			return name.left(at)
		at = name.find("__", at + 1)
	return name


## A layer without a definition, from the data in the level.
static func layer_alone(record: Fields) -> Layer:
	var layer := Layer.new()
	layer.uid = record.integer("layerDefUid", 0, Fields.MAX_INT)
	layer.name = record.text("__identifier", "Layer")
	layer.type = _type(record)
	layer.grid = record.integer("__gridSize", 1, MAX_GRID)
	layer.tileset = record.integer("__tilesetDefUid", -1, Fields.MAX_INT, -1)
	return layer


## An entity without a definition, from the data in the level.
static func entity_alone(record: Fields) -> Entity:
	var entity := Entity.new()
	entity.name = record.text("__identifier", "Entity")
	entity.tags = PackedStringArray(record.array("__tags"))
	return entity


## A tileset without a definition, large enough for all tiles in use.
static func tiles_alone(uid: int, grid: int, end: Vector2i) -> Tiles:
	var tiles := Tiles.new()
	tiles.uid = uid
	tiles.name = "Missing_%d" % uid
	tiles.grid = grid
	tiles.columns = mini(ceili(end.x / float(grid)), floori(MAX_IMAGE / float(grid)))
	tiles.rows = mini(ceili(end.y / float(grid)), floori(MAX_IMAGE / float(grid)))
	tiles.size = Vector2i(tiles.columns, tiles.rows) * grid
	tiles.is_missing = true
	return tiles


## The type of a layer; its key depends on the version.
static func _type(record: Fields) -> String:
	var key := "__type" if record.has("__type") else "type"
	var type := record.text(key)
	if TYPES.has(type):
		return type
	record.bad(key, "is %s; LDtk has %s" % [type, ", ".join(TYPES)])
	return ""


static func _tiles(record: Fields) -> Tiles:
	var tiles := Tiles.new()
	tiles.uid = record.integer("uid", 0, Fields.MAX_INT)
	tiles.name = record.text("identifier")
	tiles.image = record.text("relPath", "")
	tiles.size = Vector2i(
		record.integer("pxWid", 0, MAX_IMAGE), record.integer("pxHei", 0, MAX_IMAGE)
	)
	tiles.grid = record.integer("tileGridSize", 1, MAX_GRID)
	tiles.spacing = record.integer("spacing", 0, MAX_IMAGE, 0)
	tiles.padding = record.integer("padding", 0, MAX_IMAGE, 0)
	# As in LDtk, an incomplete last column counts.
	var pitch := float(tiles.grid + tiles.spacing)
	tiles.columns = maxi(1, ceili((tiles.size.x - 2 * tiles.padding) / pitch))
	tiles.rows = maxi(0, ceili((tiles.size.y - 2 * tiles.padding) / pitch))
	if tiles.columns * tiles.rows > MAX_TILES:
		record.bad("tileGridSize", "makes more than %d tiles of the image" % MAX_TILES)
		tiles.columns = 1
		tiles.rows = 0
		return tiles
	for tag: Fields in record.subs("enumTags"):
		tiles.tags[tag.text("enumValueId")] = _numbers(tag, "tileIds", tiles)
	for one: Fields in record.subs("customData"):
		var number := one.integer("tileId", 0, Fields.MAX_INT)
		if number < tiles.columns * tiles.rows:
			tiles.custom[number] = one.text("data", "")
	return tiles


static func _numbers(record: Fields, key: String, tiles: Tiles) -> PackedInt32Array:
	var found: PackedInt32Array = []
	for number: float in record.all_numbers(key):
		if number >= 0 and number < tiles.columns * tiles.rows:
			found.append(int(number))
	return found


static func _entity(record: Fields) -> Entity:
	var entity := Entity.new()
	entity.uid = record.integer("uid", 0, Fields.MAX_INT)
	entity.name = record.text("identifier")
	entity.tags = PackedStringArray(record.array("tags"))
	entity.sized = record.boolean("resizableX", false) or record.boolean("resizableY", false)
	entity.round = record.text("renderMode", "Rectangle") == "Ellipse"
	return entity
