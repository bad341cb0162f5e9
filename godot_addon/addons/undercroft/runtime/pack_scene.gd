extends RefCounted
## Builds a scene from its rows, each a resource or node with a form and numbers. If the rows are
## inconsistent, a problem is noted and no scene is built.

const PackBlock := preload("pack_block.gd")
const PackForm := preload("pack_form.gd")
const PackRows := preload("pack_rows.gd")
const PackScene := preload("pack_scene.gd")

const _MAX_DEPTH := 32
# Nodes and resources of a level.
const _MAX_ROWS := 8192

var _block: PackBlock
var _rows: PackRows
var _nodes: Array[Node] = []
var _depths: PackedByteArray = []


## Builds the scene at a place of a block.
static func build(block: PackBlock, place: int) -> PackScene:
	var scene := PackScene.new()
	scene._block = block
	scene._rows = PackRows.new(block, place)
	scene._read()
	return scene


## The scene's root; null if there was a problem.
func root() -> Node2D:
	return null if problem() else _nodes[0] as Node2D


## The problem; empty if there is none.
func problem() -> String:
	return _rows.problem


func _read() -> void:
	if problem() or not _rows.has(2):
		return
	var resources := _rows.next()
	var nodes := _rows.next()
	if maxi(resources, nodes) > _MAX_ROWS:
		_rows.fail("has more than %d nodes or resources" % _MAX_ROWS)
		return
	for _i: int in resources:
		_read_resource()
		if _rows.problem:
			return
	for _i: int in nodes:
		_read_node()
		if _rows.problem:
			break
	if not _rows.is_at_end():
		_rows.fail("ends too early or too late")
	if _nodes.is_empty() or not _nodes[0] is Node2D:
		_rows.fail("has no root")
	if _rows.problem and _nodes:
		_nodes[0].free()


func _read_resource() -> void:
	var form := _rows.form()
	if form == null or not form.is_resource():
		_rows.fail("uses a resource class that packs may not contain")
		return
	var resource: Resource = ClassDB.instantiate(form.type)
	_set_all(resource, form, form.first_step)
	var mesh := resource as NavigationPolygon
	if mesh and not _has_its_corners(mesh):
		_rows.fail("has polygons with corners that do not exist")
	_rows.resources.append(resource)


static func _has_its_corners(mesh: NavigationPolygon) -> bool:
	var corners := mesh.vertices.size()
	for i: int in mesh.get_polygon_count():
		for corner: int in mesh.get_polygon(i):
			if corner < 0 or corner >= corners:
				return false
	return true


func _read_node() -> void:
	var form := _rows.form()
	if form == null or form.is_resource():
		_rows.fail("uses a node class that packs may not contain")
		return
	var slot := form.first_step
	var above := _rows.step(slot)
	slot += 1
	var numbers: Array[int] = []
	for i: int in form.name_numbers:
		numbers.append(_rows.step(slot + i))
	slot += form.name_numbers
	if _nodes and (above < 0 or above >= _nodes.size() or _depths[above] > _MAX_DEPTH):
		_rows.fail("has a node whose parent does not exist")
		return
	var node := _made(form)
	if node == null:
		_rows.fail("needs a scene that does not exist")
		return
	node.name = form.name % numbers if numbers else form.name
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
		var value: Variant = _rows.value_of(form.kinds[i], form.units[i], slot)
		if _rows.problem:
			return
		slot += PackForm.STEPS[form.kinds[i]] if form.units[i] != PackForm.EXACT else 0
		if form.is_meta[i]:
			object.set_meta(form.keys[i], value)
		elif form.types[i] < 0 or form.types[i] == typeof(value):
			object.set(form.keys[i], value)
		else:
			_rows.fail("%s: %s is not of its type" % [form.type, form.keys[i]])
