extends RefCounted
## The values of an IntGrid as a TileMapLayer. Each value is a tile with its name, data and shapes.

const Definitions := preload("definitions.gd")
const Fields := preload("../import/fields.gd")
const TileFacts := preload("tile_facts.gd")
const TileLayers := preload("tile_layers.gd")
const TileSets := preload("tile_sets.gd")
const ValueTable := preload("value_table.gd")


## The numbers of a layer's cells, at most as many as it has cells.
static func read(layer: Fields, count: int) -> PackedFloat64Array:
	if not layer.has("intGridCsv"):
		return _sparse(layer, count)
	var found := layer.all_numbers("intGridCsv")
	if found.size() != count and found.size() > 0:
		layer.bad("intGridCsv", "has %d values, but the layer has %d cells" % [found.size(), count])
		found.resize(mini(found.size(), count))
	return found


## The form before LDtk 0.8: non-empty cells, with values counted from 0.
static func _sparse(layer: Fields, count: int) -> PackedFloat64Array:
	var found: PackedFloat64Array = []
	var given: Variant = layer.table.get("intGrid")
	if not given is Array:
		return found
	found.resize(count)
	var cells: Array = given
	for index: int in cells.size():
		var cell := layer.below("intGrid[%d]" % index, cells[index])
		if cell and count > 0:
			var at := cell.integer("coordId", 0, count - 1)
			found[at] = cell.integer("v", 0, Definitions.MAX_VALUE) + 1
	return found


static func node(
	values: PackedFloat64Array, columns: int, definition: Definitions.Layer, sets: TileSets
) -> TileMapLayer:
	var made := TileMapLayer.new()
	made.tile_set = sets.of(definition.grid)
	var source := sets.values(definition)
	if source < 0:
		return made
	var known: PackedByteArray = []
	known.resize(Definitions.MAX_VALUE + 1)
	for value: int in definition.values:
		if value > 0 and value <= Definitions.MAX_VALUE:
			known[value] = 1
	var cells: PackedInt32Array = []
	cells.resize(values.size() * 3)
	var at := 0
	for index: int in values.size():
		var value := values[index]
		if value > 0 and value <= Definitions.MAX_VALUE and known[int(value)]:
			cells[at] = index % columns | (index / columns) << 16
			cells[at + 1] = source | int(value) << 16
			at += 3
	cells.resize(at)
	TileLayers.fill(made, cells)
	return made


## Paints the cells whose values have a terrain in the table; null if there are none.
static func painted(
	values: PackedFloat64Array,
	columns: int,
	definition: Definitions.Layer,
	sets: TileSets,
	table: ValueTable
) -> TileMapLayer:
	var made: TileMapLayer = null
	for value: int in definition.values:
		var known: Definitions.GridValue = definition.values[value]
		for use: ValueTable.Use in table.uses(definition.name, TileFacts.names_of(value, known)):
			if use.kind != "terrain":
				continue
			var place := sets.terrain(definition.grid, use.terrain)
			var cells: Array[Vector2i] = []
			for index: int in values.size():
				if values[index] == value:
					cells.append(Vector2i(index % columns, index / columns))
			if made == null:
				made = TileMapLayer.new()
				made.name = "Terrains"
				made.tile_set = sets.of(definition.grid)
			if cells and place.x >= 0:
				made.set_cells_terrain_connect(cells, place.x, place.y)
	return made
