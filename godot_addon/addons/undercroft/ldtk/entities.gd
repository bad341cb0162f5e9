extends RefCounted
## Entities as nodes: the scene from the options, else a marker, or an area if the entity has its
## own size.

const Definitions := preload("definitions.gd")
const FieldValues := preload("field_values.gd")
const Fields := preload("../import/fields.gd")
const SceneMap := preload("../import/scene_map.gd")

const MAX_ENTITIES := 200_000
const MAX_SIZE := 1 << 24
const CORNERS := 24

## The nodes by iid, and the references to resolve once all nodes exist.
var by_iid: Dictionary = {}
var _waiting: Array[Waiting] = []
var _count := 0

var _definitions: Definitions
var _fields: FieldValues
var _scenes: SceneMap
var _centred := false
var _sprites := false


class Waiting:
	var node: Node
	var fact := ""
	var value: Variant


func _init(
	definitions: Definitions, fields: FieldValues, scenes: SceneMap, options: Dictionary
) -> void:
	_definitions = definitions
	_fields = fields
	_scenes = scenes
	_centred = options.get("entity_position", "pivot") == "center"
	_sprites = options.get("entity_tiles", false) == true


## Adds the entities of a layer below its node.
func add(layer: Fields, to: Node2D, grid: int) -> void:
	var names: Dictionary = {}
	var found := layer.subs("entityInstances")
	_count += found.size()
	if _count > MAX_ENTITIES:
		layer.refuse("entityInstances", "are more than %d" % MAX_ENTITIES)
		return
	for entity: Fields in found:
		var node := _make(entity, grid)
		if entity.problem.found:
			if node:
				node.free()
			return
		var name := entity.text("__identifier").validate_node_name()
		node.name = free_name(names, name if name else "Entity")
		to.add_child(node)


## Replaces references by paths from each node to its target. If the target is missing, the iid
## stays as text.
func resolve() -> void:
	for one: Waiting in _waiting:
		SceneMap.tell(one.node, one.fact, _resolved(one.value, one.node))


## Gives a node facts; references to entities are set later.
func tell(node: Node, facts: Dictionary) -> void:
	for fact: String in facts:
		if _leads(facts[fact]):
			var one := Waiting.new()
			one.node = node
			one.fact = fact
			one.value = facts[fact]
			_waiting.append(one)
		else:
			SceneMap.tell(node, fact, facts[fact])


## A name that is unique among the siblings: NAME, NAME2, NAME3.
static func free_name(taken: Dictionary, name: String) -> String:
	var number: int = taken.get(name, 1)
	var free := name
	while taken.has(free):
		number += 1
		free = name + str(number)
	taken[name] = number
	taken[free] = taken.get(free, 1)
	return free


func _make(entity: Fields, grid: int) -> Node2D:
	var uid := entity.integer("defUid", 0, Fields.MAX_INT)
	var definition: Definitions.Entity = _definitions.entities.get(uid)
	if definition == null:
		definition = Definitions.entity_alone(entity)
		_definitions.entities[uid] = definition
		entity.bad("defUid", "is %d, but the project has no such entity" % uid)
	var type := entity.text("__identifier")
	var at := entity.pair("px")
	var pivot := entity.pair("__pivot").clamp(Vector2.ZERO, Vector2.ONE)
	var size := Vector2(entity.integer("width", 0, MAX_SIZE), entity.integer("height", 0, MAX_SIZE))
	var middle := at + (Vector2.ONE / 2 - pivot) * size
	# Points are relative to the layer, like the entity.
	var facts := _fields.read(entity, grid, Vector2.ZERO)
	if entity.problem.found:
		return null
	var own: Dictionary = {"iid": entity.text("iid", ""), "size": size}
	var leading: Dictionary = {}
	for fact: String in facts:
		var to := leading if _leads(facts[fact]) else own
		to[fact] = facts[fact]
	var made := _scenes.make(type, "Area2D" if definition.sized else "Marker2D", own)
	var node := made as Node2D
	if node == null:
		made.free()
		entity.bad("__identifier", "%s has a scene whose root is not a Node2D" % type)
		node = Marker2D.new()
		SceneMap.give(node, own)
	node.position = middle if _centred else at
	for tag: String in definition.tags:
		node.add_to_group(SceneMap.group_name(tag), true)
	tell(node, leading)
	if not node.scene_file_path:
		_dress(entity, node, definition, size, middle - node.position)
	by_iid[own.iid] = node
	return node


## Adds the children of a node that is not a scene of the project: a shape, and LDtk's tile.
func _dress(
	entity: Fields, node: Node2D, definition: Definitions.Entity, size: Vector2, middle: Vector2
) -> void:
	if node is Area2D:
		var area: Area2D = node
		area.collision_layer = 0
		area.monitorable = false
	if node is CollisionObject2D:
		var shape := CollisionShape2D.new()
		shape.name = "Shape"
		shape.shape = _shape(size, definition.round)
		shape.position = middle
		node.add_child(shape)
	var tile := entity.sub_or_null("__tile")
	if _sprites and tile:
		var sprite := Sprite2D.new()
		sprite.name = "Tile"
		sprite.texture = _fields.tile_of(tile)
		sprite.position = middle
		node.add_child(sprite)


static func _shape(size: Vector2, round: bool) -> Shape2D:
	if not round:
		var rectangle := RectangleShape2D.new()
		rectangle.size = size
		return rectangle
	if size.x == size.y:
		var circle := CircleShape2D.new()
		circle.radius = size.x / 2
		return circle
	var points: PackedVector2Array = []
	for corner: int in CORNERS:
		points.append(Vector2.from_angle(TAU * corner / CORNERS) * size / 2)
	var polygon := ConvexPolygonShape2D.new()
	polygon.points = points
	return polygon


static func _leads(value: Variant) -> bool:
	if value is Array:
		var items: Array = value
		return items.any(func(item: Variant) -> bool: return item is FieldValues.Reference)
	return value is FieldValues.Reference


func _resolved(value: Variant, from: Node) -> Variant:
	if value is Array:
		var items: Array = value
		var found := items.map(_resolved.bind(from))
		if found.all(func(item: Variant) -> bool: return item is NodePath):
			return Array(found, TYPE_NODE_PATH, "", null)
		return found
	if value is FieldValues.Reference:
		var reference: FieldValues.Reference = value
		var goal: Node = by_iid.get(reference.iid)
		return from.get_path_to(goal) if goal else reference.iid
	return value
