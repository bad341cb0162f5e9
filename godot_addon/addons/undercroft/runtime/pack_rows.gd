extends RefCounted
## Reads a level's rows, number by number, and the values of properties in them. Inconsistencies
## are noted as problems.

const PackBlock := preload("pack_block.gd")
const PackForm := preload("pack_form.gd")

const _MAX_BYTES := 15 << 16
# In the tables that rows get copies of.
const _MAX_COPIED := 1 << 22

## The problem; empty if there is none.
var problem := ""
## The level's resources made so far.
var resources: Array[Resource] = []

var _block: PackBlock
var _stream: PackedByteArray
var _at := 0
var _end := 0
var _cells: PackedByteArray
var _cell := 0
var _last: PackedInt32Array = []
# The last point that was read.
var _x := 0
var _y := 0
var _copied := 0


func _init(block: PackBlock, place: int) -> void:
	_block = block
	_stream = block.rows[place]
	_end = block.ends[place]
	_cells = block.cells[place]
	_last.resize(block.steps)
	if _end + _cells.size() > _MAX_BYTES:
		fail("takes more than %d bytes" % _MAX_BYTES)


## Notes a problem; the first one stays.
func fail(what: String) -> void:
	if not problem:
		problem = what


func is_at_end() -> bool:
	return _at == _end and _cell == _cells.size()


## Whether this many numbers are left. The numbers that every row of a form has are read without
## this check: zeros follow the stream, and at the end it must have been read exactly.
func has(numbers: int) -> bool:
	if numbers < 0 or _at + 2 * numbers > _end:
		fail("ends too early")
		return false
	return true


func next() -> int:
	_at += 2
	return _stream.decode_s16(_at - 2)


## A number stored as the difference from the previous row.
func step(slot: int) -> int:
	var number := ((_last[slot] + _stream.decode_s16(_at) + 0x8000) & 0xFFFF) - 0x8000
	_last[slot] = number
	_at += 2
	return number


## The form of the next row, or null.
func form() -> PackForm:
	var number := next() if has(1) else -1
	return _block.forms[number] if number >= 0 and number < _block.forms.size() else null


## The value of a property. Kinds with a fixed number of steps are read here, the others below.
func value_of(kind: int, unit: int, slot: int) -> Variant:
	var value: Variant
	match kind:
		PackForm.VALUE:
			value = _plain(step(slot) & 0xFFFF)
		PackForm.INT:
			value = step(slot)
		PackForm.VECTOR2:
			if unit == PackForm.EXACT:
				value = _exact_point()
			else:
				value = Vector2(step(slot), step(slot + 1)) / (1 << unit)
		PackForm.VECTOR2I:
			value = Vector2i(step(slot), step(slot + 1))
		PackForm.RECT2I:
			value = Rect2i(step(slot), step(slot + 1), step(slot + 2), step(slot + 3))
		PackForm.RESOURCE:
			value = _one_of(resources, step(slot))
		PackForm.FILE:
			value = _one_of(_block.resources, step(slot))
		_:
			value = _list(kind, unit)
	return value


func _list(kind: int, unit: int) -> Variant:
	match kind:
		PackForm.INTS:
			return _ints()
		PackForm.TILES:
			return _tiles()
		PackForm.POINTS:
			return _points(unit)
		PackForm.RINGS:
			return _rings(unit)
		PackForm.INDEXES:
			return _indexes()
	return _tile_map_data()


func _one_of(resources: Array[Resource], place: int) -> Resource:
	if place >= 0 and place < resources.size() and resources[place]:
		return resources[place]
	fail("needs a resource that does not exist")
	return null


# A value of the block, as a separate copy.
func _plain(place: int) -> Variant:
	if place >= _block.values.size() or _block.values[place] is Object:
		fail("needs a value that does not exist")
		return null
	_copied += _block.value_sizes[place]
	if _copied > _MAX_COPIED:
		fail("repeats values of more than %d bytes" % _MAX_COPIED)
		return null
	var value: Variant = _block.values[place]
	if value is Array:
		var list: Array = value
		return list.duplicate(true)
	if value is Dictionary:
		var table: Dictionary = value
		return table.duplicate(true)
	return value


func _ints() -> Array:
	var size := next()
	var numbers: Array = []
	if has(size):
		for _i: int in size:
			numbers.append(next())
	return numbers


func _tiles() -> Array[Vector2i]:
	var size := next()
	var tiles: Array[Vector2i] = []
	if has(2 * size):
		var tile := Vector2i()
		for _i: int in size:
			tile += Vector2i(next(), next())
			tiles.append(tile)
	return tiles


func _points(unit: int) -> PackedVector2Array:
	_x = 0
	_y = 0
	return _ring(next(), unit)


func _rings(unit: int) -> Array[PackedVector2Array]:
	_x = 0
	_y = 0
	var rings: Array[PackedVector2Array] = []
	for size: int in _sizes():
		rings.append(_ring(size, unit))
	return rings


# Points, each stored as the difference from the previous one, unless they are exact.
func _ring(size: int, unit: int) -> PackedVector2Array:
	var points: PackedVector2Array = []
	if not has(size * (4 if unit == PackForm.EXACT else 2)):
		return points
	points.resize(size)
	if unit == PackForm.EXACT:
		for i: int in size:
			points[i] = _exact_point()
		return points
	var part := 1.0 / (1 << unit)
	for i: int in size:
		_x += _stream.decode_s16(_at)
		_y += _stream.decode_s16(_at + 2)
		_at += 4
		points[i] = Vector2(_x * part, _y * part)
	return points


func _exact_point() -> Vector2:
	_at += 8
	return Vector2(_stream.decode_float(_at - 8), _stream.decode_float(_at - 4))


func _indexes() -> Array[PackedInt32Array]:
	var lists: Array[PackedInt32Array] = []
	var index := 0
	for size: int in _sizes():
		var list: PackedInt32Array = []
		if not has(size):
			break
		list.resize(size)
		for i: int in size:
			index += _stream.decode_s16(_at)
			_at += 2
			list[i] = index
		lists.append(list)
	return lists


func _sizes() -> PackedInt32Array:
	var sizes: PackedInt32Array = []
	var count := next()
	if has(count):
		for _i: int in count:
			sizes.append(next())
	return sizes


# The cells of a layer, as TileMapLayer has them: two bytes of format, and 12 for each cell.
func _tile_map_data() -> PackedByteArray:
	var data: PackedByteArray = [0, 0]
	var parts := next()
	if has(5 * parts):
		for _i: int in parts:
			data.append_array(_rectangle(Rect2i(next(), next(), next(), next()), next()))
			if problem:
				break
	return data


func _rectangle(rect: Rect2i, palette: int) -> PackedByteArray:
	var there := (
		rect.size.x > 0 and rect.size.y > 0 and palette >= 0 and palette < _block.low.size()
	)
	if not there or rect.get_area() > _cells.size() - _cell:
		fail("has a layer of cells that do not exist")
		return []
	var low := _block.low[palette]
	var high := _block.high[palette]
	var numbers: PackedInt32Array = []
	numbers.resize(rect.get_area() * 3)
	var filled := 0
	for y: int in range(rect.position.y, rect.end.y):
		for x: int in range(rect.position.x, rect.end.x):
			var tile := _cells[_cell]
			_cell += 1
			if tile:
				numbers[filled] = y << 16 | x & 0xFFFF
				numbers[filled + 1] = low[tile]
				numbers[filled + 2] = high[tile]
				filled += 3
	numbers.resize(filled)
	return numbers.to_byte_array()
