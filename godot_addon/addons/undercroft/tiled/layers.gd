extends RefCounted
## The layers of a map as nodes: tiles, objects, images, groups of them.

const Fields := preload("../import/fields.gd")
const Grid := preload("grid.gd")
const Lookup := preload("lookup.gd")
const Names := preload("../import/names.gd")
const Objects := preload("objects.gd")
const Pictures := preload("pictures.gd")
const Placeholders := preload("placeholders.gd")
const ProjectTypes := preload("project_types.gd")
const SceneMap := preload("../import/scene_map.gd")
const TileLayers := preload("tile_layers.gd")
const Tileset := preload("tileset.gd")

const DEEPEST := 64
const MAX_LAYERS := 10_000
const KINDS: Array[String] = ["tilelayer", "objectgroup", "imagelayer", "group"]
## Properties of a layer that are set on its node if the node has them.
const NODE_PROPERTIES: Array[String] = [
	"z_index",
	"z_as_relative",
	"y_sort_enabled",
	"y_sort_origin",
	"show_behind_parent",
	"light_mask",
	"visibility_layer",
	"texture_filter",
	"texture_repeat",
	"collision_enabled",
	"use_kinematic_bodies",
	"occlusion_enabled",
	"navigation_enabled",
	"x_draw_order_reversed",
	"rendering_quadrant_size",
]
const HIGHEST_Z := RenderingServer.CANVAS_ITEM_Z_MAX
const _BLENDS := {
	"add": CanvasItemMaterial.BLEND_MODE_ADD,
	"multiply": CanvasItemMaterial.BLEND_MODE_MUL,
}

var _types: ProjectTypes
var _grid: Grid
var _lookups: Array[Lookup]
var _tile_layers: TileLayers
var _objects: Objects
var _tile_set: TileSet
var _placeholders: Placeholders
var _count := 0


func _init(
	types: ProjectTypes,
	grid: Grid,
	lookups: Array[Lookup],
	tile_layers: TileLayers,
	objects: Objects,
	tile_set: TileSet,
	placeholders: Placeholders
) -> void:
	_types = types
	_grid = grid
	_lookups = lookups
	_tile_layers = tile_layers
	_objects = objects
	_tile_set = tile_set
	_placeholders = placeholders


## Adds the layers of a map or group below a node. [param scroll] is the parallax factor of the
## parents; 1 is normal.
func add(above: Fields, parent: Node, scroll: Vector2 = Vector2.ONE, depth: int = 0) -> void:
	var names := Names.new()
	for layer: Fields in above.subs("layers", MAX_LAYERS):
		_count += 1
		if depth > DEEPEST or _count > MAX_LAYERS:
			layer.bad("", "is one layer too many, or nested too deeply")
			return
		var node := _node(layer)
		_give(layer, node)
		node.name = names.unique(layer.text("name", "Layer"))
		var own := Vector2(layer.number("parallaxx", 1), layer.number("parallaxy", 1))
		var child := Pictures.in_parallax(layer, node, scroll, scroll * own)
		parent.add_child(child)
		if above.problem.found:
			return
		match layer.text("type", ""):
			"group":
				add(layer, node, scroll * own, depth + 1)
			"objectgroup":
				_objects.add(layer, node)


func _node(layer: Fields) -> CanvasItem:
	match layer.choice("type", KINDS, "group"):
		"tilelayer":
			var tiles := TileMapLayer.new()
			tiles.tile_set = _tile_set
			tiles.x_draw_order_reversed = _grid.draws_leftwards
			_tile_layers.give(layer, tiles, _lookups, _grid)
			return tiles
		"imagelayer":
			return Pictures.make(layer, _placeholders)
	return Node2D.new()


func _give(layer: Fields, node: CanvasItem) -> void:
	node.visible = layer.boolean("visible", true)
	var tint := layer.color("tintcolor", Color.WHITE)
	tint.a *= layer.number("opacity", 1.0, 0.0, 1.0)
	node.modulate = tint
	var moved := Vector2(layer.number("offsetx", 0), layer.number("offsety", 0))
	if node is Node2D:
		(node as Node2D).position += moved
	var mode := layer.text("mode", "normal")
	if _BLENDS.has(mode):
		var material := CanvasItemMaterial.new()
		material.blend_mode = _BLENDS[mode]
		node.material = material
	elif mode != "normal":
		layer.warn("mode", "Godot cannot blend with %s without a shader" % Fields.shown(mode))
	var type := layer.text("class", "")
	if type:
		node.add_to_group(SceneMap.group_name(type), true)
	var facts := _types.properties(layer, type)
	set_on(node, facts)
	_objects.tell(node, facts)


## Sets the properties that the node has, and removes them from the facts.
static func set_on(node: Node, facts: Dictionary) -> void:
	if not facts:
		return
	for name: String in NODE_PROPERTIES:
		if facts.has(name) and name in node and typeof(node.get(name)) == typeof(facts[name]):
			if name == "z_index":
				var z: int = facts[name]
				facts[name] = clampi(z, -HIGHEST_Z, HIGHEST_Z)
			node.set(name, facts[name])
			facts.erase(name)
