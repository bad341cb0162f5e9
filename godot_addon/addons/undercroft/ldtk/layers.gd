extends RefCounted
## A layer of a level as a node: a TileMapLayer, or a Node2D with entities below it.

const Definitions := preload("definitions.gd")
const Entities := preload("entities.gd")
const GridValues := preload("grid_values.gd")
const Fields := preload("../import/fields.gd")
const TileLayers := preload("tile_layers.gd")
const TileNumbers := preload("tile_numbers.gd")
const TileSets := preload("tile_sets.gd")
const ValueTable := preload("value_table.gd")

const VALUES := "Values"

var _definitions: Definitions
var _sets: TileSets
var _entities: Entities
var _table: ValueTable
var _shown := ""


func _init(
	definitions: Definitions,
	sets: TileSets,
	entities: Entities,
	table: ValueTable,
	options: Dictionary
) -> void:
	_definitions = definitions
	_sets = sets
	_entities = entities
	_table = table
	_shown = str(options.get("int_grid", "auto"))


## The node of a layer; null and a problem if it cannot be made. `level_size` is in px.
func make(layer: Fields, level_size: Vector2) -> Node2D:
	var uid := layer.integer("layerDefUid", 0, Fields.MAX_INT)
	var definition: Definitions.Layer = _definitions.layers.get(uid)
	if definition == null or not definition.type:
		definition = Definitions.layer_alone(layer)
		if not definition.type:
			return null
		layer.bad("layerDefUid", "is %d, but the project has no such layer" % uid)
		_definitions.layers[uid] = definition
	var made: Node2D
	if definition.type == "Entities":
		made = Node2D.new()
		made.name = definition.name.validate_node_name()
		_entities.add(layer, made, definition.grid)
	else:
		made = _tiles(layer, definition)
	if layer.problem.found or made == null:
		if made:
			made.free()
		return null
	made.position = Vector2(
		layer.number("__pxTotalOffsetX", definition.offset.x),
		layer.number("__pxTotalOffsetY", definition.offset.y)
	)
	made.visible = layer.boolean("visible", true)
	made.modulate.a = layer.number("__opacity", 1, 0, 1)
	made.set_meta("iid", layer.text("iid", ""))
	if definition.parallax == Vector2.ZERO:
		return made
	return _moving(made, definition, level_size)


func _tiles(layer: Fields, definition: Definitions.Layer) -> TileMapLayer:
	var setting := TileLayers.Setting.new()
	setting.grid = definition.grid
	setting.pivot = definition.pivot
	setting.columns = layer.integer("__cWid", 0, TileLayers.MAX_SIDE)
	setting.rows = layer.integer("__cHei", 0, TileLayers.MAX_SIDE)
	if setting.columns * setting.rows > TileLayers.MAX_CELLS:
		layer.bad("__cWid", "makes more than %d cells" % TileLayers.MAX_CELLS)
		return null
	if layer.integer("__gridSize", 1, Definitions.MAX_GRID, definition.grid) != definition.grid:
		layer.bad("__gridSize", "is not the %d of its definition" % definition.grid)
	var name := definition.name.validate_node_name()
	var node := _drawn(layer, definition, setting, name)
	if definition.type != "IntGrid" or layer.problem.found:
		return node
	var values := GridValues.read(layer, setting.columns * setting.rows)
	if layer.problem.found:
		return node
	return _with_values(node, values, setting.columns, definition, name)


## The drawn tiles of a layer; null if it has no tileset.
func _drawn(
	layer: Fields, definition: Definitions.Layer, setting: TileLayers.Setting, name: String
) -> TileMapLayer:
	var uid := layer.integer("__tilesetDefUid", -1, Fields.MAX_INT, definition.tileset)
	uid = layer.integer("overrideTilesetUid", -1, Fields.MAX_INT, uid)
	if uid < 0:
		return null
	var numbers := TileNumbers.read(
		layer, "gridTiles" if definition.type == "Tiles" else "autoLayerTiles"
	)
	setting.tileset = _definitions.tilesets.get(uid)
	if setting.tileset == null:
		layer.bad("__tilesetDefUid", "is %d, but the project has no such tileset" % uid)
	if setting.tileset == null or setting.tileset.is_missing:
		var end := TileNumbers.end(numbers) + Vector2i.ONE * definition.grid
		setting.tileset = _sets.add_missing(uid, definition.grid, end)
	if layer.problem.found:
		return null
	setting.source = _sets.tiles(definition.grid, uid)
	setting.count = _sets.count(definition.grid, uid)
	var layers := TileLayers.new()
	var sheets := layers.sheets(setting, numbers)
	if layers.dropped and setting.count != Vector2i.ZERO:
		layer.bad("", "%d tiles are outside their image and were left out" % layers.dropped)
	return TileLayers.nodes(name, sheets, _sets.of(definition.grid))


## Adds the values of an IntGrid: hidden below the drawn tiles, or in their place.
func _with_values(
	drawn: TileMapLayer,
	values: PackedFloat64Array,
	columns: int,
	definition: Definitions.Layer,
	name: String
) -> TileMapLayer:
	var made := GridValues.node(values, columns, definition, _sets)
	var painted := GridValues.painted(values, columns, definition, _sets, _table)
	var top := drawn if drawn else made
	top.name = name
	if drawn:
		made.name = VALUES
		drawn.add_child(made)
	if painted:
		top.add_child(painted)
	if _shown == "hidden" or (_shown == "auto" and (drawn or painted)):
		# Not `visible`: that would also hide its children.
		made.self_modulate.a = 0
	return top


## A layer with parallax. In LDtk, it is relative to the level's centre.
func _moving(layer: Node2D, definition: Definitions.Layer, level_size: Vector2) -> Node2D:
	var moving := Parallax2D.new()
	moving.name = layer.name
	moving.scroll_scale = Vector2.ONE - definition.parallax
	moving.set_meta("parallax_factor", definition.parallax)
	if definition.parallax_scaling:
		layer.scale = Vector2.ONE - definition.parallax
		layer.position *= layer.scale
	else:
		layer.position -= level_size / 2 * definition.parallax
	moving.add_child(layer)
	return moving
