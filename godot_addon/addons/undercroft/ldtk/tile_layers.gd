extends RefCounted
## Tiles as TileMapLayers. An LDtk layer may have several tiles at one place, tiles between its
## cells, and tiles with their own opacity. A TileMapLayer supports none of that, so there are as
## many as needed, each drawn above the previous ones.

const Definitions := preload("definitions.gd")
const TileNumbers := preload("tile_numbers.gd")

## Cells of a TileMapLayer are numbered with 16 bits.
const MAX_SIDE := 32_767
const MAX_CELLS := 1 << 24
const MAX_SHEETS := 256


## One TileMapLayer: all its tiles have the same offset from the grid and the same opacity.
class Sheet:
	var offset := Vector2i.ZERO
	var opacity := 255
	## Three numbers per cell, as in `tile_map_data`.
	var cells: PackedInt32Array = []


## The facts about a layer.
class Setting:
	var columns := 0
	var rows := 0
	var grid := 16
	var tileset: Definitions.Tiles
	var source := 0
	## The columns and rows of tiles in the source.
	var count := Vector2i.ZERO
	var pivot := Vector2.ZERO


var dropped := 0

var _setting: Setting
var _sheets: Array[Sheet] = []
## Sheets by offset and opacity, lowest first.
var _places: Dictionary = {}
## For each cell, the number of sheets up to the highest one with a tile there.
var _tops: PackedInt32Array = []


## The sheets for the tiles of a layer, lowest first; the first one has no offset.
func sheets(setting: Setting, numbers: PackedInt32Array) -> Array[Sheet]:
	_setting = setting
	_tops.resize(setting.columns * setting.rows)
	_add_sheet(Vector2i.ZERO, 255)
	var simple := setting.tileset.grid == setting.grid
	var grid := setting.grid
	var pitch := setting.tileset.grid + setting.tileset.spacing
	var padding := setting.tileset.padding
	var first := _sheets[0]
	for tile: int in range(0, numbers.size(), TileNumbers.STRIDE):
		var x := numbers[tile]
		var y := numbers[tile + 1]
		var atlas_x := (numbers[tile + 2] - padding) / pitch
		var atlas_y := (numbers[tile + 3] - padding) / pitch
		if atlas_x < 0 or atlas_y < 0 or atlas_x >= setting.count.x or atlas_y >= setting.count.y:
			dropped += 1
			continue
		var flips := numbers[tile + 4] & 3
		if simple and x % grid == 0 and y % grid == 0 and numbers[tile + 5] == 255:
			var column := x / grid
			var row := y / grid
			if column < 0 or row < 0 or column >= setting.columns or row >= setting.rows:
				continue
			var cell := row * setting.columns + column
			var sheet := first
			if _tops[cell] == 0:
				_tops[cell] = 1
			else:
				sheet = _free(_tops[cell], Vector2i.ZERO, 255)
				_tops[cell] = _sheets.find(sheet) + 1
			sheet.cells.append(column | row << 16)
			sheet.cells.append(setting.source | atlas_x << 16)
			sheet.cells.append(atlas_y | flips << 28)
		else:
			_place(x, y, Vector2i(atlas_x, atlas_y), flips, numbers[tile + 5])
	return _sheets


## Makes the nodes: the first sheet is the layer itself, all others are its children.
static func nodes(name: String, sheets: Array[Sheet], tile_set: TileSet) -> TileMapLayer:
	var top: TileMapLayer = null
	for index: int in sheets.size():
		var sheet := sheets[index]
		var node := TileMapLayer.new()
		node.tile_set = tile_set
		node.position = sheet.offset
		if sheet.opacity < 255:
			node.modulate.a = sheet.opacity / 255.0
		fill(node, sheet.cells)
		if top == null:
			top = node
			top.name = name
		else:
			node.name = "Above%d" % index
			top.add_child(node)
	return top


## Sets all cells of a TileMapLayer at once.
static func fill(node: TileMapLayer, cells: PackedInt32Array) -> void:
	if cells:
		var bytes := PackedByteArray([0, 0])
		bytes.append_array(cells.to_byte_array())
		node.tile_map_data = bytes


## Places a tile anywhere, of any size. In Godot too, a flipped tile is aligned to the other edge of
## its cell: the offset of larger tiles is flipped with them.
func _place(x: int, y: int, atlas: Vector2i, flips: int, opacity: int) -> void:
	var grid := _setting.grid
	var size := _setting.tileset.grid
	var more := grid - size
	var corner := Vector2i(
		x if flips & 1 else x + roundi(more * _setting.pivot.x),
		y if flips & 2 else y + roundi(more * _setting.pivot.y)
	)
	var at := Vector2i((Vector2(corner) / grid).floor())
	var offset := corner - at * grid
	var drawn := Rect2i(corner + Vector2i(flips & 1, flips >> 1) * more, Vector2i(size, size))
	var whole := Rect2i(0, 0, _setting.columns * grid, _setting.rows * grid)
	if not whole.intersects(drawn):
		return
	drawn = drawn.intersection(whole)
	var first := drawn.position / grid
	var last := (drawn.end - Vector2i.ONE) / grid
	var least := 0
	for row: int in range(first.y, last.y + 1):
		for column: int in range(first.x, last.x + 1):
			least = maxi(least, _tops[row * _setting.columns + column])
	var sheet := _free(least, offset, opacity)
	var above := _sheets.find(sheet) + 1
	for row: int in range(first.y, last.y + 1):
		for column: int in range(first.x, last.x + 1):
			_tops[row * _setting.columns + column] = above
	sheet.cells.append(at.x & 0xFFFF | (at.y & 0xFFFF) << 16)
	sheet.cells.append(_setting.source | atlas.x << 16)
	sheet.cells.append(atlas.y | flips << 28)


## The lowest free sheet for an offset and an opacity, from a number on. If there are too many
## already, the order of two tiles is not kept.
func _free(least: int, offset: Vector2i, opacity: int) -> Sheet:
	var key := Vector3i(offset.x, offset.y, opacity)
	var places: PackedInt32Array = _places.get(key, PackedInt32Array())
	for place: int in places:
		if place >= least:
			return _sheets[place]
	if _sheets.size() < MAX_SHEETS:
		return _add_sheet(offset, opacity)
	return _sheets[places[-1]] if places else _sheets[0]


func _add_sheet(offset: Vector2i, opacity: int) -> Sheet:
	var sheet := Sheet.new()
	sheet.offset = offset
	sheet.opacity = opacity
	var key := Vector3i(offset.x, offset.y, opacity)
	var places: PackedInt32Array = _places.get(key, PackedInt32Array())
	places.append(_sheets.size())
	_places[key] = places
	_sheets.append(sheet)
	return sheet
