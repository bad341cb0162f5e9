extends RefCounted
## Builds a scene from its rows: each is a resource or node of a form, followed by numbers. What
## does not fit together is noted as a problem, and no scene is built.

const PackBlock := preload("pack_block.gd")
const PackForm := preload("pack_form.gd")
const PackScene := preload("pack_scene.gd")

const _MOST_DEPTH := 32

var _block: PackBlock
var _stream: PackedByteArray
var _at := 0
var _end := 0
var _cells: PackedByteArray
var _cell := 0
var _last: PackedInt32Array = []
# Of the lists of indexes that were read last.
var _least_index := 0
var _most_index := -1
# The point that was read last.
var _x := 0
var _y := 0
var _resources: Array[Resource] = []
var _nodes: Array[Node] = []
var _depths: PackedByteArray = []
var _problem := ""


## Builds the scene at a place of a block.
static func build(block: PackBlock, place: int) -> PackScene:
	var scene := PackScene.new()
	scene._block = block
	scene._stream = block.rows[place]
	scene._end = scene._stream.size()
	scene._stream.resize(scene._end + 2 * block.most_numbers)
	scene._cells = block.cells[place]
	scene._last.resize(block.steps)
	scene._read()
	return scene


## The scene's root; null where there was a problem.
func root() -> Node2D:
	return null if _problem else _nodes[0] as Node2D


## What is wrong; empty where nothing is.
func problem() -> String:
	return _problem


func _fail(what: String) -> void:
	if not _problem:
		_problem = what


func _read() -> void:
	if not _has(2):
		return
	var resources := _next()
	var nodes := _next()
	for _i: int in resources:
		_read_resource()
		if _problem:
			return
	for _i: int in nodes:
		_read_node()
		if _problem:
			break
	if _at != _end or _cell != _cells.size():
		_fail("ends too early or too late")
	if _nodes.is_empty() or not _nodes[0] is Node2D:
		_fail("has no root")
	if _problem and _nodes:
		_nodes[0].free()


func _read_resource() -> void:
	var form := _form()
	if form == null or not form.is_resource():
		_fail("asks for a resource of no kind that packs have")
		return
	var resource: Resource = ClassDB.instantiate(form.type)
	_set_all(resource, form, form.first_step)
	var mesh := resource as NavigationPolygon
	if mesh and (_least_index < 0 or _most_index >= mesh.vertices.size()):
		_fail("has polygons of corners that are not there")
	_resources.append(resource)


func _read_node() -> void:
	var form := _form()
	if form == null or form.is_resource():
		_fail("asks for a node of no kind that packs have")
		return
	var slot := form.first_step
	var above := _step(slot)
	slot += 1
	var node_name := form.name
	if form.numbered:
		node_name += str(_step(slot))
		slot += 1
	if _nodes and (above < 0 or above >= _nodes.size() or _depths[above] > _MOST_DEPTH):
		_fail("has a node below one that is not there")
		return
	var node := _made(form)
	if node == null:
		_fail("needs a scene that is not there")
		return
	node.name = node_name
	for group: StringName in form.groups:
		node.add_to_group(group, true)
	_set_all(node, form, slot)
	if _nodes:
		_nodes[above].add_child(node)
		node.owner = _nodes[0]
	_depths.append(_depths[above] + 1 if _nodes else 0)
	_nodes.append(node)


func _made(form: PackForm) -> Node:
	if form.file < 0:
		return ClassDB.instantiate(form.type)
	var scene := _block.resources[form.file] as PackedScene
	return scene.instantiate() if scene else null


func _set_all(object: Object, form: PackForm, slot: int) -> void:
	for i: int in form.keys.size():
		var value: Variant = _value(form.kinds[i], form.units[i], slot)
		if _problem:
			return
		slot += PackForm.STEPS[form.kinds[i]] if form.units[i] != PackForm.EXACT else 0
		if form.is_meta[i]:
			object.set_meta(form.keys[i], value)
		elif form.types[i] < 0 or form.types[i] == typeof(value):
			object.set(form.keys[i], value)
		else:
			_fail("%s: %s is not of its type" % [form.type, form.keys[i]])


# --- numbers ------------------------------------------------------------------------------


# Whether so many numbers are left. Of the ones that every row of a form has nobody asks: the
# stream is filled up with as many zeros, and must have been read to its end when all is done.
func _has(numbers: int) -> bool:
	if numbers < 0 or _at + 2 * numbers > _end:
		_fail("ends too early")
		return false
	return true


