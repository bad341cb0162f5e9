extends RefCounted
## Puts something at each marker of a level but the foes, which wait until somebody comes.

const Art := preload("art.gd")
const Chest := preload("chest.gd")
const Exit := preload("exit.gd")
const Item := preload("item.gd")
const Pickup := preload("pickup.gd")
const Ware := preload("ware.gd")

const GLOWS := {"orange": Color(0.9, 0.5, 0.15, 0.35), "red": Color(0.9, 0.15, 0.15, 0.35)}

var exit: Exit

var _say: Callable
var _scene: Node2D


## [param say] is told what the player should read.
func furnish(level: UndercroftLevel, scene: Node2D, say: Callable) -> void:
	_say = say
	_scene = scene
	for marker: UndercroftMarker in level.plan.markers:
		var thing := _thing(marker, level.tile_size)
		if thing:
			thing.position = level.middle_of(marker.tile)
			scene.add_child(thing)


## Leaves something to take in a room, as near to its middle as can be.
func drop(level: UndercroftLevel, room: UndercroftRoom) -> void:
	var pickup := Pickup.new("any")
	var middle := level.bounds_of(room).get_center()
	var map := _scene.get_world_2d().navigation_map
	pickup.position = _scene.to_local(
		NavigationServer2D.map_get_closest_point(map, _scene.to_global(middle))
	)
	_scene.add_child.call_deferred(pickup)


func _thing(marker: UndercroftMarker, tile_size: int) -> Node2D:
	var thing: Node2D
	match marker.kind:
		"pickup":
			thing = Pickup.new(marker.text("item"))
		"item":
			var item := Item.new()
			item.taken.connect(_say)
			thing = item
		"ware":
			var ware := Ware.new(marker.text("item"), marker.id)
			ware.refused.connect(_say)
			thing = ware
		"chest":
			var chest := Chest.new(marker.text("tier"))
			chest.refused.connect(_say)
			thing = chest
		"exit":
			exit = Exit.new()
			thing = exit
		"shopkeeper", "machine":
			thing = Art.sprite(marker.kind)
		"torch", "fire":
			var radius := marker.number("light_radius_tiles", 3) * tile_size
			var colour: Color = GLOWS.get(marker.text("color"), GLOWS["orange"])
			thing = Art.glow(colour, radius)
	return thing
