class_name UndercroftLights
extends RefCounted
## Adds lights to a level that has none: to an imported one, or to one of a pack that was made
## without the option [code]godot.lights[/code]. It adds the nodes that the generator writes with
## this option.
##
## [codeblock]
## UndercroftLights.add(scene)
## UndercroftLights.darken(scene)
## [/codeblock]
##
## Colours are the theme's, which the TileSet or the root has as metadata. Markers with a child
## [code]Light[/code] and scenes of the game stay as they are.

const DoorWays := preload("door_ways.gd")
const LightWalls := preload("light_walls.gd")
const Problem := preload("problem.gd")
const SceneReader := preload("scene_reader.gd")

## The side of the squares that a layer is drawn in, in tiles: at most 16 lights reach one.
const QUADRANT := 8
const TEXTURE_PX := 128
## How bright a light is from its middle to its radius.
const OFFSETS: PackedFloat32Array = [0.0, 0.25, 0.5, 0.75, 0.875, 1.0]
const ALPHAS: PackedFloat32Array = [1.0, 0.989, 0.844, 0.407, 0.139, 0.0]
## For TileSets without the theme's colours.
const TORCH := Color("#ffb45a")
const AMBIENT := Color("#7a7392")

var _scene: Node2D
var _plan: UndercroftPlan
var _tile_size := 0
var _walls: LightWalls
var _layers: Array[TileMapLayer] = []


## Adds a light to each marker with the property [code]light_radius_tiles[/code], and what stops
## it at walls. Returns false and logs one line if the scene is not a level.
static func add(scene: Node2D) -> bool:
	var problem := Problem.new()
	add_noting(scene, problem)
	if problem.found:
		push_error("Undercroft: " + problem.text)
	return not problem.found


## As [method add], but notes the problem instead of logging it.
static func add_noting(scene: Node2D, problem: Problem) -> void:
	var reader := SceneReader.read(scene, problem)
	if problem.found:
		return
	var lights := UndercroftLights.new()
	lights._scene = scene
	lights._plan = reader.plan()
	lights._tile_size = reader.tile_size
	for node: Node in scene.find_children("*", "TileMapLayer", true, false):
		lights._layers.append(node as TileMapLayer)
	lights._add_all()


## Darkens what no light reaches, in the theme's ambient light.
static func darken(scene: Node2D) -> void:
	if scene.has_node(^"Ambient"):
		return
	var ambient := CanvasModulate.new()
	ambient.name = "Ambient"
	ambient.color = _colour_of(scene, "ambient_light", AMBIENT)
	scene.add_child(ambient)
	ambient.owner = scene


## A light like those of torches, such as a lantern for the player. [param radius] is in px.
static func light(radius: float, colour := TORCH, energy := 0.5) -> PointLight2D:
	var made := PointLight2D.new()
	made.name = "Light"
	made.texture = _texture()
	made.texture_scale = 2.0 * radius / TEXTURE_PX
	made.color = colour
	made.energy = energy
	made.shadow_enabled = true
	return made


func _add_all() -> void:
	_walls = LightWalls.of(_scene, _plan, _layers, _tile_size)
	var shine := light(1.0)
	var ambient := _colour_of(_scene, "ambient_light", Color(0.5, 0.5, 0.5))
	shine.energy = snappedf(1.0 - (ambient.r + ambient.g + ambient.b) / 3.0, 0.01)
	for node: Node in _scene.find_children("*", "Node2D", true, false):
		if node.is_in_group("marker") and not node.scene_file_path and not node.has_node(^"Light"):
			_add_light(node as Node2D, shine)
	shine.free()
	_walls.add_to(_scene)
	for layer: TileMapLayer in _layers:
		layer.set(&"occlusion_enabled", false)  # which 4.3 does not have
		layer.rendering_quadrant_size = QUADRANT


func _add_light(marker: Node2D, shine: PointLight2D) -> void:
	var radius := str(marker.get_meta("light_radius_tiles", 0)).to_float()
	if radius <= 0.0:
		return
	var made := shine.duplicate() as PointLight2D
	var place := DoorWays.place_in(_scene, marker).origin
	var tile := Vector2i((place / _tile_size).floor())
	var middle := (Vector2(tile) + Vector2(0.5, 0.5)) * _tile_size
	var away := Vector2(_walls.way_out(tile) * (_tile_size / 2 + 1))
	made.color = _colour(marker)
	made.texture_scale = 2.0 * radius * _tile_size / TEXTURE_PX
	made.position = middle + away - place
	made.offset = -away / made.texture_scale
	marker.add_child(made)
	made.owner = _scene


# A light has the colour of its zone's look: a hallway's that of its room nearer to the start.
func _colour(marker: Node2D) -> Color:
	var colour := _colour_of(_scene, "torch_light", TORCH)
	var zone := ""
	var hallway := _number(marker, "hallway")
	if hallway >= 0 and hallway < _plan.hallways.size():
		var ends := _plan.rooms_by_id(_plan.hallways[hallway].room_ids)
		ends.sort_custom(_is_nearer)
		zone = ends[0].zone
	else:
		var room := _number(marker, "room")
		zone = _plan.rooms[room].zone if room >= 0 and room < _plan.rooms.size() else ""
	var fact := "zone.%s.look" % zone  # imported maps have it as metadata of the root
	var look := str(_plan.facts.get(fact, _scene.get_meta(fact.replace(".", "_"), "")))
	return _colour_of(_scene, "torch_light_" + look, colour) if look else colour


static func _is_nearer(a: UndercroftRoom, b: UndercroftRoom) -> bool:
	if (a.distance < 0) != (b.distance < 0):
		return b.distance < 0
	return a.distance < b.distance if a.distance != b.distance else a.id < b.id


static func _number(node: Node, fact: String) -> int:
	var value: Variant = node.get_meta(fact, -1)
	return value if value is int else -1


static func _colour_of(scene: Node2D, name: String, otherwise: Color) -> Color:
	var holders: Array[Object] = [scene]
	for layer: Node in scene.find_children("*", "TileMapLayer", true, false).slice(0, 1):
		holders.append((layer as TileMapLayer).tile_set)
	for holder: Object in holders:
		if holder and name.is_valid_identifier() and holder.get_meta(name, 0) is Color:
			return holder.get_meta(name)
	return otherwise


static func _texture() -> GradientTexture2D:
	var gradient := Gradient.new()
	gradient.offsets = OFFSETS
	var colours: PackedColorArray = []
	for alpha: float in ALPHAS:
		colours.append(Color(1.0, 1.0, 1.0, alpha))
	gradient.colors = colours
	var texture := GradientTexture2D.new()
	texture.gradient = gradient
	texture.width = TEXTURE_PX
	texture.height = TEXTURE_PX
	texture.fill = GradientTexture2D.FILL_RADIAL
	texture.fill_from = Vector2(0.5, 0.5)
	texture.fill_to = Vector2(1.0, 0.5)
	return texture