func _next() -> int:
	_at += 2
	return _stream.decode_s16(_at - 2)


# A number that was written as its difference from the row before.
func _step(slot: int) -> int:
	var number := ((_last[slot] + _stream.decode_s16(_at) + 0x8000) & 0xFFFF) - 0x8000
	_last[slot] = number
	_at += 2
	return number


func _form() -> PackForm:
	var number := _next() if _has(1) else -1
	return _block.forms[number] if number >= 0 and number < _block.forms.size() else null


# Those of a fixed number of steps are read here, the others below.
func _value(kind: int, unit: int, slot: int) -> Variant:
	var value: Variant
	match kind:
		PackForm.VALUE:
			value = _plain(_step(slot) & 0xFFFF)
		PackForm.INT:
			value = _step(slot)
		PackForm.VECTOR2:
			if unit == PackForm.EXACT:
				value = _exact_point()
			else:
				value = Vector2(_step(slot), _step(slot + 1)) / (1 << unit)
		PackForm.VECTOR2I:
			value = Vector2i(_step(slot), _step(slot + 1))
		PackForm.RECT2I:
			value = Rect2i(_step(slot), _step(slot + 1), _step(slot + 2), _step(slot + 3))
		PackForm.RESOURCE:
			value = _one_of(_resources, _step(slot))
		PackForm.FILE:
			value = _one_of(_block.resources, _step(slot))
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


# --- values ------------------------------------------------------------------------------


func _one_of(resources: Array[Resource], place: int) -> Resource:
	if place >= 0 and place < resources.size() and resources[place]:
		return resources[place]
	_fail("needs a resource that is not there")
	return null


# A value of the block, one that nobody shares.
func _plain(place: int) -> Variant:
	if place >= _block.values.size() or _block.values[place] is Object:
		_fail("needs a value that is not there")
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
	var size := _next()
	var numbers: Array = []
	if _has(size):
		for _i: int in size:
			numbers.append(_next())
	return numbers


func _tiles() -> Array[Vector2i]:
	var size := _next()
	var tiles: Array[Vector2i] = []
	if _has(2 * size):
		var tile := Vector2i()
		for _i: int in size:
			tile += Vector2i(_next(), _next())
			tiles.append(tile)
	return tiles


func _points(unit: int) -> PackedVector2Array:
	_x = 0
	_y = 0
	return _ring(_next(), unit)


func _rings(unit: int) -> Array[PackedVector2Array]:
	_x = 0
	_y = 0
	var rings: Array[PackedVector2Array] = []
	for size: int in _sizes():
		rings.append(_ring(size, unit))
	return rings


# Some points, each as its difference from the one before, if their unit is none of exact ones.
func _ring(size: int, unit: int) -> PackedVector2Array:
	var points: PackedVector2Array = []
	if not _has(size * (4 if unit == PackForm.EXACT else 2)):
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
	_least_index = 0
	_most_index = -1
	for size: int in _sizes():
		var list: PackedInt32Array = []
		if not _has(size):
			break
		list.resize(size)
		for i: int in size:
			index += _stream.decode_s16(_at)
			_at += 2
			list[i] = index
			_least_index = mini(_least_index, index)
			_most_index = maxi(_most_index, index)
		lists.append(list)
	return lists


# How long each of several lists is.
func _sizes() -> PackedInt32Array:
	var sizes: PackedInt32Array = []
	var count := _next()
	if _has(count):
		for _i: int in count:
			sizes.append(_next())
	return sizes


# The cells of a layer, as TileMapLayer has them: two bytes of format, and 12 for each cell.
func _tile_map_data() -> PackedByteArray:
	var data: PackedByteArray = [0, 0]
	var parts := _next()
	if _has(5 * parts):
		for _i: int in parts:
			data.append_array(_rectangle(Rect2i(_next(), _next(), _next(), _next()), _next()))
			if _problem:
				break
	return data


func _rectangle(rect: Rect2i, palette: int) -> PackedByteArray:
	var there := (
		rect.size.x > 0 and rect.size.y > 0 and palette >= 0 and palette < _block.low.size()
	)
	if not there or rect.get_area() > _cells.size() - _cell:
		_fail("has a layer of cells that are not there")
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
